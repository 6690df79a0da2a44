import { Worker } from 'node:worker_threads'
import { nameOfAdjustment, ownId, stocksId } from '../../contract/market.js'
import { exchangeIds, resolveExchangeId } from './ccxt/exchange-list.js'
import { createDemoSource } from './demo/demo-source.js'
import { type Source, SourceFailure } from './source.js'
import type { SourcePorts, SourceSettings } from './source-factory.js'
import { barSeconds, freshSeconds, type StocksExchange, stocksExchanges } from './stocks/stocks.js'
import { tradingHours } from './stocks/trading-hours.js'
import { ExchangeThread, RemoteSource, type Thread } from './worker/exchange-thread.js'

/** An exchange with its canonical identifier. */
export interface Exchange {
  readonly id: string
  readonly source: Source
}

export interface ExchangeLookup {
  /** All identifiers, lower case and sorted. */
  ids(): string[]
  /** Finds an exchange by its identifier (lower case) or by a synonym. */
  find(name: string): Exchange | undefined
  close(): Promise<void>
}

interface Options extends SourceSettings, SourcePorts {
  /** Called when the exchange thread has failed. The thread is restarted. */
  readonly onFault?: (error: Error) => void
  /** Compiled module of the thread. Default: the module in the folder `worker` next to this module. */
  readonly worker?: URL
  /** Reason for which Yahoo must not be used at present, in words. Undefined if it may be used. */
  readonly yahooRefusal?: (() => string | undefined) | undefined
  /** Markets of the operator. Without it, `own` has no symbols. */
  readonly own?: Source | undefined
  /** Opens a replacement of the exchange thread, for example a connection to another process. */
  readonly start?: (() => Thread) | undefined
}

/** Names of the stock exchanges that some providers lack. */
const unserved = new Set(['raw' as const, 'all' as const].map(nameOfAdjustment))

/** Source of an exchange that cannot be used here. It always fails. */
function unservedSource(reason: string): Source {
  const refusal = () => new SourceFailure('unavailable', reason)
  const fail = () => {
    throw refusal()
  }
  return { symbols: fail, ranking: fail, candles: fail, traits: { refusal } }
}

/** Picks the settings that the thread needs from all settings of the service. */
const settingsOf = (options: Options): SourceSettings => ({
  exchanges: options.exchanges,
  stocks: options.stocks,
  fetchTimeoutMs: options.fetchTimeoutMs,
  stocksSources: options.stocksSources,
  alpacaKey: options.alpacaKey,
  alpacaSecret: options.alpacaSecret,
  alpacaFeed: options.alpacaFeed,
  massiveKey: options.massiveKey,
  twelvedataKey: options.twelvedataKey,
})

/** Megabytes for young objects in the thread. With Node's default, a long market list leaves 20 MB more behind. */
const youngGenerationMb = 16

/**
 * All exchanges: those of ccxt, `demo` and `stocks`. A source is created when its exchange is first looked up. A
 * thread sends the requests to exchanges and reads their responses. The first question starts the thread.
 */
export class ExchangeRegistry implements ExchangeLookup {
  readonly #thread: ExchangeThread
  readonly #stocks: ReadonlyMap<string, StocksExchange>
  readonly #created = new Map<string, Exchange>()

  constructor(private readonly options: Options) {
    const { onAnomaly, symbolCache, onFault } = options
    const { worker = new URL('./worker/worker.js', import.meta.url) } = options
    const settings = settingsOf(options)
    const resourceLimits = { maxYoungGenerationSizeMb: youngGenerationMb }
    const start =
      options.start ?? (() => new Worker(worker, { name: 'exchanges', workerData: settings, resourceLimits }))
    this.#thread = new ExchangeThread({ start, onAnomaly, symbolCache, onFault })
    this.#stocks = stocksExchanges(settings)
  }

  ids(): string[] {
    return [...exchangeIds, 'demo', ownId, ...this.#stocks.keys()].sort()
  }

  find(name: string): Exchange | undefined {
    const known = this.#created.get(name)
    if (known) return known
    if (unserved.has(name) && !this.#stocks.has(name)) {
      const reason = `${name}: no provider of STOCKS_SOURCES that has a key has such prices`
      return { id: name, source: unservedSource(reason) }
    }
    const id = this.#stocks.get(name)?.id ?? resolveExchangeId(name) ?? name
    const source = this.#created.get(id)?.source ?? this.#create(id)
    if (!source) return undefined
    const exchange = this.#created.get(id) ?? { id, source }
    this.#created.set(id, exchange).set(name, exchange)
    return exchange
  }

  #create(id: string): Source | undefined {
    if (id === 'demo') return createDemoSource()
    if (id === ownId) return this.options.own ?? unservedSource(`${ownId}: the archive is not open`)
    if (exchangeIds.includes(id)) return new RemoteSource(this.#thread, id)
    const shares = [...this.#stocks.values()].find(each => each.id === id)
    if (!shares) return undefined
    return new RemoteSource(this.#thread, id, {
      freshSeconds,
      barSeconds,
      isRestated: shares.adjustment === 'all',
      hours: tradingHours,
      refusal: shares.provider === 'yahoo' ? () => this.#yahooRefusal() : undefined,
    })
  }

  #yahooRefusal(): SourceFailure | undefined {
    const words = this.options.yahooRefusal?.()
    return words === undefined ? undefined : new SourceFailure('unavailable', `${stocksId}: ${words}`)
  }

  async close(): Promise<void> {
    const sources = [...new Set(this.#created.values())].map(({ source }) => source)
    await Promise.all([this.#thread.close(), ...sources.map(source => source.close?.())])
  }
}

/**
 * Wraps the source of each exchange once. Sources with computed candles stay unwrapped, because computing costs
 * less than asking another process.
 */
export function wrapSources(
  exchanges: ExchangeLookup,
  wrap: (id: string, source: Source) => Source,
): ExchangeLookup {
  const wrapped = new Map<string, Exchange>()
  return {
    ids: () => exchanges.ids(),
    find(name) {
      const exchange = exchanges.find(name)
      if (!exchange || exchange.source.isComputed) return exchange
      const { id, source } = exchange
      const known = wrapped.get(id) ?? { id, source: wrap(id, source) }
      wrapped.set(id, known)
      return known
    },
    close: () => exchanges.close(),
  }
}
