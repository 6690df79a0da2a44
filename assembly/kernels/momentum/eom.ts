import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/**
 * Ease of Movement: the mean over `period` candles of m·r / v, where m is the change of the midpoint (high + low) / 2,
 * r the range of the candle and v its volume in units of `divisor`.
 * A candle without volume counts as 0.
 * Source: Arms, Volume Cycles in the Stock Market (1983); with a period of 1 Tulip emv.
 */
export function eom(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const volume = frame.input(2)
  const out = frame.output(0)
  const period = frame.integer(0)
  const scale = frame.number(1) / 2
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const oldest = first - period + 1
  const eases = frame.scratch(0).from(-oldest)
  for (let i = oldest; i < to; i += 2) {
    const top = high.pair(i)
    const bottom = low.pair(i)
    const traded = volume.pair(i)
    const moved = f64x2.sub(f64x2.add(top, bottom), f64x2.add(high.pair(i - 1), low.pair(i - 1)))
    const ratio = f64x2.div(f64x2.mul(f64x2.sub(top, bottom), f64x2.splat(scale)), traded)
    eases.setPair(i, v128.and(f64x2.mul(moved, ratio), f64x2.ne(traded, f64x2.splat(0))))
  }
  movingMean(eases, 1, out, first, to, period, frame.scratch(1))
}
