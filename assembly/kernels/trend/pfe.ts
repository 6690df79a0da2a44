import { Frame } from '../../frame'
import { exponentialAverage } from '../../parts/averages/exponential-average'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * Polarized Fractal Efficiency: the length of the straight line over `period` candles in percent of the length of the
 * path of the values, negative where the value did not rise, exponentially smoothed.
 * A candle counts as one unit of length.
 * Source: Hannula, Polarized Fractal Efficiency, Stocks & Commodities (January 1994); VectorTA pfe.
 */
export function pfe(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const smoothing = frame.integer(1)
  const size = <f64>period
  const first = max(from, period)
  const lengths = frame.scratch(0).from(period - first)
  const efficiency = frame.scratch(1).from(-from)
  for (let i = from; i < min(to, period); i++) efficiency[i] = 0
  if (first < to) {
    for (let i = first - period + 1; i < to; i++) {
      const change = x[i] - x[i - 1]
      lengths[i] = sqrt(change * change + 1)
    }
    movingSum(lengths, 1, efficiency, first, to, period, frame.scratch(2))
    for (let i = first; i < to; i++) {
      const distance = x[i] - x[i - period]
      // A straight path is as long as the line but for rounding.
      const straight = 100 * min(sqrt(distance * distance + size * size) / efficiency[i], 1)
      efficiency[i] = distance > 0 ? straight : -straight
    }
  }
  exponentialAverage(efficiency, period, out, from, to, smoothing, 2 / <f64>(smoothing + 1), frame.state)
  warmup(out, from, to, period + smoothing - 1)
}
