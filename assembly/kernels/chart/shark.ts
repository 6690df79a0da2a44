import { Frame } from '../../frame'
import { Harmonic, harmonicSignals } from '../../parts/chart/harmonic'

/**
 * Shark: BC is 1.13 to 1.618 of AB, so that C lies beyond A, CD 1.618 to 2.24 of BC, and D lies at 0.886 to 1.13 of XA;
 * AB may be any share of XA. Carney names the five points 0, X, A, B and C. Every ratio may differ by `tolerance` of
 * itself.
 * 100 where the last point is a low, −100 where it is a high, at the candle that confirms it; `harmonicSignals` in
 * assembly/parts/chart/harmonic.ts defines the turning points, and the candles that have entry, stop and target.
 * Source: Carney's pattern, ratios as neurotrader888's open implementation has them.
 */
export function shark(frame: Frame, from: i32, to: i32): void {
  harmonicSignals(frame, from, to, Harmonic.shark)
}
