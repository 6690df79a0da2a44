import { Frame } from '../../frame'
import { Harmonic, harmonicSignals } from '../../parts/chart/harmonic'

/**
 * AB=CD: CD is as long as AB and BC is 0.382 to 0.886 of AB, so that CD is 1.13 to 2.618 of BC. Every ratio may differ
 * by `tolerance` of itself.
 * 100 where the last point is a low, −100 where it is a high, at the candle that confirms it; `harmonicSignals` in
 * assembly/parts/chart/harmonic.ts defines the turning points, and the candles that have entry, stop and target.
 * Source: Gartley, Profits in the Stock Market (1935); Carney, Harmonic Trading (2010), for the ratios.
 */
export function abcd(frame: Frame, from: i32, to: i32): void {
  harmonicSignals(frame, from, to, Harmonic.abcd)
}
