import { Column, Frame } from '../../frame'
import { warmup } from '../numbers/warmup'
import { addedShare, share, sumQuotients } from '../windows/sum-quotients'

/**
 * Ultimate oscillator over the periods `one`, `two` and `three` in any order: the sum of close − true low over a
 * period, in percent of the sum of true ranges; the weighted mean of the three, 4 : 2 : 1, the shortest first. A period
 * in which nothing moved counts as 0. NaN before the candle of the longest period. Inputs: high, low, close; scratch
 * columns: 0 to 4.
 */
export function ultimateOscillator(
  frame: Frame,
  out: Column,
  from: i32,
  to: i32,
  one: i32,
  two: i32,
  three: i32,
): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const shortest = min(one, min(two, three))
  const longest = max(one, max(two, three))
  const middle = one + two + three - shortest - longest
  const first = warmup(out, from, to, longest)
  if (first >= to) return
  const oldest = first - longest + 1
  const pressures = frame.scratch(0).from(-oldest)
  const ranges = frame.scratch(1).from(-oldest)
  for (let i = oldest; i < to; i += 2) {
    const before = close.pair(i - 1)
    const trueLow = f64x2.pmin(low.pair(i), before)
    pressures.setPair(i, f64x2.sub(close.pair(i), trueLow))
    ranges.setPair(i, f64x2.sub(f64x2.pmax(high.pair(i), before), trueLow))
  }
  const parts = frame.scratch(2).from(-first)
  const wholes = frame.scratch(3).from(-first)
  const suffixes = frame.scratch(4)
  const heavy: f64 = 400.0 / 7
  const light: f64 = 200.0 / 7
  for (let k = 0; k < 3; k++) {
    const period = k === 0 ? shortest : k === 1 ? middle : longest
    // In this order the three weights sum to exactly 100.
    const weight = k === 0 ? heavy : k === 1 ? light : 100 - (heavy + light)
    const what = k === 0 ? share : addedShare
    sumQuotients(pressures, ranges, 1, out, first, to, period, weight, what, parts, wholes, suffixes)
  }
}
