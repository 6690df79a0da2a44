import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingRange } from '../../parts/windows/extremes'

/**
 * Donchian Channels: the highest high and the lowest low of `period` candles, and the middle between them.
 * The newest candle is included (Skender.Stock.Indicators leaves it out).
 * Source: TA-Lib development DONCHIAN.
 */
export function donchianchannels(frame: Frame, from: i32, to: i32): void {
  const upper = frame.output(0)
  const middle = frame.output(1)
  const lower = frame.output(2)
  const period = frame.integer(0)
  warmup(upper, from, to, period - 1)
  warmup(middle, from, to, period - 1)
  let i = warmup(lower, from, to, period - 1)
  movingRange(frame.input(0), frame.input(1), 0, upper, lower, i, to, period, frame.scratch(0))
  const after = middle[to]
  for (; i < to; i += 2) {
    middle.setPair(i, f64x2.mul(f64x2.add(upper.pair(i), lower.pair(i)), f64x2.splat(0.5)))
  }
  middle[to] = after
}
