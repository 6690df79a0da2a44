import { Frame } from '../../frame'
import { Filter, setSuperSmoother } from '../../parts/averages/recursive-filter'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Even Better Sinewave: a high-pass filter over `hpPeriod` candles and a super smoother over `ssfPeriod` after it; the
 * mean of the last three of these values divided by their root mean square, from −1 to 1.
 * Before the first candle the filters are 0. pandas-ta feeds degrees to functions of radians, so its values differ.
 * Source: Ehlers, Cycle Analytics for Traders (2013), chapter 12; QuanTAlib ebsw.
 */
export function ebsw(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const highPass = Filter.at(state)
  const smoother = Filter.at(state.from(Filter.size))
  const history = state.from(2 * Filter.size)
  if (from === 0) {
    const angle = (2 * Math.PI) / <f64>period
    const alpha = (1 - Math.sin(angle)) / Math.cos(angle)
    highPass.forward((1 + alpha) / 2, -(1 + alpha) / 2, 0, 0)
    highPass.feedback(alpha, 0, 0)
    setSuperSmoother(smoother, frame.integer(1))
    history[0] = 0
    history[1] = 0
  }
  highPass.run(x, out, from, to, 1, false)
  smoother.run(out, out, from, to, 0, false)
  let before = history[0]
  let second = history[1]
  for (let i = from; i < to; i++) {
    const now = out[i]
    const square = (now * now + before * before + second * second) / 3
    out[i] = square !== 0 ? max<f64>(-1, min<f64>(1, (now + before + second) / 3 / sqrt(square))) : 0
    second = before
    before = now
  }
  history[0] = before
  history[1] = second
  warmup(out, from, to, period - 1)
}
