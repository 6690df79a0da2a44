import { Frame } from '../../frame'
import { hasLogarithms, volatilityOf } from '../../parts/range-volatility'
import { warmup } from '../../parts/warmup'

/**
 * Rogers-Satchell Volatility: the root of the mean over `period` candles of ln(high/close)·ln(high/open) +
 * ln(low/close)·ln(low/open), which a trend does not change.
 * A share per year of `annualPeriods` candles; 1 gives it per candle. No value while a price of the window is not
 * positive or the mean is negative.
 * Source: Rogers and Satchell, Estimating Variance from High, Low and Closing Prices (1991).
 */
export function rogerssatchell(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const oldest = first - period + 1
  const terms = frame.scratch(0).from(-oldest)
  for (let i = oldest; i < to; i++) {
    const open = frame.input(0)[i]
    const high = frame.input(1)[i]
    const low = frame.input(2)[i]
    const close = frame.input(3)[i]
    terms[i] = hasLogarithms(open, high, low, close) ? term(open, high, low, close) : NaN
  }
  volatilityOf(terms, 0, out, first, to, period, frame.number(1), frame.scratch(1))
}

/** What a candle adds to the variance. */
function term(open: f64, high: f64, low: f64, close: f64): f64 {
  return Math.log(high / close) * Math.log(high / open) + Math.log(low / close) * Math.log(low / open)
}
