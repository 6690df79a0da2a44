import { Frame } from '../../frame'
import { Harmonic, harmonicSignals } from '../../parts/chart/harmonic'

/**
 * Cypher: AB is 0.382 to 0.618 of XA, BC 1.13 to 1.41 of AB, so that C lies beyond A, CD 1.27 to 2 of BC, and D lies
 * at 0.786 of XA. Its inventor measures C against XA (1.272 to 1.414) and D against XC (0.786). Every ratio may
 * differ by `tolerance` of itself.
 * 100 where the last point is a low, −100 where it is a high, at the candle that confirms it; `harmonicSignals` in
 * assembly/parts/chart/harmonic.ts has the rule of the turning points, and until when entry, stop and target are given.
 * Source: Oglesbee's pattern, ratios as neurotrader888's open implementation has them.
 */
export function cypher(frame: Frame, from: i32, to: i32): void {
  harmonicSignals(frame, from, to, Harmonic.cypher)
}
