import { average, averageLookback } from '../../average-types/average'
import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { stochastic } from '../../parts/shared/stochastic'

/**
 * Stochastic Fast: K is the position of the close between the lowest low and the highest high of `fastKPeriod` candles,
 * in percent; D is its moving average of the kind `fastDMAType`.
 * A range of zero counts as 0; both lines begin together.
 * Source: Lane; TA-Lib 0.6 STOCHF.
 */
export function stochf(frame: Frame, from: i32, to: i32): void {
  const k = frame.output(0)
  const d = frame.output(1)
  const kPeriod = frame.integer(0)
  const dPeriod = frame.integer(1)
  const type = frame.integer(2)
  const before = averageLookback(type, dPeriod)
  const start = kPeriod - 1
  const rawFrom = max(start, from - before)
  const raw = frame.scratch(0).from(-min(rawFrom, from))
  const lowest = frame.scratch(1).from(-rawFrom)
  const suffixes = frame.scratch(2)
  if (rawFrom < to)
    stochastic(frame.input(0), frame.input(1), frame.input(2), 0, raw, rawFrom, to, kPeriod, lowest, suffixes)
  average(type, raw, start, d, from, to, dPeriod, frame.state, frame, 1)
  for (let i = warmup(k, from, to, start + before); i < to; i++) k[i] = raw[i]
}
