import { Frame } from '../../frame'
import { Differential } from '../../parts/candles/differential'

/**
 * TD Differential: 100 where the close has fallen twice in a row while buying pressure rose and selling pressure fell,
 * −100 where it has risen twice while buying pressure fell and selling pressure rose. Buying pressure is the distance
 * from the lower of the low and the close before up to the close, selling pressure that from the close up to the higher
 * of the high and the close before.
 * Wickra requires only one lower close and uses the plain high and low.
 * Source: Perl, DeMark Indicators (2008), pages 165 and 166.
 */
export function tddifferential(frame: Frame, from: i32, to: i32): void {
  Differential.write(frame, from, to, false)
}
