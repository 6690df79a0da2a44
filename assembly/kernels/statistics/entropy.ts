import { Frame } from '../../frame'
import { logarithms } from '../../parts/numbers/fast-log'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * Entropy: −Σ p·log p, where p is the share of each of the last `period` values in their sum. With the sum S it equals
 * log S − Σ x·log x / S. `base` is the base of the logarithm.
 * No value where one of them is negative or the sum is 0.
 * QuanTAlib computes the entropy of a histogram.
 * Source: Shannon, A Mathematical Theory of Communication (1948); pandas-ta-classic entropy.
 */
export function entropy(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const share = f64x2.splat(1 / Math.log(frame.number(1)))
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const oldest = first - period + 1
  const terms = frame.scratch(0).from(-oldest)
  const sums = frame.scratch(1).from(-first)
  const zero = f64x2.splat(0)
  for (let i = oldest; i < to; i += 2) {
    const value = x.pair(i)
    const term = f64x2.mul(value, logarithms(value))
    terms.setPair(i, v128.andnot(term, f64x2.eq(value, zero)))
  }
  movingSum(terms, 0, sums, first, to, period, frame.scratch(2))
  movingSum(x, 0, out, first, to, period, frame.scratch(2))
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const total = out.pair(i)
    const bits = f64x2.sub(logarithms(total), f64x2.div(sums.pair(i), total))
    out.setPair(i, f64x2.mul(bits, share))
  }
  out[to] = after
}
