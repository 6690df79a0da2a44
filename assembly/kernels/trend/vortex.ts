import { Frame } from '../../frame'
import { trueRange } from '../../parts/candles/true-range'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * Vortex: the distances from each low to the next high (plus) and from each high to the next low (minus) of `period`
 * candles, summed and divided by the sum of their true ranges.
 * 0 where nothing moved.
 * Source: Botes and Siepman, The Vortex Indicator (2010).
 */
export function vortex(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const plus = frame.output(0)
  const minus = frame.output(1)
  const period = frame.integer(0)
  warmup(plus, from, to, period)
  const first = warmup(minus, from, to, period)
  if (first >= to) return
  const oldest = first - period + 1
  const ups = frame.scratch(0).from(-oldest)
  const downs = frame.scratch(1).from(-oldest)
  const ranges = frame.scratch(2).from(-oldest)
  const sums = frame.scratch(3).from(-first)
  const suffixes = frame.scratch(4)
  for (let i = oldest; i < to; i++) {
    ups[i] = abs(high[i] - low[i - 1])
    downs[i] = abs(low[i] - high[i - 1])
    ranges[i] = trueRange(high, low, close, i)
  }
  movingSum(ups, 1, plus, first, to, period, suffixes)
  movingSum(downs, 1, minus, first, to, period, suffixes)
  movingSum(ranges, 1, sums, first, to, period, suffixes)
  for (let i = first; i < to; i++) {
    const share = sums[i] !== 0 ? 1 / sums[i] : 0
    plus[i] *= share
    minus[i] *= share
  }
}
