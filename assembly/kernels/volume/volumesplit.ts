import { Frame } from '../../frame'

/**
 * Volume Split: the volume divided among buyers and sellers by the position of the close in the candle: the buyers'
 * share is (close − low) / (high − low), the sellers' share the rest; both as volumes and in percent.
 * An estimate from the candle alone, not the exchange's count of taker orders. In a candle without a range neither side
 * has a share: both volumes and both percentages are 0. The percentages are given even where nothing was traded.
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
    const top = high.pair(i)
    const bottom = low.pair(i)
    const hasRange = f64x2.ne(top, bottom)
    const below = f64x2.div(f64x2.sub(close.pair(i), bottom), f64x2.sub(top, bottom))
    const buyers = v128.and(below, hasRange)
    const sellers = v128.and(f64x2.sub(f64x2.splat(1), below), hasRange)
    const traded = volume.pair(i)
    total.setPair(i, traded)
    bought.setPair(i, f64x2.mul(traded, buyers))
    sold.setPair(i, f64x2.mul(traded, sellers))
    buyersPercent.setPair(i, f64x2.mul(buyers, f64x2.splat(100)))
    sellersPercent.setPair(i, f64x2.mul(sellers, f64x2.splat(100)))
  }
  total[to] = afterTotal
  bought[to] = afterBought
  sold[to] = afterSold
  buyersPercent[to] = afterBuyers
  sellersPercent[to] = afterSellers
}
