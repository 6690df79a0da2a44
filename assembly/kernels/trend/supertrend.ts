import { Frame } from '../../frame'
import { averageTrueRange } from '../../parts/averages/average-true-range'
import { exponentialState } from '../../parts/averages/exponential-average'
import { firstOf, secondOf } from '../../parts/numbers/lanes'
import { isAbove, rounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Supertrend: the band (high + low) / 2 ∓ multiplier·ATR that the close has to break to turn the advice. The lower band
 * only rises while closes stay above it, the upper only falls while they stay below; the advice is `long` or `short`.
 * Wilder's ATR. The first candle is long (Skender.Stock.Indicators: where it closes at or above its middle), and a
 * close on a band, but for rounding, keeps the side.
 * Source: Seban, Supertrend; TA-Lib 0.8.3 SUPERTREND.
 */
export function supertrend(frame: Frame, from: i32, to: i32): void {
  const value = frame.output(0)
  const period = frame.integer(0)
  averageTrueRange(frame.input(0), frame.input(1), frame.input(2), value, from, to, period, frame.state)
  const first = warmup(frame.output(1), from, to, period)
  if (first >= to) return
  const bands = changetype<Bands>(frame.state.from(exponentialState))
  bands.advance(frame, first === period ? bands.begin(frame, first) : first, to)
}

/** State carried from candle to candle. A view of the kernel's state. */
@final
@unmanaged
class Bands {
  /** The upper band, and the lower one; infinitely far away after a close beyond it, so that it restarts. */
  upper: f64
  lower: f64
  /** 1 while the advice is long, else −1. */
  side: f64

  /** Begins with candle `i`, whose output holds the average range. Returns the candle after it. */
  begin(frame: Frame, i: i32): i32 {
    const middle = (frame.input(0)[i] + frame.input(1)[i]) / 2
    const width = frame.output(0)[i] * frame.number(1)
    const close = frame.input(2)[i]
    this.upper = isAbove(close, middle + width) ? Infinity : middle + width
    this.lower = isAbove(middle - width, close) ? -Infinity : middle - width
    this.side = 1
    frame.output(0)[i] = middle - width
    frame.output(1)[i] = 1
    return i + 1
  }

  /** Replaces the average ranges of the candles [from, to) in the first output by the bands. */
  advance(frame: Frame, from: i32, to: i32): void {
    const high = frame.input(0)
    const low = frame.input(1)
    const close = frame.input(2)
    const value = frame.output(0)
    const advice = frame.output(1)
    const multiplier = f64x2.splat(frame.number(1))
    // Each lane is the state after candles i and i + 1.
    let upper = f64x2.splat(this.upper)
    let lower = f64x2.splat(this.lower)
    let isLong = f64x2.gt(f64x2.splat(this.side), f64x2.splat(0))
    const valueAfter = value[to]
    const adviceAfter = advice[to]
    let i = from
    for (; i < to; i += 2) {
      const middle = f64x2.mul(f64x2.add(high.pair(i), low.pair(i)), f64x2.splat(0.5))
      const width = f64x2.mul(value.pair(i), multiplier)
      const above = f64x2.add(middle, width)
      const below = f64x2.sub(middle, width)
      const price = close.pair(i)
      upper = f64x2.pmin(f64x2.pmin(above, firstOf(above)), secondOf(upper))
      lower = f64x2.pmax(f64x2.pmax(below, firstOf(below)), secondOf(lower))
      const near = f64x2.mul(f64x2.abs(price), f64x2.splat(rounding))
      const less = f64x2.sub(price, near)
      const more = f64x2.add(price, near)
      let areAbove = f64x2.gt(less, upper)
      let areBelow = f64x2.lt(more, lower)
      let tops = upper
      let bottoms = lower
      let sides = isLong
      // A close beyond a band is rare.
      if (v128.any_true(v128.or(areAbove, areBelow))) {
        const none = i64x2.splat(0)
        tops = v128.bitselect(above, upper, v128.shuffle<f64>(none, areAbove, 0, 2))
        bottoms = v128.bitselect(below, lower, v128.shuffle<f64>(none, areBelow, 0, 2))
        areAbove = f64x2.gt(less, tops)
        areBelow = f64x2.lt(more, bottoms)
        upper = v128.bitselect(f64x2.splat(Infinity), tops, areAbove)
        lower = v128.bitselect(f64x2.splat(-Infinity), bottoms, areBelow)
        const stays = v128.not(areBelow)
        const before = v128.bitselect(stays, areAbove, isLong)
        isLong = secondOf(v128.bitselect(stays, areAbove, firstOf(before)))
        sides = v128.shuffle<f64>(before, isLong, 0, 3)
      }
      value.setPair(i, v128.bitselect(bottoms, tops, sides))
      advice.setPair(i, v128.xor(f64x2.splat(-1), v128.and(sides, f64x2.splat(-0.0))))
    }
    value[to] = valueAfter
    advice[to] = adviceAfter
    // Of the last pair only the first one counts where their number is odd.
    const isOdd = i > to
    this.upper = f64x2.extract_lane(isOdd ? upper : secondOf(upper), 0)
    this.lower = f64x2.extract_lane(isOdd ? lower : secondOf(lower), 0)
    this.side = advice[to - 1]
  }
}
