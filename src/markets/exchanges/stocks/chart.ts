import type { Candle } from '../../../candles/candle.js'
import { openOf, type Timeframe, timeframes } from '../../../candles/timeframe.js'
import { fold } from '../resample.js'
import { sessionAt } from './trading-hours.js'

/** A change of the number of shares. */
export interface Split {
  readonly timestamp: number
  /** Shares after it for one share before. */
  readonly factor: number
}

/** One page of a history: the chart of a time range. All times in Unix seconds. */
export interface ChartPage {
  /** Rows as candles under the times that their provider gives them, unordered. */
  readonly rows: readonly Candle[]
  /** Splits that the provider adjusts late. */
  readonly splits: readonly Split[]
  /** The close of the regular session by its date, where it is known. */
  readonly closes: ReadonlyMap<number, number>
  /** The first trade of the security. */
  readonly firstTrade: number | undefined
  /** Its last trade when the chart was fetched. */
  readonly lastTrade: number | undefined
}

/** A row with all four prices; Yahoo has nulls for minutes without a trade and for days that have not begun. */
export function rowOf(time: number, prices: readonly unknown[], volume: unknown): Candle | undefined {
  if (!prices.every(price => typeof price === 'number' && Number.isFinite(price) && price > 0))
    return undefined
  const [open, high, low, close] = prices as readonly [number, number, number, number]
  return {
    timestamp: Math.floor(time),
    open,
    // Providers round the four prices separately, so that a high can be below its close.
    high: Math.max(open, high, low, close),
    low: Math.min(open, high, low, close),
    close,
    volume: typeof volume === 'number' && volume > 0 && Number.isFinite(volume) ? volume : 0,
  }
}

/** A split is adjusted here when it changes the number of shares by at least five for four, in either direction. */
const minSplitFactor = 5 / 4

/** The candles of a timeframe from the rows of all pages, ascending. */
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
    // During a session Yahoo appends the current state of the day as a second row: it replaces the first one.
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
 * When the intraday candle opens that contains a time (all Unix seconds), counted from the open of its session; undefined
 * outside of sessions. `earlyClose` is the close of a session that ends before 16:00.
 */
export function openInSession(timeframe: Timeframe, time: number, earlyClose?: number): number | undefined {
  const { open, close, isWeekend } = sessionAt(time)
  const length = timeframes[timeframe]
  if (isWeekend || time < open || time >= Math.min(close, earlyClose ?? close)) return undefined
  return open + Math.floor((time - open) / length) * length
}

/**
 * Divides the rows before a split by its factor where Yahoo has not done so yet: on the day of a split it can be hours
 * late. This is seen from the price across the split, which is no evidence for a small split: Yahoo's rows are used.
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
