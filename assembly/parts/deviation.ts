import { Column } from '../frame'

/**
 * Moving mean and population standard deviation by blocks, as the moving sums. Sums are taken of the values less
 * the first value of the newest block the window touches, in units of it: that value lies inside the window, so
 * nothing cancels that the window itself does not cancel, and a flat window gives exactly 0.
 *
 * Writes `mean[i]` and `spread[i]` over x[i − period + 1 … i] for i in [from, to); `from ≥ start + period − 1`.
 * `suffixes` holds at least 2·period + 2 values; x and the outputs must not overlap.
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
  spreads(x, start, mean, spread, from, to, period, suffixes, true)
}

/** The same with the variance, the square of the deviation, in the place of the deviation. */
export function variance(
  x: Column,
  start: i32,
  mean: Column,
  square: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
): void {
  spreads(x, start, mean, square, from, to, period, suffixes, false)
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
  isRoot: bool,
): void {
  const share = f64x2.splat(1 / <f64>period)
  const none = f64x2.splat(0)
  const afterMean = mean[to]
  const afterSpread = spread[to]
  let block = from - ((from - start) % period)
  let oldest = from - period + 1
  let i = from
  while (i < to) {
    const centre = x[block]
    const unit = unitOf(centre)
    const scale = 1 / unit
    // One vector holds the sum of the distances and the sum of their squares.
    let sums = none
    suffixes.setPair(2 * period, sums)
    for (let j = block - 1; j >= oldest; j--) {
      sums = f64x2.add(sums, moments((x[j] - centre) * scale))
      suffixes.setPair(2 * (j - block + period), sums)
    }
    sums = none
    for (let j = block; j < i; j++) sums = f64x2.add(sums, moments((x[j] - centre) * scale))
    const end = min(block + period, to)
    const centres = f64x2.splat(centre)
    const units = f64x2.splat(unit)
    for (; i < end; i += 2) {
      const k = 2 * (i - block + 1)
      sums = f64x2.add(sums, moments((x[i] - centre) * scale))
      const one = f64x2.mul(f64x2.add(suffixes.pair(k), sums), share)
      let other = one
      if (i + 1 < end) {
        sums = f64x2.add(sums, moments((x[i + 1] - centre) * scale))
        other = f64x2.mul(f64x2.add(suffixes.pair(k + 2), sums), share)
      }
      const shift = v128.shuffle<f64>(one, other, 0, 2)
      const squares = v128.shuffle<f64>(one, other, 1, 3)
      const variance = f64x2.pmax(none, f64x2.sub(squares, f64x2.mul(shift, shift)))
      mean.setPair(i, f64x2.add(centres, f64x2.mul(shift, units)))
      const size = isRoot ? f64x2.sqrt(variance) : f64x2.mul(variance, units)
      spread.setPair(i, f64x2.mul(size, units))
    }
    i = end
    oldest = block + 1
    block += period
  }
  mean[to] = afterMean
  spread[to] = afterSpread
}

/** A distance and its square as one vector. */
function moments(distance: f64): v128 {
  return f64x2.mul(f64x2.splat(distance), f64x2.replace_lane(f64x2.splat(1), 1, distance))
}

/** The size in which distances from `centre` are measured, so that their squares neither overflow nor vanish. */
export function unitOf(centre: f64): f64 {
  const size = Math.abs(centre)
  return size > 1e-300 ? size : 1
}
