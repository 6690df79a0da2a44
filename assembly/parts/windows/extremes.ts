import { Column } from '../../frame'

/** Operation that combines the values of a window. The argument is a constant in every call. */
enum Fold {
  highest,
  lowest,
  /** The mean of the lowest value and of the highest one, which the column of results holds. */
  middle,
}

/** Largest period for which all values of a window are compared. */
const shortPeriod = 5

/**
 * Writes `out[i] = max x[i − period + 1 … i]` for i in [from, to); `from ≥ start + period − 1`. NaN is skipped. `suffixes`
 * holds at least 2·period values; x and out must not overlap.
 */
export function movingMax(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
): void {
  Extremes.write(x, start, out, from, to, period, suffixes, Fold.highest)
}

/** Writes `out[i] = min x[i − period + 1 … i]` for i in [from, to); demands what the moving maximum demands. */
export function movingMin(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
): void {
  Extremes.write(x, start, out, from, to, period, suffixes, Fold.lowest)
}

/** Writes the highest `high` and the lowest `low` of the candles i − period + 1 … i for i in [from, to);
 * demands what the moving maximum demands of both. */
export function movingRange(
  high: Column,
  low: Column,
  start: i32,
  highest: Column,
  lowest: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
): void {
  movingMax(high, start, highest, from, to, period, suffixes)
  movingMin(low, start, lowest, from, to, period, suffixes)
}

/** Writes the middles between the highest `high` and the lowest `low` of the candles i − period + 1 … i; demands what
 * the moving range demands. */
export function movingMiddle(
  high: Column,
  low: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
): void {
  movingMax(high, start, out, from, to, period, suffixes)
  Extremes.write(low, start, out, from, to, period, suffixes, Fold.middle)
}

/**
 * Moving extremes by blocks, two candles at a time. The two lanes of a vector are the candles base + 2j and base + 2j + 1,
 * where `base` lies two candles before the first whole window. Each lane takes the extremes of `period / 2` values of every
 * second candle, by blocks of as many pairs, as the moving sums do (sums.ts): the suffix of one block and the prefix of the
 * next (van Herk 1992). The extreme of a window is that of its newest candle's lane and of the lane before; where the period
 * is odd, its oldest value is one more. A value is always the second operand, so that NaN is skipped.
 *
 * Methods, because only they are inlined where the fold is a constant.
 */
class Extremes {
  @inline
  static write(
    x: Column,
    start: i32,
    out: Column,
    from: i32,
    to: i32,
    period: i32,
    suffixes: Column,
    fold: Fold,
  ): void {
    if (from >= to) return
    if (period <= shortPeriod) {
      Extremes.short(x, out, from, to, period, fold)
      return
    }
    const base = start + period - 3
    let i = from
    if (((i - base) & 1) !== 0) {
      const half = period >> 1
      const j = (i - base) >> 1
      const before = lanesAt(x, base, j - 1, half, fold)
      const lanes = lanesAt(x, base, j, half, fold)
      const windows = Extremes.windows(before, lanes, x, i - 1, period, fold)
      out[i] = f64x2.extract_lane(Extremes.result(windows, f64x2.splat(out[i]), fold), 1)
      i++
    }
    if (i < to) Extremes.byBlocks(x, base, out, i, to, period, suffixes, fold)
  }

  /** Combines two values of a window. */
  @inline
  static both(a: v128, b: v128, fold: Fold): v128 {
    return fold === Fold.highest ? f64x2.pmax(a, b) : f64x2.pmin(a, b)
  }

  /** Neutral element of the operation. */
  @inline
  static nothing(fold: Fold): v128 {
    return f64x2.splat(fold === Fold.highest ? -Infinity : Infinity)
  }

  /** Results of two windows; `before` are the current values of the column of results. */
  @inline
  static result(windows: v128, before: v128, fold: Fold): v128 {
    return fold === Fold.middle ? f64x2.mul(f64x2.add(before, windows), f64x2.splat(0.5)) : windows
  }

  /** The extremes of the windows that end with the candles `i` and `i + 1`, given those of their lanes and of the pair before. */
  @inline
  static windows(before: v128, lanes: v128, x: Column, i: i32, period: i32, fold: Fold): v128 {
    const even = Extremes.both(v128.shuffle<f64>(before, lanes, 1, 2), lanes, fold)
    return (period & 1) !== 0 ? Extremes.both(even, x.pair(i - period + 1), fold) : even
  }

