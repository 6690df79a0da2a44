import { Column } from '../../frame'
import { setLanes } from '../numbers/lanes'
import { rounding } from '../numbers/tie'
import {
  alone,
  asBands,
  asSquare,
  resultScale,
  shortDeviations,
  shortPeriod,
  unitOf,
  withMean,
} from './short-deviation'

/**
 * Moving mean and population standard deviation by blocks, two candles at a time. The two lanes of a vector are the
 * candles base + 2j and base + 2j + 1, where `base` is the first candle with a whole window. Each lane adds up `period
 * / 2` values of every second candle, by blocks of as many pairs; a window is the lane of its newest candle and the
 * lane before, and one value more if the period is odd, as in the moving extremes (extremes.ts). Sums are those of
 * differences from the first value of the newest block that the window touches: that value lies inside the window, so
 * nothing cancels that the window itself does not cancel, and a window that is flat but for rounding of that value
 * gives exactly 0.
 *
 * Writes `mean[i]` and `spread[i]` over x[i − period + 1 … i] for i in [from, to);
 * `from ≥ start + period − 1`. `suffixes` holds at least 2·period values, twice as many where
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
  spreads(x, start, spread, mean, spread, from, to, period, suffixes, 1, withMean)
}

/** The mean, and the deviation times `width` above and below it. */
export function deviationBands(
  x: Column,
  start: i32,
  upper: Column,
  mean: Column,
  lower: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
  width: f64,
): void {
  spreads(x, start, upper, mean, lower, from, to, period, suffixes, width, asBands)
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
  spreads(x, start, spread, spread, spread, from, to, period, suffixes, width, alone)
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
  spreads(x, start, square, square, square, from, to, period, suffixes, 1, asSquare)
}

function spreads(
  x: Column,
  start: i32,
  upper: Column,
  mean: Column,
  spread: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
  width: f64,
  what: i32,
): void {
  if (period <= shortPeriod) shortDeviations(x, upper, mean, spread, from, to, period, width, what)
  else byBlocks(x, start + period - 1, upper, mean, spread, from, to, period, suffixes, width, what)
}

function byBlocks(
  x: Column,
  base: i32,
  upper: Column,
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
  // Minimum length at which the working space holds the suffixes of two blocks.
  const hasRoom = to - from >= 2 * period
  let behind = suffixes
  let ahead = hasRoom ? suffixes.from(4 * half) : suffixes
  let isSummed = false
  for (let i = from; i < to; ) {
    const pair = (i - base) >> 1
    const first = base + 2 * (pair - (pair % half))
    const centre = x[first]
    if (!isSummed) sumSuffixes(x.from(first), half, centre, behind, max(pair - (first - base) / 2 - 1, 0))
    if (hasRoom && i === first && first + 2 * half <= to && unitOf(centre) === 1) {
      const most = (to - first) / (2 * half)
      const up = upper.from(i)
      const count = writeBlocks(
        x.from(i),
        up,
        mean.from(i),
        spread.from(i),
        most,
        period,
        behind,
        ahead,
        width,
        what,
      )
      i += count * 2 * half
      // The suffixes of the last block are computed already, unless the centre of the next one needs a scale.
      isSummed = unitOf(x[i]) === 1
      if (count & 1) {
        const swap = behind
        behind = ahead
        ahead = swap
      }
    } else {
      const stop = min(first + 2 * half, to)
      writePart(x, first, upper, mean, spread, i, stop, period, centre, behind, width, what)
      i = stop
      isSummed = false
    }
  }
}

