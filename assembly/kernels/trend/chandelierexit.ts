import { Frame } from '../../frame'
import { averageTrueRange } from '../../parts/averages/average-true-range'
import { warmup } from '../../parts/numbers/warmup'
import { movingMax, movingMin } from '../../parts/windows/extremes'

/**
 * Chandelier Exit: `long` is the highest high of `period` candles minus `multiplier` average true ranges, `short` the
 * lowest low plus the same. The lines may move either way; Wilder's average.
 * Source: Le Beau, in Elder, Come Into My Trading Room (2002); Skender.Stock.Indicators Chandelier.
 */
export function chandelierexit(frame: Frame, from: i32, to: i32): void {
  const long = frame.output(0)
  const short = frame.output(1)
  const period = frame.integer(0)
  const multiplier = frame.number(1)
  const ranges = frame.scratch(0).from(-from)
  averageTrueRange(frame.input(0), frame.input(1), frame.input(2), ranges, from, to, period, frame.state)
  const first = warmup(long, from, to, period)
  warmup(short, from, to, period)
  movingMax(frame.input(0), 0, long, first, to, period, frame.scratch(1))
  movingMin(frame.input(1), 0, short, first, to, period, frame.scratch(1))
  for (let i = first; i < to; i++) {
    const width = multiplier * ranges[i]
    long[i] -= width
    short[i] += width
  }
}
