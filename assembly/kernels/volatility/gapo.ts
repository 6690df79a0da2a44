import { Frame } from '../../frame'
import { logarithms } from '../../parts/numbers/fast-log'
import { warmup } from '../../parts/numbers/warmup'
import { movingRange } from '../../parts/windows/extremes'

/**
 * Gopalakrishnan Range Index: the logarithm of the range of `period` candles, to the base `period`.
 * No value where there is no range.
 * Source: Gopalakrishnan, Gapo, Stocks & Commodities (January 2001); trading-signals GAPO.
 */
export function gapo(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const lows = frame.scratch(0).from(-from)
  const first = warmup(out, from, to, period - 1)
  movingRange(frame.input(0), frame.input(1), 0, out, lows, first, to, period, frame.scratch(1))
  const scale = f64x2.splat(1 / Math.log(period))
  const after = out[to]
  for (let i = first; i < to; i += 2)
    out.setPair(i, f64x2.mul(logarithms(f64x2.sub(out.pair(i), lows.pair(i))), scale))
  out[to] = after
}
