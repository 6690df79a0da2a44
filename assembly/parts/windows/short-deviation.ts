import { Column } from '../../frame'
import { rounding } from '../numbers/tie'

/** Kinds of results: bands around the mean, the deviation and the mean, the deviation alone, or its square alone. */
export const asBands: i32 = 0
export const withMean: i32 = 1
export const alone: i32 = 2
export const asSquare: i32 = 3

/** Factor that turns the result of `varianceOf`, or its root, into the result of kind `what`. */
export function resultScale(period: i32, width: f64, what: i32): f64 {
  const share = 1 / <f64>period
  return what === asSquare ? share * share * width : share * width
}

/**
 * Unit of distances from `centre` in which their squares neither overflow nor underflow: 1 for all but the largest and
 * the smallest prices.
 */
export function unitOf(centre: f64): f64 {
  const size = Math.abs(centre)
  return (size > 1e-60 && size < 1e60) || !(size > 1e-300) ? 1 : size
}

/** Largest period for which summing each window separately is cheaper than blocks. */
export const shortPeriod = 8

export function shortDeviations(
  x: Column,
  upper: Column,
  mean: Column,
  spread: Column,
  from: i32,
  to: i32,
  period: i32,
  width: f64,
  what: i32,
): void {
  if (period === 1) ShortWindows.write(x, upper, mean, spread, from, to, 1, width, what)
  else if (period === 2) ShortWindows.write(x, upper, mean, spread, from, to, 2, width, what)
  else if (period === 3) ShortWindows.write(x, upper, mean, spread, from, to, 3, width, what)
  else if (period === 4) ShortWindows.write(x, upper, mean, spread, from, to, 4, width, what)
  else if (period === 5) ShortWindows.write(x, upper, mean, spread, from, to, 5, width, what)
  else if (period === 6) ShortWindows.write(x, upper, mean, spread, from, to, 6, width, what)
  else if (period === 7) ShortWindows.write(x, upper, mean, spread, from, to, 7, width, what)
  else ShortWindows.write(x, upper, mean, spread, from, to, 8, width, what)
}

/** The windows of two candles that are not in `lanes`. */
function others(
  x: Column,
  upper: Column,
  mean: Column,
  spread: Column,
  i: i32,
  to: i32,
  lanes: i32,
  period: i32,
  width: f64,
  what: i32,
): void {
  if ((lanes & 1) === 0) single(x, upper, mean, spread, i, period, width, what)
  if ((lanes & 2) === 0 && i + 1 < to) single(x, upper, mean, spread, i + 1, period, width, what)
}

/** Result of one window whose squared distances could overflow or underflow, or which is flat but for rounding. */
function single(
  x: Column,
  upper: Column,
  mean: Column,
  spread: Column,
  i: i32,
  period: i32,
  width: f64,
  what: i32,
): void {
  const centre = x[i]
  const unit = unitOf(centre)
  let sum: f64 = 0
  let squares: f64 = 0
  for (let k = 1; k < period; k++) {
    const distance = (x[i - k] - centre) / unit
    sum += distance
    squares += distance * distance
  }
  const share = 1 / <f64>period
  const difference = squares * <f64>period - sum * sum
  const least = (rounding * <f64>period * centre) / unit
  const variance = difference <= least * least ? 0 : difference
  const size = what === asSquare ? variance * share * unit : Math.sqrt(variance)
  const result = size * share * unit * width
  const middle = centre + sum * share * unit
  if (what <= withMean) mean[i] = middle
  if (what === asBands) upper[i] = middle + result
  spread[i] = what === asBands ? middle - result : result
}

/** The loop over short windows. Methods, because only they may be inlined where the constants are known. */
class ShortWindows {
  /** Lanes whose variance exceeds rounding of the values and is far from overflow and underflow. */
  @inline
  static ordinary(variance: v128, value: v128, period: i32): i32 {
    const deviation = f64x2.mul(value, f64x2.splat(rounding * <f64>period))
    const least = f64x2.pmax(f64x2.mul(deviation, deviation), f64x2.splat(1e-200))
    return i64x2.bitmask(v128.and(f64x2.gt(variance, least), f64x2.lt(variance, f64x2.splat(1e200))))
  }

  /** Windows of few candles, each measured from its newest value. */
  @inline
  static write(
    x: Column,
    upper: Column,
    mean: Column,
    spread: Column,
    from: i32,
    to: i32,
    period: i32,
    width: f64,
    what: i32,
  ): void {
    const share = 1 / <f64>period
    const size = f64x2.splat(<f64>period)
    const scale = f64x2.splat(resultScale(period, width, what))
    const afterUpper = upper[to]
    const afterMean = mean[to]
    const afterSpread = spread[to]
    // Seven values before the newest: at a constant offset from an address, a value needs no instruction to address.
    let eldest = changetype<usize>(x.from(from - 7))
    for (let i = from; i < to; i += 2, eldest += 16) {
      const centre = v128.load(eldest, 56)
      let sum = period > 1 ? f64x2.sub(v128.load(eldest, 48), centre) : f64x2.splat(0)
      let squares = f64x2.mul(sum, sum)
      const d2 = period > 2 ? f64x2.sub(v128.load(eldest, 40), centre) : centre
      if (period > 2) sum = f64x2.add(sum, d2)
      if (period > 2) squares = f64x2.add(squares, f64x2.mul(d2, d2))
      const d3 = period > 3 ? f64x2.sub(v128.load(eldest, 32), centre) : centre
      if (period > 3) sum = f64x2.add(sum, d3)
      if (period > 3) squares = f64x2.add(squares, f64x2.mul(d3, d3))
      const d4 = period > 4 ? f64x2.sub(v128.load(eldest, 24), centre) : centre
      if (period > 4) sum = f64x2.add(sum, d4)
      if (period > 4) squares = f64x2.add(squares, f64x2.mul(d4, d4))
      const d5 = period > 5 ? f64x2.sub(v128.load(eldest, 16), centre) : centre
      if (period > 5) sum = f64x2.add(sum, d5)
      if (period > 5) squares = f64x2.add(squares, f64x2.mul(d5, d5))
      const d6 = period > 6 ? f64x2.sub(v128.load(eldest, 8), centre) : centre
      if (period > 6) sum = f64x2.add(sum, d6)
      if (period > 6) squares = f64x2.add(squares, f64x2.mul(d6, d6))
      const d7 = period > 7 ? f64x2.sub(v128.load(eldest), centre) : centre
      if (period > 7) sum = f64x2.add(sum, d7)
      if (period > 7) squares = f64x2.add(squares, f64x2.mul(d7, d7))
      const total = f64x2.sub(f64x2.mul(squares, size), f64x2.mul(sum, sum))
      const result = f64x2.mul(what === asSquare ? total : f64x2.sqrt(total), scale)
      const middle = f64x2.add(centre, f64x2.mul(sum, f64x2.splat(share)))
      if (what <= withMean) mean.setPair(i, middle)
      if (what === asBands) upper.setPair(i, f64x2.add(middle, result))
      spread.setPair(i, what === asBands ? f64x2.sub(middle, result) : result)
      const lanes = ShortWindows.ordinary(total, centre, period)
      if (lanes !== 3) others(x, upper, mean, spread, i, to, lanes, period, width, what)
    }
    upper[to] = afterUpper
    mean[to] = afterMean
    spread[to] = afterSpread
  }
}
