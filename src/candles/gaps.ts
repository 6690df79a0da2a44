/** A run of candles that are not there. */
export interface Gap {
  /** Unix seconds of the open of the first one that is missing. */
  readonly from: number
  /** Unix seconds of the open of the candle after the last one that is missing. */
  readonly to: number
}

/** The gaps between ascending open times, the first `count` of them, of candles that are `length` seconds long. */
export function gapsIn(times: ArrayLike<number>, count: number, length: number): Gap[] {
  const gaps: Gap[] = []
  for (let at = 1; at < count; at++) {
    const from = (times[at - 1] as number) + length
    const to = times[at] as number
    if (to > from) gaps.push({ from, to })
  }
  return gaps
}
