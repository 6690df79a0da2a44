import { Column } from '../../frame'

// Exponential averages by their lag behind their input, two candles at a time.
//
// The decayed sum of c is s[i] = c[i] + keep·s[i − 1]. An exponential average e of x, with keep = 1 − alpha, lags behind x by
// x − e = keep·s, where s is the decayed sum of the changes x[i] − x[i − 1]. The average of e lags behind e by alpha times the
// decayed sum of x − e, and so on. In a flat market changes are 0 and the sums fade, so averages reach the price itself, and
// their last bit never oscillates.
//
// A candle would wait for a product and a sum of the previous one. So its sum follows from that of two candles earlier:
// s[i] = (c[i] + keep·c[i − 1]) + keep²·s[i − 2] (Parhi's scattered look-ahead). Each candle has the same operations, so any
// split of a range gives the same bits. States are pairs: the numbers of the last two candles.

/** The values one candle earlier than those of a pair that follows the pair `before`. */
export function delayed(before: v128, pair: v128): v128 {
  return v128.shuffle<f64>(before, pair, 1, 2)
}

/** The values of a pair after the pair `before`, each replaced by that of the candle before where `stays` is set. */
export function held(before: v128, pair: v128, stays: v128): v128 {
  const first = v128.bitselect(delayed(before, pair), pair, stays)
  return v128.bitselect(delayed(before, first), pair, stays)
}

/** The decayed sums after those of the two candles before. `earlier` are the values one candle earlier; `square` is keep². */
export function decayed(sums: v128, values: v128, earlier: v128, keep: v128, square: v128): v128 {
  return f64x2.add(f64x2.mul(sums, square), f64x2.add(values, f64x2.mul(earlier, keep)))
}

/** Decayed sums of values that are decayed sums themselves. Their `earlier` values are known last, so they are added last. */
export function decayedAgain(sums: v128, values: v128, earlier: v128, keep: v128, square: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(sums, square), values), f64x2.mul(earlier, keep))
}

/** Clears `numbers` numbers of a state at the first candle. */
export function clearFirst(from: i32, state: Column, numbers: i32): void {
  if (from === 0) memory.fill(changetype<usize>(state), 0, (<usize>numbers) << 3)
}

/** Writes the sum of a candle to which it has added `value`, and the one that the candle before must have had. */
export function beginPair(state: Column, k: i32, sum: f64, value: f64, keep: f64): void {
  state[k] = keep > 0 ? (sum - value) / keep : 0
  state[k + 1] = sum
}

/** Whether [from, to) has pairs of candles and a single one, which is computed apart because a state is a pair. */
export function endsOdd(from: i32, to: i32): bool {
  return to - from > 1 && ((to - from) & 1) === 1
}

/** Writes the numbers of the last two of the candles [from, to): of a pair, or with only its first one, of a single candle. */
export function endPair(state: Column, k: i32, pair: v128, from: i32, to: i32): void {
  state.setPair(k, to - from === 1 ? delayed(state.pair(k), pair) : pair)
}

/** Numbers of state of a difference of decayed sums. */
export const differenceState: i32 = 6

/**
 * Writes a difference of two decayed sums of `x`, a column or a view that has pairs of values: the sum with `keep` times `weight`, minus
 * that with `otherKeep` times `otherWeight`. `x` may be `out`. State: `differenceState` numbers, the pairs of values and of both sums.
 */
export function decayedDifferences<X>(
  x: X,
  out: Column,
  from: i32,
  to: i32,
  keep: f64,
  weight: f64,
  otherKeep: f64,
  otherWeight: f64,
  state: Column,
): void {
  if (from >= to) return
  if (endsOdd(from, to)) {
    decayedDifferences<X>(x, out, from, to - 1, keep, weight, otherKeep, otherWeight, state)
    from = to - 1
  }
  const keeps = f64x2.splat(keep)
  const square = f64x2.splat(keep * keep)
  const weights = f64x2.splat(weight)
  const otherKeeps = f64x2.splat(otherKeep)
  const otherSquare = f64x2.splat(otherKeep * otherKeep)
  const otherWeights = f64x2.splat(otherWeight)
  let before = state.pair(0)
  let sums = state.pair(2)
  let otherSums = state.pair(4)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const values = x.pair(i)
    const earlier = delayed(before, values)
    sums = decayed(sums, values, earlier, keeps, square)
    otherSums = decayed(otherSums, values, earlier, otherKeeps, otherSquare)
    out.setPair(i, f64x2.sub(f64x2.mul(sums, weights), f64x2.mul(otherSums, otherWeights)))
    before = values
  }
  out[to] = after
  endPair(state, 0, before, from, to)
  endPair(state, 2, sums, from, to)
  endPair(state, 4, otherSums, from, to)
}

/**
 * Feeds candle `i` to `average[0]`, an exponential average that has values from candle `start` on: their sum, their mean
 * once there are `period` of them, and then mean·(1 − alpha) + value·alpha.
 */
export function feed(value: f64, i: i32, start: i32, period: i32, alpha: f64, average: Column): void {
  let mean = i <= start ? 0 : average[0]
  if (i >= start + period) mean = mean * (1 - alpha) + value * alpha
  else if (i >= start) mean += value
  if (i === start + period - 1) mean /= <f64>period
  average[0] = mean
}
