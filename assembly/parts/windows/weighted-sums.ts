import { Column } from '../../frame'

// Weighted sums by blocks of pairs of neighbours in two lanes, as the moving sums (sums.ts). The newest value of a
// window of n = 2h or 2h + 1 values has the largest weight, and each older one has `fall` less. With Q(j) = x[i] + x[i
// − 1] and R(j) = x[i − 1] in the lane of candle i, the sum over 2h values is
//
//   Σ (newest − 2m·fall)·Q(j − m) − fall·R(j − m),   m = 0 … h − 1
//
// and an odd window has one value more. The part of Σ m·Q that lies in the block before follows from the sum of its
// suffix sums; the part in the block of candle i from the sum of the prefix sums before.

/** Kinds of results: lines of least squares, their slopes, or the results of `forecastErrors`. */
export const line: i32 = 0
export const slope: i32 = 1
export const forecastError: i32 = 2

/**
 * The slope of a line, and the line at `distance` candles after its middle, have the weights, for k = 1 … n,
 *
 *   slope: 12 / (n³ − n) · (k − (n + 1)/2)        line: distance · slope + 1 / n
 *
 * Values of a line are differences from the first value of the newest block that the window touches. So nothing cancels
 * that the window itself does not cancel, and a flat window has a slope of exactly 0.
 *
 * Only one number per suffix is kept, the combination of its sums.
 *
 * Methods, because only they may be inlined where the constants are known.
 */
export class WeightedSums {
  /**
   * Writes, for i in [from, to), the slope of the line through x[i − period + 1 … i], or the line at `distance` candles
   * after its middle; `period ≥ 2`. `base` is the first candle with a whole window. `suffixes` holds at least period
   * values, twice as many where to − from ≥ 4·period.
   */
  @inline
  static write(
    x: Column,
    base: i32,
    out: Column,
    from: i32,
    to: i32,
    period: i32,
    distance: f64,
    suffixes: Column,
    what: i32,
    isOdd: bool,
  ): void {
    const half = period >> 1
    const size = <f64>period
    const scale = (12 * (what === slope ? 1 : distance)) / (size * (size * size - 1))
    const after = out[to]
    // The first lane of the vectors is the lane of candle `from`.
    const lane = (from - base) & 1
    let j = (from - base) >> 1
    let block = j - (j % half)
    // Minimum length at which the working space holds the suffixes of two blocks.
    const hasRoom = to - from >= 4 * period
    let behind = changetype<usize>(suffixes)
    let ahead = hasRoom ? behind + ((<usize>half) << 4) : behind
    let isSummed = false
    for (let i = from; i < to; ) {
      const first = base + 2 * block + lane
      const centre = x[first - lane]
      if (!isSummed) WeightedSums.suffixes(x, first, centre, period, scale, behind, j - block, what)
      isSummed = hasRoom && i === first && first + 2 * half < to
      const end = isSummed ? first + 2 * half : min(first + 2 * half, to)
      if (isSummed) {
        WeightedSums.block(x, out, first, i, end, period, centre, scale, behind, ahead, what, isOdd, true)
        const swap = behind
        behind = ahead
        ahead = swap
      } else {
        WeightedSums.block(x, out, first, i, end, period, centre, scale, behind, ahead, what, isOdd, false)
      }
      i = end
      block += half
      j = block
    }
    out[to] = after
  }

  /** The weight of the newest value of a window of a line. */
  @inline
  static newestWeight(period: i32, scale: f64, what: i32): f64 {
    return 0.5 * <f64>(period - 1) * scale + (what === slope ? 0 : 1 / <f64>period)
  }

  /**
   * Writes the suffix sums of the block before the one that begins at candle `first`: for pair k ≥ `from` the number of
   * the pairs after it.
   */
  @inline
  static suffixes(
    x: Column,
    first: i32,
    reference: f64,
    period: i32,
    scale: f64,
    suffixes: usize,
    from: i32,
    what: i32,
  ): void {
    const half = period >> 1
    const oldestWeight = WeightedSums.newestWeight(period, scale, what) - 2 * scale * <f64>(half - 1)
    const centre = f64x2.splat(reference)
    let sum = f64x2.splat(0)
    let weighted = sum
    let at = suffixes + ((<usize>(half - 1)) << 4)
    let last = changetype<usize>(x.from(first - 2)) - 8
    for (let k = half - 1; ; k--) {
      WeightedSums.storeSuffix(at, sum, weighted, oldestWeight)
      if (k <= from) break
      const newer = f64x2.sub(v128.load(last, 8), centre)
      const older = f64x2.sub(v128.load(last), centre)
      weighted = f64x2.add(weighted, WeightedSums.fallen(sum, older, scale))
      sum = f64x2.add(sum, f64x2.add(newer, older))
      at -= 16
      last -= 16
    }
  }

