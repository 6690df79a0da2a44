import { Column } from '../../frame'

// Extremes are taken by blocks of `period` candles counted from `start`, as the moving sums are: a window is the
// suffix of one block and the prefix of the next (van Herk 1992), three comparisons a candle whatever the period.
// Where highs and lows are wanted together a vector carries both: lane 0 the high, lane 1 the negated low, so
// that one maximum serves the two.

/** Writes `out[i] = max x[i − period + 1 … i]` for i in [from, to); `from ≥ start + period − 1`.
 * `suffixes` holds at least period + 1 values; x and out must not overlap. */
export function movingMax(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
): void {
  let block = from - ((from - start) % period)
  let oldest = from - period + 1
  let i = from
  while (i < to) {
    let best = f64x2.splat(-Infinity)
    suffixes[period] = -Infinity
    for (let j = block - 1; j >= oldest; j--) {
      best = f64x2.pmax(best, f64x2.splat(x[j]))
      suffixes[j - block + period] = f64x2.extract_lane(best, 0)
    }
    best = f64x2.splat(-Infinity)
    for (let j = block; j < i; j++) best = f64x2.pmax(best, f64x2.splat(x[j]))
    for (const end = min(block + period, to); i < end; i++) {
      best = f64x2.pmax(best, f64x2.splat(x[i]))
      out[i] = f64x2.extract_lane(f64x2.pmax(best, f64x2.splat(suffixes[i - block + 1])), 0)
    }
    oldest = block + 1
    block += period
  }
}

/** Writes `out[i] = min x[i − period + 1 … i]` for i in [from, to); `from ≥ start + period − 1`.
 * `suffixes` holds at least period + 1 values; x and out must not overlap. */
export function movingMin(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
): void {
  let block = from - ((from - start) % period)
  let oldest = from - period + 1
  let i = from
  while (i < to) {
    let best = f64x2.splat(Infinity)
    suffixes[period] = Infinity
    for (let j = block - 1; j >= oldest; j--) {
      best = f64x2.pmin(best, f64x2.splat(x[j]))
      suffixes[j - block + period] = f64x2.extract_lane(best, 0)
    }
    best = f64x2.splat(Infinity)
    for (let j = block; j < i; j++) best = f64x2.pmin(best, f64x2.splat(x[j]))
    for (const end = min(block + period, to); i < end; i++) {
      best = f64x2.pmin(best, f64x2.splat(x[i]))
      out[i] = f64x2.extract_lane(f64x2.pmin(best, f64x2.splat(suffixes[i - block + 1])), 0)
    }
    oldest = block + 1
    block += period
  }
}

function upAndDown(high: Column, low: Column, i: i32): v128 {
  return f64x2.replace_lane(f64x2.splat(high[i]), 1, -low[i])
}

/** Moving ranges over so few candles that looking at all of them, two windows at a time, costs less than blocks. */
function shortRange(
  high: Column,
  low: Column,
  highest: Column,
  lowest: Column,
  from: i32,
  to: i32,
  period: i32,
): void {
  const afterHighest = highest[to]
  const afterLowest = lowest[to]
  for (let i = from; i < to; i += 2) {
    let top = high.pair(i)
    let bottom = low.pair(i)
    for (let k = 1; k < period; k++) {
      top = f64x2.pmax(top, high.pair(i - k))
      bottom = f64x2.pmin(bottom, low.pair(i - k))
    }
    highest.setPair(i, top)
    lowest.setPair(i, bottom)
  }
  highest[to] = afterHighest
  lowest[to] = afterLowest
}

/**
 * Moving extremes by blocks, as `movingRange` demands: to `out` the middles between the highest and the lowest where
 * `isMiddle`, else the highest there and the lowest to `lowest`.
 */
function rangeByBlocks(
  high: Column,
  low: Column,
  start: i32,
  out: Column,
  lowest: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
  isMiddle: bool,
): void {
  let block = from - ((from - start) % period)
  let oldest = from - period + 1
  let i = from
  while (i < to) {
    let best = f64x2.splat(-Infinity)
    suffixes.setPair(2 * period, best)
    for (let j = block - 1; j >= oldest; j--) {
      best = f64x2.pmax(best, upAndDown(high, low, j))
      suffixes.setPair(2 * (j - block + period), best)
    }
    best = f64x2.splat(-Infinity)
    for (let j = block; j < i; j++) best = f64x2.pmax(best, upAndDown(high, low, j))
    for (const end = min(block + period, to); i < end; i++) {
      best = f64x2.pmax(best, upAndDown(high, low, i))
      const whole = f64x2.pmax(best, suffixes.pair(2 * (i - block + 1)))
      const top = f64x2.extract_lane(whole, 0)
      const depth = f64x2.extract_lane(whole, 1)
      if (isMiddle) {
        out[i] = (top - depth) * 0.5
      } else {
        out[i] = top
        lowest[i] = -depth
      }
    }
    oldest = block + 1
    block += period
  }
}

/** Writes the highest `high` and the lowest `low` of the candles i − period + 1 … i for i in [from, to);
 * `from ≥ start + period − 1`. `suffixes` holds at least 2·period + 2 values; inputs and outputs must not overlap. */
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
  if (period <= 6) shortRange(high, low, highest, lowest, from, to, period)
  else rangeByBlocks(high, low, start, highest, lowest, from, to, period, suffixes, false)
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
  rangeByBlocks(high, low, start, out, out, from, to, period, suffixes, true)
}

/** Writes the positions (candle indices) of the newest highest `high` and of the newest lowest `low` among the
 * candles i − period + 1 … i for i in [from, to); `from ≥ start + period − 1`. `behind` and `behindAt` hold at least
 * 2·period + 2 values each; inputs and outputs must not overlap. */
export function movingRangePositions(
  high: Column,
  low: Column,
  start: i32,
  highestAt: Column,
  lowestAt: Column,
  from: i32,
  to: i32,
  period: i32,
  behind: Column,
  behindAt: Column,
): void {
  let block = from - ((from - start) % period)
  let oldest = from - period + 1
  let i = from
  while (i < to) {
    // Backwards through the block before: on a tie the candle met first is the newer one and stays.
    let best = f64x2.splat(-Infinity)
    let at = f64x2.splat(<f64>block)
    behind.setPair(2 * period, best)
    behindAt.setPair(2 * period, at)
    for (let j = block - 1; j >= oldest; j--) {
      const now = upAndDown(high, low, j)
      at = v128.bitselect(f64x2.splat(<f64>j), at, f64x2.gt(now, best))
      best = f64x2.pmax(best, now)
      behind.setPair(2 * (j - block + period), best)
      behindAt.setPair(2 * (j - block + period), at)
    }
    best = f64x2.splat(-Infinity)
    at = f64x2.splat(<f64>block)
    for (let j = block; j < i; j++) {
      const now = upAndDown(high, low, j)
      at = v128.bitselect(f64x2.splat(<f64>j), at, f64x2.ge(now, best))
      best = f64x2.pmax(best, now)
    }
    for (const end = min(block + period, to); i < end; i++) {
      const now = upAndDown(high, low, i)
      at = v128.bitselect(f64x2.splat(<f64>i), at, f64x2.ge(now, best))
      best = f64x2.pmax(best, now)
      const k = 2 * (i - block + 1)
      const position = v128.bitselect(at, behindAt.pair(k), f64x2.ge(best, behind.pair(k)))
      highestAt[i] = f64x2.extract_lane(position, 0)
      lowestAt[i] = f64x2.extract_lane(position, 1)
    }
    oldest = block + 1
    block += period
  }
}