/** Windows that end at candles [from, to) of the block that begins at candle `first`. */
function writePart(
  x: Column,
  first: i32,
  upper: Column,
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
  const least = leastVariance(f64x2.mul(centres, scale), size)
  let sum = f64x2.splat(0)
  let squares = f64x2.splat(0)
  let before = sum
  let beforeOfSquares = sum
  if (from <= first + 1) {
    // All pairs of the block before.
    const distance = f64x2.mul(f64x2.sub(x.pair(first - (period & ~1)), centres), scale)
    before = f64x2.add(behind.pair(0), distance)
    beforeOfSquares = f64x2.add(behind.pair(2), f64x2.mul(distance, distance))
  }
  for (let i = first; i < to; i += 2) {
    const distance = f64x2.mul(f64x2.sub(x.pair(i), centres), scale)
    sum = f64x2.add(sum, distance)
    squares = f64x2.add(squares, f64x2.mul(distance, distance))
    if (i + 3 < from) continue
    const k = 2 * (i - first)
    const lanes = f64x2.add(behind.pair(k), sum)
    const lanesOfSquares = f64x2.add(behind.pair(k + 2), squares)
    let total = f64x2.add(v128.shuffle<f64>(before, lanes, 1, 2), lanes)
    let totalOfSquares = f64x2.add(v128.shuffle<f64>(beforeOfSquares, lanesOfSquares, 1, 2), lanesOfSquares)
    before = lanes
    beforeOfSquares = lanesOfSquares
    if (i + 1 < from) continue
    if (period & 1) {
      const oldest = f64x2.mul(f64x2.sub(x.pair(i - period + 1), centres), scale)
      total = f64x2.add(total, oldest)
      totalOfSquares = f64x2.add(totalOfSquares, f64x2.mul(oldest, oldest))
    }
    const variance = varianceOf(total, totalOfSquares, size, least)
    const measured = what === asSquare ? f64x2.mul(variance, unit) : f64x2.sqrt(variance)
    const result = f64x2.mul(f64x2.mul(measured, unit), scaleOfResult)
    const middle = f64x2.add(centres, f64x2.mul(f64x2.mul(total, share), unit))
    if (what <= withMean) setLanes(mean, i, middle, from, to)
    if (what === asBands) setLanes(upper, i, f64x2.add(middle, result), from, to)
    setLanes(spread, i, what === asBands ? f64x2.sub(middle, result) : result, from, to)
  }
}

/**
 * `size` times the sum of squared distances minus the square of their sum, which is the variance times the square of
 * `size`; 0 up to `least`. NaN is kept.
 */
function varianceOf(sum: v128, squares: v128, size: v128, least: v128): v128 {
  const variance = f64x2.sub(f64x2.mul(squares, size), f64x2.mul(sum, sum))
  return v128.andnot(variance, f64x2.le(variance, least))
}

/** Largest variance that rounding causes in a flat window with this value, times the square of `size`. */
function leastVariance(value: v128, size: v128): v128 {
  const deviation = f64x2.mul(f64x2.mul(value, size), f64x2.splat(rounding))
  return f64x2.mul(deviation, deviation)
}

/**
 * Writes, for the pairs of the block before the one that begins with `x`, the sums of the distances of the pairs behind
 * pair k and the sums of their squares to the elements from 4k on, for k ≥ `first`.
 */
function sumSuffixes(x: Column, half: i32, centre: f64, suffixes: Column, first: i32): void {
  const centres = f64x2.splat(centre)
  const scale = f64x2.splat(1 / unitOf(centre))
  let sum = f64x2.splat(0)
  let squares = f64x2.splat(0)
  for (let k = half - 1; k >= first; k--) {
    suffixes.setPair(4 * k, sum)
    suffixes.setPair(4 * k + 2, squares)
    if (k === first) break
    const distance = f64x2.mul(f64x2.sub(x.pair(2 * (k - half)), centres), scale)
    sum = f64x2.add(sum, distance)
    squares = f64x2.add(squares, f64x2.mul(distance, distance))
  }
}

/** The loop over whole blocks. A method, because only it may be inlined where the constants are known. */
class Blocks {
  /**
   * Writes the windows of at most `most` whole blocks of distances that need no scale, and the sums of the suffixes of
   * each, measured from the centre of the next one, which needs them, alternately to `ahead` and `behind`; `behind`
   * holds those of the block before. Both are summed in one loop: chains of additions that do not wait for each other.
   * All columns begin at the first candle of the first block. Returns how many blocks there are up to one that needs a
   * scale.
   */
  @inline
  static write(
    x: Column,
    upper: Column,
    mean: Column,
    spread: Column,
    most: i32,
    period: i32,
    behind: Column,
    ahead: Column,
    width: f64,
    what: i32,
  ): i32 {
    const scale = f64x2.splat(resultScale(period, width, what))
    const bytes = (<usize>(period >> 1)) << 4
    let newest = changetype<usize>(x)
    let toUpper = changetype<usize>(upper)
    let toMean = changetype<usize>(mean)
    let toSpread = changetype<usize>(spread)
    let fitting = changetype<usize>(behind)
    let written = changetype<usize>(ahead)
    let count = 0
    do {
      Blocks.one(newest, toUpper, toMean, toSpread, fitting, written, period, scale, what)
      newest += bytes
      toUpper += bytes
      toMean += bytes
      toSpread += bytes
      const swap = fitting
      fitting = written
      written = swap
      count++
    } while (count < most && unitOf(load<f64>(newest)) === 1)
    return count
  }

