import { Frame } from '../../frame'
import { Cycle, Phase, Trend } from '../../parts/averages/hilbert'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Hilbert Transform – Trend vs Cycle Mode: 1 while the source trends, 0 while it cycles. It cycles for half a period
 * after the sine lines crossed and while the phase advances as a cycle does, unless the price is 1.5 % away from the
 * trendline.
 * TA-Lib's start: measured from candle 37 on, zero before, printed from candle 63 on.
 * Source: Ehlers, Rocket Science for Traders (2001), chapter 11; TA-Lib 0.6 HT_TRENDMODE.
 */
export function ht_trendmode(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const cycle = Cycle.of(frame.state)
  const phase = Phase.of(frame.state.from(Cycle.size))
  const trend = Trend.of(frame.state.from(Cycle.size + Phase.size))
  const own = frame.state.from(Cycle.size + Phase.size + Trend.size)
  if (from === 0) {
    cycle.reset()
    phase.reset()
    trend.reset()
    for (let k = 0; k < 3; k++) own[k] = 0
  }
  let sine = own[0]
  let leadSine = own[1]
  let candlesInTrend = own[2]
  warmup(out, from, to, 63)
  const diagonal = Math.sqrt(0.5)
  for (let i = max(from, Cycle.lateStart); i < to; i++) {
    const degrees = phase.degrees
    cycle.step(x, i)
    phase.step(cycle, i)
    const trendline = trend.step(cycle, x, i)
    const sineBefore = sine
    const leadSineBefore = leadSine
    NativeMath.sincos(phase.degrees * (Math.PI / 180))
    sine = NativeMath.sincos_sin
    leadSine = (NativeMath.sincos_sin + NativeMath.sincos_cos) * diagonal

    let isTrend = true
    if (
      (sine > leadSine && sineBefore <= leadSineBefore) ||
      (sine < leadSine && sineBefore >= leadSineBefore)
    ) {
      candlesInTrend = 0
      isTrend = false
    }
    candlesInTrend++
    if (candlesInTrend < 0.5 * cycle.smoothPeriod) isTrend = false
    const advance = (phase.degrees - degrees) * cycle.smoothPeriod
    if (advance > 0.67 * 360 && advance < 1.5 * 360) isTrend = false
    if (trendline !== 0 && abs((cycle.price(i) - trendline) / trendline) >= 0.015) isTrend = true
    if (i >= 63) out[i] = isTrend ? 1 : 0
  }
  own[0] = sine
  own[1] = leadSine
  own[2] = candlesInTrend
}
