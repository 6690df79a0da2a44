import { Column } from '../../frame'
import { setLanes } from '../numbers/lanes'

/**
 * Variances and covariance of two columns: writes n·Σx² − (Σx)² to `xx`, n·Σy² − (Σy)² to `yy` and
 * n·Σxy − Σx·Σy to `xy`, n being `period` and the sums going over the candles i − period + 1 … i, for i in [from, to);
 * `from ≥ start + period − 1`.
 *
 * Blocks and lanes as for the moving deviation (deviation.ts): values are differences from the first value of the
 * newest block that the window touches, and a flat window gives exactly 0.
 *
 * `sums` and `squares` hold at least 2·period values, `products` at least period; no columns may overlap.
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
  if (period === 1) {
    // A window without variation is 0; NaN is kept.
    for (let i = from; i < to; i++) {
      xx[i] = x[i] - x[i]
      yy[i] = y[i] - y[i]
      xy[i] = xx[i] * yy[i]
    }
    return
  }
  const half = period >> 1
  const base = start + period - 1
  for (let i = from; i < to; ) {
    const pair = (i - base) >> 1
    const first = base + 2 * (pair - (pair % half))
    const count = i === first ? (to - first) / (2 * half) : 0
    if (count > 0) {
      const end = i + count * 2 * half
      writeBlocks(x, y, xx, yy, xy, i, end, period, sums, squares, products)
      i = end
    } else {
      const stop = min(first + 2 * half, to)
      const behind = max(pair - ((first - base) >> 1) - 1, 0)
      Comoments.suffixes(x.from(first), y.from(first), half, sums, squares, products, behind)
      writePart(x, y, first, xx, yy, xy, i, stop, period, sums, squares, products)
      i = stop
    }
  }
}

/** Windows that end at candles [from, to) of the block that begins at candle `first`. */
function writePart(
  x: Column,
  y: Column,
  first: i32,
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
  const centreX = f64x2.splat(x[first])
  const centreY = f64x2.splat(y[first])
  let sumX = f64x2.splat(0)
  let sumY = f64x2.splat(0)
  let sumXX = f64x2.splat(0)
  let sumYY = f64x2.splat(0)
  let sumXY = f64x2.splat(0)
  let beforeX = f64x2.splat(0)
  let beforeY = f64x2.splat(0)
  let beforeXX = f64x2.splat(0)
  let beforeYY = f64x2.splat(0)
  let beforeXY = f64x2.splat(0)
  if (from <= first + 1) {
    // All pairs of the block before.
    const far = first - (period & ~1)
    const dx = f64x2.sub(x.pair(far), centreX)
    const dy = f64x2.sub(y.pair(far), centreY)
    beforeX = sums.pair(0)
    beforeY = sums.pair(2)
    beforeXX = squares.pair(0)
    beforeYY = squares.pair(2)
    beforeXY = products.pair(0)
    beforeX = f64x2.add(beforeX, dx)
    beforeY = f64x2.add(beforeY, dy)
    beforeXX = f64x2.add(beforeXX, f64x2.mul(dx, dx))
    beforeYY = f64x2.add(beforeYY, f64x2.mul(dy, dy))
    beforeXY = f64x2.add(beforeXY, f64x2.mul(dx, dy))
  }
  for (let i = first; i < to; i += 2) {
    const dx = f64x2.sub(x.pair(i), centreX)
    const dy = f64x2.sub(y.pair(i), centreY)
    sumX = f64x2.add(sumX, dx)
    sumY = f64x2.add(sumY, dy)
    sumXX = f64x2.add(sumXX, f64x2.mul(dx, dx))
    sumYY = f64x2.add(sumYY, f64x2.mul(dy, dy))
    sumXY = f64x2.add(sumXY, f64x2.mul(dx, dy))
    if (i + 3 >= from) {
      const k = i - first
      const lanesX = f64x2.add(sums.pair(2 * k), sumX)
      const lanesY = f64x2.add(sums.pair(2 * k + 2), sumY)
      const lanesXX = f64x2.add(squares.pair(2 * k), sumXX)
      const lanesYY = f64x2.add(squares.pair(2 * k + 2), sumYY)
      const lanesXY = f64x2.add(products.pair(k), sumXY)
      let allX = Comoments.joined(beforeX, lanesX)
      let allY = Comoments.joined(beforeY, lanesY)
      let allXX = Comoments.joined(beforeXX, lanesXX)
      let allYY = Comoments.joined(beforeYY, lanesYY)
      let allXY = Comoments.joined(beforeXY, lanesXY)
      beforeX = lanesX
      beforeY = lanesY
      beforeXX = lanesXX
      beforeYY = lanesYY
      beforeXY = lanesXY
      if (period & 1) {
        const oldX = f64x2.sub(x.pair(i - period + 1), centreX)
        const oldY = f64x2.sub(y.pair(i - period + 1), centreY)
        allX = f64x2.add(allX, oldX)
        allY = f64x2.add(allY, oldY)
        allXX = f64x2.add(allXX, f64x2.mul(oldX, oldX))
        allYY = f64x2.add(allYY, f64x2.mul(oldY, oldY))
        allXY = f64x2.add(allXY, f64x2.mul(oldX, oldY))
      }
      if (i + 1 >= from) {
        setLanes(xx, i, Comoments.spread(allXX, allX, allX, size), from, to)
        setLanes(yy, i, Comoments.spread(allYY, allY, allY, size), from, to)
        setLanes(xy, i, Comoments.spread(allXY, allX, allY, size), from, to)
      }
    }
  }
}

