import { Frame } from '../../frame'
import { LaguerreStages } from '../../parts/averages/laguerre'
import { isMove } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Adaptive Laguerre Filter: a Laguerre filter over (high + low) / 2 whose factor follows from its own errors: the
 * median, over the last `medianPeriod` candles, of the position of the newest error between the smallest (0) and the
 * largest (1) error of the last `period` candles.
 * Starts as the first price; the windows grow to their length (Ehlers waits until they are full). If all these errors
 * are equal but for rounding, the factor stays unchanged, and the previous position counts again.
 * Source: Ehlers, Cybernetic Analysis for Stocks and Futures (2004), chapter 14; QuanTAlib ALaguerre.
 */
export function adaptivelaguerre(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const medianPeriod = frame.integer(1)
  const stages = changetype<LaguerreStages>(state)
  // The last errors and positions, each at the index of its candle modulo the length of its window.
  const errors = state.from(7)
  const places = errors.from(period)
  const sorted = frame.scratch(0)
  let mean = from === 0 ? 0 : state[4]
  let factor = from === 0 ? 1 : state[5]
  let latest = from === 0 ? 0 : state[6]
  if (from === 0) for (let k = 0; k < period + medianPeriod; k++) errors[k] = 0
  for (let i = from; i < to; i++) {
    const price = (high[i] + low[i]) / 2
    if (i === 0) {
      stages.reset(price)
      mean = price
    } else {
      const error = abs(price - mean)
      errors[i % period] = error
      const counted = min(period, i + 1)
      let largest = f64x2.splat(error)
      let smallest = largest
      for (let k = 0; k + 1 < counted; k += 2) {
        largest = f64x2.pmax(largest, errors.pair(k))
        smallest = f64x2.pmin(smallest, errors.pair(k))
      }
      const odd = errors[counted - 1]
      const most = max(max(f64x2.extract_lane(largest, 0), f64x2.extract_lane(largest, 1)), odd)
      const least = min(min(f64x2.extract_lane(smallest, 0), f64x2.extract_lane(smallest, 1)), odd)
      const differ = isMove(most - least, price)
      if (differ) latest = (error - least) / (most - least)
      places[i % medianPeriod] = latest
      const count = min(medianPeriod, i + 1)
      // Each position passes the sorted ones before it and leaves the lesser of the two behind, without a branch.
      for (let k = 0; k < count; k++) {
        let place = f64x2.splat(places[k])
        for (let at = 0; at < k; at++) {
          const other = f64x2.splat(sorted[at])
          sorted[at] = f64x2.extract_lane(f64x2.pmin(place, other), 0)
          place = f64x2.pmax(other, place)
        }
        sorted[k] = f64x2.extract_lane(place, 0)
      }
      const half = count >> 1
      const median = (count & 1) === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
      if (differ) factor = 1 - median
      mean = stages.step(price, factor)
    }
    out[i] = mean
  }
  state[4] = mean
  state[5] = factor
  state[6] = latest
  warmup(out, from, to, period - 1)
}
