import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * Moving Average Adaptive Q: an exponential average whose weight is the square of the efficiency of the last `period`
 * changes times the fast weight, plus the slow weight.
 * Starts as the value before the first result. `kama` takes the difference of the two weights instead.
 * Source: OoplesFinance.StockIndicators MovingAverageAdaptiveQ; VectorTA maaq.
 */
export function maaq(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const fast = 2 / <f64>(frame.integer(1) + 1)
  const slow = 2 / <f64>(frame.integer(2) + 1)
  const first = warmup(out, from, to, period)
  let mean = from >= period ? frame.state[0] : to >= period ? x[period - 1] : 0
  if (first < to) {
    const oldest = first - period + 1
    const changes = frame.scratch(0).from(-oldest)
    for (let i = oldest; i < to; i++) changes[i] = abs(x[i] - x[i - 1])
    movingSum(changes, 1, out, first, to, period, frame.scratch(1))
    for (let i = first; i < to; i++) {
      const efficiency = out[i] > 0 ? abs(x[i] - x[i - period]) / out[i] : 0
      const root = efficiency * fast + slow
      mean += root * root * (x[i] - mean)
      out[i] = mean
    }
  }
  frame.state[0] = mean
}
