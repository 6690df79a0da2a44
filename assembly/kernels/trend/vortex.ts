import { Frame } from '../../frame'
import { trueRanges } from '../../parts/candles/true-range'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * Vortex: the distances from each low to the next high (plus) and from each high to the next low (minus) of `period`
 * candles, summed and divided by the sum of their true ranges.
 * 0 where nothing moved.
 * Source: Botes and Siepman, The Vortex Indicator (2010).
 */
export function vortex(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const plus = frame.output(0)
  const minus = frame.output(1)
  const period = frame.integer(0)
  warmup(plus, from, to, period)
  const first = warmup(minus, from, to, period)
  if (first >= to) return
  const oldest = first - period + 1
  const ups = frame.scratch(0).from(-oldest)
  const downs = frame.scratch(1).from(-oldest)
  const ranges = frame.scratch(2).from(-oldest)
  const sums = frame.scratch(3).from(-first)
  const suffixes = frame.scratch(4)
  for (let i = oldest; i < to; i += 2) {
    ups.setPair(i, f64x2.abs(f64x2.sub(high.pair(i), low.pair(i - 1))))
    downs.setPair(i, f64x2.abs(f64x2.sub(low.pair(i), high.pair(i - 1))))
  }
  trueRanges(high, low, close, ranges, oldest, to)
  movingSum(ups, 1, plus, first, to, period, suffixes)
  movingSum(downs, 1, minus, first, to, period, suffixes)
  movingSum(ranges, 1, sums, first, to, period, suffixes)
  const afterPlus = plus[to]
  const afterMinus = minus[to]
  for (let i = first; i < to; i += 2) {
    const sum = sums.pair(i)
    const share = v128.and(f64x2.div(f64x2.splat(1), sum), f64x2.ne(sum, f64x2.splat(0)))
    plus.setPair(i, f64x2.mul(plus.pair(i), share))
    minus.setPair(i, f64x2.mul(minus.pair(i), share))
  }
  plus[to] = afterPlus
  minus[to] = afterMinus
}
