import { endOf, type Timeframe } from './timeframe.js'

/** A run of missing candles. */
export interface Gap {
  /** Open time of the first missing candle, in Unix seconds. */
  readonly from: number
  /** Open time of the candle after the last missing one, in Unix seconds. */
  readonly to: number
}

/** Gaps between the first `count` of ascending open times of candles of a timeframe. */
export function gapsIn(times: ArrayLike<number>, count: number, timeframe: Timeframe): Gap[] {
  const gaps: Gap[] = []
  for (let at = 1; at < count; at++) {
    const from = endOf(timeframe, times[at - 1] as number)
    const to = times[at] as number
    if (to > from) gaps.push({ from, to })
  }
  return gaps
}
