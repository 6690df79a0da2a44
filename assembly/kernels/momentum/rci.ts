import { Column, Frame } from '../../frame'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { warmup } from '../../parts/numbers/warmup'
import { slideRanks } from '../../parts/windows/ranks'

/**
 * Rank Correlation Index: 100·(1 − 6·Σd² / (n·(n² − 1))), where d is the rank of a value among the last n = `period` less
 * its place in time.
 * Equal values share the mean of their ranks.
 * Source: Spearman (1904), on time; trading-signals RCI.
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
  const count = <f64>period
  const scale = 600 / (count * (count * count - 1))
  for (let i = from; i < to; i++) {
    slideRanks(x, ranks, i, period, i === from && !isFresh ? state[0] : i < period ? NaN : x[i - period])
    if (i >= first) out[i] = 100 - scale * squaresOf(x, ranks, i - period + 1, period)
  }
  state[0] = to < period ? NaN : x[to - period]
  saveOverlap(ranks, to, period, state.from(1))
}

/** The squared distances of the ranks from the places in time, added; NaN where a value is missing. */
function squaresOf(x: Column, ranks: Column, oldest: i32, period: i32): f64 {
  const zero = f64x2.splat(0)
  const two = f64x2.splat(2)
  let sums = zero
  let places = f64x2.replace_lane(zero, 1, 1)
  let k = 0
  // A value times 0 is 0, or missing if the value is (or too large for anything).
  for (; k + 2 <= period; k += 2) {
    const distance = f64x2.sub(ranks.pair(oldest + k), places)
    const missing = f64x2.mul(x.pair(oldest + k), zero)
    sums = f64x2.add(sums, f64x2.add(f64x2.mul(distance, distance), missing))
    places = f64x2.add(places, two)
  }
  const sum = f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1)
  if (k === period) return sum
  const distance = ranks[oldest + k] - <f64>k
  return sum + distance * distance + 0 * x[oldest + k]
}
