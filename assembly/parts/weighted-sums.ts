import { Column } from '../frame'

// Weighted sums by blocks of pairs of neighbours in two lanes, as the moving sums (sums.ts). The newest value of a window
// of n = 2h or 2h + 1 values weighs n, the oldest 1. With Q(j) = x[i] + x[i − 1] and R(j) = x[i − 1] in the lane of
// candle i, the sum with these weights over 2h values is
//
//   2·Σ (h − m)·Q(j − m) − Σ R(j − m),   m = 0 … h − 1
//
// and with one value more all weights are greater by 1. The part of Σ (h − m)·Q that lies in the block before is the sum
// of its suffix sums; the part in the block of candle i is h times the prefix sum less the sum of the prefix sums before.

/** What is written: weighted means, lines of least squares, or their slopes. */
export const weightedMean: i32 = 0
export const line: i32 = 1
export const slope: i32 = 2

/**
 * A line follows from two sums over the window, Σ y and Σ k·y with the weights k = 1 … n:
 *
 *   slope = 12 / (n³ − n) · (Σ k·y − (n + 1)/2 · Σ y)        mean = Σ y / n, reached in the middle of the window
 *
 * Its values are taken less the first value of the newest block that the window touches, so that nothing cancels that the
 * window itself does not cancel, and a flat window has a slope of exactly 0.
 *
 * Methods, because only they may be inlined where the constants are known.
 */
export class WeightedSums {
  /**
   * Writes, for i in [from, to), the mean of x[i − period + 1 … i] with the weights 1 … period, or the slope of the line
   * through them, or where it is `distance` candles after its middle; `period ≥ 2`. `base` is the first candle with a
   * whole window. `suffixes` holds at least 3·period values, twice as many where to − from ≥ 4·period.
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
    const bytes = (<usize>half) << 4
    const size = <f64>period
    const scale =
      what === weightedMean
        ? 2 / (size * (size + 1))
        : (12 * (what === slope ? 1 : distance)) / (size * (size * size - 1))
    const after = out[to]
    // The first lane of the vectors is the lane of candle `from`.
    const lane = (from - base) & 1
    let j = (from - base) >> 1
    let block = j - (j % half)
    // Over so many candles the working space holds the suffixes of two blocks.
    const hasRoom = to - from >= 4 * period
    let behind = changetype<usize>(suffixes)
    let ahead = hasRoom ? behind + 3 * bytes : behind
    let isSummed = false
    for (let i = from; i < to; ) {
      const first = base + 2 * block + lane
      const centre = x[first - lane]
      if (!isSummed) WeightedSums.suffixes(x, first, centre, half, behind, j - block, what !== weightedMean)
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

  /**
   * Writes the suffix sums of the block before the one that begins at candle `first`: for pair k ≥ `from` the sums of the
   * pairs behind it, their weighted sum and the sum of their older values.
   */
  @inline
  static suffixes(
    x: Column,
    first: i32,
    reference: f64,
    half: i32,
    suffixes: usize,
    from: i32,
    isCentred: bool,
  ): void {
    const centre = f64x2.splat(reference)
    let sum = f64x2.splat(0)
    let weighted = sum
    let singles = sum
    let at = suffixes + 48 * <usize>(half - 1)
    let last = changetype<usize>(x.from(first - 2)) - 8
    for (let k = half - 1; ; k--) {
      v128.store(at, sum)
      v128.store(at, weighted, 16)
      v128.store(at, singles, 32)
      if (k <= from) break
      const newer = isCentred ? f64x2.sub(v128.load(last, 8), centre) : v128.load(last, 8)
      const older = isCentred ? f64x2.sub(v128.load(last), centre) : v128.load(last)
      sum = f64x2.add(sum, f64x2.add(newer, older))
      weighted = f64x2.add(weighted, sum)
      singles = f64x2.add(singles, older)
      at -= 48
      last -= 16
    }
  }

  /**
   * Writes the windows that end at the candles [from, to) of the block that begins at candle `first`, and, if
   * `isWhole`, the suffix sums of that block to `ahead`, by the centre of the next one: chains of additions that do not
   * wait for each other.
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
    const isCentred = what !== weightedMean
    const bytes = (<usize>(period >> 1)) << 4
    const centre = f64x2.splat(reference)
    const nextCentre = isCentred && isWhole ? f64x2.splat(x[to]) : centre
    let prefix = f64x2.splat(0)
    let missing = prefix
    let singles = prefix
    let suffix = prefix
    let weightedSuffix = prefix
    let suffixSingles = prefix
    let newest = changetype<usize>(x.from(first)) - 8
    let last = newest + bytes - 16
    let next = ahead + 3 * bytes - 48
    let target = changetype<usize>(out.from(first))
    const begin = changetype<usize>(out.from(from))
    for (const stop = changetype<usize>(out.from(to)); target < stop; target += 16) {
      if (isWhole) {
        v128.store(next, suffix)
        v128.store(next, weightedSuffix, 16)
        v128.store(next, suffixSingles, 32)
        const newer = isCentred ? f64x2.sub(v128.load(last, 8), nextCentre) : v128.load(last, 8)
        const older = isCentred ? f64x2.sub(v128.load(last), nextCentre) : v128.load(last)
        suffix = f64x2.add(suffix, f64x2.add(newer, older))
        weightedSuffix = f64x2.add(weightedSuffix, suffix)
        suffixSingles = f64x2.add(suffixSingles, older)
        last -= 16
        next -= 48
      }
      const newer = isCentred ? f64x2.sub(v128.load(newest, 8), centre) : v128.load(newest, 8)
      const older = isCentred ? f64x2.sub(v128.load(newest), centre) : v128.load(newest)
      missing = f64x2.add(missing, prefix)
      prefix = f64x2.add(prefix, f64x2.add(newer, older))
      singles = f64x2.add(singles, older)
      if (isWhole || target >= begin)
        WeightedSums.set(target, behind, newest, prefix, missing, singles, centre, scale, period, what, isOdd)
      newest += 16
      behind += 48
    }
  }

  /** Writes the two results at `target` from the sums of the block up to there and of the suffix `behind`. */
  @inline
  static set(
    target: usize,
    behind: usize,
    newest: usize,
    prefix: v128,
    missing: v128,
    singles: v128,
    centre: v128,
    scale: f64,
    period: i32,
    what: i32,
    isOdd: bool,
  ): void {
    const risen = f64x2.sub(f64x2.mul(f64x2.splat(<f64>(period >> 1)), prefix), missing)
    const halves = f64x2.add(v128.load(behind, 16), risen)
    const taken = f64x2.add(v128.load(behind, 32), singles)
    let weighted = f64x2.sub(f64x2.add(halves, halves), taken)
    let total = what !== weightedMean || isOdd ? f64x2.add(v128.load(behind), prefix) : prefix
    if (isOdd) {
      const rest = v128.load(newest + 16 - ((<usize>period) << 3))
      total = f64x2.add(total, what !== weightedMean ? f64x2.sub(rest, centre) : rest)
      weighted = f64x2.add(weighted, total)
    }
    let result = weighted
    if (what !== weightedMean) {
      result = f64x2.sub(weighted, f64x2.mul(f64x2.splat(0.5 * <f64>(period + 1)), total))
    }
    result = f64x2.mul(result, f64x2.splat(scale))
    if (what === line) {
      result = f64x2.add(centre, f64x2.add(f64x2.mul(total, f64x2.splat(1 / <f64>period)), result))
    }
    v128.store(target, result)
  }
}
