import { Frame } from '../../frame'
import { BothSides, Sides } from '../../parts/candles/both-sides'

/**
 * H Pattern: 100 where a white candle is followed by one with a higher high that closes where it opened, and that by a
 * white one with a higher close and a higher low; −100 for the mirror image.
 * Open and close of the middle candle must be exactly equal.
 * Source: Kaabar, Mastering Financial Pattern Recognition (2022).
 */
export function hpattern(frame: Frame, from: i32, to: i32): void {
  BothSides.write<HPattern>(frame, from, to, 2)
}

@unmanaged
class HPattern extends Sides {
  @inline
  pointsUp(i: i32, isUp: bool): v128 {
    const first = i - 2
    const middle = i - 1
    const rests = f64x2.eq(this.open(middle, isUp), this.close(middle, isUp))
    const colours = v128.and(this.rises(first, isUp), this.rises(i, isUp))
    const highUp = f64x2.gt(this.high(middle, isUp), this.high(first, isUp))
    const closeUp = f64x2.gt(this.close(i, isUp), this.close(middle, isUp))
    const lowUp = f64x2.gt(this.low(i, isUp), this.low(middle, isUp))
    return v128.and(v128.and(rests, colours), v128.and(highUp, v128.and(closeUp, lowUp)))
  }
}
