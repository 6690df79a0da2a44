import { Frame } from '../../frame'
import { movingMean } from '../../parts/sums'
import { warmup } from '../../parts/warmup'

/**
 * Commodity Channel Index: distance of the typical price from its mean, divided by 0.015 times the mean absolute
 * distance of the last `period` prices from that mean.
 * 0 where the price equals its mean or the window is flat; `tp` chooses (high + low + close) / 3 or the close.
 * Source: Lambert 1980; TA-Lib 0.6 CCI.
 */
export function cci(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return

  const oldest = first - period + 1
  let prices = close
  if (frame.integer(1) === 0) {
    prices = frame.scratch(0).from(-oldest)
    let j = oldest
    for (; j + 1 < to; j += 2) {
      const sum = f64x2.add(f64x2.add(high.pair(j), low.pair(j)), close.pair(j))
      prices.setPair(j, f64x2.div(sum, f64x2.splat(3)))
    }
    if (j < to) prices[j] = (high[j] + low[j] + close[j]) / 3
  }
  movingMean(prices, 0, out, first, to, period, frame.scratch(1))

  // Equal prices in a row up to this candle: a mean of equal prices may differ from them in its last digit.
  let equal = 1
  for (let j = oldest + 1; j < first; j++) equal = prices[j] === prices[j - 1] ? equal + 1 : 1
  const scale = <f64>period / 0.015
  let i = first
  for (; i + 7 < to; i += 8) {
    const mean0 = out.pair(i)
    const mean1 = out.pair(i + 2)
    const mean2 = out.pair(i + 4)
    const mean3 = out.pair(i + 6)
    let distance0 = f64x2.splat(0)
    let distance1 = f64x2.splat(0)
    let distance2 = f64x2.splat(0)
    let distance3 = f64x2.splat(0)
    for (let j = i - period + 1; j <= i; j++) {
      distance0 = f64x2.add(distance0, f64x2.abs(f64x2.sub(prices.pair(j), mean0)))
      distance1 = f64x2.add(distance1, f64x2.abs(f64x2.sub(prices.pair(j + 2), mean1)))
      distance2 = f64x2.add(distance2, f64x2.abs(f64x2.sub(prices.pair(j + 4), mean2)))
      distance3 = f64x2.add(distance3, f64x2.abs(f64x2.sub(prices.pair(j + 6), mean3)))
    }
    out.setPair(i, index(prices.pair(i), mean0, distance0, scale))
    out.setPair(i + 2, index(prices.pair(i + 2), mean1, distance1, scale))
    out.setPair(i + 4, index(prices.pair(i + 4), mean2, distance2, scale))
    out.setPair(i + 6, index(prices.pair(i + 6), mean3, distance3, scale))
  }
  for (; i < to; i++) {
    const mean = f64x2.splat(out[i])
    let distance = f64x2.splat(0)
    for (let j = i - period + 1; j <= i; j++) {
      distance = f64x2.add(distance, f64x2.abs(f64x2.sub(f64x2.splat(prices[j]), mean)))
    }
    out[i] = f64x2.extract_lane(index(f64x2.splat(prices[i]), mean, distance, scale), 0)
  }
  for (i = first; i < to; i++) {
    equal = i > oldest && prices[i] === prices[i - 1] ? equal + 1 : 1
    if (equal >= period) out[i] = 0
  }
}

function index(price: v128, mean: v128, distances: v128, scale: f64): v128 {
  const above = f64x2.sub(price, mean)
  const value = f64x2.div(f64x2.mul(above, f64x2.splat(scale)), distances)
  return v128.and(value, f64x2.ne(distances, f64x2.splat(0)))
}
