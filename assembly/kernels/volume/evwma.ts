import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * Elastic Volume Weighted Moving Average: an average in which the weight of the newest close is its candle's share of
 * the volume of the last `period` candles.
 * Begins with the close of candle `period` (QuanTAlib begins at once, with shorter sums); it stays unchanged where
 * nothing was traded.
 * Source: Fries, Elastic Moving Averages, Stocks & Commodities (June 2001).
 */
export function evwma(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(0)
  const volume = frame.input(1)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  movingSum(volume, 0, out, first, to, period, frame.scratch(0))
  // The weights do not depend on the average, so they are computed ahead of it, two at a time.
  const zero = f64x2.splat(0)
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const total = out.pair(i)
    out.setPair(i, v128.and(f64x2.div(volume.pair(i), total), f64x2.ne(total, zero)))
  }
  out[to] = after
  let mean = from < period ? 0 : frame.state[0]
  for (let i = first; i < to; i++) {
    mean = i < period ? close[i] : mean + (close[i] - mean) * out[i]
    out[i] = mean
  }
  frame.state[0] = mean
}
