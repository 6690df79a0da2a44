import { Frame } from '../../frame'

/**
 * Volume Split: the volume divided among buyers and sellers by where the close lies in the candle: the buyers' share is
 * (close − low) / (high − low), the sellers' share the rest; both as volumes and in percent.
 * An estimate from the candle alone, not the exchange's count of taker orders. A candle without a range is split in
 * half; the percentages stand even where nothing was traded.
 * Source: the definition, the close location value of Chaikin's A/D line on a scale from 0 to 1.
 */
export function volumesplit(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const volume = frame.input(3)
  let i = from
  for (; i + 1 < to; i += 2) {
    const share = buyers(high.pair(i), low.pair(i), close.pair(i))
    const traded = volume.pair(i)
    const bought = f64x2.mul(traded, share)
    const percent = f64x2.mul(share, f64x2.splat(100))
    frame.output(0).setPair(i, traded)
    frame.output(1).setPair(i, bought)
    frame.output(2).setPair(i, f64x2.sub(traded, bought))
    frame.output(3).setPair(i, percent)
    frame.output(4).setPair(i, f64x2.sub(f64x2.splat(100), percent))
  }
  if (i < to) {
    const shares = buyers(f64x2.splat(high[i]), f64x2.splat(low[i]), f64x2.splat(close[i]))
    const share = f64x2.extract_lane(shares, 0)
    const bought = volume[i] * share
    const percent = share * 100
    frame.output(0)[i] = volume[i]
    frame.output(1)[i] = bought
    frame.output(2)[i] = volume[i] - bought
    frame.output(3)[i] = percent
    frame.output(4)[i] = 100 - percent
  }
}

function buyers(high: v128, low: v128, close: v128): v128 {
  const range = f64x2.sub(high, low)
  const share = f64x2.div(f64x2.sub(close, low), range)
  return v128.bitselect(f64x2.splat(0.5), share, f64x2.eq(range, f64x2.splat(0)))
}