  /** Stores the number of a suffix. */
  @inline
  static storeSuffix(at: usize, sum: v128, weighted: v128, oldest: f64): void {
    v128.store(at, f64x2.add(weighted, f64x2.mul(f64x2.splat(oldest), sum)))
  }

  /**
   * Additional weight of pairs with the sum `sum` compared with one pair earlier, minus the part that the older value
   * of one pair lacks.
   */
  @inline
  static fallen(sum: v128, older: v128, scale: f64): v128 {
    return f64x2.sub(f64x2.mul(f64x2.splat(2 * scale), sum), f64x2.mul(f64x2.splat(scale), older))
  }

  /**
   * Weight that the pairs of a block lack compared with the newest one, when one follows the pairs with the sum `prefix`.
   */
  @inline
  static missed(missing: v128, prefix: v128, older: v128, scale: f64): v128 {
    const pairs = f64x2.mul(f64x2.splat(2 * scale), prefix)
    return f64x2.sub(missing, f64x2.add(pairs, f64x2.mul(f64x2.splat(scale), older)))
  }

  /**
   * Writes the windows that end at the candles [from, to) of the block that begins at candle `first`, and, if
   * `isWhole`, the suffix sums of that block to `ahead`, measured from the centre of the next one: independent chains
   * of additions.
   */
  @inline
  static block(
    x: Column,
    out: Column,
    first: i32,
    from: i32,
    to: i32,
    period: i32,
    reference: f64,
    scale: f64,
    behind: usize,
    ahead: usize,
    what: i32,
    isOdd: bool,
    isWhole: bool,
  ): void {
    const half = period >> 1
    const oldestWeight = WeightedSums.newestWeight(period, scale, what) - 2 * scale * <f64>(half - 1)
    const centre = f64x2.splat(reference)
    const nextCentre = isWhole ? f64x2.splat(x[to]) : centre
    let prefix = f64x2.splat(0)
    let missing = prefix
    let suffix = prefix
    let weightedSuffix = prefix
    let newest = changetype<usize>(x.from(first)) - 8
    let last = newest + ((<usize>half) << 4) - 16
    let next = ahead + ((<usize>(half - 1)) << 4)
    let target = changetype<usize>(out.from(first))
    const begin = changetype<usize>(out.from(from))
    for (const stop = changetype<usize>(out.from(to)); target < stop; target += 16) {
      if (isWhole) {
        WeightedSums.storeSuffix(next, suffix, weightedSuffix, oldestWeight)
        const newer = f64x2.sub(v128.load(last, 8), nextCentre)
        const older = f64x2.sub(v128.load(last), nextCentre)
        weightedSuffix = f64x2.add(weightedSuffix, WeightedSums.fallen(suffix, older, scale))
        suffix = f64x2.add(suffix, f64x2.add(newer, older))
        last -= 16
        next -= 16
      }
      const newer = f64x2.sub(v128.load(newest, 8), centre)
      const older = f64x2.sub(v128.load(newest), centre)
      missing = WeightedSums.missed(missing, prefix, older, scale)
      prefix = f64x2.add(prefix, f64x2.add(newer, older))
      if (isWhole || target >= begin) {
        WeightedSums.setLine(target, behind, newest, prefix, missing, centre, scale, period, what, isOdd)
      }
      newest += 16
      behind += 16
    }
  }

  /** Writes the two results of a line at `target` from the weighted sum `missing` and the suffix `behind`. */
  @inline
  static setLine(
    target: usize,
    behind: usize,
    newest: usize,
    prefix: v128,
    missing: v128,
    centre: v128,
    scale: f64,
    period: i32,
    what: i32,
    isOdd: bool,
  ): void {
    const newestWeight = WeightedSums.newestWeight(period, scale, what)
    const recent = f64x2.add(missing, f64x2.mul(f64x2.splat(newestWeight), prefix))
    let result = f64x2.add(v128.load(behind), recent)
    if (isOdd) {
      const weight = f64x2.splat(newestWeight - scale * <f64>(period - 1))
      result = f64x2.add(
        result,
        f64x2.mul(weight, f64x2.sub(v128.load(WeightedSums.oldestAt(newest, period)), centre)),
      )
    }
    if (what !== slope) result = f64x2.add(centre, result)
    if (what === forecastError) {
      const value = v128.load(newest, 16)
      const share = f64x2.div(f64x2.mul(f64x2.sub(value, result), f64x2.splat(100)), value)
      // A number with all bits set is NaN.
      result = v128.or(share, f64x2.eq(value, f64x2.splat(0)))
    }
    v128.store(target, result)
  }

  /** The address of the oldest values of the windows whose newest values follow 8 bytes after `newest`. */
  @inline
  static oldestAt(newest: usize, period: i32): usize {
    return newest + 16 - ((<usize>period) << 3)
  }
}
