import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { isStrictPivot } from '../../parts/swings/pivots'

/**
 * Fractal Chaos Bands: the high of the newest high fractal and the low of the newest low fractal: a high above those of
 * the `windowSpan` candles on either side, a low below them.
 * A fractal counts from its confirming candle on. No value before the first one.
 * Source: Skender.Stock.Indicators Fcb.
 */
export function fcb(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const upper = frame.output(0)
  const lower = frame.output(1)
  const state = frame.state
  const span = frame.integer(0)
  let top = from === 0 ? NaN : state[0]
  let bottom = from === 0 ? NaN : state[1]
  warmup(lower, from, to, 2 * span)
  for (let i = warmup(upper, from, to, 2 * span); i < to; i++) {
    const j = i - span
    if (isStrictPivot(high, j, span, span, 1)) top = high[j]
    if (isStrictPivot(low, j, span, span, -1)) bottom = low[j]
    upper[i] = top
    lower[i] = bottom
  }
  state[0] = top
  state[1] = bottom
}
