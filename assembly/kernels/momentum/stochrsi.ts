import { Frame } from '../../frame'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { relativeStrength, strengthState } from '../../parts/shared/rsi'
import { stochasticLines } from '../../parts/shared/stochastic'

/**
 * Stochastic RSI: the stochastic of the RSI over `stochasticPeriod` candles, in percent; K is its mean over `kPeriod`
 * candles, D the mean of K over `dPeriod`.
 * With kPeriod 1 it is TA-Lib's fast form; a range of zero counts as 0.
 * Source: Chande and Kroll, The New Technical Trader (1994); TA-Lib 0.6 STOCHRSI.
 */
export function stochrsi(frame: Frame, from: i32, to: i32): void {
  const kPeriod = frame.integer(0)
  const dPeriod = frame.integer(1)
  const rsiPeriod = frame.integer(2)
  const stochasticPeriod = frame.integer(3)
  const state = frame.state
  const tail = stochasticPeriod + kPeriod + dPeriod - 3
  const rsi = frame.scratch(0).from(tail - from)
  restoreOverlap(rsi, from, tail, state.from(strengthState), from === 0)
  relativeStrength(frame.input(0), rsi, from, to, rsiPeriod, state)
  saveOverlap(rsi, to, tail, state.from(strengthState))
  stochasticLines(
    rsi,
    rsi,
    rsi,
    rsiPeriod,
    frame.output(0),
    frame.output(1),
    from,
    to,
    stochasticPeriod,
    kPeriod,
    dPeriod,
    frame.scratch(1),
    frame.scratch(2),
    frame.scratch(3),
  )
}
