import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Net Volume: the volume, negative where the close fell, 0 where it stayed. These are the steps of `obv`. TradingView's
 * Net Volume is the sum of this over the candles of a shorter timeframe within each candle.
 * Source: TradingView, Net Volume, of a single candle.
 */
export function netvolume(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(0)
  const volume = frame.input(1)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 1); i < to; i += 2) {
    const now = close.pair(i)
    const before = close.pair(i - 1)
    const traded = volume.pair(i)
    const bought = v128.and(traded, f64x2.gt(now, before))
    out.setPair(i, f64x2.sub(bought, v128.and(traded, f64x2.lt(now, before))))
  }
  out[to] = after
}
