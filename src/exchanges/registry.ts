import { Worker } from 'node:worker_threads'
import { exchangeIds, resolveExchangeId } from './ccxt/exchange-ids.js'
import { createDemoSource } from './demo/demo-source.js'
import type { Source } from './source.js'
import type { SourcePorts, SourceSettings } from './source-factory.js'
import { freshSeconds, stocksId } from './stocks/stocks.js'
import { ExchangeThread, RemoteSource, RemoteSpellingSource, type Thread } from './worker/exchange-thread.js'

/** An exchange under its canonical identifier. */
export interface Exchange {
  readonly id: string
  readonly source: Source
}

/** The exchanges that candles can be fetched from. */
export interface ExchangeLookup {
  /** All identifiers, lower case and sorted. */
  ids(): string[]
  /** The exchange of an identifier (lower case) or of a synonym. */
  find(name: string): Exchange | undefined
  close(): Promise<void>
}

interface Options extends SourceSettings, SourcePorts {
  /** Called when the thread of the exchanges has failed; it is started again. */
  readonly onFault?: (error: Error) => void
  /** The compiled module of the thread, where it is not beside this one. */
  readonly worker?: URL
  /** Opens what asks the exchanges in the place of a thread of this process. */
  readonly start?: (() => Thread) | undefined
}

/** Megabytes for young objects in the thread: with Node's default, a long list of markets leaves 20 MB more behind. */
const youngGenerationMb = 16

/**
 * All exchanges: those of ccxt, `demo` and `stocks`. A source is created when its exchange is first looked up. A thread sends
 * the requests to exchanges and reads their responses; the first question starts it.
 */
export class ExchangeRegistry implements ExchangeLookup {
  readonly #thread: ExchangeThread
  readonly #factories: ReadonlyMap<string, () => Source>
  readonly #created = new Map<string, Exchange>()

  constructor(options: Options) {
    const { exchanges, stocks, fetchTimeoutMs, onAnomaly, symbolCache, onFault } = options
    const { worker = new URL('./worker/worker.js', import.meta.url) } = options
    const settings: SourceSettings = { exchanges, stocks, fetchTimeoutMs }
    const resourceLimits = { maxYoungGenerationSizeMb: youngGenerationMb }
    const start =
      options.start ?? (() => new Worker(worker, { name: 'exchanges', workerData: settings, resourceLimits }))
    const thread = new ExchangeThread({ start, onAnomaly, symbolCache, onFault })
    this.#thread = thread
    this.#factories = new Map<string, () => Source>([
      ...exchangeIds.map((id): [string, () => Source] => [id, () => new RemoteSource(thread, id)]),
      ['demo', () => createDemoSource()],
      [stocksId, () => new RemoteSpellingSource(thread, stocksId, freshSeconds)],
    ])
  }

  ids(): string[] {
    return [...this.#factories.keys()].sort()
  }

  find(name: string): Exchange | undefined {
    const known = this.#created.get(name)
    if (known) return known
    const id = resolveExchangeId(name) ?? name
    const create = this.#factories.get(id)
    if (!create) return undefined
    const exchange = this.#created.get(id) ?? { id, source: create() }
    this.#created.set(id, exchange).set(name, exchange)
    return exchange
  }

  async close(): Promise<void> {
    const sources = [...new Set(this.#created.values())].map(({ source }) => source)
    await Promise.all([this.#thread.close(), ...sources.map(source => source.close?.())])
  }
}
