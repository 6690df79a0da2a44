import type { Candle } from '../candle.js'
import { type CandleBlock, Columns } from '../columns.js'
import { capacityFor } from '../series.js'
import {
  type BarMaker,
  type BarPrices,
  type BarRun,
  bodyOf,
  lastUpTo,
  noBars,
  singleBar,
  tidy,
} from './bar-maker.js'
import type { BrickSize, Chart } from './chart.js'
import { HeikinAshi } from './heikin-ashi.js'

/** State of the average true range after the processed candles. */
export interface TrueRange {
  /** Close of the last candle. */
  before: number | undefined
  count: number
  average: number
}

export const noTrueRange = (): TrueRange => ({ before: undefined, count: 0, average: 0 })

/** Average over `period` candles; NaN until enough candles were processed. */
export const averageOf = ({ count, average }: TrueRange, period: number): number =>
  count < period ? Number.NaN : average

/**
 * Adds the next candle. The average is the mean of the first `period` true ranges, then Wilder's average. The first candle has no
 * true range. Source: Wilder, New Concepts in Technical Trading Systems (1978); TA-Lib ATR.
 */
export function addTo(range: TrueRange, period: number, { high, low, close }: Candle): void {
  const { before } = range
  range.before = close
  if (before === undefined) return
  const width = Math.max(high, before) - Math.min(low, before)
  range.average += (width - range.average) / Math.min(++range.count, period)
}

/** Significant digits of an average range as a size. Rounding removes the influence of the start of the history on bricks. */
const sizeDigits = 2

/**
 * Renko bricks by closes. The levels are the multiples of the size. A brick in the same direction is complete when a close
 * reaches the next level. A brick in the opposite direction is complete when a close reaches the second level on the other side.
 * So it begins one size away from the last close. The first close that reaches a level next to the first close completes the
 * first brick.
 *
 * A size that follows the average true range (Wilder) is updated by each candle that completes bricks. The next bricks have the
 * range of this candle as their size, in two significant digits. They continue from the level of the new size that the close has
 * reached. No later candle changes a brick.
 * Source: Nison, Beyond Candlesticks (1994), chapter 7; StockCharts ChartSchool, Renko Charts; levels as in stocktrends
 * (PERIOD_CLOSE).
 */
export class Renko implements BarMaker {
  /** Number of candles of the average true range; undefined for a fixed size. */
  readonly #period: number | undefined
  readonly state = {
    /** Size of a brick; NaN until it is known. */
    size: Number.NaN,
    range: noTrueRange(),
    /** Levels that complete the next brick upwards and downwards, and their prices; NaN before the first close. */
    upper: Number.NaN,
    lower: Number.NaN,
    upperPrice: Number.NaN,
    lowerPrice: Number.NaN,
  }

  constructor(size: BrickSize) {
    if ('price' in size) this.state.size = size.price
    this.#period = 'atr' in size ? size.atr : undefined
  }

  close(candle: Candle): readonly BarRun[] {
    const { state } = this
    if (this.#period !== undefined) addTo(state.range, this.#period, candle)
    const { close } = candle
    if (close < state.upperPrice && close > state.lowerPrice) return noBars
    const { size, upper, lower } = state
    const isFirst = Number.isNaN(upper)
    const isUp = close >= state.upperPrice
    const count = isUp ? this.#floor(close) - upper + 1 : lower - this.#ceil(close) + 1
    this.#resize()
    if (isFirst) this.#setLevels(this.#floor(close) + 1, this.#ceil(close) - 1)
    else if (isUp) this.#setLevels(this.#floor(close) + 1, this.#floor(close) - 2)
    else this.#setLevels(this.#ceil(close) + 2, this.#ceil(close) - 1)
    if (isFirst) return noBars
    const brick = (from: number, to: number) => bodyOf(tidy(from * size), tidy(to * size))
    const bar = (j: number) => (isUp ? brick(upper + j - 1, upper + j) : brick(lower - j + 1, lower - j))
    return [{ count, bar }]
  }

  #resize(): void {
    if (this.#period === undefined) return
    const size = Number(averageOf(this.state.range, this.#period).toPrecision(sizeDigits))
    if (size > 0) this.state.size = size
  }

  #setLevels(upper: number, lower: number): void {
    const { size } = this.state
    Object.assign(this.state, {
      upper,
      lower,
      upperPrice: tidy(upper * size),
      lowerPrice: tidy(lower * size),
    })
  }

  /** Highest level that is not above a price. */
  #floor(price: number): number {
    return lastUpTo(price, price / this.state.size, k => tidy(k * this.state.size))
  }

  /** Lowest level that is not below a price. */
  #ceil(price: number): number {
    return -this.#floor(-price)
  }
}

