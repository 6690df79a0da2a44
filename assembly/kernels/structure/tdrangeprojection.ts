import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

/**
 * TD Range Projection: the range that the previous candle projects for this one: from X / 2 − H to X / 2 − L, where X =
 * H + L + C of the previous candle plus H once more if it is white, L if it is black, else C.
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
