import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { deviationAlone } from '../../parts/windows/deviation'

/**
 * Variable Index Dynamic Average: an exponential average whose weight is `alpha` times the standard deviation of the
 * last `shortPeriod` values in units of that of the last `longPeriod`.
 * Starts as the value at candle longPeriod − 2; stays where it is while the long window is flat; the shorter period
 * counts as the short one. Chande's later form, which TA-Lib's development and most charts have, takes the absolute
 * Chande Momentum Oscillator (CMO) as weight instead and never comes to agree with this one.
 * Source: Chande, Adapting Moving Averages to Market Volatility (1992); Tulip Indicators vidya.
 */
export function vidya(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const short = min(frame.integer(0), frame.integer(1))
  const long = max(frame.integer(0), frame.integer(1))
  const alpha = frame.number(2)
  const seed = long - 2
  let mean = state[0]
  let first = warmup(out, from, to, seed)
  if (first < to) {
    // The long window begins one candle before those that a kernel may read whose first value is the seed.
    const oldest = first - long + 1
    const values = frame.scratch(0).from(-oldest)
    if (first === seed) {
      mean = x[seed]
      out[seed] = mean
      first++
    } else values[oldest] = state[1]
    for (let i = max(oldest + 1, 0); i < to; i++) values[i] = x[i]
    const spread = frame.scratch(1).from(-first)
    const longSpread = frame.scratch(2).from(-first)
    const suffixes = frame.scratch(3)
    deviationAlone(values, 0, spread, first, to, short, suffixes, 1)
    deviationAlone(values, 0, longSpread, first, to, long, suffixes, 1)
    const one = f64x2.splat(1)
    const zero = f64x2.splat(0)
    // A candle waits for the one before by a product and a sum only; the weights, two at a time, do not wait for it.
    for (let i = first; i < to; i += 2) {
      const whole = longSpread.pair(i)
      const share = f64x2.div(f64x2.mul(f64x2.splat(alpha), spread.pair(i)), whole)
      const weights = v128.and(share, f64x2.gt(whole, zero))
      const keeps = f64x2.sub(one, weights)
      const parts = f64x2.mul(x.pair(i), weights)
      mean = mean * f64x2.extract_lane(keeps, 0) + f64x2.extract_lane(parts, 0)
      out[i] = mean
      if (i + 1 === to) break
      mean = mean * f64x2.extract_lane(keeps, 1) + f64x2.extract_lane(parts, 1)
      out[i + 1] = mean
    }
  }
  state[0] = mean
  state[1] = to > seed ? x[to - seed - 1] : 0
}
