import { Frame } from '../../frame'
import { logRatios } from '../numbers/fast-log'
import { warmup } from '../numbers/warmup'
import { movingMean } from '../windows/sums'

/** Estimators of the variance from the prices of a candle. */
export namespace Estimator {
  export const parkinson: i32 = 0
  export const garmanKlass: i32 = 1
  export const rogersSatchell: i32 = 2
}

/**
 * The root of the mean of the variance terms of the last `period` candles, per year; NaN while a price of the window is not
 * positive or the mean is negative. Inputs: open, high, low, close; for Parkinson's estimator high and low alone.
 * Parameters: the period, and the candles of a year. Two scratch columns.
 */
export function rangeVolatility(frame: Frame, from: i32, to: i32, estimator: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const annual = f64x2.splat(frame.number(1))
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const oldest = first - period + 1
  const terms = frame.scratch(0).from(-oldest)
  for (let i = oldest; i < to; i += 2) terms.setPair(i, termsOf(frame, estimator, i))
  movingMean(terms, 0, out, first, to, period, frame.scratch(1))
  const after = out[to]
  for (let i = first; i < to; i += 2) out.setPair(i, f64x2.sqrt(f64x2.mul(annual, out.pair(i))))
  out[to] = after
}

function termsOf(frame: Frame, estimator: i32, i: i32): v128 {
  const first = frame.input(0).pair(i)
  const second = frame.input(1).pair(i)
  if (estimator === Estimator.parkinson) {
    const range = logRatios(first, second)
    return f64x2.mul(f64x2.mul(range, range), f64x2.splat(0.25 / Math.LN2))
  }
  const low = frame.input(2).pair(i)
  const close = frame.input(3).pair(i)
  const body = logRatios(close, first)
  if (estimator === Estimator.rogersSatchell)
    return driftlessTerms(logRatios(second, first), logRatios(low, first), body)
  const range = logRatios(second, low)
  const ofRange = f64x2.mul(f64x2.mul(range, range), f64x2.splat(0.5))
  return f64x2.sub(ofRange, f64x2.mul(f64x2.mul(body, body), f64x2.splat(2 * Math.LN2 - 1)))
}

/**
 * ln(high/close)·ln(high/open) + ln(low/close)·ln(low/open), the variance terms of Rogers and Satchell. The arguments are
 * the logarithms of high, low and close divided by the open.
 */
export function driftlessTerms(high: v128, low: v128, close: v128): v128 {
  return f64x2.add(f64x2.mul(high, f64x2.sub(high, close)), f64x2.mul(low, f64x2.sub(low, close)))
}
