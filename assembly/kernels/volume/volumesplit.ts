import { Frame } from '../../frame'

/**
 * Volume Split: the volume divided among buyers and sellers by where the close lies in the candle: the buyers' share is
 * (close − low) / (high − low), the sellers' share the rest; both as volumes and in percent.
 * An estimate from the candle alone, not the exchange's count of taker orders. A candle without a range is split in
 * half; the percentages are given even where nothing was traded.
 * Source: the definition, the close location value of Chaikin's A/D line on a scale from 0 to 1.
 */
export function volumesplit(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const volume = frame.input(3)
  const total = frame.output(0)
  const bought = frame.output(1)
  const sold = frame.output(2)
  const buyersPercent = frame.output(3)
  const sellersPercent = frame.output(4)
  const afterTotal = total[to]
  const afterBought = bought[to]
  const afterSold = sold[to]
  const afterBuyers = buyersPercent[to]
  const afterSellers = sellersPercent[to]
  for (let i = from; i < to; i += 2) {
    const share = buyersShare(high.pair(i), low.pair(i), close.pair(i))
    const traded = volume.pair(i)
    const byBuyers = f64x2.mul(traded, share)
    const percent = f64x2.mul(share, f64x2.splat(100))
    total.setPair(i, traded)
    bought.setPair(i, byBuyers)
    sold.setPair(i, f64x2.sub(traded, byBuyers))
    buyersPercent.setPair(i, percent)
    sellersPercent.setPair(i, f64x2.sub(f64x2.splat(100), percent))
  }
  total[to] = afterTotal
  bought[to] = afterBought
  sold[to] = afterSold
  buyersPercent[to] = afterBuyers
  sellersPercent[to] = afterSellers
}

function buyersShare(high: v128, low: v128, close: v128): v128 {
  const range = f64x2.sub(high, low)
  const share = f64x2.div(f64x2.sub(close, low), range)
  return v128.bitselect(f64x2.splat(0.5), share, f64x2.eq(range, f64x2.splat(0)))
}
