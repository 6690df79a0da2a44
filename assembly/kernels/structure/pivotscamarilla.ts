import { Frame } from '../../frame'
import { Family, pivotLevels } from '../../parts/shared/pivotlevels'

/**
 * Camarilla Pivot Points: R1 … R4 lie 1.1 / 12, 1.1 / 6, 1.1 / 4 and 1.1 / 2 of the range H − L of the previous span
 * above its close, S1 … S4 as far below it; p is (H + L + C) / 3.
 * `anchor` is the span: the UTC day, the week from Monday, or the month before; with auto the day for candles of up to
 * 15 minutes, the week for the other intraday ones, the month for daily ones and the year for weekly ones, the
 * timeframe being the smallest distance of two candles so far. The levels hold for the whole running span. Spans
 * without candles are skipped; no value before a whole span was seen, the first one only if it has a candle at its
 * first second.
 * Source: Scott 1989; TradingView's Pivot Points Standard; Skender.Stock.Indicators PivotPoints.
 */
export function pivotscamarilla(frame: Frame, from: i32, to: i32): void {
  pivotLevels(frame, from, to, Family.camarilla, 4, frame.integer(0))
}
