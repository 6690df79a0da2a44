import { Frame } from '../../frame'
import { driftlessTerms } from '../../parts/candles/range-volatility'
import { logRatios } from '../../parts/numbers/fast-log'
import { warmup } from '../../parts/numbers/warmup'
import { variance } from '../../parts/windows/deviation'
import { movingMean } from '../../parts/windows/sums'

/**
 * Yang-Zhang Volatility: the root of the variance of ln(open / close before), plus k times that of ln(close/open), plus
 * 1 − k times the mean of Rogers and Satchell's terms, over `period` candles; k = 0.34 / (1.34 + (n + 1)/(n − 1)).
 * Variances of a sample. A share per year of `annualPeriods` candles; with 1, per candle. No value while a price of the
 * window is not positive. QuanTAlib averages other terms.
 * Source: Yang and Zhang, Drift-Independent Volatility Estimation (2000); TTR volatility.
 */
export function yangzhang(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const annual = frame.number(1)
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const oldest = first - period + 1
  const gaps = frame.scratch(0).from(-oldest)
  const bodies = frame.scratch(1).from(-oldest)
  const terms = frame.scratch(2).from(-oldest)
  const spreads = frame.scratch(3).from(-oldest)
  const suffixes = frame.scratch(4)
  for (let i = oldest; i < to; i += 2) {
    const open = frame.input(0).pair(i)
    gaps.setPair(i, logRatios(open, frame.input(3).pair(i - 1)))
    const top = logRatios(frame.input(1).pair(i), open)
    const bottom = logRatios(frame.input(2).pair(i), open)
    const body = logRatios(frame.input(3).pair(i), open)
    bodies.setPair(i, body)
    terms.setPair(i, driftlessTerms(top, bottom, body))
  }
  variance(gaps, 1, out, first, to, period, suffixes)
  variance(bodies, 1, spreads, first, to, period, suffixes)
  movingMean(terms, 1, gaps, first, to, period, suffixes)
  const count = <f64>period
  const share = 0.34 / (1.34 + (count + 1) / (count - 1))
  const ofSample = count / (count - 1)
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const ofBodies = f64x2.mul(spreads.pair(i), f64x2.splat(share))
    const spread = f64x2.mul(f64x2.add(out.pair(i), ofBodies), f64x2.splat(ofSample))
    const total = f64x2.add(spread, f64x2.mul(gaps.pair(i), f64x2.splat(1 - share)))
    out.setPair(i, f64x2.sqrt(f64x2.mul(total, f64x2.splat(annual))))
  }
  out[to] = after
}