  /** Writes the windows of one block, and its suffixes to the addresses from `written` on. `before` begins with all pairs of the block before. */
  @inline
  static one(
    newest: usize,
    toUpper: usize,
    toMean: usize,
    toSpread: usize,
    fitting: usize,
    written: usize,
    period: i32,
    scale: v128,
    what: i32,
  ): void {
    const size = f64x2.splat(<f64>period)
    const share = f64x2.splat(1 / <f64>period)
    const bytes = (<usize>(period >> 1)) << 4
    const end = newest + bytes
    const centre = f64x2.splat(load<f64>(newest))
    const nextCentre = f64x2.splat(load<f64>(end))
    const least = leastVariance(centre, size)
    const farthest = f64x2.sub(v128.load(newest - bytes), centre)
    let before = f64x2.add(v128.load(fitting), farthest)
    let beforeOfSquares = f64x2.add(v128.load(fitting, 16), f64x2.mul(farthest, farthest))
    let sum = f64x2.splat(0)
    let squares = sum
    let suffix = sum
    let suffixOfSquares = sum
    let oldest = newest - ((<usize>(period - 1)) << 3)
    let last = end - 16
    let next = written + 2 * bytes - 32
    do {
      v128.store(next, suffix)
      v128.store(next, suffixOfSquares, 16)
      const late = f64x2.sub(v128.load(last), nextCentre)
      suffix = f64x2.add(suffix, late)
      suffixOfSquares = f64x2.add(suffixOfSquares, f64x2.mul(late, late))
      const distance = f64x2.sub(v128.load(newest), centre)
      sum = f64x2.add(sum, distance)
      squares = f64x2.add(squares, f64x2.mul(distance, distance))
      const lanes = f64x2.add(v128.load(fitting), sum)
      const lanesOfSquares = f64x2.add(v128.load(fitting, 16), squares)
      let total = f64x2.add(v128.shuffle<f64>(before, lanes, 1, 2), lanes)
      let totalOfSquares = f64x2.add(v128.shuffle<f64>(beforeOfSquares, lanesOfSquares, 1, 2), lanesOfSquares)
      before = lanes
      beforeOfSquares = lanesOfSquares
      if (period & 1) {
        const far = f64x2.sub(v128.load(oldest), centre)
        total = f64x2.add(total, far)
        totalOfSquares = f64x2.add(totalOfSquares, f64x2.mul(far, far))
        oldest += 16
      }
      const variance = varianceOf(total, totalOfSquares, size, least)
      Blocks.put(toUpper, toMean, toSpread, f64x2.add(centre, f64x2.mul(total, share)), variance, scale, what)
      last -= 16
      next -= 32
      newest += 16
      fitting += 32
      toUpper += 16
      toMean += 16
      toSpread += 16
    } while (newest < end)
  }

  @inline
  static put(
    upper: usize,
    mean: usize,
    spread: usize,
    middle: v128,
    variance: v128,
    scale: v128,
    what: i32,
  ): void {
    const result = f64x2.mul(what === asSquare ? variance : f64x2.sqrt(variance), scale)
    if (what <= withMean) v128.store(mean, middle)
    if (what === asBands) v128.store(upper, f64x2.add(middle, result))
    v128.store(spread, what === asBands ? f64x2.sub(middle, result) : result)
  }
}

function writeBlocks(
  x: Column,
  upper: Column,
  mean: Column,
  spread: Column,
  most: i32,
  period: i32,
  behind: Column,
  ahead: Column,
  width: f64,
  what: i32,
): i32 {
  if (what === asBands)
    return Blocks.write(x, upper, mean, spread, most, period, behind, ahead, width, asBands)
  if (what === withMean)
    return Blocks.write(x, upper, mean, spread, most, period, behind, ahead, width, withMean)
  if (what === alone) return Blocks.write(x, upper, mean, spread, most, period, behind, ahead, width, alone)
  return Blocks.write(x, upper, mean, spread, most, period, behind, ahead, width, asSquare)
}
