import { Column } from '../../frame'
import { difference } from '../numbers/difference'
import { setLanes } from '../numbers/lanes'

/**
 * Moving sums by blocks, two candles at a time. The two lanes of a vector are the candles base + 2j and base + 2j + 1,
 * where `base` is the first candle with a whole window. Each lane adds up `period / 2` values of every second candle; a
 * window is the lane of its newest candle and the lane before, and one value more where the period is odd. Blocks of as
 * many pairs are counted from `base`. In block k a lane is a suffix of block k − 1 plus a prefix of block k, so each
 * sum depends only on its own window: no drift, no trace of older values, and the same bits for any split of the range.
 *
 *   block k − 1                block k
 *   ├────────[ suffix ─────────┤── prefix ]───────────┤      one letter: one value of either lane
 *            j − period/2 + 1             j
 *
 * Writes `out[i] = Σ x[i − period + 1 … i]` for i in [from, to); `from ≥ start + period − 1`.
 * `suffixes` holds at least 2·period values; x and out must not overlap.
 */
export function movingSum(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
): void {
  scaledSum(x, start, out, from, to, period, 1, nothing, suffixes)
}

/**
 * Moving means: the moving sums of `x` over `period` candles, times 1 / `period`. Has the requirements of the moving sums.
 */
export function movingMean(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
): void {
  scaledSum(x, start, out, from, to, period, 1 / <f64>period, nothing, suffixes)
}

/**
 * Writes `minuend[i]` minus the moving mean of `x`. `minuend` may be `out`, or `x` if `out` is another column. Has the
 * requirements of the moving sums; `suffixes` must be a scratch column.
 */
export function differenceToMean(
  minuend: Column,
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
): void {
  scaledSum(x, start, out, from, to, period, 1 / <f64>period, minuend, suffixes)
}

/** Moving sums times `scale`, or a minuend minus these. */
function scaledSum(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  scale: f64,
  minuend: Column,
  suffixes: Column,
): void {
  if (from >= to) return
  if (period > shortPeriod)
    sumByBlocks(x, start + period - 1, out, from, to, period, scale, minuend, suffixes)
  else if (minuend === nothing) shortSum(x, out, from, to, period, scale)
  else {
    const means = suffixes.from(-from)
    shortSum(x, means, from, to, period, scale)
    difference(minuend, means, out, from, to)
  }
}

/** No minuend. */
const nothing = changetype<Column>(0)

/** Moving sums times `scale`, or a minuend minus these; the lanes are the candles base + 2j and base + 2j + 1. */
function sumByBlocks(
  x: Column,
  base: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  scale: f64,
  minuend: Column,
  suffixes: Column,
): void {
  const half = period >> 1
  let behind = suffixes
  let ahead = suffixes.from(2 * half)
  let isSummed = false
  for (let i = from; i < to; ) {
    const pair = (i - base) >> 1
    const first = base + 2 * (pair - (pair % half))
    if (!isSummed) sumSuffixes(x.from(first), half, behind, max(pair - ((first - base) >> 1) - 1, 0))
    const count = i === first ? (to - first) / (2 * half) : 0
    isSummed = count > 0
    if (isSummed) {
      sumBlocks(x, out, first, count, period, scale, minuend, behind, ahead)
      i += count * 2 * half
      if (count & 1) {
        const swap = behind
        behind = ahead
        ahead = swap
      }
    } else {
      const stop = min(first + 2 * half, to)
      sumPart(x, first, out, i, stop, period, scale, minuend, behind)
      i = stop
    }
  }
}

