import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'

/**
 * Williams Alligator: jaws, teeth and lips are smoothed averages of (high + low) / 2, each drawn some candles ahead.
 * The value of a line at a candle is its average `offset` candles before, which a chart shows at that candle. Seeded
 * with the mean of the first values; each line begins as soon as it can.
 * Source: Williams, New Trading Dimensions (1998); Skender.Stock.Indicators Alligator.
 */
export function williamsalligator(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const state = frame.state
  let farthest = 0
  for (let line = 0; line < 3; line++) farthest = max(farthest, frame.integer(3 + line))
  const oldest = max(0, from - farthest)
  const middles = frame.scratch(0).from(-oldest)
  for (let i = oldest; i < to; i++) middles[i] = (high[i] + low[i]) * 0.5
  for (let line = 0; line < 3; line++) {
    const out = frame.output(line)
    const length = frame.integer(line)
    const offset = frame.integer(3 + line)
    const share = 1 / <f64>length
    exponentialAverage(
      middles.from(-offset),
      offset,
      out,
      from,
      to,
      length,
      share,
      state.from(line * exponentialState),
    )
  }
}
