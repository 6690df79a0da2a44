import { Frame } from '../../frame'
import { parabolic } from '../../parts/shared/parabolic'

/**
 * Parabolic SAR: a stop that moves towards the extreme of the trade by an acceleration, which starts with and grows by
 * `acceleration` with each new extreme up to `maximum`. A candle that touches the stop reverses the trade.
 * The first trade is short if the low fell by more than the high rose, else long; the level has no sign when short.
 * Source: Wilder, New Concepts in Technical Trading Systems (1978); TA-Lib 0.6 SAR.
 */
export function sar(frame: Frame, from: i32, to: i32): void {
  const acceleration = f64x2.splat(frame.number(0))
  parabolic(
    frame.input(0),
    frame.input(1),
    frame.output(0),
    from,
    to,
    0,
    0,
    acceleration,
    acceleration,
    f64x2.splat(frame.number(1)),
    false,
    frame.state,
  )
}
