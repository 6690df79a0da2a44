import { createCcxtSource, exchangeIds, resolveExchangeId } from './ccxt/ccxt-source.js'
import { createDemoSource } from './demo/demo-source.js'
import { createResampledSource } from './resample.js'
import type { OnAnomaly, Source } from './source.js'
import { createStocksSource, type StocksSettings } from './stocks/stocks-source.js'
import type { SymbolCache } from './symbol-cache.js'

/** An exchange under its canonical identifier. */
export interface Exchange {
  readonly id: string
  readonly source: Source
}

/** The exchanges that the service asks. */
export interface ExchangeLookup {
  /** All identifiers, lower case and sorted. */
  ids(): string[]
  /** The exchange of that identifier (lower case), or of another name it goes by. */
  find(name: string): Exchange | undefined
  close(): Promise<void>
}

interface Options {
  /** ccxt options by exchange identifier. */
  readonly exchanges: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly stocks: StocksSettings
  readonly fetchTimeoutMs: number
  /** Hears of what exchanges show wrongly. */
  readonly onAnomaly?: OnAnomaly
  /** Where lists of symbols outlive the process. */
  readonly symbolCache?: SymbolCache
}

/** Every exchange there is; a member costs nothing until it is first found. */
export class ExchangeRegistry implements ExchangeLookup {
  readonly #options: Options
  readonly #known: ReadonlyMap<string, () => Source>
  readonly #open = new Map<string, Exchange>()

  constructor(options: Options) {
    this.#options = options
    this.#known = new Map<string, () => Source>([
      ...exchangeIds().map((id): [string, () => Source] => [id, () => this.#ccxt(id)]),
      ['demo', () => createDemoSource()],
      ['stocks', () => createStocksSource({ ...options.stocks, timeoutMs: options.fetchTimeoutMs })],
    ])
  }

  /** All identifiers, lower case and sorted. */
  ids(): string[] {
    return [...this.#known.keys()].sort()
  }

  /** The exchange of that identifier (lower case), or of another name it goes by. */
  find(name: string): Exchange | undefined {
    const open = this.#open.get(name)
    if (open) return open
    const id = resolveExchangeId(name) ?? name
    const create = this.#known.get(id)
    if (!create) return undefined
    const exchange = this.#open.get(id) ?? { id, source: create() }
    this.#open.set(id, exchange).set(name, exchange)
    return exchange
  }

  async close(): Promise<void> {
    await Promise.all([...new Set(this.#open.values())].map(({ source }) => source.close?.()))
  }

  #ccxt(id: string): Source {
    const { exchanges, stocks: _, fetchTimeoutMs, ...ports } = this.#options
    const source = createCcxtSource(id, { options: exchanges[id] ?? {}, timeoutMs: fetchTimeoutMs, ...ports })
    return createResampledSource(source, id, ports.onAnomaly)
  }
}
