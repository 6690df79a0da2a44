import { Frame } from '../../frame'
import { BothSides, Sides } from '../../parts/candles/both-sides'

/**
 * Bottle: 100 where a white candle is followed by a white one that opens at its low and below the close before, −100
 * where a black one is followed by a black one that opens at its high and above the close before.
 * The open has to equal the low or the high exactly; the trend before the pattern is ignored.
 * Source: Kaabar, Mastering Financial Pattern Recognition (2022).
 */
export function bottle(frame: Frame, from: i32, to: i32): void {
  BothSides.write<Bottle>(frame, from, to, 1)
}

@unmanaged
class Bottle extends Sides {
  @inline
  pointsUp(i: i32, isUp: bool): v128 {
    const open = this.open(i, isUp)
    const colours = v128.and(this.rises(i - 1, isUp), this.rises(i, isUp))
    const hasNoShadow = f64x2.eq(open, this.low(i, isUp))
    return v128.and(colours, v128.and(hasNoShadow, f64x2.lt(open, this.close(i - 1, isUp))))
  }
}
