import { average, averageLookback, averageState } from '../../average-types/average'
import { Frame } from '../../frame'
import { difference } from '../../parts/numbers/difference'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { warmup } from '../../parts/numbers/warmup'

/**
 * MACD with moving averages of any kind: fast minus slow average, the average of that (the signal), and the difference
 * of the two.
 * Both averages begin such that their first values fall on the same candle, and all three lines begin together; a slow
 * period below the fast one is swapped with it, and so is the kind.
 * Source: TA-Lib 0.6 MACDEXT.
 */
export function macdext(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const line = frame.output(0)
  const signalLine = frame.output(1)
  const histogram = frame.output(2)
  const isSwapped = frame.integer(2) < frame.integer(0)
  const fastPeriod = frame.integer(isSwapped ? 2 : 0)
  const fastType = frame.integer(isSwapped ? 3 : 1)
  const slowPeriod = frame.integer(isSwapped ? 0 : 2)
  const slowType = frame.integer(isSwapped ? 1 : 3)
  const signalPeriod = frame.integer(4)
  const signalType = frame.integer(5)
  const fastLookback = averageLookback(fastType, fastPeriod)
  const slowLookback = averageLookback(slowType, slowPeriod)
  const start = max(fastLookback, slowLookback)
  const tail = averageLookback(signalType, signalPeriod)
  const fastState = frame.state
  const slowState = fastState.from(averageState(fastType, fastPeriod))
  const signalState = slowState.from(averageState(slowType, slowPeriod))
  const tailState = signalState.from(averageState(signalType, signalPeriod))
  const differences = frame.scratch(0).from(tail - from)

  average(fastType, x, start - fastLookback, line, from, to, fastPeriod, fastState, frame, 1)
  average(slowType, x, start - slowLookback, signalLine, from, to, slowPeriod, slowState, frame, 1)
  restoreOverlap(differences, from, tail, tailState, from === 0)
  difference(line, signalLine, differences, from, to)
  saveOverlap(differences, to, tail, tailState)
  average(signalType, differences, start, signalLine, from, to, signalPeriod, signalState, frame, 1)

  warmup(histogram, from, to, start + tail)
  const begin = warmup(line, from, to, start + tail)
  for (let i = begin; i < to; i++) line[i] = differences[i]
  difference(line, signalLine, histogram, begin, to)
}
