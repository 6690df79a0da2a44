import { Frame } from '../../frame'
import { BothSides, Sides } from '../../parts/both-sides'

/**
 * Slingshot: a breakout, a return to it and a new start. 100 where the second of four candles is white, closes above the
 * high of the first and has no lower low, the third goes no higher and closes at or above the high of the first, and the
 * fourth is white, comes down to the high of the first and closes above the high of the second. −100 for the mirror image.
 * The code that is published for the bearish side is not quite the mirror image of that for the bullish one.
 * Source: Kaabar, Mastering Financial Pattern Recognition (2022).
 */
export function slingshot(frame: Frame, from: i32, to: i32): void {
  BothSides.write(frame, from, to, 3, pointsUp)
}

function pointsUp(candles: Sides, i: i32, isUp: bool): v128 {
  const first = i - 3
  const second = i - 2
  const third = i - 1
  const level = candles.high(first, isUp)
  const top = candles.high(second, isUp)
  const breaksOut = v128.and(
    v128.and(candles.rises(second, isUp), f64x2.gt(candles.close(second, isUp), level)),
    f64x2.ge(candles.low(second, isUp), candles.low(first, isUp)),
  )
  const holds = v128.and(
    f64x2.le(candles.high(third, isUp), top),
    f64x2.ge(candles.close(third, isUp), level),
  )
  // The high of the third candle, which has to be passed as well, is not higher than that of the second.
  const starts = v128.and(
    v128.and(candles.rises(i, isUp), f64x2.le(candles.low(i, isUp), level)),
    f64x2.gt(candles.close(i, isUp), top),
  )
  return v128.and(breaksOut, v128.and(holds, starts))
}
