import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

/**
 * McGinley Dynamic: an average that moves by (value − average) / (k·period·(value / average)⁴), fast where prices fall
 * and slow where they rise.
 * Starts as the first value, which is not shown. Steps that are not finite (after a value of 0) are skipped. The
 * default of `k` is McGinley's later advice; TradingView and pandas-ta use 1.
 * Source: McGinley, Journal of Technical Analysis (1997); Skender.Stock.Indicators Dynamic.
 */
export function mcginleydynamic(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const share = 1 / (frame.number(1) * frame.number(0))
  let mean = from === 0 ? x[0] : frame.state[0]
  for (let i = warmup(out, from, to, 1); i < to; i++) {
    const value = x[i]
    // Only products depend on the previous candle; the quotient does not contain the average.
    const ratio = mean * (1 / value)
    const square = ratio * ratio
    const step = square * square * ((value - mean) * share)
    if (abs(step) < Infinity) mean += step
    out[i] = mean
  }
  frame.state[0] = mean
}
