import { Frame } from '../../frame'
import { Filter, setSuperSmoother } from '../../parts/averages/recursive-filter'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Universal Oscillator: half the change of the value over two candles, smoothed by a super smoother over `period`
 * candles and divided by its own peak, which decays by 0.9 % per candle.
 * Change and peak start at 0 (the article starts the peak at 1e-7, which damps small prices); 0 while the peak is 0.
 * Source: Ehlers, Whiter Is Brighter, Stocks & Commodities (January 2015).
 */
export function universaloscillator(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const smoother = Filter.at(state)
  const history = state.from(Filter.size)
  if (from === 0) {
    setSuperSmoother(smoother, period)
    history[0] = x[0]
    history[1] = x[0]
    history[2] = 0
  }
  let before = history[0]
  let second = history[1]
  for (let i = from; i < to; i++) {
    out[i] = i < 2 ? 0 : (x[i] - second) / 2
    second = before
    before = x[i]
  }
  smoother.run(out, out, from, to, 2, true)
  let peak = history[2]
  for (let i = from; i < to; i++) {
    peak = max(0.991 * peak, abs(out[i]))
    out[i] = peak > 0 ? out[i] / peak : 0
  }
  history[0] = before
  history[1] = second
  history[2] = peak
  warmup(out, from, to, period - 1)
}
