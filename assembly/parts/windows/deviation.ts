import { Column } from '../../frame'
import {
  alone,
  asSquare,
  resultScale,
  shortDeviations,
  shortPeriod,
  unitOf,
  withMean,
} from './short-deviation'

/**
 * Moving mean and population standard deviation by blocks of pairs of neighbours in two lanes, as the moving sums
 * (sums.ts). Sums are taken of the values less the first value of the newest block that the window touches: that value
 * lies inside the window, so nothing cancels that the window itself does not cancel, and a flat window gives exactly 0.
 *
 * Writes `mean[i]` and `spread[i]` over x[i − period + 1 … i] for i in [from, to);
 * `from ≥ start + period − 1`. `suffixes` holds at least 2·period + 2 values, twice as many where
 * to − from ≥ 2·period; x and the outputs must not overlap.
 */
export function deviation(
  x: Column,
  start: i32,
  mean: Column,
  spread: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
): void {
  spreads(x, start, mean, spread, from, to, period, suffixes, 1, withMean)
}

/** The deviation alone, times `width`. */
export function deviationAlone(
  x: Column,
  start: i32,
  spread: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
  width: f64,
): void {
  spreads(x, start, spread, spread, from, to, period, suffixes, width, alone)
}

/** The variance, the square of the deviation. */
export function variance(
  x: Column,
  start: i32,
  square: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
): void {
  spreads(x, start, square, square, from, to, period, suffixes, 1, asSquare)
}

function spreads(
  x: Column,
  start: i32,
  mean: Column,
  spread: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
  width: f64,
  what: i32,
): void {
  if (period <= shortPeriod) {
    shortDeviations(x, mean, spread, from, to, period, width, what)
    return
  }
  const base = start + period - 1
  let i = from
  if (i < to && ((i - base) & 1) !== 0) {
    byBlocks(x, base, 1, mean, spread, i, i + 1, period, suffixes, width, what)
    i++
  }
  if (i < to) byBlocks(x, base, 0, mean, spread, i, to, period, suffixes, width, what)
}

/** The first lane of the vectors is that of `lane` in the vectors that begin at `base`; `from` is in it. */
function byBlocks(
  x: Column,
  base: i32,
  lane: i32,
  mean: Column,
  spread: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
  width: f64,
  what: i32,
): void {
  const half = period >> 1
  const afterMean = mean[to]
  const afterSpread = spread[to]
  let j = (from - base) >> 1
  let block = j - (j % half)
  let i = from
  // Over so many candles the working space holds the suffixes of two blocks.
  const hasRoom = to - from >= 2 * period
  let behind = suffixes
  let ahead = hasRoom ? suffixes.from(4 * half) : suffixes
  let isSummed = false
  while (i < to) {
    const first = base + 2 * block
    const end = first + 2 * half
    const centre = x[first]
    if (!isSummed) sumSuffixes(x.from(first + lane), period, centre, behind, j - block)
    isSummed = hasRoom && i === first && end < to && unitOf(centre) === 1 && unitOf(x[end]) === 1
    if (isSummed) {
      writeBlock(x.from(i), mean.from(i), spread.from(i), period, behind, ahead, width, what)
      i = end
      const swap = behind
      behind = ahead
      ahead = swap
    } else {
      const stop = min(end + lane, to)
      writePart(x, first + lane, mean, spread, i, stop, period, centre, behind, width, what)
      i = stop
    }
    block += half
    j = block
  }
  mean[to] = afterMean
  spread[to] = afterSpread
}

/** Windows of a block that begins at candle `first`, of which those before candle `from` are not wanted. */
function writePart(
  x: Column,
  first: i32,
  mean: Column,
  spread: Column,
  from: i32,
  to: i32,
  period: i32,
  centre: f64,
  behind: Column,
  width: f64,
  what: i32,
): void {
  const centres = f64x2.splat(centre)
  const unit = f64x2.splat(unitOf(centre))
  const scale = f64x2.splat(1 / unitOf(centre))
  const size = f64x2.splat(<f64>period)
  const share = f64x2.splat(1 / <f64>period)
  const scaleOfResult = f64x2.splat(resultScale(period, width, what))
  let sum = f64x2.splat(0)
  let squares = f64x2.splat(0)
  for (let i = first; i < to; i += 2) {
    const one = f64x2.mul(f64x2.sub(x.pair(i), centres), scale)
    const other = f64x2.mul(f64x2.sub(x.pair(i - 1), centres), scale)
    sum = f64x2.add(sum, f64x2.add(one, other))
    squares = f64x2.add(squares, squaresOf(one, other))
    if (i < from) continue
    const k = 2 * (i - first)
    let total = f64x2.add(behind.pair(k), sum)
    let totalOfSquares = f64x2.add(behind.pair(k + 2), squares)
    if (period & 1) {
      const oldest = f64x2.mul(f64x2.sub(x.pair(i - period + 1), centres), scale)
      total = f64x2.add(total, oldest)
      totalOfSquares = f64x2.add(totalOfSquares, f64x2.mul(oldest, oldest))
    }
    const variance = varianceOf(total, totalOfSquares, size)
    if (what === withMean) mean.setPair(i, f64x2.add(centres, f64x2.mul(f64x2.mul(total, share), unit)))
    const measured = what === asSquare ? f64x2.mul(variance, unit) : f64x2.sqrt(variance)
    spread.setPair(i, f64x2.mul(f64x2.mul(measured, unit), scaleOfResult))
  }
}

