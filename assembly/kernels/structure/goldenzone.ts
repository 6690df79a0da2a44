import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingRange } from '../../parts/windows/extremes'

/**
 * Golden Zone: two retracements of the range of the last `period` candles from its high, by the shares `first` and
 * `second`; the smaller share is the upper price.
 * PyIndicators begins with shorter windows.
 * Source: PyIndicators golden_zone.
 */
export function goldenzone(frame: Frame, from: i32, to: i32): void {
  const upper = frame.output(0)
  const lower = frame.output(1)
  const period = frame.integer(0)
  const near = f64x2.splat(Math.min(frame.number(1), frame.number(2)))
  const far = f64x2.splat(Math.max(frame.number(1), frame.number(2)))
  const first = warmup(upper, from, to, period - 1)
  warmup(lower, from, to, period - 1)
  if (first >= to) return
  movingRange(frame.input(0), frame.input(1), 0, upper, lower, first, to, period, frame.scratch(0))
  const afterUpper = upper[to]
  const afterLower = lower[to]
  for (let i = first; i < to; i += 2) {
    const top = upper.pair(i)
    const range = f64x2.sub(top, lower.pair(i))
    upper.setPair(i, f64x2.sub(top, f64x2.mul(range, near)))
    lower.setPair(i, f64x2.sub(top, f64x2.mul(range, far)))
  }
  upper[to] = afterUpper
  lower[to] = afterLower
}
