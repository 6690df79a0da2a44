import { Frame } from '../../frame'

/**
 * Average True Range: the Wilder-smoothed distance between the higher of high and previous close and the lower of
 * low and previous close.
 * Seeded with the mean of `period` ranges beginning at the second candle (others begin at the first).
 * Source: Wilder, New Concepts in Technical Trading Systems (1978); TA-Lib 0.6 ATR.
 */
export function atr(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const share = 1 / <f64>period
  const keep = 1 - share
  let mean = from === 0 ? 0 : state[0]
  let i = from
  if (i === 0 && i < to) {
    out[0] = NaN
    i = 1
  }
  for (; i < to; i++) {
    const before = close[i - 1]
    const top = high[i]
    const bottom = low[i]
    const range = (top > before ? top : before) - (bottom < before ? bottom : before)
    if (i > period) {
      mean = mean * keep + range * share
      out[i] = mean
    } else {
      mean += range
      if (i === period) mean *= share
      out[i] = i === period ? mean : NaN
    }
  }
  state[0] = mean
}
