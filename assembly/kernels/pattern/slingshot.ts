import { Frame } from '../../frame'
import { BothSides, Sides } from '../../parts/candles/both-sides'

/**
 * Slingshot: a breakout, a return to it and a new start. 100 where the second of four candles is white, closes above
 * the high of the first and has no lower low, the third goes no higher and closes at or above the high of the first,
 * and the fourth is white, comes down to the high of the first and closes above the high of the second. −100 for the
 * mirror image. The published code for the bearish side is not quite the mirror image of that for the bullish side.
 * Source: Kaabar, Mastering Financial Pattern Recognition (2022).
 */
export function slingshot(frame: Frame, from: i32, to: i32): void {
  BothSides.write<Slingshot>(frame, from, to, 3)
}

@unmanaged
class Slingshot extends Sides {
  @inline
  pointsUp(i: i32, isUp: bool): v128 {
    const first = i - 3
    const second = i - 2
    const third = i - 1
    const level = this.high(first, isUp)
    const top = this.high(second, isUp)
    const breaksOut = v128.and(
      v128.and(this.rises(second, isUp), f64x2.gt(this.close(second, isUp), level)),
      f64x2.ge(this.low(second, isUp), this.low(first, isUp)),
    )
    const holds = v128.and(f64x2.le(this.high(third, isUp), top), f64x2.ge(this.close(third, isUp), level))
    // The high of the third candle, which must be exceeded as well, is not higher than that of the second.
    const starts = v128.and(
      v128.and(this.rises(i, isUp), f64x2.le(this.low(i, isUp), level)),
      f64x2.gt(this.close(i, isUp), top),
    )
    return v128.and(breaksOut, v128.and(holds, starts))
  }
}
