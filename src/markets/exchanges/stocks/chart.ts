import type { Candle } from '../../../candles/candle.js'
import { openOf, type Timeframe, timeframes } from '../../../candles/timeframe.js'
import { fold } from '../resample.js'
import { sessionAt } from './trading-hours.js'

export interface Split {
  readonly timestamp: number
  /** Number of shares that replace one share. */
  readonly factor: number
}

/** One page of a history: the chart of a time range. All times are Unix seconds. */
export interface ChartPage {
  /** Rows as candles with the provider's times, unordered. */
  readonly rows: readonly Candle[]
  /** Splits that the provider may adjust late. */
  readonly splits: readonly Split[]
  /** Known closes of regular sessions, by date. */
  readonly closes: ReadonlyMap<number, number>
  /** Time of the security's first trade. */
  readonly firstTrade: number | undefined
  /** Time of the last trade when the chart was fetched. */
  readonly lastTrade: number | undefined
}

/**
 * A row as a candle, or undefined if a price is missing. Yahoo has nulls for minutes without a trade and for days
 * that have not begun.
 */
export function rowOf(time: number, prices: readonly unknown[], volume: unknown): Candle | undefined {
  if (!prices.every(price => typeof price === 'number' && Number.isFinite(price) && price > 0))
    return undefined
  const [open, high, low, close] = prices as readonly [number, number, number, number]
  return {
    timestamp: Math.floor(time),
    open,
    // Providers round the four prices separately, so a high can be below its close.
    high: Math.max(open, high, low, close),
    low: Math.min(open, high, low, close),
    close,
    volume: typeof volume === 'number' && volume > 0 && Number.isFinite(volume) ? volume : 0,
  }
}

/** Minimum factor of splits that are adjusted here: five shares for four, or the inverse. */
const minSplitFactor = 5 / 4

/** Makes the candles of a timeframe from the rows of all pages, ascending. */
export function candlesOf(timeframe: Timeframe, pages: readonly ChartPage[]): Candle[] {
  const byTime = new Map<number, Candle>()
  const splits = new Map<number, Split>()
  const closes = new Map<number, number>()
  for (const page of pages) {
    for (const row of page.rows) byTime.set(row.timestamp, row)
    for (const split of page.splits) splits.set(split.timestamp, split)
    for (const [date, close] of page.closes) closes.set(date, close)
  }
  const ordered = [...byTime.values()].sort((a, b) => a.timestamp - b.timestamp)
  const rows = adjustSplits(ordered, [...splits.values()])

  if (timeframes[timeframe] >= timeframes['1d']) {
    // During a session Yahoo appends the current state of the day as a second row, which replaces the first one.
    const days = new Map<number, Candle>()
    for (const row of rows) {
      const { date, isWeekend } = sessionAt(row.timestamp)
      if (!isWeekend) days.set(date, { ...row, timestamp: date })
    }
    return fold(days.values(), time => openOf(timeframe, time))
  }
  return fold(rows, time => openInSession(timeframe, time, closes.get(sessionAt(time).date)))
}

/**
 * Open time of the intraday candle that contains a time (all Unix seconds), counted from the open of its session.
 * Undefined outside of sessions. `earlyClose` is the close of a session that ends before 16:00.
 */
export function openInSession(timeframe: Timeframe, time: number, earlyClose?: number): number | undefined {
  const { open, close, isWeekend } = sessionAt(time)
  const length = timeframes[timeframe]
  if (isWeekend || time < open || time >= Math.min(close, earlyClose ?? close)) return undefined
  return open + Math.floor((time - open) / length) * length
}

/**
 * Divides the rows before a split by its factor if Yahoo has not adjusted them yet. On the day of a split, Yahoo
 * can be hours late. The price change across the split shows whether the rows are adjusted. For small splits it
 * shows too little, so Yahoo's rows are used.
 */
function adjustSplits(rows: readonly Candle[], splits: readonly Split[]): readonly Candle[] {
  let result = rows
  for (const { timestamp, factor } of splits) {
    if (!(factor >= minSplitFactor || (factor > 0 && factor <= 1 / minSplitFactor))) continue
    const firstOpen = sessionAt(timestamp).open
    const index = result.findIndex(row => row.timestamp >= firstOpen)
    if (index < 1) continue
    const ratio = (result[index - 1] as Candle).close / (result[index] as Candle).open
    const isAdjusted = Math.abs(Math.log(ratio / factor)) >= Math.abs(Math.log(ratio))
    if (!isAdjusted) result = result.map((row, i) => (i < index ? dividedBy(factor, row) : row))
  }
  return result
}

const dividedBy = (factor: number, row: Candle): Candle => ({
  timestamp: row.timestamp,
  open: row.open / factor,
  high: row.high / factor,
  low: row.low / factor,
  close: row.close / factor,
  volume: row.volume * factor,
})
