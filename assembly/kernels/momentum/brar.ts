import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * BRAR: `ar` is the sum of high − open over `period` candles in percent of the sum of open − low. `br` is the same with
 * the previous close instead of the open, and with differences below 0 counted as 0.
 * No value where a divisor is 0.
 * Source: pandas-ta-classic brar.
 */
export function brar(frame: Frame, from: i32, to: i32): void {
  const open = frame.input(0)
  const high = frame.input(1)
  const low = frame.input(2)
  const close = frame.input(3)
  const period = frame.integer(0)
  const suffixes = frame.scratch(3)
  for (let k = 0; k < 2; k++) {
    const out = frame.output(k)
    const first = warmup(out, from, to, period - 1 + k)
    if (first >= to) continue
    const oldest = first - period + 1
    const above = frame.scratch(0).from(-oldest)
    const below = frame.scratch(1).from(-oldest)
    const sums = frame.scratch(2).from(-oldest)
    for (let i = oldest; i < to; i++) {
      above[i] = k === 0 ? high[i] - open[i] : max(high[i] - close[i - 1], 0)
      below[i] = k === 0 ? open[i] - low[i] : max(close[i - 1] - low[i], 0)
    }
    movingSum(above, k, out, first, to, period, suffixes)
    movingSum(below, k, sums, first, to, period, suffixes)
    for (let i = first; i < to; i++) out[i] = sums[i] !== 0 ? (100 * out[i]) / sums[i] : NaN
  }
}
