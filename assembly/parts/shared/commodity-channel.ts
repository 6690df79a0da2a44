import { Column, Frame } from '../../frame'
import { thirds } from '../numbers/thirds'
import { areRounding } from '../numbers/tie'
import { warmup } from '../numbers/warmup'
import { meanDeviation } from '../windows/mean-deviation'
import { movingMean } from '../windows/sums'

/**
 * Commodity channel index: distance of the typical price, or of the close if `isClose`, from its mean over `period`
 * candles, divided by 0.015 times the mean absolute distance of these prices from that mean; 0 where the price equals
 * its mean or the window is flat, but for rounding. NaN before candle `period − 1`. Inputs: high, low, close. Scratch columns: two from
 * `scratch` on.
 */
export function commodityChannel(
  frame: Frame,
  isClose: bool,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  scratch: i32,
): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const distances = frame.scratch(scratch + 1)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return

  const oldest = first - period + 1
  let prices = close
  if (!isClose) {
    prices = frame.scratch(scratch).from(-oldest)
    for (let j = oldest; j < to; j += 2) {
      const sum = f64x2.add(f64x2.add(high.pair(j), low.pair(j)), close.pair(j))
      prices.setPair(j, thirds(sum))
    }
  }
  channelIndex(prices, out, first, to, period, distances)
}

/** The index of any prices for the candles [from, to), `from ≥ period − 1`. `distances` is a scratch column. */
export function channelIndex(
  prices: Column,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  distances: Column,
): void {
  movingMean(prices, 0, out, from, to, period, distances)
  meanDeviation(prices, out, distances, from, to, period)
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, index(prices.pair(i), out.pair(i), distances.pair(i)))
  out[to] = after
}

function index(price: v128, mean: v128, distance: v128): v128 {
  const above = f64x2.sub(price, mean)
  const value = f64x2.div(f64x2.mul(above, f64x2.splat(1 / 0.015)), distance)
  const isFlat = v128.or(areRounding(f64x2.abs(above), mean), areRounding(distance, mean))
  return v128.andnot(value, isFlat)
}
