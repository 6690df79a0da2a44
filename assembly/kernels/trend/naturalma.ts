import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { weightedMean } from '../../parts/windows/weighted-window'

/**
 * Natural Moving Average: an exponential average whose weight is the mean of √(k + 1) − √k, weighted by the changes of
 * the logarithm k candles ago over `period` candles: near 1 if only the newest candle moved. Starts as the value before
 * the first result, and stays unchanged if nothing moved. No value while a price of the window is not positive. jesse
 * and VectorTA weight two values of the window instead and never converge to this one.
 * Source: Sloman, Ocean Theory; QuanTAlib nma.
 */
export function naturalma(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const weights = state.from(1)
  if (from === 0) for (let k = 0; k < period; k++) weights[k] = sqrt(<f64>(k + 1)) - sqrt(<f64>k)
  const first = warmup(out, from, to, period)
  let mean = from < period && to >= period ? x[period - 1] : state[0]
  if (first < to) {
    const oldest = first - period + 1
    const changes = frame.scratch(0).from(-oldest)
    const totals = frame.scratch(1).from(-oldest)
    let before = Math.log(x[oldest - 1])
    for (let i = oldest; i < to; i++) {
      const now = Math.log(x[i])
      changes[i] = abs(now - before)
      before = now
    }
    weightedMean(changes, oldest, totals, first, to, weights, period)
    for (let i = first; i < to; i++) {
      let moved: f64 = 0
      for (let k = 0; k < period; k++) moved += changes[i - k]
      const ratio = moved > 0 ? totals[i] / moved : 0
      // If a logarithm of the window is missing there is no value; the mean keeps its previous value.
      const isKnown = abs(ratio) < Infinity
      if (isKnown) mean += ratio * (x[i] - mean)
      out[i] = isKnown ? mean : NaN
    }
  }
  state[0] = to >= period ? mean : 0
}
