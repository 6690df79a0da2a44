import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Ease of Movement: the change of the middle of the candle times its range, per 10000 units of volume. Not smoothed,
 * and with no other scale (others divide the volume by 100 million, or average 14 values); 0
 * where nothing was traded.
 * Source: Arms, Volume Cycles in the Stock Market (1983); Tulip Indicators emv.
 */
export function emv(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const volume = frame.input(2)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 1); i < to; i += 2) {
    const before = f64x2.add(high.pair(i - 1), low.pair(i - 1))
    out.setPair(i, ease(high.pair(i), low.pair(i), before, volume.pair(i)))
  }
  out[to] = after
}

/** `before` is twice the middle of the previous candle. */
function ease(high: v128, low: v128, before: v128, volume: v128): v128 {
  const moved = f64x2.mul(f64x2.sub(f64x2.add(high, low), before), f64x2.splat(5000))
  const value = f64x2.div(f64x2.mul(moved, f64x2.sub(high, low)), volume)
  return v128.andnot(value, f64x2.eq(volume, f64x2.splat(0)))
}
