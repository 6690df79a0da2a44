import { Frame } from '../../frame'
import {
  relativeVolatility,
  relativeVolatilityState,
  volatilityWeight,
} from '../../parts/shared/relative-volatility'

/**
 * Relative Volatility Index (1995): the mean of the relative volatility indices of the highs and of the lows.
 * Deviations and averages as in `rvi`, which is Dorsey's index of 1993.
 * Source: Dorsey, Refining the Relative Volatility Index, Stocks & Commodities (September 1995); TA-Lib 0.8.3 RVIR.
 */
export function rvir(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const lows = frame.scratch(0).from(-from)
  const spread = frame.integer(0)
  const period = frame.integer(1)
  const alpha = volatilityWeight(period, frame.integer(2))
  const ups = frame.scratch(1)
  const downs = frame.scratch(2)
  const suffixes = frame.scratch(3)
  const state = frame.state
  const others = state.from(relativeVolatilityState)
  relativeVolatility(frame.input(0), out, from, to, spread, period, alpha, ups, downs, suffixes, state)
  relativeVolatility(frame.input(1), lows, from, to, spread, period, alpha, ups, downs, suffixes, others)
  const after = out[to]
  const half = f64x2.splat(0.5)
  for (let i = from; i < to; i += 2) out.setPair(i, f64x2.mul(f64x2.add(out.pair(i), lows.pair(i)), half))
  out[to] = after
}
