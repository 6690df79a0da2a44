import { Frame } from '../../frame'
import {
  Filter,
  rootOfHalf,
  setSecondHighPass,
  setSuperSmoother,
} from '../../parts/averages/recursive-filter'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Roofing Filter: a high-pass filter of two poles over `hpPeriod` candles and a super smoother over `lpPeriod` after it,
 * which leave the cycles between the two.
 * Source: Ehlers, Cycle Analytics for Traders (2013), chapter 7; jesse roofing.
 */
export function roofing(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const highPass = Filter.at(state)
  const smoother = Filter.at(state.from(Filter.size))
  if (from === 0) {
    setSecondHighPass(highPass, period, rootOfHalf)
    setSuperSmoother(smoother, frame.integer(1))
  }
  highPass.run(frame.input(0), out, from, to, 2, false)
  smoother.run(out, out, from, to, 2, true)
  warmup(out, from, to, period - 1)
}
