import { Frame } from '../../frame'
import { Family, pivotLevels } from '../../parts/shared/pivotlevels'

/**
 * Fibonacci Pivot Points: P = (H + L + C) / 3 of the previous span; R1 and S1 lie 0.382 of the range H − L above and
 * below it, R2 and S2 0.618, R3 and S3 the whole range.
 * `anchor` is the span: the UTC day, the week from Monday, or the month before; with auto the day for candles of up to
 * 15 minutes, the week for the other intraday ones, the month for daily ones and the year for weekly ones, the
 * timeframe being the smallest distance of two candles so far. The levels hold for the whole running span. Spans
 * without candles are skipped; no value before a whole span was seen, the first one only if it has a candle at its
 * first second.
 * Source: TradingView's Pivot Points Standard; Skender.Stock.Indicators PivotPoints.
 */
export function pivotsfibonacci(frame: Frame, from: i32, to: i32): void {
  pivotLevels(frame, from, to, Family.fibonacci, 3, frame.integer(0))
}
