import { Column } from '../../frame'

/**
 * How two columns vary, by themselves and together: writes n·Σx² − (Σx)² to `xx`, n·Σy² − (Σy)² to `yy` and
 * n·Σxy − Σx·Σy to `xy`, n being `period` and the sums going over the candles i − period + 1 … i, for i in [from, to);
 * `from ≥ start + period − 1`.
 *
 * Blocks as for the moving deviation: values are taken less the first value of the newest block the window touches,
 * and a flat window gives exactly 0. Both columns go through one vector: lane 0 is x, lane 1 is y.
 *
 * `sums` and `squares` hold at least 2·period + 2 values, `products` at least period + 1; no columns may overlap.
 */
export function comoments(
  x: Column,
  y: Column,
  start: i32,
  xx: Column,
  yy: Column,
  xy: Column,
  from: i32,
  to: i32,
  period: i32,
  sums: Column,
  squares: Column,
  products: Column,
): void {
  const size = f64x2.splat(<f64>period)
  const zero = f64x2.splat(0)
  let block = from - ((from - start) % period)
  let oldest = from - period + 1
  let i = from
  while (i < to) {
    const centre = both(x, y, block)
    sumSuffixes(x, y, block, oldest, period, sums, squares, products)
    let sum = zero
    let square = zero
    let product: f64 = 0
    for (let j = block; j < i; j++) {
      const distance = f64x2.sub(both(x, y, j), centre)
      sum = f64x2.add(sum, distance)
      square = f64x2.add(square, f64x2.mul(distance, distance))
      product += f64x2.extract_lane(distance, 0) * f64x2.extract_lane(distance, 1)
    }
    for (const end = min(block + period, to); i < end; i++) {
      const distance = f64x2.sub(both(x, y, i), centre)
      sum = f64x2.add(sum, distance)
      square = f64x2.add(square, f64x2.mul(distance, distance))
      product += f64x2.extract_lane(distance, 0) * f64x2.extract_lane(distance, 1)
      const k = i - block + 1
      const total = f64x2.add(sums.pair(2 * k), sum)
      const spread = f64x2.sub(
        f64x2.mul(f64x2.add(squares.pair(2 * k), square), size),
        f64x2.mul(total, total),
      )
      xx[i] = f64x2.extract_lane(spread, 0)
      yy[i] = f64x2.extract_lane(spread, 1)
      const totals = f64x2.extract_lane(total, 0) * f64x2.extract_lane(total, 1)
      xy[i] = (products[k] + product) * <f64>period - totals
    }
    oldest = block + 1
    block += period
  }
}

/** Writes the sums over the candles from each candle in [oldest, block) up to the end of its block. */
function sumSuffixes(
  x: Column,
  y: Column,
  block: i32,
  oldest: i32,
  period: i32,
  sums: Column,
  squares: Column,
  products: Column,
): void {
  const centre = both(x, y, block)
  let sum = f64x2.splat(0)
  let square = sum
  let product: f64 = 0
  sums.setPair(2 * period, sum)
  squares.setPair(2 * period, square)
  products[period] = 0
  for (let j = block - 1; j >= oldest; j--) {
    const distance = f64x2.sub(both(x, y, j), centre)
    sum = f64x2.add(sum, distance)
    square = f64x2.add(square, f64x2.mul(distance, distance))
    product += f64x2.extract_lane(distance, 0) * f64x2.extract_lane(distance, 1)
    const k = j - block + period
    sums.setPair(2 * k, sum)
    squares.setPair(2 * k, square)
    products[k] = product
  }
}

/** Both columns at candle `i`: lane 0 is x, lane 1 is y. */
function both(x: Column, y: Column, i: i32): v128 {
  return f64x2.replace_lane(f64x2.splat(x[i]), 1, y[i])
}