/** Sums of the windows that end at candles [from, to) of the block that begins at candle `first`. */
function sumPart(
  x: Column,
  first: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  scale: f64,
  minuend: Column,
  behind: Column,
): void {
  let prefix = f64x2.splat(0)
  let before = prefix
  if (from <= first + 1) before = f64x2.add(behind.pair(0), x.pair(first - (period & ~1)))
  for (let i = first; i < to; i += 2) {
    prefix = f64x2.add(prefix, x.pair(i))
    if (i + 3 >= from) {
      const lanes = f64x2.add(behind.pair(i - first), prefix)
      let sum = f64x2.add(v128.shuffle<f64>(before, lanes, 1, 2), lanes)
      before = lanes
      if (i + 1 >= from) {
        if (period & 1) sum = f64x2.add(sum, x.pair(i - period + 1))
        sum = f64x2.mul(sum, f64x2.splat(scale))
        if (minuend !== nothing) sum = f64x2.sub(minuend.pair(i), sum)
        setLanes(out, i, sum, from, to)
      }
    }
  }
}

/** Loops over whole blocks. Methods, because only they may be inlined where the constants are known. */
class Blocks {
  /**
   * Writes the sums of `count` whole blocks to `out`, or with `isRest` the minuend minus these, and the suffix sums of
   * each, which the next one needs, alternately to `ahead` and `behind`; `behind` holds those of the block before. One
   * loop computes both: two independent chains of additions. `x`, `out` and the address `minuend` are those of the
   * first candle of the first block. The loop moves addresses, which is cheaper than computing them from an index.
   * `before` begins with the sum of all pairs of the block before.
   */
  @inline
  static sum(
    x: Column,
    out: Column,
    count: i32,
    period: i32,
    scale: f64,
    minuend: usize,
    behind: Column,
    ahead: Column,
    isOdd: bool,
    isRest: bool,
  ): void {
    const bytes = (<usize>(period >> 1)) << 4
    const scales = f64x2.splat(scale)
    const back = (<usize>(period - 1)) << 3
    let newest = changetype<usize>(x)
    let to = changetype<usize>(out)
    let fitting = changetype<usize>(behind)
    let written = changetype<usize>(ahead)
    let before = f64x2.add(v128.load(fitting), v128.load(newest - bytes))
    for (; count > 0; count--) {
      let prefix = f64x2.splat(0)
      let suffix = f64x2.splat(0)
      let last = newest + bytes - 16
      let next = written + bytes - 16
      const endOfTwos = to + bytes - (bytes & 16)
      written = fitting
      while (to < endOfTwos) {
        v128.store(next, suffix)
        suffix = f64x2.add(suffix, v128.load(last))
        v128.store(next - 16, suffix)
        suffix = f64x2.add(suffix, v128.load(last - 16))
        prefix = f64x2.add(prefix, v128.load(newest))
        const lanes = f64x2.add(v128.load(fitting), prefix)
        v128.store(to, Blocks.result(before, lanes, newest - back, minuend, scales, isOdd, isRest))
        prefix = f64x2.add(prefix, v128.load(newest, 16))
        before = f64x2.add(v128.load(fitting, 16), prefix)
        const sum = Blocks.result(lanes, before, newest - back + 16, minuend + 16, scales, isOdd, isRest)
        v128.store(to, sum, 16)
        next -= 32
        last -= 32
        newest += 32
        fitting += 32
        if (isRest) minuend += 32
        to += 32
      }
      if (bytes & 16) {
        v128.store(next, suffix)
        suffix = f64x2.add(suffix, v128.load(last))
        const lanes = f64x2.add(v128.load(fitting), f64x2.add(prefix, v128.load(newest)))
        v128.store(to, Blocks.result(before, lanes, newest - back, minuend, scales, isOdd, isRest))
        next -= 16
        newest += 16
        if (isRest) minuend += 16
        to += 16
      }
      fitting = next + 16
      before = suffix
    }
  }

