import { Frame } from '../../frame'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { warmup } from '../../parts/numbers/warmup'
import {
  relativeVolatility,
  relativeVolatilityState,
  volatilityWeight,
} from '../../parts/shared/relative-volatility'
import { movingLine } from '../../parts/windows/regression'

/**
 * Inertia: the end of the line of least squares through the last `period` values of the relative volatility index.
 * Source: Dorsey, Refining the Relative Volatility Index, Stocks & Commodities (September 1995). pandas-ta-classic
 * smooths the index exponentially (`ema`).
 */
export function inertia(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const spread = frame.integer(1)
  const smoothing = frame.integer(2)
  const tail = period - 1
  const saved = state.from(relativeVolatilityState)
  const values = frame.scratch(0).from(tail - from)
  const alpha = volatilityWeight(smoothing, frame.integer(3))
  restoreOverlap(values, from, tail, saved, from === 0)
  relativeVolatility(
    frame.input(0),
    values,
    from,
    to,
    spread,
    smoothing,
    alpha,
    frame.scratch(1),
    frame.scratch(2),
    frame.scratch(3),
    state,
  )
  saveOverlap(values, to, tail, saved)
  const start = max(1, spread - 1) + smoothing - 1
  const first = warmup(out, from, to, start + tail)
  movingLine(values, start, out, first, to, period, 0, frame.scratch(3))
}
