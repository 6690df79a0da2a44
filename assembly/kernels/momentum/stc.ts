import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { weightOf } from '../../parts/averages/present-average'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { isMove } from '../../parts/numbers/tie'
import { heldStochastic } from '../../parts/shared/held-stochastic'

/**
 * Schaff Trend Cycle: the stochastic over `cycleLength` candles of the fast minus the slow exponential average,
 * smoothed exponentially over `d1Length`, then the stochastic of that, smoothed over `d2Length`; 0 to 100.
 * Averages are seeded with the mean of their first values (Schaff smooths by halves, which lengths of 3 amount to); a
 * stochastic without a range stays unchanged. The trend is bullish while the cycle rises, bearish while it falls, and the
 * first value is compared with 50.
 * Source: Schaff, The Schaff Trend Cycle (1999).
 */
export function stc(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const value = frame.output(0)
  const trend = frame.output(1)
  const state = frame.state
  const slowState = state.from(exponentialState)
  const d1State = state.from(2 * exponentialState)
  const d2State = state.from(3 * exponentialState)
  const last = state.from(4 * exponentialState)
  const fastLength = frame.integer(0)
  const slowLength = frame.integer(1)
  const cycleLength = frame.integer(2)
  const d1Length = frame.integer(3)
  const d2Length = frame.integer(4)
  const tail = cycleLength - 1
  const lineTail = last.from(4)
  const smoothTail = lineTail.from(tail)
  const lineStart = max(fastLength, slowLength) - 1
  const rawStart = lineStart + tail
  const smoothStart = rawStart + d1Length - 1
  const cycleStart = smoothStart + tail
  const first = cycleStart + d2Length - 1

  const line = frame.scratch(0).from(tail - from)
  const raw = frame.scratch(1).from(-from)
  const lowest = frame.scratch(2).from(-from)
  const suffixes = frame.scratch(3)
  restoreOverlap(line, from, tail, lineTail, from === 0)
  exponentialAverage(x, 0, line, from, to, fastLength, weightOf(fastLength), state)
  exponentialAverage(x, 0, lowest, from, to, slowLength, weightOf(slowLength), slowState)
  for (let i = from; i < to; i++) line[i] = i < lineStart ? 0 : line[i] - lowest[i]
  saveOverlap(line, to, tail, lineTail)
  heldStochastic(line, lineStart, raw, lowest, from, to, cycleLength, suffixes, last)

  const smooth = frame.scratch(0).from(tail - from)
  restoreOverlap(smooth, from, tail, smoothTail, from === 0)
  exponentialAverage(raw, rawStart, smooth, from, to, d1Length, weightOf(d1Length), d1State)
  for (let i = from, end = min(to, smoothStart); i < end; i++) smooth[i] = 0
  saveOverlap(smooth, to, tail, smoothTail)
  heldStochastic(smooth, smoothStart, raw, lowest, from, to, cycleLength, suffixes, last.from(1))

  exponentialAverage(raw, cycleStart, value, from, to, d2Length, weightOf(d2Length), d2State)
  let before = from === 0 ? 50 : last[2]
  let direction = from === 0 ? 1 : last[3]
  let i = from
  for (const end = min(to, first); i < end; i++) trend[i] = NaN
  for (; i < to; i++) {
    // The average rises if and only if the new value is above it.
    const towards = i === first ? value[i] : raw[i]
    if (isMove(towards - before, 100)) direction = 1
    else if (isMove(before - towards, 100)) direction = -1
    before = value[i] > 100 ? 100 : value[i]
    value[i] = before
    trend[i] = direction
  }
  last[2] = before
  last[3] = direction
}
