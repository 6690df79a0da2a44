import { Frame } from '../../frame'
import { isMove, isRounding, rounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/**
 * Correlation Cycle: `real` and `imag` are the correlations of the last `period` values with a cosine and a negative
 * sine of that length, 0 where the window is flat; `angle` is the angle of the two in degrees, which never turns back.
 * `state` is 0 while the angle moves by `threshold` degrees or more per candle (a cycle), else the sign of the angle (a
 * trend). The newest value has the phase 0 (VectorTA begins with 1). The angle stays unchanged, 0 at first, where
 * `imag` is 0 but for rounding.
 * Source: Ehlers, Correlation as a Cycle Indicator, Stocks & Commodities (June 2020).
 */
export function correlationcycle(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const real = frame.output(0)
  const imag = frame.output(1)
  const angles = frame.output(2)
  const trend = frame.output(3)
  const state = frame.state
  const period = frame.integer(0)
  const threshold = frame.number(1)
  const cosines = state.from(1)
  const sines = cosines.from(period)
  if (from === 0) {
    state[0] = 0
    for (let k = 0; k < period; k++) {
      const phase = (2 * Math.PI * <f64>k) / <f64>period
      cosines[k] = Math.cos(phase)
      sines[k] = -Math.sin(phase)
    }
  }
  const first = warmup(real, from, to, period - 1)
  warmup(imag, from, to, period - 1)
  warmup(angles, from, to, period - 1)
  warmup(trend, from, to, period)
  if (first >= to) return
  const means = frame.scratch(0).from(-first)
  movingMean(x, 0, means, first, to, period, frame.scratch(1))
  // Over a whole cycle the squares of a sine add up to half of its length.
  const size = <f64>period / 2
  let angle = state[0]
  for (let i = first; i < to; i++) {
    const level = x[i]
    const mean = means[i] - level
    let inPhase: f64 = 0
    let quadrature: f64 = 0
    let square: f64 = 0
    for (let k = 0; k < period; k++) {
      const distance = x[i - k] - level - mean
      inPhase += distance * cosines[k]
      quadrature += distance * sines[k]
      square += distance * distance
    }
    const isFlat = isRounding(sqrt(square), level)
    const scale = isFlat ? 0 : 1 / sqrt(square * size)
    inPhase *= scale
    quadrature *= scale
    real[i] = inPhase
    imag[i] = quadrature
    let now = abs(quadrature) <= rounding ? angle : 90 + Math.atan(inPhase / quadrature) * (180 / Math.PI)
    if (quadrature > rounding) now -= 180
    const before = angle
    if (i >= period && now < before && before - now < 270) now = before
    angle = now
    angles[i] = now
    if (i >= period) trend[i] = !isMove(threshold - abs(now - before), 180) ? 0 : now >= 0 ? 1 : -1
  }
  state[0] = angle
}
