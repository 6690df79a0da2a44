import type { Candle } from '../candle.js'

/** What is known of the average true range of the candles so far. */
export interface TrueRange {
  /** The close of the last one. */
  before: number | undefined
  count: number
  average: number
}

export const noTrueRange = (): TrueRange => ({ before: undefined, count: 0, average: 0 })

/** The average over `period` candles; NaN until there are enough of them. */
export const averageOf = ({ count, average }: TrueRange, period: number): number =>
  count < period ? Number.NaN : average

/**
 * Takes the next candle: the average is the mean of the first `period` true ranges, then Wilder's average. The first candle has
 * none. Source: Wilder, New Concepts in Technical Trading Systems (1978); TA-Lib ATR.
 */
export function addTo(range: TrueRange, period: number, { high, low, close }: Candle): void {
  const { before } = range
  range.before = close
  if (before === undefined) return
  const width = Math.max(high, before) - Math.min(low, before)
  range.average += (width - range.average) / Math.min(++range.count, period)
}
