import { Frame } from '../../frame'
import { logReturns } from '../../parts/numbers/returns'
import { warmup } from '../../parts/numbers/warmup'

/**
 * EWMA Volatility: the root of the exponentially weighted mean of the squared logarithmic returns; `decay` is the
 * weight of the previous mean. Begins with the first squared return. A share per year of `annualPeriods` candles; with
 * 1, per candle. A return from or to a price that is not positive has no value and changes nothing.
 * Source: J. P. Morgan, RiskMetrics Technical Document (1996).
 */
export function ewmavolatility(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const decay = frame.number(0)
  const annual = frame.number(1)
  const first = warmup(out, from, to, 1)
  const changes = frame.scratch(0).from(-first)
  logReturns(x, changes, first, to)
  let mean = from === 0 ? NaN : state[0]
  for (let i = first; i < to; i++) {
    const square = changes[i] * changes[i]
    if (isNaN(square)) out[i] = NaN
    else {
      mean = isNaN(mean) ? square : mean * decay + square * (1 - decay)
      out[i] = sqrt(annual * mean)
    }
  }
  state[0] = mean
}
