import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { writeSteps } from '../../parts/windows/runs'

/**
 * New Price Lines: 100 where each of the last `lines` candles but the oldest has a higher high than the one before,
 * −100 where each has a lower low; 100 where both hold. Every candle of a longer run has the signal. Others count steps
 * instead of candles.
 * Source: Bulkowski, Encyclopedia of Candlestick Charts (2008), eight, ten, twelve and thirteen new price lines.
 */
export function newpricelines(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const out = frame.output(0)
  const falls = frame.scratch(0)
  const steps = frame.integer(0) - 1
  const start = warmup(out, from, to, steps)
  writeSteps(high, out, start, to, steps, 1, 100)
  writeSteps(low, falls, start, to, steps, -1, -100)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    const rises = out.pair(i)
    out.setPair(i, v128.bitselect(rises, falls.pair(i), f64x2.gt(rises, f64x2.splat(0))))
  }
  out[to] = after
}
