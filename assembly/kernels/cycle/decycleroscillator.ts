import { Frame } from '../../frame'
import { Filter, rootOfHalf, setSecondHighPass } from '../../parts/averages/recursive-filter'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Decycler Oscillator: `k`·100·h / x. x is the value, and h a high-pass filter over half the period of the decycler,
 * which is the value without its cycles shorter than `hpPeriod` candles.
 * Half the period is not rounded.
 * Source: Ehlers, Decyclers, Stocks & Commodities (September 2015); VectorTA dec_osc.
 */
export function decycleroscillator(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const scale = 100 * frame.number(1)
  const decycling = Filter.at(state)
  const filter = Filter.at(state.from(Filter.size))
  if (from === 0) {
    setSecondHighPass(decycling, period, rootOfHalf)
    setSecondHighPass(filter, <f64>period / 2, rootOfHalf)
  }
  decycling.run(x, out, from, to, 2, false)
  for (let i = from; i < to; i++) out[i] = x[i] - out[i]
  filter.run(out, out, from, to, 2, false)
  for (let i = from; i < to; i++) out[i] = (scale * out[i]) / x[i]
  warmup(out, from, to, period - 1)
}
