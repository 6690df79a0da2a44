import { Column, Frame } from '../frame'
import { movingSum } from './sums'
import { warmup } from './warmup'

/**
 * Ultimate oscillator over the periods `one`, `two` and `three` in any order: how far closes lie above the true lows, in
 * percent of the true ranges, summed over each of them and weighted 4 : 2 : 1, the shortest heaviest; one in which nothing
 * moved counts as 0. NaN before the candle of the longest period. Inputs: high, low, close; scratch columns: 0 to 4.
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
  for (let k = 0; k < 3; k++) {
    const period = k === 0 ? shortest : k === 1 ? middle : longest
    const weight = (k === 0 ? 4.0 : k === 1 ? 2.0 : 1.0) * (100.0 / 7)
    movingSum(pressures, 1, parts, first, to, period, suffixes)
    movingSum(ranges, 1, wholes, first, to, period, suffixes)
    addShares(parts, wholes, weight, out, first, to, k === 0)
  }
}

/** Adds `weight`·part / whole to `out`, nothing where the whole is 0; if `isFirst`, to 0. */
function addShares(
  parts: Column,
  wholes: Column,
  weight: f64,
  out: Column,
  from: i32,
  to: i32,
  isFirst: bool,
): void {
  const weights = f64x2.splat(weight)
  const zero = f64x2.splat(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const all = wholes.pair(i)
    const share = f64x2.div(f64x2.mul(parts.pair(i), weights), all)
    out.setPair(i, f64x2.add(isFirst ? zero : out.pair(i), v128.and(share, f64x2.ne(all, zero))))
  }
  out[to] = after
}
