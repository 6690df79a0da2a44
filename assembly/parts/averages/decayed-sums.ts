import { Column } from '../../frame'

// Exponential averages by their lag behind their input, for loops that compute several averages at once.
//
// The decayed sum of c is s[i] = c[i] + keep·s[i − 1]. An exponential average e of x, with keep = 1 − alpha, lags
// keep·s behind x, where s is the decayed sum of the changes x[i] − x[i − 1]; the average of e lags alpha·keep·t behind
// e, where t is the decayed sum of s; and so on.
//
// Computed candle by candle, each step would wait for a product and a sum of the previous one. So two candles at a time
// are computed from the two before them: s[i] = keep²·s[i − 2] + (c[i] + keep·c[i − 1]). The formula is the same for
// each candle, wherever a pair begins. In a flat market changes are 0 and the sums fade, so averages reach the price
// itself, and their last bit never oscillates.
//
// A loop over pairs needs no second formula for a single last candle: it computes a pair and keeps only the first
// element.

/** The last element of one pair and the first of the next: the pair that lies one candle earlier than `next`. */
export function shifted(before: v128, next: v128): v128 {
  return v128.shuffle<f64>(before, next, 1, 2)
}

/**
 * Stores the elements of the newest two candles, after whole pairs, or after one more candle, which is the first
 * element of `last`.
 */
export function saveNewest(state: Column, last: v128, isSingle: bool): void {
  state.setPair(0, isSingle ? shifted(state.pair(0), last) : last)
}

/** Decayed sums of two candles: `sums` are those of the two before them, `previous` the values one candle earlier, `twice` is keep². */
export function decayed(sums: v128, values: v128, previous: v128, keep: v128, twice: v128): v128 {
  return f64x2.add(f64x2.mul(sums, twice), f64x2.add(values, f64x2.mul(previous, keep)))
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

/**
 * Writes the decayed sums of a candle and of the previous one as a pair. `sum` is the lag of the average behind its
 * input in units of keep (times alpha, for the average of an average); `added` is the sum that it decays. The change of
 * the candle counts as 0.
 */
export function beginDecay(sums: Column, sum: f64, added: f64, keep: f64): void {
  sums[0] = keep !== 0 ? (sum - added) / keep : 0
  sums[1] = sum
}
