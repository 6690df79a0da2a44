import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/**
 * Relative Volume: the volume divided by the mean volume of the previous `period` candles.
 * No value where nothing was traded in them.
 * Source: trading-signals RVOL.
 */
export function relativevolume(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period)
  movingMean(x.from(-1), 1, out, first, to, period, frame.scratch(0))
  for (let i = first; i < to; i++) out[i] = out[i] !== 0 ? x[i] / out[i] : NaN
}
