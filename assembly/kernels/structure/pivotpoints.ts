import { Frame } from '../../frame'
import { pivotLevels } from '../../parts/shared/pivotlevels'

/**
 * Pivot Points: P = (H + L + C) / 3 of the previous span, and the levels R1 = 2P − L, S1 = 2P − H, R2 = P + (H − L), S2
 * = P − (H − L), R3 = H + 2(P − L), S3 = L − 2(H − P).
 * `family` standard has these levels; the others are those of pivotsfibonacci, pivotscamarilla (without its fourth
 * levels), pivotswoodie and pivotsdemark (which has r1, p and s1 only).
 * `anchor` is the span: the UTC day, the week from Monday, the month or the year before; with auto the day for candles
 * of up to 15 minutes, the week for the other intraday ones, the month for daily ones and the year for weekly ones, the
 * timeframe being the smallest distance of two candles so far. The levels hold for the whole running span. Spans
 * without candles are skipped; no value before a whole span was seen, the first one only if it has a candle at its
 * first second.
 * Charts of exchanges with sessions begin their days at the session; here every span begins at 00:00 UTC.
 * Source: the floor traders' pivots; Person, Technical Trading Tactics (2004); TradingView's Pivot Points Standard.
 */
export function pivotpoints(frame: Frame, from: i32, to: i32): void {
  pivotLevels(frame, from, to, frame.integer(1), 3, frame.integer(0))
}
