import { Column, Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { deviationAlone } from '../../parts/windows/deviation'

/** Number of comparisons whose results fit into one number. */
const wordSize: i32 = 64

/**
 * Sample Entropy: −ln(A / B). B is the number of pairs of runs of `length` values, within the last `period`, that
 * differ nowhere by more than `tolerance` standard deviations; A is the number of these pairs whose next values do not
 * differ by more, either. Low if similar runs are followed by similar values. The deviation of the population. No value
 * where A is 0 or all values are equal.
 * Values k candles apart are compared two at a time into the bits of a number; a run of set bits stands for a pair of
 * similar runs that begin k candles apart.
 * Source: Richman and Moorman, American Journal of Physiology 278 (2000).
 */
export function sampleentropy(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const length = frame.integer(1)
  const tolerance = frame.number(2)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  deviationAlone(x, 0, out, first, to, period, frame.scratch(0), tolerance)
  for (let i = first; i < to; i++) {
    const width = out[i]
    out[i] = width > 0 ? entropyOf(x.from(i - period + 1), period, length, width) : NaN
  }
}

/** The sample entropy of the first `count` values of `x`. */
function entropyOf(x: Column, count: i32, length: i32, width: f64): f64 {
  const step = wordSize - length
  let alike: i64 = 0
  let followed: i64 = 0
  for (let lag = 1; lag < count - length; lag++) {
    // Number of runs that have another one `lag` candles later.
    const runs = count - length - lag
    for (let k = 0; k < runs; k += step) {
      const size = min(step, runs - k)
      const near = comparisons(x.from(k), lag, size + length, width)
      let common = near & validBits(size)
      for (let j = 1; j < length; j++) common &= near >> <i64>j
      alike += popcnt<i64>(common)
      followed += popcnt<i64>(common & (near >> <i64>length))
    }
  }
  return followed > 0 ? Math.log(<f64>alike / <f64>followed) : NaN
}

/** The lowest `count` bits, `count` being less than 64. */
function validBits(count: i32): i64 {
  return ((<i64>1) << (<i64>count)) - 1
}

/** Bit k is set if x[k] and x[k + lag] are at most `width` apart, for k < `count`. Higher bits are undefined. */
function comparisons(x: Column, lag: i32, count: i32, width: f64): i64 {
  const widths = f64x2.splat(width)
  let bits: i64 = 0
  for (let k = (count - 1) & ~1; k >= 0; k -= 2) {
    const distance = f64x2.abs(f64x2.sub(x.pair(k), x.pair(k + lag)))
    bits = (bits << 2) | <i64>i64x2.bitmask(f64x2.le(distance, widths))
  }
  return bits
}