  /** The extremes of the lanes of pair `j`, taken from the values of their windows alone. */
  @inline
  static lanes(x: Column, base: i32, j: i32, half: i32, fold: Fold): v128 {
    const block = j - (j % half)
    let prefix = Extremes.nothing(fold)
    for (let k = block; k <= j; k++) prefix = Extremes.both(prefix, x.pair(base + 2 * k), fold)
    let suffix = Extremes.nothing(fold)
    for (let k = block - 1; k > j - half; k--) suffix = Extremes.both(suffix, x.pair(base + 2 * k), fold)
    return Extremes.both(suffix, prefix, fold)
  }

  /**
   * Writes the suffixes of a block: to element 2k the extremes of the pairs after pair k, for k ≥ `first`. `x` begins
   * at the block's first candle.
   */
  @inline
  static suffixes(x: Column, half: i32, suffixes: Column, first: i32, fold: Fold): void {
    let suffix = Extremes.nothing(fold)
    for (let k = half - 1; k > first; k--) {
      suffixes.setPair(2 * k, suffix)
      suffix = Extremes.both(suffix, x.pair(2 * k), fold)
    }
    suffixes.setPair(2 * first, suffix)
  }

  /** Extremes of windows for [from, to), of which `from` is in the first lane. */
  @inline
  static byBlocks(
    x: Column,
    base: i32,
    out: Column,
    from: i32,
    to: i32,
    period: i32,
    suffixes: Column,
    fold: Fold,
  ): void {
    const half = period >> 1
    let i = from
    let j = (from - base) >> 1
    let block = j - (j % half)
    let behind = suffixes
    let ahead = suffixes.from(2 * half)
    Extremes.suffixes(x.from(base + 2 * (block - half)), half, behind, j - block, fold)
    let prefix = Extremes.nothing(fold)
    for (let k = block; k < j; k++) prefix = Extremes.both(prefix, x.pair(base + 2 * k), fold)
    let before = lanesAt(x, base, j - 1, half, fold)
    const after = out[to]
    while (i < to) {
      const end = block + half
      const first = base + 2 * block
      if (j === block && first + 2 * half <= to) {
        const count = (to - first) / (2 * half)
        const prices = x.from(first)
        const results = out.from(first)
        if (fold === Fold.highest)
          before = highestBlocks(prices, results, count, period, before, behind, ahead)
        else if (fold === Fold.lowest)
          before = lowestBlocks(prices, results, count, period, before, behind, ahead)
        else before = middleBlocks(prices, results, count, period, before, behind, ahead)
        i += count * 2 * half
        j += count * half
        block = j
        if (count & 1) {
          const swap = behind
          behind = ahead
          ahead = swap
        }
      } else {
        for (const stop = min(base + 2 * end, to); i < stop; i += 2, j++) {
          prefix = Extremes.both(prefix, x.pair(i), fold)
          const lanes = Extremes.both(behind.pair(2 * (j - block)), prefix, fold)
          const windows = Extremes.windows(before, lanes, x, i, period, fold)
          out.setPair(i, Extremes.result(windows, out.pair(i), fold))
          before = lanes
        }
        if (i < to) Extremes.suffixes(x.from(first), half, ahead, 0, fold)
        j = end
        block = end
        prefix = Extremes.nothing(fold)
        const swap = behind
        behind = ahead
        ahead = swap
      }
    }
    out[to] = after
  }