/** Methods, because only they may be inlined where the constants are known. */
class Comoments {
  /** The sums of windows: of the lanes of their newest candles and the lanes before. */
  @inline
  static joined(before: v128, lanes: v128): v128 {
    return f64x2.add(v128.shuffle<f64>(before, lanes, 1, 2), lanes)
  }

  @inline
  static spread(products: v128, a: v128, b: v128, size: v128): v128 {
    return f64x2.sub(f64x2.mul(products, size), f64x2.mul(a, b))
  }

  /**
   * Writes suffix sums of the block before the one that begins with `x` and `y`: the sums of the pairs after pair k,
   * for k ≥ `first`.
   */
  @inline
  static suffixes(
    x: Column,
    y: Column,
    half: i32,
    sums: Column,
    squares: Column,
    products: Column,
    first: i32,
  ): void {
    const centreX = f64x2.splat(x[0])
    const centreY = f64x2.splat(y[0])
    let sumX = f64x2.splat(0)
    let sumY = f64x2.splat(0)
    let sumXX = f64x2.splat(0)
    let sumYY = f64x2.splat(0)
    let sumXY = f64x2.splat(0)
    for (let k = half - 1; k >= first; k--) {
      sums.setPair(4 * k, sumX)
      sums.setPair(4 * k + 2, sumY)
      squares.setPair(4 * k, sumXX)
      squares.setPair(4 * k + 2, sumYY)
      products.setPair(2 * k, sumXY)
      if (k === first) break
      const dx = f64x2.sub(x.pair(2 * (k - half)), centreX)
      const dy = f64x2.sub(y.pair(2 * (k - half)), centreY)
      sumX = f64x2.add(sumX, dx)
      sumY = f64x2.add(sumY, dy)
      sumXX = f64x2.add(sumXX, f64x2.mul(dx, dx))
      sumYY = f64x2.add(sumYY, f64x2.mul(dy, dy))
      sumXY = f64x2.add(sumXY, f64x2.mul(dx, dy))
    }
  }

