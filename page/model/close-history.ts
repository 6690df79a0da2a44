import { type Market, secondsOf } from '../view/view.js'
import type { Loader } from './loader.js'
import { candlesPath } from './requests.js'
import { isGap, putRow, type Row } from './rows.js'

/** Number of candles of a small chart. */
export const sparkCandles = 60
/** Maximum number of candle requests in flight. */
const maxUnderWay = 2

interface Close extends Row {
  readonly close: number
}

interface Options {
  readonly loader: Loader
  /** The market without its symbol. */
  readonly market: Omit<Market, 'symbol'>
  readonly onCloses: (symbol: string) => void
}

/** The newest closes of the visible markets of a screen. */
export class CloseHistory {
  readonly #options: Options
  readonly #closes = new Map<string, Close[]>()
  /** Markets waiting for their request, in order. */
  readonly #wanted = new Set<string>()
  readonly #seen = new Set<string>()
  readonly #ending = new AbortController()
  #underWay = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** The closes from the oldest to the newest; empty until they are loaded. */
  of(symbol: string): readonly number[] {
    return (this.#closes.get(symbol) ?? []).map(({ close }) => close)
  }

  /** Called when the market becomes visible: fetches its closes unless they are known. */
  show(symbol: string): void {
    this.#seen.add(symbol)
    if (this.#closes.has(symbol) || this.#ending.signal.aborted) return
    this.#wanted.add(symbol)
    while (this.#underWay < maxUnderWay && this.#wanted.size > 0) void this.#work()
  }

  /** Called when the market is hidden: drops its request unless it is in flight. */
  hide(symbol: string): void {
    this.#seen.delete(symbol)
    this.#wanted.delete(symbol)
  }

  /** Adds the close of a live candle to the known closes. */
  add(symbol: string, timestamp: number, close: number): void {
    const closes = this.#closes.get(symbol)
    const last = closes?.at(-1)
    if (!closes || !last) return
    if (isGap(last.timestamp, timestamp, secondsOf(this.#options.market.timeframe))) {
      this.#closes.delete(symbol)
      if (this.#seen.has(symbol)) this.show(symbol)
      return
    }
    putRow(closes, { timestamp, close })
    if (closes.length > sparkCandles) closes.shift()
  }

  end(): void {
    this.#wanted.clear()
    this.#ending.abort()
  }

  async #work(): Promise<void> {
    this.#underWay++
    for (const symbol of this.#wanted) {
      this.#wanted.delete(symbol)
      await this.#fetch(symbol)
    }
    this.#underWay--
  }

  async #fetch(symbol: string): Promise<void> {
    const { loader, market, onCloses } = this.#options
    const { signal } = this.#ending
    const whole = { ...market, symbol }
    const path = candlesPath(whole, { results: sparkCandles })
    const loaded = await loader.load(
      whole,
      options => loader.client.get(path, options),
      signal,
      () => {},
    )
    if (signal.aborted) return
    // A refused market has no chart, and is not requested again.
    this.#closes.set(symbol, [...((loaded?.body ?? []) as readonly Close[])])
    onCloses(symbol)
  }
}
