import { Frame } from '../../frame'
import { parabolic } from '../../parts/shared/parabolic'

/**
 * Parabolic SAR extended: the parabolic stop with accelerations of its own for long and short trades, an opening stop
 * (`startValue`, negative for a short trade, 0 to choose by the first two candles) and, when the trade turns, a stop
 * moved away from the price by the share `offsetOnReverse`.
 * The level is negative while the trade is short, as in TA-Lib.
 * Source: TA-Lib 0.6 SAREXT.
 */
export function sarext(frame: Frame, from: i32, to: i32): void {
  parabolic(
    frame.input(0),
    frame.input(1),
    frame.output(0),
    from,
    to,
    frame.number(0),
    frame.number(1),
    f64x2(frame.number(2), frame.number(5)),
    f64x2(frame.number(3), frame.number(6)),
    f64x2(frame.number(4), frame.number(7)),
    true,
    frame.state,
  )
}
