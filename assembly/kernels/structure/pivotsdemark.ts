import { Frame } from '../../frame'
import { Family, pivotLevels } from '../../parts/shared/pivotlevels'

/**
 * DeMark Pivot Points: X = H + L + C of the previous span, plus L once more if it closed below its open, H if above, C
 * if at it; P = X / 4, R1 = X / 2 − L, S1 = X / 2 − H.
 * `anchor` is the span: the UTC day, the week from Monday, or the month before; with auto the day for candles of up to
 * 15 minutes, the week for the other intraday ones, the month for daily ones and the year for weekly ones, the
 * timeframe being the smallest distance of two candles so far. The levels hold for the whole running span. Spans
 * without candles are skipped; no value before a whole span was seen, the first one only if it has a candle at its
 * first second.
 * Source: DeMark, The New Science of Technical Analysis (1994); TradingView's Pivot Points Standard.
 */
export function pivotsdemark(frame: Frame, from: i32, to: i32): void {
  pivotLevels(frame, from, to, Family.demark, 1, frame.integer(0))
}
