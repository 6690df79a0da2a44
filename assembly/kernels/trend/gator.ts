import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Gator Oscillator: `upper` is the distance between jaw and teeth of the Alligator, `lower` minus the distance between
 * teeth and lips: smoothed averages of (high + low) / 2, each drawn some candles ahead. The other outputs are 1 where the
 * distance of `upper` or `lower` is greater than at the candle before, else 0.
 * All begin where the last line has two values.
 * Source: the Alligator of Williams, New Trading Dimensions (1998); Skender.Stock.Indicators Gator.
 */
export function gator(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const state = frame.state
  const last = state.from(3 * exponentialState)
  let farthest = 0
  let lookback = 0
  for (let line = 0; line < 3; line++) {
    farthest = max(farthest, frame.integer(2 * line + 1))
    lookback = max(lookback, frame.integer(2 * line) + frame.integer(2 * line + 1))
  }
  const oldest = max(0, from - farthest)
  const middles = frame.scratch(0).from(-oldest)
  for (let i = oldest; i < to; i++) middles[i] = (high[i] + low[i]) * 0.5
  for (let line = 0; line < 3; line++) {
    const length = frame.integer(2 * line)
    const offset = frame.integer(2 * line + 1)
    const out = frame.scratch(1 + line).from(-from)
    exponentialAverage(
      middles.from(-offset),
      offset,
      out,
      from,
      to,
      length,
      1 / <f64>length,
      state.from(line * exponentialState),
    )
  }
  const jaw = frame.scratch(1).from(-from)
  const teeth = frame.scratch(2).from(-from)
  const lips = frame.scratch(3).from(-from)
  let upper = last[0]
  let lower = last[1]
  for (let i = from; i < to; i++) {
    const above = abs(jaw[i] - teeth[i])
    const below = -abs(teeth[i] - lips[i])
    frame.output(0)[i] = above
    frame.output(1)[i] = below
    frame.output(2)[i] = above > upper ? 1 : 0
    frame.output(3)[i] = below < lower ? 1 : 0
    upper = above
    lower = below
  }
  last[0] = upper
  last[1] = lower
  for (let k = 0; k < 4; k++) warmup(frame.output(k), from, to, lookback)
}
