import { createCcxtSource } from './ccxt/ccxt-source.js'
import { exchangeIds, resolveExchangeId } from './ccxt/exchange-ids.js'
import { createDemoSource } from './demo/demo-source.js'
import { createResampledSource } from './resample.js'
import type { OnAnomaly, Source } from './source.js'
import { createStocksSource, type StocksSettings } from './stocks/stocks-source.js'
import type { SymbolCache } from './symbol-cache.js'
import { Turns } from './turns.js'

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

interface Options {
  /** ccxt options by exchange identifier. */
  readonly exchanges: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly stocks: StocksSettings
  readonly fetchTimeoutMs: number
  /** Called with what is wrong with the candles of the exchanges of ccxt. */
  readonly onAnomaly?: OnAnomaly
  /** Where lists of symbols outlive the process. */
  readonly symbolCache?: SymbolCache
}

/** All exchanges: those of ccxt, `demo` and `stocks`. A source is created when its exchange is first looked up. */
export class ExchangeRegistry implements ExchangeLookup {
  readonly #options: Options
  readonly #factories: ReadonlyMap<string, () => Source>
  readonly #created = new Map<string, Exchange>()
  /** The exchanges of ccxt are opened one after the other: each one loads code for some 30 milliseconds. */
  readonly #openings = new Turns()

  constructor(options: Options) {
    this.#options = options
    this.#factories = new Map<string, () => Source>([
      ...exchangeIds().map((id): [string, () => Source] => [id, () => this.#createCcxt(id)]),
      ['demo', () => createDemoSource()],
      ['stocks', () => createStocksSource({ ...options.stocks, timeoutMs: options.fetchTimeoutMs })],
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
    await Promise.all([...new Set(this.#created.values())].map(({ source }) => source.close?.()))
  }

  #createCcxt(id: string): Source {
    const { exchanges, stocks: _, fetchTimeoutMs, ...ports } = this.#options
    const source = createCcxtSource(id, {
      options: exchanges[id] ?? {},
      timeoutMs: fetchTimeoutMs,
      openings: this.#openings,
      ...ports,
    })
    return createResampledSource(source, id, ports.onAnomaly)
  }
}