/**
 * Range bars: each bar is `size` from its low to its high, and closes at its low or high. The next bar opens at that price.
 *
 * The order of trades within a candle is unknown. The assumed path goes from the open to the nearer extreme, to the other extreme
 * and to the close. If both extremes are equally near, the path first goes against the direction of the candle. The price moves
 * from one candle to the next without a jump. This path includes highs and lows, which closes alone would miss.
 * Source: Nicolellis, range bars (1995), as in TradingView, Range charts; the path as in TradingView, Broker Emulator.
 */
export class RangeBars implements BarMaker {
  /** The incomplete bar; NaN before the first candle. */
  readonly state = { open: Number.NaN, high: Number.NaN, low: Number.NaN }

  constructor(private readonly size: number) {}

  close({ open, high, low, close }: Candle): readonly BarRun[] {
    if (Number.isNaN(this.state.open)) this.#begin(open)
    const runs: BarRun[] = []
    const rise = high - open
    const fall = open - low
    const isHighFirst = rise < fall || (rise === fall && close < open)
    this.#move(open, runs)
    this.#move(isHighFirst ? high : low, runs)
    this.#move(isHighFirst ? low : high, runs)
    this.#move(close, runs)
    return runs
  }

  #begin(open: number): void {
    this.state.open = this.state.high = this.state.low = open
  }

  /** Moves the price, and adds the completed bars to `runs`. */
  #move(price: number, runs: BarRun[]): void {
    const [open, high, low] = [this.state.open, this.state.high, this.state.low]
    if (price > high) {
      const count = this.#countTo(price, low, 1)
      if (count > 0) runs.push({ count, bar: j => this.#bar(j, open, low, 1) })
      if (count > 0) this.#begin(tidy(low + count * this.size))
      this.state.high = Math.max(price, this.state.high)
    } else if (price < low) {
      const count = this.#countTo(price, high, -1)
      if (count > 0) runs.push({ count, bar: j => this.#bar(j, open, high, -1) })
      if (count > 0) this.#begin(tidy(high - count * this.size))
      this.state.low = Math.min(price, this.state.low)
    }
  }

  /** Number of bars that a price completes, upwards from a low or downwards from a high. */
  #countTo(price: number, begin: number, sign: 1 | -1): number {
    const size = this.size
    const guess = (sign * (price - begin)) / size
    return guess < 0.5 ? 0 : lastUpTo(sign * price, guess, k => sign * tidy(begin + sign * k * size))
  }

  /** Bar `j` of a run, counted from the present bar. */
  #bar(j: number, open: number, begin: number, sign: 1 | -1): BarPrices {
    const close = tidy(begin + sign * (j + 1) * this.size)
    if (j > 0) return bodyOf(tidy(begin + sign * j * this.size), close)
    return { open, high: Math.max(begin, close), low: Math.min(begin, close), close }
  }
}

/**
 * Line break chart. A close beyond the last line in its direction draws a line from the close of the last line. A close beyond
 * all of the newest `lines` lines on the other side draws a line from the open of the last line. The first line leads from the
 * first close to the first different close.
 * Source: Nison, Beyond Candlesticks (1994), chapter 6; StockCharts ChartSchool, Three Line Break Charts; stocktrends LineBreak.
 */
export class LineBreak implements BarMaker {
  /** The newest lines, oldest first, and the first close, which is used before the first line. */
  readonly state = { newest: [] as readonly BarPrices[], first: undefined as number | undefined }

  constructor(private readonly lines: number) {}

  close({ close }: Candle): readonly BarRun[] {
    const line = this.#lineTo(close)
    if (!line) return noBars
    this.state.newest = [...this.state.newest, line].slice(-this.lines)
    return singleBar(line)
  }

