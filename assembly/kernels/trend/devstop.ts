import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { deviation } from '../../parts/windows/deviation'
import { movingMax, movingMin } from '../../parts/windows/extremes'

/**
 * Kase DevStop: `long` is the highest value of high − d over `period` candles, `short` the lowest of low + d, where d
 * is the mean range of two candles plus `multiplier` standard deviations of that range.
 * Kase's own lines have the multipliers 0, 1, 2.2 and 3.6.
 * Source: Kase, Trading with the Odds (1996); jesse devstop.
 */
export function devstop(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const period = frame.integer(0)
  const first = warmup(frame.output(0), from, to, 2 * period - 1)
  warmup(frame.output(1), from, to, 2 * period - 1)
  if (first >= to) return
  const start = first - period + 1
  const oldest = start - period + 1
  const ranges = frame.scratch(0).from(-oldest)
  const means = frame.scratch(1).from(-oldest)
  const spreads = frame.scratch(2).from(-oldest)
  const suffixes = frame.scratch(3)
  for (let i = oldest; i < to; i++) ranges[i] = max(high[i], high[i - 1]) - min(low[i], low[i - 1])
  deviation(ranges, 1, means, spreads, start, to, period, suffixes)
  for (let i = start; i < to; i++) {
    const distance = means[i] + frame.number(1) * spreads[i]
    means[i] = high[i] - distance
    spreads[i] = low[i] + distance
  }
  movingMax(means, period, frame.output(0), first, to, period, suffixes)
  movingMin(spreads, period, frame.output(1), first, to, period, suffixes)
}
