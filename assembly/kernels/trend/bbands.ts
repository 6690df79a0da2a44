import { average, averageLookback } from '../../average-types/average'
import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { bandsAround } from '../../parts/shared/bands'
import { deviationAlone, deviationBands } from '../../parts/windows/deviation'

/**
 * Bollinger Bands: a moving average of the kind `maType`, and `stddev` standard deviations of the last `period`
 * values above and below it.
 * The deviation is that of the population around the simple mean, whatever the average.
 * Source: Bollinger, Bollinger on Bollinger Bands (2001); TA-Lib 0.6 BBANDS.
 */
export function bbands(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const upper = frame.output(0)
  const middle = frame.output(1)
  const lower = frame.output(2)
  const period = frame.integer(0)
  const width = frame.number(1)
  const type = frame.integer(2)
  const first = frame.scratch(0)
  const begin = max(from, period - 1)
  if (type === 0) deviationBands(x, 0, upper, middle, lower, begin, to, period, first, width)
  else {
    deviationAlone(x, 0, upper, begin, to, period, first, width)
    average(type, x, 0, middle, from, to, period, frame.state, frame, 0)
    bandsAround(middle, upper, lower, begin, to, 1)
  }
  const lookback = max(averageLookback(type, period), period - 1)
  warmup(upper, from, to, lookback)
  warmup(middle, from, to, lookback)
  warmup(lower, from, to, lookback)
}
