import { divides, type Timeframe, timeframes } from '../../../candles/timeframe.js'
import type { MarketProfile } from './market-profiles.js'
import { createRandom, normal, seedOf, seedOfText } from './random.js'
import { type Bar, join, minLots, split, trades } from './random-walk.js'

/** The timeframes from coarse to fine: each candle of one is split into candles of the next. */
const levels = ['1w', '1d', '4h', '1h', '15m', '5m', '1m'] as const satisfies readonly Timeframe[]

export type Level = (typeof levels)[number]

/** The level of a timeframe: 0 are weeks. */
export const levelOf = (timeframe: Level): number => levels.indexOf(timeframe)

/** The longest timeframe with a level whose candles make up those of a timeframe. */
export const levelWithin = (timeframe: Timeframe): Level =>
  levels.find(level => divides(level, timeframe)) as Level

/** The seconds of a minute that may have a trade. The first one has none: a candle begins with the price before it. */
const tradingSeconds = timeframes['1m'] - 1

/** The trend turns where a bound is nearer than this factor. */
const trendMargin = 3
/** The most that a price falls in a week, as a share of the price. */
const maxWeeklyLoss = 0.6

interface Week extends Bar {
  /** The direction of the trend. */
  readonly trend: 1 | -1
}

/** One invented market: its candles in ticks and lots, by level and index (candles since the first week). */
export class DemoMarket {
  readonly #seed: number
  /** All weeks so far, because each one depends on the week before it: 52 small objects a year. */
  readonly #weeks: Week[] = []

  constructor(
    symbol: string,
    readonly profile: MarketProfile,
  ) {
    this.#seed = seedOfText(symbol)
  }

  #random(level: number, index: number) {
    return createRandom(seedOf(this.#seed, level, index))
  }

  #week(index: number): Week {
    for (let next = this.#weeks.length; next <= index; next++)
      this.#weeks.push(this.#weekAfter(this.#weeks[next - 1], next))
    return this.#weeks[index] as Week
  }

  #weekAfter(before: Week | undefined, index: number): Week {
    const { mean, range, ticks, volatility, reversion, drift, lot, turnover } = this.profile
    const random = this.#random(0, index)
    const meanTicks = mean * ticks
    const floor = Math.round(meanTicks / range)
    const ceiling = Math.round(meanTicks * range)
    const within = (price: number) => Math.min(ceiling, Math.max(floor, Math.round(price)))

    const open = before?.close ?? within(meanTicks)
    let trend = before?.trend ?? 1
    if (open * trendMargin > ceiling) trend = -1
    if (open < floor * trendMargin) trend = 1
    const activity = 0.5 + random()
    const deviation = volatility * activity
    const returning = (2 * reversion * (meanTicks - open)) / (meanTicks + open)
    // Without half of the variance, equal steps up and down in per cent would lower the price over time (Itô).
    const correction = (deviation * deviation) / 2
    const change = Math.max(
      -maxWeeklyLoss,
      deviation * normal(random) + correction + returning + drift * trend,
    )
    const close = within(open * (1 + change))
    const above = open * deviation * 0.5 * Math.abs(normal(random))
    const below = open * deviation * 0.5 * Math.abs(normal(random))
    const lots = ((turnover / lot) * activity * (0.5 + random()) * meanTicks) / open
    return {
      open,
      high: within(Math.max(open, close) + above),
      low: within(Math.min(open, close) - below),
      close,
      volume: Math.max(minLots, Math.round(lots)),
      trend,
    }
  }

  /** The complete candles from index `from` to `to` of a level, both included. */
  bars(level: number, from: number, to: number): Bar[] {
    const bars: Bar[] = []
    if (level === 0) {
      for (let index = from; index <= to; index++) bars.push(this.#week(index))
      return bars
    }
    const parts = partsOf(level)
    const first = Math.floor(from / parts)
    const parents = this.bars(level - 1, first, Math.floor(to / parts))
    for (const [at, parent] of parents.entries()) {
      const start = (first + at) * parts
      const children = split(parent, parts, this.profile.roughness, this.#random(level, first + at))
      for (let part = Math.max(0, from - start); part < parts && start + part <= to; part++) {
        bars.push(children[part] as Bar)
      }
    }
    return bars
  }

  /** The forming state of the complete candle `bar`, `elapsed` seconds after its open. */
  forming(bar: Bar, level: number, index: number, elapsed: number): Bar {
    const { roughness } = this.profile
    if (level === levels.length - 1) {
      const { open } = bar
      const states: Bar[] = [{ open, high: open, low: open, close: open, volume: 0 }]
      const random = this.#random(levels.length, index)
      for (const { price, volume } of trades(bar, tradingSeconds, roughness, random)) {
        if (states.length > elapsed) break
        states.push({ open: price, high: price, low: price, close: price, volume })
      }
      return join(states)
    }
    const finer = level + 1
    const parts = partsOf(finer)
    const length = timeframes[levels[finer] as Timeframe]
    const closed = Math.floor(elapsed / length)
    const children = split(bar, parts, roughness, this.#random(finer, index))
    const last = this.forming(
      children[closed] as Bar,
      finer,
      index * parts + closed,
      elapsed - closed * length,
    )
    return join([...children.slice(0, closed), last])
  }
}

/** How many candles of a level make one of the next coarser level. */
const partsOf = (level: number) =>
  timeframes[levels[level - 1] as Timeframe] / timeframes[levels[level] as Timeframe]
