import { Frame } from '../../frame'
import { Harmonic, harmonicSignals } from '../../parts/chart/harmonic'

/**
 * Cypher: AB is 0.382 to 0.618 of XA, C lies beyond A, with XC 1.272 to 1.414 of XA, and CD is 0.786 of XC. Every ratio
 * may differ by `tolerance` of itself. Others measure C against AB, 1.13 to 1.41, and D against XA.
 * 100 where the last point is a low, −100 where it is a high, at the candle that confirms it; `harmonicSignals` in
 * assembly/parts/chart/harmonic.ts defines the turning points, and the candles that have entry, stop and target.
 * Source: Oglesbee's pattern and ratios.
 */
export function cypher(frame: Frame, from: i32, to: i32): void {
  harmonicSignals(frame, from, to, Harmonic.cypher)
}
