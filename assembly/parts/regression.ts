import { Column } from '../frame'

// Lines of least squares through the last `period` values, by blocks as the weighted means. A line follows from two
// sums over the window, Σ y and Σ k·y with the weights 1 … period, the newest value weighing most:
//
//   slope = 12 / (n³ − n) · (Σ k·y − (n + 1)/2 · Σ y)        mean = Σ y / n, reached in the middle of the window
//
// The values are taken less the first value of the newest block the window touches, so that nothing cancels that the
// window itself does not cancel, and a flat window has a slope of exactly 0.

/**
 * Writes where the line through x[i − period + 1 … i] is `ahead` candles after candle i, for i in [from, to);
 * `from ≥ start + period − 1`, `period ≥ 2`. `suffixes` holds at least 2·period + 2 values, twice as
 * many where to − from ≥ 2·period; x and out must not overlap.
 */
export function movingLine(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  ahead: f64,
  suffixes: Column,
): void {
  regress(x, start, out, from, to, period, 1, 0.5 * <f64>(period - 1) + ahead, suffixes)
}

/** Writes by how much the line through x[i − period + 1 … i] rises from candle to candle. Demands what the line demands. */
export function movingSlope(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
): void {
  regress(x, start, out, from, to, period, 0, 1, suffixes)
}

/** Writes `level`·mean + `distance`·slope. */
function regress(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  level: f64,
  distance: f64,
  suffixes: Column,
): void {
  const size = <f64>period
  const share = level / size
  const steepness = (12 * distance) / (size * (size * size - 1))
  const middle = 0.5 * (size + 1)
  let block = from - ((from - start) % period)
  let oldest = from - period + 1
  let i = from
  let behind = suffixes
  // Over so many candles the working space holds the suffixes of two blocks.
  const hasRoom = to - from >= 2 * period
  let ahead = hasRoom ? suffixes.from(2 * period + 2) : suffixes
  let isSummed = false
  while (i < to) {
    const centre = x[block]
    const base = centre * level
    const end = block + period
    if (!isSummed) sumSuffixes(x, block, oldest, period, behind)
    isSummed = hasRoom && i === block && end < to
    if (isSummed) {
      regressBlock(x.from(block), out.from(block), period, base, share, steepness, behind, ahead)
      i = end
      const swap = behind
      behind = ahead
      ahead = swap
    } else {
      let prefix: f64 = 0
      let missing: f64 = 0
      for (let j = block; j < i; j++) {
        missing += prefix
        prefix += x[j] - centre
      }
      for (const stop = min(end, to); i < stop; i++) {
        missing += prefix
        prefix += x[i] - centre
        const k = 2 * (i - block + 1)
        const total = behind[k] + prefix
        const tilt = behind[k + 1] + (size * prefix - missing) - middle * total
        out[i] = base + (total * share + tilt * steepness)
      }
    }
    oldest = block + 1
    block = end
  }
}

/** Writes the sums and the weighted sums from each candle in [oldest, block) to the end of its block. */
function sumSuffixes(x: Column, block: i32, oldest: i32, period: i32, suffixes: Column): void {
  const centre = x[block]
  let sum: f64 = 0
  let weighted: f64 = 0
  suffixes[2 * period] = 0
  suffixes[2 * period + 1] = 0
  for (let j = block - 1; j >= oldest; j--) {
    sum += x[j] - centre
    weighted += sum
    const k = 2 * (j - block + period)
    suffixes[k] = sum
    suffixes[k + 1] = weighted
  }
}

/**
 * Writes the values of a whole block to `out`, and to `ahead` the suffixes of it that the next block needs. Both are
 * summed in one loop: chains of additions that do not wait for each other.
 */
function regressBlock(
  block: Column,
  out: Column,
  period: i32,
  base: f64,
  share: f64,
  steepness: f64,
  behind: Column,
  ahead: Column,
): void {
  const size = <f64>period
  const middle = 0.5 * (size + 1)
  const centre = block[0]
  const nextCentre = block[period]
  let prefix: f64 = 0
  let missing: f64 = 0
  let sum: f64 = 0
  let weighted: f64 = 0
  ahead[2 * period] = 0
  ahead[2 * period + 1] = 0
  for (let j = 1; j <= period; j++) {
    missing += prefix
    prefix += block[j - 1] - centre
    const total = behind[2 * j] + prefix
    const tilt = behind[2 * j + 1] + (size * prefix - missing) - middle * total
    out[j - 1] = base + (total * share + tilt * steepness)
    sum += block[period - j] - nextCentre
    weighted += sum
    ahead[2 * (period - j)] = sum
    ahead[2 * (period - j) + 1] = weighted
  }
}
