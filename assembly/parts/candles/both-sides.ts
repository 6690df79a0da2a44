import { Frame } from '../../frame'
import { hundreds } from '../numbers/simd'
import { warmup } from '../numbers/warmup'

/**
 * The prices of the candles `i` and `i + 1`: the original prices if `isUp`, else those of the market upside down
 * (negated, with highs and lows swapped). A pattern whose bearish form mirrors the bullish one states its conditions
 * once. Inputs: open, high, low and close.
 */
@unmanaged
export class Sides extends Frame {
  @inline
  open(i: i32, isUp: bool): v128 {
    const open = this.input(0).pair(i)
    return isUp ? open : f64x2.neg(open)
  }

  @inline
  high(i: i32, isUp: bool): v128 {
    return isUp ? this.input(1).pair(i) : f64x2.neg(this.input(2).pair(i))
  }

  @inline
  low(i: i32, isUp: bool): v128 {
    return isUp ? this.input(2).pair(i) : f64x2.neg(this.input(1).pair(i))
  }

  @inline
  close(i: i32, isUp: bool): v128 {
    const close = this.input(3).pair(i)
    return isUp ? close : f64x2.neg(close)
  }

  /** Whether the close lies above the open. */
  @inline
  rises(i: i32, isUp: bool): v128 {
    return f64x2.gt(this.close(i, isUp), this.open(i, isUp))
  }

  /** Whether the close lies below the open. */
  @inline
  falls(i: i32, isUp: bool): v128 {
    return f64x2.lt(this.close(i, isUp), this.open(i, isUp))
  }
}

/** Patterns with a mirror image. A method, because only it may be inlined where the pattern is known. */
export class BothSides {
  /**
   * Writes 100 where `pointsUp` of the pattern, which takes a candle and `isUp` as the prices do, holds for candle `i` and
   * the next one, −100 where it holds upside down, and 0 elsewhere.
   */
  @inline
  static write<Pattern extends Sides>(frame: Frame, from: i32, to: i32, lookback: i32): void {
    const pattern = changetype<Pattern>(frame)
    const out = frame.output(0)
    const start = warmup(out, from, to, lookback)
    const after = out[to]
    for (let i = start; i < to; i += 2) {
      out.setPair(i, hundreds(pattern.pointsUp(i, true), pattern.pointsUp(i, false)))
    }
    out[to] = after
  }
}
