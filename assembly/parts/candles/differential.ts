import { Frame } from '../../frame'
import { hundreds } from '../numbers/simd'
import { areLonger } from '../numbers/tie'
import { warmup } from '../numbers/warmup'

/** DeMark's differentials. A method, because only it may be inlined where the constant is known. */
export class Differential {
  /**
   * Two closes in a row in one direction, and the pressures of the last candle against those of the one before. 100 where
   * buyers gain after falls, −100 where sellers gain after rises; where `isReverse`, 100 where buyers gain after rises
   * and −100 where sellers gain after falls. Inputs: high, low and close.
   */
  @inline
  static write(frame: Frame, from: i32, to: i32, isReverse: bool): void {
    const high = frame.input(0)
    const low = frame.input(1)
    const close = frame.input(2)
    const out = frame.output(0)
    const start = warmup(out, from, to, 2)
    const after = out[to]
    for (let i = start; i < to; i += 2) {
      const now = close.pair(i)
      const one = close.pair(i - 1)
      const two = close.pair(i - 2)
      const buying = f64x2.sub(now, f64x2.pmin(low.pair(i), one))
      const selling = f64x2.sub(f64x2.pmax(high.pair(i), one), now)
      const buyingBefore = f64x2.sub(one, f64x2.pmin(low.pair(i - 1), two))
      const sellingBefore = f64x2.sub(f64x2.pmax(high.pair(i - 1), two), one)
      const buyersGain = v128.and(areLonger(buying, buyingBefore), areLonger(sellingBefore, selling))
      const sellersGain = v128.and(areLonger(buyingBefore, buying), areLonger(selling, sellingBefore))
      const falls = v128.and(f64x2.lt(now, one), f64x2.lt(one, two))
      const rises = v128.and(f64x2.gt(now, one), f64x2.gt(one, two))
      const isUp = v128.and(buyersGain, isReverse ? rises : falls)
      const isDown = v128.and(sellersGain, isReverse ? falls : rises)
      out.setPair(i, hundreds(isUp, isDown))
    }
    out[to] = after
  }
}
