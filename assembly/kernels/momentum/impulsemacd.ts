import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { doubleExponential, doubleState } from '../../parts/averages/repeated-exponential'
import { difference } from '../../parts/numbers/difference'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { withMeanSignal } from '../../parts/windows/mean-signal'

/**
 * Impulse MACD: the distance of the double exponential average of the typical price above Wilder's average of the high,
 * or below that of the low; 0 between them. `signal` is its mean over `signalPeriod` candles, `histogram` the
 * difference. The script calls its average zero-lag; it equals `dema`. Averages are seeded with means.
 * Source: LazyBear, Impulse MACD (TradingView).
 */
export function impulsemacd(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const state = frame.state
  const tails = state.from(2 * exponentialState + doubleState)
  const period = frame.integer(0)
  const tail = frame.integer(1) - 1
  const slow = 1 / <f64>period
  const tops = frame.scratch(0).from(-from)
  const bottoms = frame.scratch(1).from(-from)
  const prices = frame.scratch(2).from(1 - from)
  const values = frame.scratch(3).from(tail - from)
  exponentialAverage(high, 0, tops, from, to, period, slow, state)
  exponentialAverage(low, 0, bottoms, from, to, period, slow, state.from(exponentialState))
  // The double average reads the price before the first one as well.
  for (let i = max(from - 1, 0); i < to; i++) prices[i] = (high[i] + low[i] + close[i]) / 3
  doubleExponential(prices, 0, values, from, to, period, state.from(2 * exponentialState))
  for (let i = from; i < to; i += 2) {
    const middle = values.pair(i)
    const above = f64x2.sub(middle, tops.pair(i))
    const below = f64x2.sub(middle, bottoms.pair(i))
    const zero = f64x2.splat(0)
    values.setPair(i, v128.or(v128.and(above, f64x2.gt(above, zero)), v128.and(below, f64x2.lt(below, zero))))
  }
  restoreOverlap(values, from, tail, tails, from === 0)
  saveOverlap(values, to, tail, tails)
  withMeanSignal(frame, values, 2 * period - 2, from, to, tail + 1, frame.scratch(4))
  difference(frame.output(0), frame.output(1), frame.output(2), from, to)
}
