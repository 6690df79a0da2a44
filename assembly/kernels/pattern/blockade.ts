import { Frame } from '../../frame'
import { BothSides, Sides } from '../../parts/candles/both-sides'

/**
 * Blockade: 100 where a black candle is followed by three whose lows lie between the low and the close of the black
 * one. The first of the three closes below the open of the black candle; the last one is white and closes above the
 * high of the black candle. −100 for the mirror image.
 * A low may equal either end.
 * Source: Kaabar, Mastering Financial Pattern Recognition (2022).
 */
export function blockade(frame: Frame, from: i32, to: i32): void {
  BothSides.write<Blockade>(frame, from, to, 3)
}

@unmanaged
class Blockade extends Sides {
  @inline
  pointsUp(i: i32, isUp: bool): v128 {
    const first = i - 3
    const second = i - 2
    const third = i - 1
    const lowest = f64x2.pmin(f64x2.pmin(this.low(second, isUp), this.low(third, isUp)), this.low(i, isUp))
    const highest = f64x2.pmax(f64x2.pmax(this.low(second, isUp), this.low(third, isUp)), this.low(i, isUp))
    const isBlocked = v128.and(
      f64x2.ge(lowest, this.low(first, isUp)),
      f64x2.le(highest, this.close(first, isUp)),
    )
    const begins = v128.and(
      this.falls(first, isUp),
      f64x2.lt(this.close(second, isUp), this.open(first, isUp)),
    )
    const breaksOut = v128.and(this.rises(i, isUp), f64x2.gt(this.close(i, isUp), this.high(first, isUp)))
    return v128.and(isBlocked, v128.and(begins, breaksOut))
  }
}
