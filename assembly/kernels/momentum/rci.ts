import { Column, Frame } from '../../frame'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { warmup } from '../../parts/numbers/warmup'
import { slideRanks } from '../../parts/windows/ranks'

/**
 * Rank Correlation Index: 100 times the correlation of the ranks of the last n = `period` values with their places in
 * time. Without equal values it is 100·(1 − 6·Σd² / (n·(n² − 1))), where d is a rank minus its place.
 * Values that are equal but for rounding share the mean of their ranks. It is 0 where all values are equal.
 * Source: Spearman (1904), on time; Kendall, Rank Correlation Methods (1948), of ties; TradingView ta.rci.
 */
export function rci(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const isFresh = from === 0
  const ranks = frame.scratch(0).from(period - from)
  restoreOverlap(ranks, from, period, state.from(1), isFresh)
  const first = warmup(out, from, to, period - 1)
  for (let i = from; i < to; i++) {
    slideRanks(x, ranks, i, period, i === from && !isFresh ? state[0] : i < period ? NaN : x[i - period])
    if (i >= first) out[i] = timeCorrelation(x, ranks, i - period + 1, period)
  }
  state[0] = to < period ? NaN : x[to - period]
  saveOverlap(ranks, to, period, state.from(1))
}

/**
 * 100 times Pearson's correlation of the ranks with the places in time, 0 where all ranks are equal; NaN where a value is missing.
 * Ranks are halves of whole numbers, so that the sums are exact.
 */
function timeCorrelation(x: Column, ranks: Column, oldest: i32, period: i32): f64 {
  const zero = f64x2.splat(0)
  const two = f64x2.splat(2)
  let squares = zero
  let products = zero
  let places = f64x2.replace_lane(zero, 1, 1)
  let k = 0
  // A value times 0 is 0, or NaN if the value is NaN or infinite.
  for (; k + 2 <= period; k += 2) {
    const rank = ranks.pair(oldest + k)
    const missing = f64x2.mul(x.pair(oldest + k), zero)
    squares = f64x2.add(squares, f64x2.mul(rank, rank))
    products = f64x2.add(products, f64x2.add(f64x2.mul(rank, places), missing))
    places = f64x2.add(places, two)
  }
  let square = f64x2.extract_lane(squares, 0) + f64x2.extract_lane(squares, 1)
  let product = f64x2.extract_lane(products, 0) + f64x2.extract_lane(products, 1)
  if (k < period) {
    const rank = ranks[oldest + k]
    square += rank * rank
    product += rank * <f64>k + 0 * x[oldest + k]
  }
  // Ranks and places have the same mean.
  const count = <f64>period
  const ofMeans = 0.25 * count * (count - 1) * (count - 1)
  const ofPlaces = (count * (count * count - 1)) / 12
  square -= ofMeans
  product -= ofMeans
  if (!(square > 0)) return product
  // Without equal values the ranks vary as the places do.
  return (100 * product) / (square === ofPlaces ? ofPlaces : sqrt(square * ofPlaces))
}