  /**
   * Sums times `scales` of the windows that end in two lanes, from those of the previous pair; with `isRest` the
   * minuend, whose address is given, minus these.
   */
  @inline
  static result(
    before: v128,
    lanes: v128,
    oldest: usize,
    minuend: usize,
    scales: v128,
    isOdd: bool,
    isRest: bool,
  ): v128 {
    let sum = f64x2.add(v128.shuffle<f64>(before, lanes, 1, 2), lanes)
    if (isOdd) sum = f64x2.add(sum, v128.load(oldest))
    sum = f64x2.mul(sum, scales)
    return isRest ? f64x2.sub(v128.load(minuend), sum) : sum
  }

  /** Sums over few candles, where summing each window separately, its oldest value first, is cheaper than blocks. */
  @inline
  static short(x: Column, out: Column, from: i32, to: i32, scale: f64, period: i32): void {
    const scales = f64x2.splat(scale)
    const after = out[to]
    let oldest = changetype<usize>(x.from(from - period + 1))
    for (let i = from; i < to; i += 2, oldest += 16) {
      let sum = v128.load(oldest)
      if (period > 1) sum = f64x2.add(sum, v128.load(oldest, 8))
      if (period > 2) sum = f64x2.add(sum, v128.load(oldest, 16))
      if (period > 3) sum = f64x2.add(sum, v128.load(oldest, 24))
      if (period > 4) sum = f64x2.add(sum, v128.load(oldest, 32))
      if (period > 5) sum = f64x2.add(sum, v128.load(oldest, 40))
      if (period > 6) sum = f64x2.add(sum, v128.load(oldest, 48))
      if (period > 7) sum = f64x2.add(sum, v128.load(oldest, 56))
      if (period > 8) sum = f64x2.add(sum, v128.load(oldest, 64))
      out.setPair(i, f64x2.mul(sum, scales))
    }
    out[to] = after
  }
}

/** The windows that end in `count` whole blocks, of which the first one begins at candle `first`. */
function sumBlocks(
  x: Column,
  out: Column,
  first: i32,
  count: i32,
  period: i32,
  scale: f64,
  minuend: Column,
  behind: Column,
  ahead: Column,
): void {
  const values = x.from(first)
  const results = out.from(first)
  const address = changetype<usize>(minuend.from(first))
  const isOdd = (period & 1) === 1
  if (minuend === nothing) {
    if (isOdd) Blocks.sum(values, results, count, period, scale, 0, behind, ahead, true, false)
    else Blocks.sum(values, results, count, period, scale, 0, behind, ahead, false, false)
  } else if (isOdd) Blocks.sum(values, results, count, period, scale, address, behind, ahead, true, true)
  else Blocks.sum(values, results, count, period, scale, address, behind, ahead, false, true)
}

function shortSum(x: Column, out: Column, from: i32, to: i32, period: i32, scale: f64): void {
  if (period === 1) Blocks.short(x, out, from, to, scale, 1)
  else if (period === 2) Blocks.short(x, out, from, to, scale, 2)
  else if (period === 3) Blocks.short(x, out, from, to, scale, 3)
  else if (period === 4) Blocks.short(x, out, from, to, scale, 4)
  else if (period === 5) Blocks.short(x, out, from, to, scale, 5)
  else if (period === 6) Blocks.short(x, out, from, to, scale, 6)
  else if (period === 7) Blocks.short(x, out, from, to, scale, 7)
  else if (period === 8) Blocks.short(x, out, from, to, scale, 8)
  else Blocks.short(x, out, from, to, scale, 9)
}

/**
 * Writes suffix sums of the block before the one that begins with `x`: to element 2k the sums of the pairs after pair
 * k, for k ≥ `first`.
 */
function sumSuffixes(x: Column, half: i32, suffixes: Column, first: i32): void {
  let sum = f64x2.splat(0)
  for (let k = half - 1; k > first; k--) {
    suffixes.setPair(2 * k, sum)
    sum = f64x2.add(sum, x.pair(2 * (k - half)))
  }
  suffixes.setPair(2 * first, sum)
}

/** Largest period for which each window is summed separately. */
export const shortPeriod = 9