  /**
   * Writes the extremes of `count` whole blocks to `out`, and the suffixes of each, which the next one needs,
   * alternately to `ahead` and `behind`; `behind` holds those of the block before, `before` the extremes of its last
   * lanes. Returns the last lanes. `x` and `out` begin at the first candle of the first block. The loop moves
   * addresses, which is cheaper than computing them.
   */
  @inline
  static blocks(
    x: Column,
    out: Column,
    count: i32,
    period: i32,
    before: v128,
    behind: Column,
    ahead: Column,
    isOdd: bool,
    fold: Fold,
  ): v128 {
    const bytes = (<usize>(period >> 1)) << 4
    let oldest = changetype<usize>(x.from(1 - period))
    let newest = changetype<usize>(x)
    let to = changetype<usize>(out)
    let fitting = changetype<usize>(behind)
    let written = changetype<usize>(ahead)
    for (; count > 0; count--) {
      let prefix = Extremes.nothing(fold)
      let suffix = Extremes.nothing(fold)
      let last = newest + bytes - 16
      let next = written + bytes - 16
      const end = to + bytes
      const endOfTwos = end - (bytes & 16)
      written = fitting
      while (to < endOfTwos) {
        v128.store(next, suffix)
        suffix = Extremes.both(suffix, v128.load(last), fold)
        v128.store(next - 16, suffix)
        suffix = Extremes.both(suffix, v128.load(last - 16), fold)
        prefix = Extremes.both(prefix, v128.load(newest), fold)
        const lanes = Extremes.both(v128.load(fitting), prefix, fold)
        Extremes.store(to, before, lanes, oldest, isOdd, fold)
        prefix = Extremes.both(prefix, v128.load(newest, 16), fold)
        before = Extremes.both(v128.load(fitting, 16), prefix, fold)
        Extremes.store(to + 16, lanes, before, oldest + 16, isOdd, fold)
        next -= 32
        last -= 32
        newest += 32
        fitting += 32
        if (isOdd) oldest += 32
        to += 32
      }
      if (to < end) {
        v128.store(next, suffix)
        prefix = Extremes.both(prefix, v128.load(newest), fold)
        const lanes = Extremes.both(v128.load(fitting), prefix, fold)
        Extremes.store(to, before, lanes, oldest, isOdd, fold)
        before = lanes
        next -= 16
        newest += 16
        if (isOdd) oldest += 16
        to += 16
      }
      fitting = next + 16
    }
    return before
  }

  /**
   * Stores the extremes of the windows that end at two candles: of their `lanes`, of the lanes `before` them, and where the
   * period is odd of the values at `oldest`.
   */
  @inline
  static store(to: usize, before: v128, lanes: v128, oldest: usize, isOdd: bool, fold: Fold): void {
    let windows = Extremes.both(v128.shuffle<f64>(before, lanes, 1, 2), lanes, fold)
    if (isOdd) windows = Extremes.both(windows, v128.load(oldest), fold)
    v128.store(to, Extremes.result(windows, v128.load(to), fold))
  }

  /** Extremes of short windows, for which comparing all values costs less than blocks. */
  @inline
  static short(x: Column, out: Column, from: i32, to: i32, period: i32, fold: Fold): void {
    const after = out[to]
    let oldest = changetype<usize>(x.from(from - period + 1))
    for (let i = from; i < to; i += 2, oldest += 16) {
      let windows = Extremes.both(Extremes.nothing(fold), v128.load(oldest), fold)
      if (period > 1) windows = Extremes.both(windows, v128.load(oldest, 8), fold)
      if (period > 2) windows = Extremes.both(windows, v128.load(oldest, 16), fold)
      if (period > 3) windows = Extremes.both(windows, v128.load(oldest, 24), fold)
      if (period > 4) windows = Extremes.both(windows, v128.load(oldest, 32), fold)
      out.setPair(i, Extremes.result(windows, out.pair(i), fold))
    }
    out[to] = after
  }
}

function lanesAt(x: Column, base: i32, j: i32, half: i32, fold: Fold): v128 {
  return fold === Fold.highest
    ? Extremes.lanes(x, base, j, half, Fold.highest)
    : Extremes.lanes(x, base, j, half, Fold.lowest)
}

function highestBlocks(
  x: Column,
  out: Column,
  count: i32,
  period: i32,
  before: v128,
  behind: Column,
  ahead: Column,
): v128 {
  return (period & 1) !== 0
    ? Extremes.blocks(x, out, count, period, before, behind, ahead, true, Fold.highest)
    : Extremes.blocks(x, out, count, period, before, behind, ahead, false, Fold.highest)
}

function lowestBlocks(
  x: Column,
  out: Column,
  count: i32,
  period: i32,
  before: v128,
  behind: Column,
  ahead: Column,
): v128 {
  return (period & 1) !== 0
    ? Extremes.blocks(x, out, count, period, before, behind, ahead, true, Fold.lowest)
    : Extremes.blocks(x, out, count, period, before, behind, ahead, false, Fold.lowest)
}

function middleBlocks(
  x: Column,
  out: Column,
  count: i32,
  period: i32,
  before: v128,
  behind: Column,
  ahead: Column,
): v128 {
  return (period & 1) !== 0
    ? Extremes.blocks(x, out, count, period, before, behind, ahead, true, Fold.middle)
    : Extremes.blocks(x, out, count, period, before, behind, ahead, false, Fold.middle)
}
