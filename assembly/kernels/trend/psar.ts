import { Frame } from '../../frame'
import { parabolic } from '../../parts/shared/parabolic'

/**
 * Parabolic SAR: a stop that moves towards the extreme of the trade by an acceleration, which grows from `start` by
 * `increment` with each new extreme up to `maximum`. A candle that touches the stop turns the trade round.
 * The first trade is short if the low fell by more than the high rose, else long; the level has no sign when short.
 * The lows or highs of the last two candles hold the stop back before a touch is looked for; TradingView's ta.sar does it
 * afterwards.
 * Source: Wilder, New Concepts in Technical Trading Systems (1978); TA-Lib 0.6 SAR, SAREXT where start ≠ increment.
 */
export function psar(frame: Frame, from: i32, to: i32): void {
  parabolic(
    frame.input(0),
    frame.input(1),
    frame.output(0),
    from,
    to,
    0,
    0,
    f64x2.splat(frame.number(0)),
    f64x2.splat(frame.number(1)),
    f64x2.splat(frame.number(2)),
    false,
    frame.state,
  )
}
