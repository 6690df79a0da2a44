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
/** Parts of a day's premium that mark and index prices are below the price. */
const belowPrice = { markprice: 0.1, indexprice: 1 } as const
/** A day's premium of the price over the index, at least and at most. */
const premiums = [-0.0004, 0.0012] as const
/** The share of a day's premium that is paid with a settlement. */
const paid = 0.4
/** The share of a week's volume that is open, on average. */
const openShare = 0.1
/** Values that a candle is made of at most, without the last one. */
const maxValues = 12

/** The invented perpetual of a market: what it has beside candles is a function of the time. */
export class DemoDerivative {
  readonly #seed: number
  readonly #profile: MarketProfile

  constructor(symbol: string, profile: MarketProfile) {
    this.#seed = seedOfText(`${symbol} perpetual`)
    this.#profile = profile
  }

  /** The candle of mark or index prices beside a candle of trades that is no longer than a day. */
  priced(kind: keyof typeof belowPrice, candle: Candle): Candle {
    const { ticks } = this.#profile
    const share = 1 - belowPrice[kind] * this.#premium(Math.floor(candle.timestamp / day))
    const at = (price: number) => Math.round(price * share * ticks) / ticks
    const { timestamp, open, high, low, close } = candle
    return { timestamp, open: at(open), high: at(high), low: at(low), close: at(close), volume: 0 }
  }

  /** The newest `count` candles of a kind, of its values from `from` to `until` (Unix seconds, both included). */
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
    const { turnover, lot } = this.#profile
    const share = (time % day) / day
    const level = 0.75 + 0.5 * (this.#random(2, index) * (1 - share) + this.#random(2, index + 1) * share)
    const noise = 1 + 0.002 * this.#random(3, time / periods.openinterest)
    return Math.round((turnover * openShare * level * noise) / lot) * lot
  }
}
