import { Frame } from '../../frame'
import { Family, pivotLevels } from '../../parts/shared/pivotlevels'

/**
 * Woodie Pivot Points: P = (H + L + 2·O) / 4, where H and L are those of the previous span and O is the open of the
 * running one; R1 = 2P − L, S1 = 2P − H, R2 = P + (H − L), S2 = P − (H − L), R3 = H + 2(P − L), S3 = L − 2(H − P).
 * Others use the close of the previous span instead of O.
 * `anchor` is the span: the UTC day, the week from Monday, or the month before; with auto the day for candles of up to
 * 15 minutes, the week for the other intraday ones, the month for daily ones and the year for weekly ones, the
 * timeframe being the smallest distance of two candles so far. The levels hold for the whole running span. Spans
 * without candles are skipped; no value before a whole span was seen, the first one only if it has a candle at its
 * first second.
 * Source: TradingView's Pivot Points Standard; Skender.Stock.Indicators PivotPoints.
 */
export function pivotswoodie(frame: Frame, from: i32, to: i32): void {
  pivotLevels(frame, from, to, Family.woodie, 3, frame.integer(0))
}
