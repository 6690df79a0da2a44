import { Frame } from '../../frame'
import { Harmonic, harmonicSignals } from '../../parts/chart/harmonic'

/**
 * Three Drives: three moves to ever lower lows (or higher highs). Both corrections (XA and BC) are 0.618 to 0.786 of
 * the drive before (WX and AB), and the second and the third drive (AB and CD) 1.27 to 1.618 of the correction before.
 * The equal durations that some ask for are ignored. Every ratio may differ by `tolerance` of itself. 100 where the
 * last point is a low, −100 where it is a high, at the candle that confirms it; `harmonicSignals` in
 * assembly/parts/chart/harmonic.ts defines the turning points, and the candles that have entry, stop and target.
 * Source: Pesavento, Fibonacci Ratios with Pattern Recognition (1997).
 */
export function threedrives(frame: Frame, from: i32, to: i32): void {
  harmonicSignals(frame, from, to, Harmonic.threedrives)
}
