import { Column } from '../../frame'

/** What is written: the deviation and the mean, the deviation alone, or its square alone. */
export const withMean: i32 = 0
export const alone: i32 = 1
export const asSquare: i32 = 2

/** What makes results of what `varianceOf` gives, or of its root. */
export function resultScale(period: i32, width: f64, what: i32): f64 {
  const share = 1 / <f64>period
  return what === asSquare ? share * share * width : share * width
}

/**
 * The size in which distances from `centre` are measured, so that their squares neither overflow nor vanish: 1 for all
 * but the largest and the smallest prices.
 */
export function unitOf(centre: f64): f64 {
  const size = Math.abs(centre)
  return (size > 1e-60 && size < 1e60) || !(size > 1e-300) ? 1 : size
}

/** Up to so many candles adding up each window anew costs less than blocks. */
export const shortPeriod = 8

export function shortDeviations(
  x: Column,
  mean: Column,
  spread: Column,
  from: i32,
  to: i32,
  period: i32,
  width: f64,
  what: i32,
): void {
  if (period === 1) ShortWindows.write(x, mean, spread, from, to, 1, width, what)
  else if (period === 2) ShortWindows.write(x, mean, spread, from, to, 2, width, what)
  else if (period === 3) ShortWindows.write(x, mean, spread, from, to, 3, width, what)
  else if (period === 4) ShortWindows.write(x, mean, spread, from, to, 4, width, what)
  else if (period === 5) ShortWindows.write(x, mean, spread, from, to, 5, width, what)
  else if (period === 6) ShortWindows.write(x, mean, spread, from, to, 6, width, what)
  else if (period === 7) ShortWindows.write(x, mean, spread, from, to, 7, width, what)
  else ShortWindows.write(x, mean, spread, from, to, 8, width, what)
}

/** The windows of two candles that are not in `lanes`. */
function others(
  x: Column,
  mean: Column,
  spread: Column,
  i: i32,
  to: i32,
  lanes: i32,
  period: i32,
  width: f64,
  what: i32,
): void {
  if ((lanes & 1) === 0) single(x, mean, spread, i, period, width, what)
  if ((lanes & 2) === 0 && i + 1 < to) single(x, mean, spread, i + 1, period, width, what)
}

/** One window, of whose distances the squares could overflow or vanish, or which is flat. */
function single(x: Column, mean: Column, spread: Column, i: i32, period: i32, width: f64, what: i32): void {
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
  const variance = difference < 0 ? 0 : difference
  if (what === withMean) mean[i] = centre + sum * share * unit
  const size = what === asSquare ? variance * share * unit : Math.sqrt(variance)
  spread[i] = size * share * unit * width
}

/** The loop over short windows. A method, because only it may be inlined where the constants are known. */
class ShortWindows {
  /** Windows of few candles, each measured from its newest value. */
  @inline
  static write(
    x: Column,
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
    const least = f64x2.splat(1e-200)
    const greatest = f64x2.splat(1e200)
    const afterMean = mean[to]
    const afterSpread = spread[to]
    for (let i = from; i < to; i += 2) {
      const centre = x.pair(i)
      let sum = period > 1 ? f64x2.sub(x.pair(i - 1), centre) : f64x2.splat(0)
      let squares = f64x2.mul(sum, sum)
      if (period > 2) {
        const distance = f64x2.sub(x.pair(i - 2), centre)
        sum = f64x2.add(sum, distance)
        squares = f64x2.add(squares, f64x2.mul(distance, distance))
      }
      if (period > 3) {
        const distance = f64x2.sub(x.pair(i - 3), centre)
        sum = f64x2.add(sum, distance)
        squares = f64x2.add(squares, f64x2.mul(distance, distance))
      }
      if (period > 4) {
        const distance = f64x2.sub(x.pair(i - 4), centre)
        sum = f64x2.add(sum, distance)
        squares = f64x2.add(squares, f64x2.mul(distance, distance))
      }
      if (period > 5) {
        const distance = f64x2.sub(x.pair(i - 5), centre)
        sum = f64x2.add(sum, distance)
        squares = f64x2.add(squares, f64x2.mul(distance, distance))
      }
      if (period > 6) {
        const distance = f64x2.sub(x.pair(i - 6), centre)
        sum = f64x2.add(sum, distance)
        squares = f64x2.add(squares, f64x2.mul(distance, distance))
      }
      if (period > 7) {
        const distance = f64x2.sub(x.pair(i - 7), centre)
        sum = f64x2.add(sum, distance)
        squares = f64x2.add(squares, f64x2.mul(distance, distance))
      }
      const total = f64x2.sub(f64x2.mul(squares, size), f64x2.mul(sum, sum))
      if (what === withMean) mean.setPair(i, f64x2.add(centre, f64x2.mul(sum, f64x2.splat(share))))
      spread.setPair(i, f64x2.mul(what === asSquare ? total : f64x2.sqrt(total), scale))
      const lanes = i64x2.bitmask(v128.and(f64x2.gt(total, least), f64x2.lt(total, greatest)))
      if (lanes !== 3) others(x, mean, spread, i, to, lanes, period, width, what)
    }
    mean[to] = afterMean
    spread[to] = afterSpread
  }
}
