import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { weightOf } from '../../parts/averages/present-average'

/**
 * Exponential Hull Moving Average: the exponential average, over √period candles, of twice the exponential average of
 * half the period minus that of the whole period.
 * Half is rounded down, the root to the nearest; each average is seeded with a mean.
 * Source: InSilico, Hull Suite (TradingView).
 */
export function ehma(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const half = period >> 1
  const root = <i32>(sqrt(<f64>period) + 0.5)
  const slow = frame.scratch(0).from(-from)
  exponentialAverage(x, 0, out, from, to, half, weightOf(half), state)
  exponentialAverage(x, 0, slow, from, to, period, weightOf(period), state.from(exponentialState))
  for (let i = from; i < to; i++) slow[i] = 2 * out[i] - slow[i]
  exponentialAverage(slow, period - 1, out, from, to, root, weightOf(root), state.from(2 * exponentialState))
}
