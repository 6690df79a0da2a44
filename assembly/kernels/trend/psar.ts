import { Frame } from '../../frame'
import { parabolic } from '../../parts/shared/parabolic'

/**
 * Parabolic SAR: a stop that moves towards the extreme of the trade by an acceleration, which grows from `start` by
 * `increment` with each new extreme up to `maximum`. A candle that touches the stop reverses the trade.
 * The first trade is short if the low fell by more than the high rose, else long; the level has no sign when short. The
 * stop is limited by the lows or highs of the last two candles before the test for a touch; TradingView's ta.sar limits
 * it afterwards.
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
