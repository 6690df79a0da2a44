import { divides, type Timeframe, timeframes } from '../../../candles/timeframe.js'
import {
  type Bar,
  createRandom,
  join,
  minLots,
  normal,
  seedOf,
  seedOfText,
  split,
  trades,
} from './random-walk.js'

/** Parameters of an invented market. Prices are in the quote currency. Changes are shares of the price per week. */
export interface MarketProfile {
  readonly mean: number
  /** Prices stay in [mean / range, mean × range]. */
  readonly range: number
  /** Ticks per price of 1, a power of ten. */
  readonly ticks: number
  /** The standard deviation of a week's change. */
  readonly volatility: number
  /** Mean reversion: share of the distance to the mean by which the price returns per week. */
  readonly reversion: number
  /** Change per week in the direction of the trend. The trend turns within a factor of three of a bound. */
  readonly drift: number
  /** Roughness inside a week. 1 is a random walk. Below 1 moves persist, above 1 they reverse. */
  readonly roughness: number
  /** Smallest volume, in the base currency. A power of two, so that sums of volumes are exact. */
  readonly lot: number
  /** Volume of an average week at the mean price, in the base currency. */
  readonly turnover: number
}

const coin = { range: 12, reversion: 0.03, drift: 0, roughness: 1 }

/** Markets by symbol. The names are real, all numbers are invented. */
export const marketProfiles: Readonly<Record<string, MarketProfile>> = {
  AAVEUSDT: { ...coin, mean: 160, ticks: 1e2, volatility: 0.1, lot: 1 / 16, turnover: 450_000 },
  ADAUSDT: { ...coin, mean: 0.6, ticks: 1e5, volatility: 0.09, lot: 1, turnover: 700_000_000 },
  ATOMUSDT: { ...coin, mean: 8, ticks: 1e4, volatility: 0.09, lot: 1 / 4, turnover: 14_000_000 },
  AVAXUSDT: { ...coin, mean: 28, ticks: 1e3, volatility: 0.11, lot: 1 / 8, turnover: 12_000_000 },
  BNBUSDT: { ...coin, mean: 420, ticks: 1e2, volatility: 0.06, lot: 1 / 16, turnover: 1_200_000 },
  BTCUSDT: { ...coin, mean: 60_000, ticks: 1e2, volatility: 0.055, lot: 1 / 64, turnover: 160_000 },
  // Illiquid: most minutes have no trade.
  DCRUSDT: { ...coin, mean: 25, ticks: 1e2, volatility: 0.07, lot: 1 / 4, turnover: 6_000 },
  DOGEUSDT: { ...coin, mean: 0.15, ticks: 1e6, volatility: 0.12, lot: 1, turnover: 6e9 },
  DOTUSDT: { ...coin, mean: 7, ticks: 1e4, volatility: 0.09, lot: 1 / 4, turnover: 20_000_000 },
  // Mean-reverting: on every timeframe.
  ETHBTC: {
    ...coin,
    mean: 0.05,
    ticks: 1e6,
    range: 2,
    volatility: 0.03,
    reversion: 0.3,
    roughness: 1.3,
    lot: 1 / 16,
    turnover: 180_000,
  },
  ETHUSDT: { ...coin, mean: 2_800, ticks: 1e2, volatility: 0.07, lot: 1 / 32, turnover: 2_800_000 },
  // Low volatility: a pair of currencies.
  EURUSDT: { ...coin, mean: 1.1, ticks: 1e5, range: 1.4, volatility: 0.009, lot: 1, turnover: 40_000_000 },
  LINKUSDT: { ...coin, mean: 15, ticks: 1e4, volatility: 0.09, lot: 1 / 8, turnover: 16_000_000 },
  LTCUSDT: { ...coin, mean: 85, ticks: 1e3, volatility: 0.08, lot: 1 / 8, turnover: 2_600_000 },
  // Strongly trending: long trends up and down.
  NEARUSDT: {
    ...coin,
    mean: 4,
    ticks: 1e4,
    volatility: 0.025,
    reversion: 0,
    drift: 0.04,
    roughness: 0.7,
    lot: 1 / 4,
    turnover: 30_000_000,
  },
  PAXGUSDT: { ...coin, mean: 2_400, ticks: 1e2, range: 3, volatility: 0.015, lot: 1 / 128, turnover: 18_000 },
  // Very volatile, with a very low price.
  PEPEUSDT: { ...coin, mean: 0.000_009, ticks: 1e10, range: 40, volatility: 0.22, lot: 1, turnover: 9e13 },
  // A very low price.
  SHIBUSDT: { ...coin, mean: 0.000_015, ticks: 1e9, volatility: 0.1, lot: 1, turnover: 7e12 },
  SOLUSDT: { ...coin, mean: 130, ticks: 1e3, volatility: 0.1, lot: 1 / 8, turnover: 22_000_000 },
  // Nearly flat: two stablecoins.
  USDCUSDT: {
    ...coin,
    mean: 1,
    ticks: 1e4,
    range: 1.02,
    volatility: 0.0005,
    reversion: 0.5,
    lot: 1,
    turnover: 9e8,
  },
  XRPUSDT: { ...coin, mean: 0.9, ticks: 1e5, volatility: 0.1, lot: 1, turnover: 900_000_000 },
}

/** Timeframes from coarse to fine. Each candle is split into candles of the next timeframe. */
const levels = ['1w', '1d', '4h', '1h', '15m', '5m', '1m'] as const satisfies readonly Timeframe[]

export type Level = (typeof levels)[number]

export const levelOf = (timeframe: Level): number => levels.indexOf(timeframe)

/** The longest timeframe with a level that divides the given timeframe. */
export const levelWithin = (timeframe: Timeframe): Level =>
  levels.find(level => divides(level, timeframe)) as Level

/**
 * Seconds of a minute that may have a trade. The first second has no trade, because a candle begins with the
 * previous price.
 */
const tradingSeconds = timeframes['1m'] - 1

/** Factor of the distance to a bound below which the trend turns. */
const trendMargin = 3
/** Maximum loss per week, as a share of the price. */
const maxWeeklyLoss = 0.6

interface Week extends Bar {
  readonly trend: 1 | -1
}

/**
 * One invented market. Its candles are in ticks and lots, by level and index. The index counts the candles since
 * the first week.
 */
export class DemoMarket {
  readonly #seed: number
  /** All weeks computed so far, 52 small objects a year. Each week depends on the previous one. */
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
    // Adds half of the variance. Without it, equal steps up and down in per cent would lower the price over time
    // (Itô).
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

  /** Complete candles of a level from index `from` to `to`, both included. */
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

  /** Forming state of the complete candle `bar`, `elapsed` seconds after its open. */
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

/** Number of candles of a level per candle of the next coarser level. */
const partsOf = (level: number) =>
  timeframes[levels[level - 1] as Timeframe] / timeframes[levels[level] as Timeframe]
