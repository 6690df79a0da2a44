import { Frame } from '../../frame'
import { Filter, setBandPass, setHighPass } from '../../parts/averages/recursive-filter'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Swiss Army Knife: one filter equation with the coefficients of a Gaussian or a Butterworth filter of two poles (`gauss`,
 * `butter`), of high-pass filters of one and of two poles (`hp`, `2php`) or of a band-pass filter (`bp`, with `delta`).
 * The first two start as the value, the others at 0.
 * Source: Ehlers, Swiss Army Knife Indicator, Stocks & Commodities (January 2006).
 */
export function swissarmyknife(frame: Frame, from: i32, to: i32): void {
  const type = frame.integer(0)
  const period = frame.integer(1)
  const filter = Filter.at(frame.state)
  if (from === 0) setCoefficients(filter, type, period, frame.number(2))
  // Gaussian and Butterworth filters start as the first value at both of the first candles.
  const isLowPass = type < 2
  const x = frame.input(0)
  const out = frame.output(0)
  let i = from
  for (const end = min(to, 2); i < end; i++) {
    if (i === 0) frame.state[Filter.size] = x[0]
    const value = isLowPass ? frame.state[Filter.size] : 0
    filter.push(x[i], value)
    out[i] = value
  }
  filter.run(x, out, i, to, 0, false)
  warmup(out, from, to, period - 1)
}

function setCoefficients(filter: Filter, type: i32, period: f64, delta: f64): void {
  if (type === 2) {
    setHighPass(filter, period)
    return
  }
  if (type === 4) {
    setBandPass(filter, period, 2 * delta)
    return
  }
  const beta = 2.415 * (1 - Math.cos((2 * Math.PI) / period))
  const alpha = -beta + sqrt(beta * beta + 2 * beta)
  const square = alpha * alpha
  const high = (1 - alpha / 2) * (1 - alpha / 2)
  if (type === 0) filter.forward(square, 0, 0, 0)
  else if (type === 1) filter.forward(square / 4, square / 2, square / 4, 0)
  else filter.forward(high, -2 * high, high, 0)
  filter.feedback(2 * (1 - alpha), -(1 - alpha) * (1 - alpha), 0)
}
