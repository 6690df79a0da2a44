import { findMarkets, nearNames, readMarketQuery } from '../model/market-search.js'
import type { ServiceClient } from '../service/client.js'
import { Signal } from '../view/signal.js'
import type { Market } from '../view/view.js'
import { h } from './dom.js'
import { Palette, type PaletteGroup, type PaletteItem } from './palette.js'

interface Options {
  readonly client: ServiceClient
  readonly market: () => Market
  readonly onPick: (market: Market) => void
}

const maxResults = 60

/** Use of the chosen market, if it is not opened. */
export interface Purpose {
  readonly title: string
  readonly act: (market: Market) => void
}

/** The exchanges of the service and the symbols of the requested exchanges, each fetched once. */
export class MarketPalette {
  readonly #options: Options
  readonly #palette: Palette
  #purpose: Purpose | undefined
  #exchanges: readonly string[] | undefined
  readonly #lists = new Signal<ReadonlyMap<string, readonly string[]>>(new Map())
  /** Exchanges whose symbols are being fetched or failed to load, with the reason. */
  readonly #asked = new Map<string, string>()

  constructor(options: Options) {
    this.#options = options
    this.#palette = new Palette({
      title: 'Search for a symbol',
      placeholder: 'btc 1h, kraken eth, stocks aapl …',
      keys: '↑ ↓ choose · Enter open · Esc close',
      groups: text => this.#groups(text),
      empty: text =>
        text.trim()
          ? `No symbol is like “${text.trim()}”. Type the name of an exchange to search there.`
          : 'Loading …',
    })
  }

  open(text = '', purpose?: Purpose): void {
    this.#purpose = purpose
    void this.#loadExchanges()
    this.#palette.open(text)
  }

  async #loadExchanges(): Promise<void> {
    if (!this.#exchanges) {
      const outcome = await this.#options.client.get('exchanges')
      if (outcome.kind !== 'ok') return
      this.#exchanges = (outcome.body as { exchanges: readonly string[] }).exchanges
    }
    const { exchange } = this.#options.market()
    await Promise.all([...new Set([exchange, 'demo'])].map(each => this.#load(each)))
    if (this.#palette.isOpen) this.#palette.refresh()
  }

  get #symbols(): ReadonlyMap<string, readonly string[]> {
    return this.#lists.value
  }

  /** The symbols of an exchange, by default that of the chart; empty until they have been loaded, which this call starts. */
  symbolsOf(exchange = this.#options.market().exchange): readonly string[] {
    void this.#load(exchange)
    return this.#symbols.get(exchange) ?? []
  }

  /** The symbols of an exchange; empty if the request fails. */
  async #load(exchange: string): Promise<readonly string[]> {
    const known = this.#symbols.get(exchange)
    if (known || this.#asked.has(exchange)) return known ?? []
    this.#asked.set(exchange, 'loading …')
    const outcome = await this.#options.client.get(`exchanges/${encodeURIComponent(exchange)}/symbols`)
    if (outcome.kind === 'ok') {
      this.#asked.delete(exchange)
      const { symbols } = outcome.body as { symbols: readonly string[] }
      this.#lists.value = new Map([...this.#symbols, [exchange, symbols]])
    } else {
      this.#asked.set(exchange, outcome.kind === 'refused' ? outcome.error : 'The service does not answer.')
    }
    return this.#symbols.get(exchange) ?? []
  }

  /** Markets of similar names on the same exchange, or the same symbol on exchanges of similar names. */
  async findNear({ exchange, symbol, timeframe }: Market): Promise<readonly Market[]> {
    await this.#loadExchanges()
    const exchanges = this.#exchanges ?? []
    if (!exchanges.includes(exchange))
      return nearNames(exchange, exchanges).map(near => ({ exchange: near, symbol, timeframe }))
    const symbols = await this.#load(exchange)
    return nearNames(symbol, symbols).map(near => ({ exchange, symbol: near, timeframe }))
  }

  #groups(text: string): readonly PaletteGroup[] {
    const { market } = this.#options
    const exchanges = this.#exchanges ?? []
    const query = readMarketQuery(text, exchanges)
    const [first] = query.exchanges
    if (first && query.exchanges.length <= 3) this.#loadMissing(query.exchanges)
    const isSearch = query.symbol !== '' || query.exchanges.length > 0
    const markets = findMarkets(query, this.#symbols, market().timeframe, maxResults)
    const asked = query.exchanges.filter(exchange => this.#asked.has(exchange))
    const title = this.#purpose?.title ?? (isSearch ? 'Symbols' : 'Symbols here')
    return [
      { title, items: markets.map(each => this.#item(each)) },
      { title: 'Exchanges', items: [...this.#waiting(asked), ...this.#exchangeItems(text, exchanges)] },
    ].filter(({ items }) => items.length > 0)
  }

  #loadMissing(exchanges: readonly string[]): void {
    for (const exchange of exchanges) {
      if (this.#symbols.has(exchange) || this.#asked.has(exchange)) continue
      void this.#load(exchange).then(() => {
        if (this.#palette.isOpen) this.#palette.refresh()
      })
    }
  }

  #item(market: Market): PaletteItem {
    const { exchange, symbol, timeframe } = market
    return {
      id: `${exchange}:${symbol}`,
      content: [
        h('strong', { text: symbol }),
        h('span', { class: 'palette-note', text: exchange }),
        h('span', { class: 'chip', text: timeframe }),
      ],
      pick: () => (this.#purpose?.act ?? this.#options.onPick)(market),
    }
  }

  #waiting(exchanges: readonly string[]): readonly PaletteItem[] {
    return exchanges.map(exchange => ({
      id: exchange,
      content: [
        h('strong', { text: exchange }),
        h('span', { class: 'palette-note', text: this.#asked.get(exchange) ?? '' }),
      ],
      pick: () => {
        this.#asked.delete(exchange)
        this.open(`${exchange} `, this.#purpose)
      },
    }))
  }

  /** Items of exchanges whose symbols are not loaded: choosing one loads and searches them. */
  #exchangeItems(text: string, exchanges: readonly string[]): readonly PaletteItem[] {
    const word = text.toLowerCase().trim().split(/\s+/).at(-1) ?? ''
    return exchanges
      .filter(
        exchange => exchange.includes(word) && !this.#symbols.has(exchange) && !this.#asked.has(exchange),
      )
      .slice(0, 200)
      .map(exchange => ({
        id: exchange,
        content: [
          h('strong', { text: exchange }),
          h('span', { class: 'palette-note', text: 'search there' }),
        ],
        pick: () => this.open(`${exchange} `, this.#purpose),
      }))
  }
}
