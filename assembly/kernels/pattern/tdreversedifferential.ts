import { Frame } from '../../frame'
import { Differential } from '../../parts/candles/differential'

/**
 * TD Reverse Differential: 100 where the close has risen twice in a row while buying pressure rose and selling pressure fell,
 * −100 where it has fallen twice while buying pressure fell and selling pressure rose. The pressures are those of
 * `tddifferential`.
 * Other ports give the second the opposite sign.
 * Source: Perl, DeMark Indicators (2008), pages 167 to 169.
 */
export function tdreversedifferential(frame: Frame, from: i32, to: i32): void {
  Differential.write(frame, from, to, true)
}
