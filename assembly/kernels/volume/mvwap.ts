import { Frame } from '../../frame'
import { thirds } from '../../parts/numbers/thirds'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean, movingSum } from '../../parts/windows/sums'

/**
 * Moving Volume Weighted Average Price: the mean over `period` candles of the mean typical price (high + low + close) / 3 of
 * `vwapPeriod` candles, weighted by volume.
 * No value while a window traded nothing.
 * Source: ta4j MVWAPIndicator.
 */
export function mvwap(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const volume = frame.input(3)
  const out = frame.output(0)
  const count = frame.integer(0)
  const period = frame.integer(1)
  const first = warmup(out, from, to, count + period - 2)
  if (first >= to) return
  const pricesFrom = first - period + 1
  const oldest = pricesFrom - count + 1
  const turnovers = frame.scratch(0).from(-oldest)
  const prices = frame.scratch(1).from(-oldest)
  const volumes = frame.scratch(2).from(-oldest)
  const suffixes = frame.scratch(3)
  for (let i = oldest; i < to; i += 2) {
    const sum = f64x2.add(f64x2.add(high.pair(i), low.pair(i)), close.pair(i))
    turnovers.setPair(i, f64x2.mul(thirds(sum), volume.pair(i)))
  }
  movingSum(turnovers, 0, prices, pricesFrom, to, count, suffixes)
  movingSum(volume, 0, volumes, pricesFrom, to, count, suffixes)
  for (let i = pricesFrom; i < to; i += 2) {
    const total = volumes.pair(i)
    const price = f64x2.div(prices.pair(i), total)
    prices.setPair(i, v128.bitselect(f64x2.splat(NaN), price, f64x2.eq(total, f64x2.splat(0))))
  }
  movingMean(prices, count - 1, out, first, to, period, suffixes)
}
