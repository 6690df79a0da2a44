import { Column, Frame } from '../../frame'
import { quotients } from '../../parts/numbers/quotient'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * Range Expansion Index: 100·S / A. S sums the changes of high and low over two candles, over those of `period` candles
 * whose prices overlap those of five to eight candles ago; A sums the absolute changes of all `period` candles. 0 where
 * nothing moved. Other authors use other conditions of overlap.
 * Source: DeMark, DeMark on Day Trading Options (1999), TD REI.
 */
export function rei(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period + 7)
  if (first >= to) return
  const oldest = first - period + 1
  const moves = frame.scratch(0).from(-oldest)
  const sizes = frame.scratch(1).from(-oldest)
  const sums = frame.scratch(2).from(-oldest)
  for (let i = oldest; i < to; i += 2) {
    const up = f64x2.sub(high.pair(i), high.pair(i - 2))
    const down = f64x2.sub(low.pair(i), low.pair(i - 2))
    moves.setPair(i, v128.and(f64x2.add(up, down), counts(high, low, frame.input(2), i)))
    sizes.setPair(i, f64x2.add(f64x2.abs(up), f64x2.abs(down)))
  }
  movingSum(moves, 8, out, first, to, period, frame.scratch(3))
  movingSum(sizes, 8, sums, first, to, period, frame.scratch(3))
  const after = out[to]
  for (let i = first; i < to; i += 2)
    out.setPair(i, f64x2.mul(quotients(out.pair(i), sums.pair(i), 0), f64x2.splat(100)))
  out[to] = after
}

/** Mask of the candles `i` and `i + 1` that overlap the earlier ones, from above and from below. */
function counts(high: Column, low: Column, close: Column, i: i32): v128 {
  const seven = close.pair(i - 7)
  const eight = close.pair(i - 8)
  const top = high.pair(i - 2)
  const bottom = low.pair(i - 2)
  const reaches = v128.or(
    v128.or(f64x2.ge(top, seven), f64x2.ge(top, eight)),
    v128.or(f64x2.ge(high.pair(i), low.pair(i - 5)), f64x2.ge(high.pair(i), low.pair(i - 6))),
  )
  const falls = v128.or(
    v128.or(f64x2.le(bottom, seven), f64x2.le(bottom, eight)),
    v128.or(f64x2.le(low.pair(i), high.pair(i - 5)), f64x2.le(low.pair(i), high.pair(i - 6))),
  )
  return v128.and(reaches, falls)
}
