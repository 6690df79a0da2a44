import { Frame } from '../../frame'
import { medianPrices } from '../../parts/candles/median-price'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * Ehlers Distance Coefficient Filter: the mean of the last `period` prices (high + low) / 2, each weighted by the sum
 * of its squared distances to the period − 1 prices before it, so that moving prices count most.
 * Where nothing moved, the price itself.
 * Source: Ehlers, Nonlinear Filters (Stocks & Commodities, 2001); VectorTA edcf.
 */
export function edcf(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, 2 * (period - 1))
  if (first >= to) return
  const oldest = first - 2 * (period - 1)
  const weighted = first - period + 1
  const prices = frame.scratch(0).from(-oldest)
  const weights = frame.scratch(1).from(-oldest)
  const products = frame.scratch(2).from(-oldest)
  const suffixes = frame.scratch(3)
  medianPrices(frame.input(0), frame.input(1), prices, oldest, to)
  for (let i = weighted; i < to; i += 2) {
    const price = prices.pair(i)
    let weight = f64x2.splat(0)
    for (let j = 1; j < period; j++) {
      const distance = f64x2.sub(price, prices.pair(i - j))
      weight = f64x2.add(weight, f64x2.mul(distance, distance))
    }
    weights.setPair(i, weight)
    products.setPair(i, f64x2.mul(weight, price))
  }
  movingSum(products, 0, out, first, to, period, suffixes)
  const totals = frame.scratch(4).from(-oldest)
  movingSum(weights, 0, totals, first, to, period, suffixes)
  for (let i = first; i < to; i++) out[i] = totals[i] > 0 ? out[i] / totals[i] : prices[i]
}
