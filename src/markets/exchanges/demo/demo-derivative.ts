import type { Candle } from '../../../candles/candle.js'
import { openOf, type Timeframe, timeframes } from '../../../candles/timeframe.js'
import type { TimesKind } from '../../../contract/market.js'
import type { MarketProfile } from './demo-market.js'
import { createRandom, seedOf, seedOfText } from './random-walk.js'

const day = timeframes['1d']
/** Seconds between two values. */
const periods: Readonly<Record<TimesKind, number>> = {
  funding: timeframes['8h'],
  openinterest: timeframes['5m'],
}
/** Share of a day's premium by which mark and index prices are below the price. */
const belowPrice = { markprice: 0.1, indexprice: 1 } as const
/** Minimum and maximum of a day's premium of the price over the index. */
const premiums = [-0.0004, 0.0012] as const
/** Share of a day's premium that a settlement pays. */
const paid = 0.4
/** Average open interest, as a share of a week's volume. */
const openShare = 0.1
/** Maximum number of values per candle, without the last one. */
const maxValues = 12

/** Invented perpetual of a market. Its derivative series are functions of the time. */
export class DemoDerivative {
  readonly #seed: number

  constructor(
    symbol: string,
    private readonly profile: MarketProfile,
  ) {
    this.#seed = seedOfText(`${symbol} perpetual`)
  }

  /** Candle of mark or index prices that corresponds to a trade candle of at most a day. */
  priced(kind: keyof typeof belowPrice, candle: Candle): Candle {
    const { ticks } = this.profile
    const share = 1 - belowPrice[kind] * this.#premium(Math.floor(candle.timestamp / day))
    const at = (price: number) => Math.round(price * share * ticks) / ticks
    const { timestamp, open, high, low, close } = candle
    return { timestamp, open: at(open), high: at(high), low: at(low), close: at(close), volume: 0 }
  }

  /**
   * The newest `count` candles of a kind, made from its values from `from` to `until` (Unix seconds, both
   * included).
   */
  candles(kind: TimesKind, timeframe: Timeframe, count: number, from: number, until: number): Candle[] {
    const period = periods[kind]
    const candles: Candle[] = []
    let last = Math.floor(until / period) * period
    while (last >= from && candles.length < count) {
      const timestamp = openOf(timeframe, last)
      const first = Math.max(from, Math.ceil(timestamp / period) * period)
      const step = Math.max(period, Math.ceil((last - first) / maxValues / period) * period)
      const values: number[] = []
      for (let time = first; time < last; time += step) values.push(this.#valueAt(kind, time))
      values.push(this.#valueAt(kind, last))
      candles.push({
        timestamp,
        open: values[0] as number,
        high: Math.max(...values),
        low: Math.min(...values),
        close: values.at(-1) as number,
        volume: 0,
      })
      last = Math.ceil(timestamp / period) * period - period
    }
    return candles.reverse()
  }

  #random(level: number, index: number): number {
    return createRandom(seedOf(this.#seed, level, index))()
  }

  #premium(index: number): number {
    const [least, most] = premiums
    return least + (most - least) * this.#random(0, index)
  }

  #valueAt(kind: TimesKind, time: number): number {
    const index = Math.floor(time / day)
    if (kind === 'funding') {
      const noise = this.#random(1, time / periods.funding) - 0.5
      return Math.round(this.#premium(index) * paid * 1e6 + noise * 100) / 1e6
    }
    const { turnover, lot } = this.profile
    const share = (time % day) / day
    const level = 0.75 + 0.5 * (this.#random(2, index) * (1 - share) + this.#random(2, index + 1) * share)
    const noise = 1 + 0.002 * this.#random(3, time / periods.openinterest)
    return Math.round((turnover * openShare * level * noise) / lot) * lot
  }
}
