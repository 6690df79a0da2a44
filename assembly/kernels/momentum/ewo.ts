import { Frame } from '../../frame'
import { quotients } from '../../parts/numbers/quotient'
import { warmup } from '../../parts/numbers/warmup'
import { meanDifference } from '../../parts/windows/mean-difference'

/**
 * Elliott Wave Oscillator: the mean over `fastPeriod` candles minus the mean over `slowPeriod`; with `percent`, in
 * percent of the value. Means of closes; `ao` uses the midpoints of candles, with 5 and 34. No value in percent of 0.
 * Source: TradingView, Elliott Wave Oscillator; ooples CalculateElliottWaveOscillator.
 */
export function ewo(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const slow = frame.integer(1)
  const first = warmup(out, from, to, slow - 1)
  if (first >= to) return
  meanDifference(x, 0, out, first, to, frame.integer(0), slow, frame.scratch(0))
  if (frame.integer(2) === 0) return
  const after = out[to]
  for (let i = first; i < to; i += 2)
    out.setPair(i, quotients(f64x2.mul(out.pair(i), f64x2.splat(100)), x.pair(i)))
  out[to] = after
}
