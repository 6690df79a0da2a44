import { Frame } from '../../frame'
import { BothSides, Sides } from '../../parts/candles/both-sides'

/**
 * TD Camouflage: 100 where the close is below the one before but above the open, and the low is below the low two candles
 * before and the close three candles before; −100 for the mirror image.
 * Source: Perl, DeMark Indicators (2008).
 */
export function tdcamouflage(frame: Frame, from: i32, to: i32): void {
  BothSides.write<Camouflage>(frame, from, to, 3)
}

@unmanaged
class Camouflage extends Sides {
  @inline
  pointsUp(i: i32, isUp: bool): v128 {
    const isLower = f64x2.lt(this.close(i, isUp), this.close(i - 1, isUp))
    const bottom = f64x2.pmin(this.low(i - 2, isUp), this.close(i - 3, isUp))
    const passes = f64x2.lt(this.low(i, isUp), bottom)
    return v128.and(passes, v128.and(isLower, this.rises(i, isUp)))
  }
}