  #lineTo(close: number): BarPrices | undefined {
    const last = this.state.newest.at(-1)
    if (!last) {
      this.state.first ??= close
      return close === this.state.first ? undefined : bodyOf(this.state.first, close)
    }
    const isUp = last.close > last.open
    if (isUp ? close > last.close : close < last.close) return bodyOf(last.close, close)
    const isTurn = this.state.newest.every(({ high, low }) => (isUp ? close < low : close > high))
    return isTurn ? bodyOf(last.open, close) : undefined
  }
}

function makerOf(chart: Chart): BarMaker {
  switch (chart.kind) {
    case 'heikinashi':
      return new HeikinAshi()
    case 'renko':
      return new Renko(chart.size)
    case 'range':
      return new RangeBars(chart.size)
    case 'linebreak':
      return new LineBreak(chart.lines)
  }
}

/** Maximum number of bars per candle. If a candle completes more, only the newest bars are kept. */
export const maxBarsOfCandle = 8_192

export interface CompletedBars {
  readonly runs: readonly BarRun[]
  /** Number of bars in all runs. */
  readonly count: number
  /** Open time of the candle. */
  readonly time: number
  /** Volume since the last bar. */
  readonly volume: number
}

/** State of a flow after its candles, in plain values. */
export interface FlowState {
  readonly maker: object
  readonly volume: number
}

/**
 * Computes the bars of a chart from closed candles, one candle at a time. The time of a bar is the open time of the candle that
 * completes it. All bars of a candle have the same time and are always returned together. They share equally the volume of the
 * candles since the last bar.
 */
export class BarFlow {
  readonly #maker: BarMaker
  /** Volume since the last bar. */
  #volume = 0

  /** `start` is the state of another flow. The new flow continues after the candles of that flow. */
  constructor(chart: Chart, start?: FlowState) {
    this.#maker = makerOf(chart)
    if (!start) return
    Object.assign(this.#maker.state, structuredClone(start.maker))
    this.#volume = start.volume
  }

  get state(): FlowState {
    return { maker: structuredClone(this.#maker.state), volume: this.#volume }
  }

  /** Adds the next closed candle. Returns the bars that it completes, or undefined if there are none. */
  close(candle: Candle): CompletedBars | undefined {
    this.#volume += candle.volume
    const runs = this.#maker.close(candle)
    if (runs.length === 0) return undefined
    const count = runs.reduce((sum, run) => sum + run.count, 0)
    const completed = { runs, count, time: candle.timestamp, volume: this.#volume }
    this.#volume = 0
    return completed
  }

  /** Bar of the forming candle; undefined for charts whose candles do not each have a bar. */
  preview(candle: Candle): Candle | undefined {
    return this.#maker instanceof HeikinAshi ? { ...candle, ...this.#maker.preview(candle) } : undefined
  }

  /** Computes the bars of the next candles, in blocks. A block never splits the bars of a candle. The last block may be empty. */
  *blocks({ columns: candles, from, to }: CandleBlock): Generator<CandleBlock> {
    let columns = Columns.unshared(blockSize)
    let count = 0
    for (let at = from; at < to; at++) {
      const completed = this.close(candles.read(at))
      if (!completed) continue
      const bars = Math.min(completed.count, maxBarsOfCandle)
      if (count + bars > columns.capacity) {
        if (count > 0) yield { columns, from: 0, to: count }
        columns = Columns.unshared(Math.max(blockSize, capacityFor(bars)))
        count = 0
      }
      count = writeBars(columns, count, completed, bars, 0)
    }
    yield { columns, from: 0, to: count }
  }
}

/** Capacity of a block in bars. Blocks are larger only if a single candle has more bars. */
const blockSize = 1024

/** Writes the newest `bars` bars of a candle, except the first `skipped`, to columns from `at` on. Returns the end index. */
export function writeBars(
  columns: Columns,
  at: number,
  { runs, count, time: timestamp, volume }: CompletedBars,
  bars: number,
  skipped: number,
): number {
  let end = at
  let place = bars - count
  for (const { count: length, bar } of runs) {
    for (let j = Math.max(0, skipped - place); j < length; j++)
      columns.write(end++, { timestamp, ...bar(j), volume: volume / bars })
    place += length
  }
  return end
}