/** The squares of two distances, added. */
function squaresOf(one: v128, other: v128): v128 {
  return f64x2.add(f64x2.mul(one, one), f64x2.mul(other, other))
}

/** `size` times the squares of distances less the square of their sum, which is the variance times the square of `size`. */
function varianceOf(sum: v128, squares: v128, size: v128): v128 {
  // Not a number stays so.
  return f64x2.pmax(f64x2.sub(f64x2.mul(squares, size), f64x2.mul(sum, sum)), f64x2.splat(0))
}

/**
 * Writes, for the pairs of the block before the one that begins with `x`, the sums of the distances of the pairs behind
 * pair k and the sums of their squares to the elements from 4k on, for k ≥ `first`.
 */
function sumSuffixes(x: Column, period: i32, centre: f64, suffixes: Column, first: i32): void {
  const half = period >> 1
  const centres = f64x2.splat(centre)
  const scale = f64x2.splat(1 / unitOf(centre))
  let sum = f64x2.splat(0)
  let squares = f64x2.splat(0)
  for (let k = half - 1; k >= first; k--) {
    suffixes.setPair(4 * k, sum)
    suffixes.setPair(4 * k + 2, squares)
    if (k === first) break
    const i = 2 * (k - half)
    const one = f64x2.mul(f64x2.sub(x.pair(i), centres), scale)
    const other = f64x2.mul(f64x2.sub(x.pair(i - 1), centres), scale)
    sum = f64x2.add(sum, f64x2.add(one, other))
    squares = f64x2.add(squares, squaresOf(one, other))
  }
}

/** The loop over a block. A method, because only it may be inlined where the constants are known. */
class Blocks {
  /**
   * Writes the windows of a whole block of distances that need no scale, and to `ahead` the sums of its suffixes, by the
   * centre of the next block, which needs them. Both are summed in one loop: chains of additions that do not wait for
   * each other. All columns begin at the block's first candle.
   */
  @inline
  static write(
    x: Column,
    mean: Column,
    spread: Column,
    period: i32,
    behind: Column,
    ahead: Column,
    width: f64,
    what: i32,
    isOdd: bool,
  ): void {
    const size = f64x2.splat(<f64>period)
    const scale = f64x2.splat(resultScale(period, width, what))
    const bytes = (<usize>(period >> 1)) << 4
    const share = f64x2.splat(1 / <f64>period)
    const centre = f64x2.splat(x[0])
    const nextCentre = f64x2.splat(x[period & ~1])
    let sum = f64x2.splat(0)
    let squares = sum
    let suffix = sum
    let suffixOfSquares = sum
    let oldest = changetype<usize>(x.from(1 - period))
    let newest = changetype<usize>(x) - 8
    let last = newest + bytes - 16
    let fitting = changetype<usize>(behind)
    let next = changetype<usize>(ahead) + 2 * bytes - 32
    let toMean = changetype<usize>(mean)
    let toSpread = changetype<usize>(spread)
    for (const end = newest + bytes; newest < end; ) {
      v128.store(next, suffix)
      v128.store(next, suffixOfSquares, 16)
      const late = f64x2.sub(v128.load(last, 8), nextCentre)
      const early = f64x2.sub(v128.load(last), nextCentre)
      suffix = f64x2.add(suffix, f64x2.add(late, early))
      suffixOfSquares = f64x2.add(suffixOfSquares, squaresOf(late, early))
      const one = f64x2.sub(v128.load(newest, 8), centre)
      const other = f64x2.sub(v128.load(newest), centre)
      sum = f64x2.add(sum, f64x2.add(one, other))
      squares = f64x2.add(squares, squaresOf(one, other))
      let total = f64x2.add(v128.load(fitting), sum)
      let totalOfSquares = f64x2.add(v128.load(fitting, 16), squares)
      if (isOdd) {
        const distance = f64x2.sub(v128.load(oldest), centre)
        total = f64x2.add(total, distance)
        totalOfSquares = f64x2.add(totalOfSquares, f64x2.mul(distance, distance))
      }
      const variance = varianceOf(total, totalOfSquares, size)
      if (what === withMean) v128.store(toMean, f64x2.add(centre, f64x2.mul(total, share)))
      v128.store(toSpread, f64x2.mul(what === asSquare ? variance : f64x2.sqrt(variance), scale))
      if (isOdd) oldest += 16
      last -= 16
      next -= 32
      newest += 16
      fitting += 32
      if (what === withMean) toMean += 16
      toSpread += 16
    }
  }
}

function writeBlock(
  x: Column,
  mean: Column,
  spread: Column,
  period: i32,
  behind: Column,
  ahead: Column,
  width: f64,
  what: i32,
): void {
  const isOdd = (period & 1) !== 0
  if (what === withMean) {
    if (isOdd) Blocks.write(x, mean, spread, period, behind, ahead, width, withMean, true)
    else Blocks.write(x, mean, spread, period, behind, ahead, width, withMean, false)
  } else if (what === alone) {
    if (isOdd) Blocks.write(x, mean, spread, period, behind, ahead, width, alone, true)
    else Blocks.write(x, mean, spread, period, behind, ahead, width, alone, false)
  } else if (isOdd) Blocks.write(x, mean, spread, period, behind, ahead, width, asSquare, true)
  else Blocks.write(x, mean, spread, period, behind, ahead, width, asSquare, false)
}