  /** Writes the windows of a whole block, whose first candles the columns begin with; the scratch columns hold the suffixes of the one before. */
  @inline
  static block(
    x: Column,
    y: Column,
    xx: Column,
    yy: Column,
    xy: Column,
    period: i32,
    sums: Column,
    squares: Column,
    products: Column,
  ): void {
    const size = f64x2.splat(<f64>period)
    const bytes = (<usize>(period >> 1)) << 4
    const centreX = f64x2.splat(x[0])
    const centreY = f64x2.splat(y[0])
    // From a value of x to that of y, from a result in xx to those in the other columns, and from a sum to a square.
    const other = changetype<usize>(y) - changetype<usize>(x)
    const toYY = changetype<usize>(yy) - changetype<usize>(xx)
    const toXY = changetype<usize>(xy) - changetype<usize>(xx)
    const toSquares = changetype<usize>(squares) - changetype<usize>(sums)
    let oldest = changetype<usize>(x.from(1 - period))
    let newest = changetype<usize>(x)
    let to = changetype<usize>(xx)
    let fitting = changetype<usize>(sums)
    let product = changetype<usize>(products)
    const farX = f64x2.sub(v128.load(newest - bytes), centreX)
    const farY = f64x2.sub(v128.load(newest + other - bytes), centreY)
    // All pairs of the block before.
    let beforeX = f64x2.add(v128.load(fitting), farX)
    let beforeY = f64x2.add(v128.load(fitting, 16), farY)
    let beforeXX = f64x2.add(v128.load(fitting + toSquares), f64x2.mul(farX, farX))
    let beforeYY = f64x2.add(v128.load(fitting + toSquares, 16), f64x2.mul(farY, farY))
    let beforeXY = f64x2.add(v128.load(product), f64x2.mul(farX, farY))
    let sumX = f64x2.splat(0)
    let sumY = f64x2.splat(0)
    let sumXX = f64x2.splat(0)
    let sumYY = f64x2.splat(0)
    let sumXY = f64x2.splat(0)
    for (const end = newest + bytes; newest < end; ) {
      const dx = f64x2.sub(v128.load(newest), centreX)
      const dy = f64x2.sub(v128.load(newest + other), centreY)
      sumX = f64x2.add(sumX, dx)
      sumY = f64x2.add(sumY, dy)
      sumXX = f64x2.add(sumXX, f64x2.mul(dx, dx))
      sumYY = f64x2.add(sumYY, f64x2.mul(dy, dy))
      sumXY = f64x2.add(sumXY, f64x2.mul(dx, dy))
      const lanesX = f64x2.add(v128.load(fitting), sumX)
      const lanesY = f64x2.add(v128.load(fitting, 16), sumY)
      const lanesXX = f64x2.add(v128.load(fitting + toSquares), sumXX)
      const lanesYY = f64x2.add(v128.load(fitting + toSquares, 16), sumYY)
      const lanesXY = f64x2.add(v128.load(product), sumXY)
      let allX = Comoments.joined(beforeX, lanesX)
      let allY = Comoments.joined(beforeY, lanesY)
      let allXX = Comoments.joined(beforeXX, lanesXX)
      let allYY = Comoments.joined(beforeYY, lanesYY)
      let allXY = Comoments.joined(beforeXY, lanesXY)
      beforeX = lanesX
      beforeY = lanesY
      beforeXX = lanesXX
      beforeYY = lanesYY
      beforeXY = lanesXY
      if (period & 1) {
        const oldX = f64x2.sub(v128.load(oldest), centreX)
        const oldY = f64x2.sub(v128.load(oldest + other), centreY)
        allX = f64x2.add(allX, oldX)
        allY = f64x2.add(allY, oldY)
        allXX = f64x2.add(allXX, f64x2.mul(oldX, oldX))
        allYY = f64x2.add(allYY, f64x2.mul(oldY, oldY))
        allXY = f64x2.add(allXY, f64x2.mul(oldX, oldY))
        oldest += 16
      }
      v128.store(to, Comoments.spread(allXX, allX, allX, size))
      v128.store(to + toYY, Comoments.spread(allYY, allY, allY, size))
      v128.store(to + toXY, Comoments.spread(allXY, allX, allY, size))
      newest += 16
      fitting += 32
      product += 16
      to += 16
    }
  }
}

function writeBlocks(
  x: Column,
  y: Column,
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
  const half = period >> 1
  for (let i = from; i < to; i += 2 * half) {
    Comoments.suffixes(x.from(i), y.from(i), half, sums, squares, products, 0)
    Comoments.block(x.from(i), y.from(i), xx.from(i), yy.from(i), xy.from(i), period, sums, squares, products)
  }
}
