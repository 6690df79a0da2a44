import { Column } from '../frame'

/**
 * Moving sums by blocks of `period` candles counted from `start`. A window that ends in block k is a suffix of
 * block k − 1 plus a prefix of block k, so each sum is built from its own window alone: no drift, nothing that
 * left the window leaves a trace, and any split of the range gives the same bits. Prefixes grow pair by pair from
 * the first candle of their block, suffixes from the last: half the additions wait for another one.
 *
 *   block k − 1                block k
 *   ├────────[ suffix ─────────┤── prefix ]───────────┤
 *            i − period + 1    b          i
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
  if (from >= to) return
  if (period <= 4) {
    shortSum(x, out, from, to, period)
    return
  }
  let block = from - ((from - start) % period)
  let behind = suffixes
  let ahead = suffixes.from(period)
  sumSuffixes(x.from(block - period), period, behind, from - block + 1)
  // The sum of the whole pairs of the block before candle i, twice.
  let pairs = f64x2.splat(0)
  for (let j = block; j + 1 < from; j += 2) pairs = f64x2.add(pairs, total(x.pair(j)))
  let i = from
  while (i < to) {
    const end = block + period
    const stop = min(end, to)
    if (i === block && stop === end) {
      sumBlock(x.from(block), out.from(block), period, behind, ahead)
      i = end
    } else {
      let sum = f64x2.extract_lane(pairs, 0)
      for (; i < stop; i++) {
        const isSecond = ((i - block) & 1) !== 0
        if (isSecond) sum += x[i - 1] + x[i]
        const prefix = isSecond ? sum : sum + x[i]
        out[i] = i + 1 < end ? behind[i - block + 1] + prefix : prefix
      }
      if (i < to) sumSuffixes(x.from(block), period, ahead, 1)
    }
    block = end
    pairs = f64x2.splat(0)
    const swap = behind
    behind = ahead
    ahead = swap
  }
}

/**
 * Writes the sums of a whole block to `out`, and to `ahead` the sums of its suffixes, which the next block needs. Both
 * are summed in one loop: two chains of additions that do not wait for each other.
 */
function sumBlock(block: Column, out: Column, period: i32, behind: Column, ahead: Column): void {
  let pairs = f64x2.splat(0)
  let pairsBehind = f64x2.splat(0)
  let k = 0
  for (; k + 2 < period; k += 2) {
    const early = block.pair(k)
    const late = block.pair(period - 2 - k)
    const earlyTotal = total(early)
    const lateTotal = total(late)
    const prefix = f64x2.add(pairs, v128.shuffle<f64>(early, earlyTotal, 0, 3))
    out.setPair(k, f64x2.add(behind.pair(k + 1), prefix))
    ahead.setPair(period - 2 - k, f64x2.add(pairsBehind, v128.shuffle<f64>(lateTotal, late, 0, 3)))
    pairs = f64x2.add(pairs, earlyTotal)
    pairsBehind = f64x2.add(pairsBehind, lateTotal)
  }
  const sum = f64x2.extract_lane(pairs, 0)
  const last = block[period - 1]
  if (k + 1 < period) {
    const beforeLast = block[period - 2]
    out[period - 2] = behind[period - 1] + (sum + beforeLast)
    ahead[1] = f64x2.extract_lane(pairsBehind, 0) + block[1]
    out[period - 1] = sum + (beforeLast + last)
  } else out[period - 1] = sum + last
}

/** The sum of both elements, twice. */
function total(pair: v128): v128 {
  return f64x2.add(pair, v128.shuffle<f64>(pair, pair, 1, 0))
}

/** Writes the sums of the last elements of a block from element `first` and from each later one on. */
function sumSuffixes(block: Column, period: i32, suffixes: Column, first: i32): void {
  let sum: f64 = 0
  for (let k = period - 1; k >= first; k--) {
    const isSecond = ((period - 1 - k) & 1) !== 0
    if (isSecond) sum += block[k] + block[k + 1]
    suffixes[k] = isSecond ? sum : sum + block[k]
  }
}

/** Moving sums over so few candles that adding them up anew, two windows at a time, costs less than blocks. */
function shortSum(x: Column, out: Column, from: i32, to: i32, period: i32): void {
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    let sum = x.pair(i)
    for (let k = 1; k < period; k++) sum = f64x2.add(sum, x.pair(i - k))
    out.setPair(i, sum)
  }
  out[to] = after
}

/**
 * Moving means: the moving sums of `x` over `period` candles, divided by `period`. Demands what they demand.
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
  movingSum(x, start, out, from, to, period, suffixes)
  const share = 1 / <f64>period
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, f64x2.mul(out.pair(i), f64x2.splat(share)))
  out[to] = after
}

/**
 * Moving means with the weights 1 … period, the newest value weighing most. Blocks as for the moving sums: a
 * window's suffix is weighted by summing the suffix sums, its prefix by taking the summed prefix sums from
 * period times the prefix sum.
 *
 * Writes `out[i] = Σ (period − k)·x[i − k] / (1 + … + period)` for i in [from, to); `from ≥ start + period − 1`.
 * `suffixes` holds at least period + 1 values; x and out must not overlap.
 */
export function movingWeightedMean(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
): void {
  const size = <f64>period
  const share = 2 / (size * (size + 1))
  let block = from - ((from - start) % period)
  let oldest = from - period + 1
  let i = from
  while (i < to) {
    let sum: f64 = 0
    let weighted: f64 = 0
    suffixes[period] = 0
    for (let j = block - 1; j >= oldest; j--) {
      sum += x[j] * share
      weighted += sum
      suffixes[j - block + period] = weighted
    }
    let prefix: f64 = 0
    let missing: f64 = 0
    for (let j = block; j < i; j++) {
      missing += prefix
      prefix += x[j] * share
    }
    for (const end = min(block + period, to); i < end; i++) {
      missing += prefix
      prefix += x[i] * share
      out[i] = suffixes[i - block + 1] + (size * prefix - missing)
    }
    oldest = block + 1
    block += period
  }
}
