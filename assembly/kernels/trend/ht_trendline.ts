import { Frame } from '../../frame'
import { Cycle, Trend } from '../../parts/averages/hilbert'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Hilbert Transform – Instantaneous Trendline: the mean of the source over one dominant cycle, which takes the cycle
 * out, smoothed over four candles.
 * TA-Lib's start: measured from candle 37 on, zero before, printed from candle 63 on.
 * Source: Ehlers, Rocket Science for Traders (2001), chapter 10; TA-Lib 0.6 HT_TRENDLINE.
 */
export function ht_trendline(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const cycle = Cycle.of(frame.state)
  const trend = Trend.of(frame.state.from(Cycle.size))
  if (from === 0) {
    cycle.reset()
    trend.reset()
  }
  warmup(out, from, to, 63)
  for (let i = max(from, Cycle.lateStart); i < to; i++) {
    cycle.step(x, i)
    const value = trend.step(cycle, x, i)
    if (i >= 63) out[i] = value
  }
}
