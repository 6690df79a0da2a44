import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

/**
 * TD Range Projection: the range that the candle before projects for this one: half of its high, low and close and of one
 * of them once more (the high of a white candle, the low of a black one, else the close), less its low and less its high.
 * Source: Perl, DeMark Indicators (2008), pp. 153–157.
 */
export function tdrangeprojection(frame: Frame, from: i32, to: i32): void {
  const upper = frame.output(0)
  const lower = frame.output(1)
  warmup(upper, from, to, 1)
  for (let i = warmup(lower, from, to, 1); i < to; i++) {
    const open = frame.input(0)[i - 1]
    const high = frame.input(1)[i - 1]
    const low = frame.input(2)[i - 1]
    const close = frame.input(3)[i - 1]
    const twice = close > open ? high : close < open ? low : close
    const sum = (high + low + close + twice) / 2
    upper[i] = sum - low
    lower[i] = sum - high
  }
}
