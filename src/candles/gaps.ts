import { endOf, type Timeframe } from './timeframe.js'

/** A run of candles that are not there. */
export interface Gap {
  /** Unix seconds of the open of the first one that is missing. */
  readonly from: number
  /** Unix seconds of the open of the candle after the last one that is missing. */
  readonly to: number
}

/** The gaps between ascending open times, the first `count` of them, of candles of a timeframe. */
export function gapsIn(times: ArrayLike<number>, count: number, timeframe: Timeframe): Gap[] {
  const gaps: Gap[] = []
  for (let at = 1; at < count; at++) {
    const from = endOf(timeframe, times[at - 1] as number)
    const to = times[at] as number
    if (to > from) gaps.push({ from, to })
  }
  return gaps
}
