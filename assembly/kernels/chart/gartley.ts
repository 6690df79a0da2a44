import { Frame } from '../../frame'
import { Harmonic, harmonicSignals } from '../../parts/chart/harmonic'

/**
 * Gartley: AB is 0.618 of XA, BC 0.382 to 0.886 of AB, CD 1.13 to 1.618 of BC, and D lies at 0.786 of XA. Every ratio
 * may differ by `tolerance` of itself.
 * 100 where the last point is a low, −100 where it is a high, at the candle that confirms it; `harmonicSignals` in
 * assembly/parts/chart/harmonic.ts defines the turning points, and the candles that have entry, stop and target.
 * Source: Gartley, Profits in the Stock Market (1935); ratios of Pesavento and Carney, Harmonic Trading (2010), as
 * neurotrader888's open implementation has them.
 */
export function gartley(frame: Frame, from: i32, to: i32): void {
  harmonicSignals(frame, from, to, Harmonic.gartley)
}
