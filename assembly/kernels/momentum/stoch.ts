import { Frame } from '../../frame'
import { stochasticLines } from '../../parts/shared/stochastic'

/**
 * Stochastic: the position of the close between the lowest low and the highest high of `kPeriod` candles, in percent; K
 * is its mean over `kSmooth` candles, D the mean of K over `dPeriod`.
 * A range of zero counts as 0; both lines begin together.
 * Source: Lane; TA-Lib 0.6 STOCH with simple averages.
 */
export function stoch(frame: Frame, from: i32, to: i32): void {
  const kPeriod = frame.integer(0)
  const dPeriod = frame.integer(1)
  const kSmooth = frame.integer(2)
  stochasticLines(
    frame.input(0),
    frame.input(1),
    frame.input(2),
    0,
    frame.output(0),
    frame.output(1),
    from,
    to,
    kPeriod,
    kSmooth,
    dPeriod,
    frame.scratch(0),
    frame.scratch(1),
    frame.scratch(2),
  )
}
