import { Column } from '../../frame'
import { rounding } from '../numbers/tie'
import { unitOf } from './short-deviation'

/**
 * Second, third and fourth central moments of the last `period` values: the means of the squares, cubes and fourth
 * powers of their distances from their mean, all in one unit that differs from window to window. By blocks as the moving
 * deviation: distances are measured from a value inside the window, and a window that is flat
 * but for rounding has a second moment of exactly 0.
 *
 * Writes the three columns for i in [from, to); `from ≥ period − 1`. Each column of suffixes holds at least 2·period + 2
 * values; no columns may overlap.
 */
export function moments(
  x: Column,
  second: Column,
  third: Column,
  fourth: Column,
  from: i32,
  to: i32,
  period: i32,
  lowSuffixes: Column,
  highSuffixes: Column,
): void {
  const share = 1 / <f64>period
  let block = from - (from % period)
  let oldest = from - period + 1
  let i = from
  while (i < to) {
    const centre = x[block]
    const scale = 1 / unitOf(centre)
    const least = rounding * centre * scale
    // One vector holds the sums of the distances and of their squares, another one those of the cubes and above.
    let low = f64x2.splat(0)
    let high = f64x2.splat(0)
    lowSuffixes.setPair(2 * period, low)
    highSuffixes.setPair(2 * period, high)
    for (let j = block - 1; j >= oldest; j--) {
      const distance = (x[j] - centre) * scale
      const powers = withSquare(distance)
      low = f64x2.add(low, powers)
      high = f64x2.add(high, f64x2.mul(powers, f64x2.splat(distance * distance)))
      lowSuffixes.setPair(2 * (j - block + period), low)
      highSuffixes.setPair(2 * (j - block + period), high)
    }
    low = f64x2.splat(0)
    high = f64x2.splat(0)
    for (let j = block; j < min(block + period, to); j++) {
      const distance = (x[j] - centre) * scale
      const powers = withSquare(distance)
      low = f64x2.add(low, powers)
      high = f64x2.add(high, f64x2.mul(powers, f64x2.splat(distance * distance)))
      if (j < i) continue
      const k = 2 * (j - block + 1)
      const lowMeans = f64x2.mul(f64x2.add(low, lowSuffixes.pair(k)), f64x2.splat(share))
      const highMeans = f64x2.mul(f64x2.add(high, highSuffixes.pair(k)), f64x2.splat(share))
      const mean = f64x2.extract_lane(lowMeans, 0)
      const squares = f64x2.extract_lane(lowMeans, 1)
      const cubes = f64x2.extract_lane(highMeans, 0)
      const square = mean * mean
      const variance = squares - square
      second[j] = variance <= least * least ? 0 : variance
      third[j] = cubes - mean * (3 * squares - 2 * square)
      fourth[j] = f64x2.extract_lane(highMeans, 1) - mean * (4 * cubes - mean * (6 * squares - 3 * square))
    }
    i = min(block + period, to)
    oldest = block + 1
    block += period
  }
}

/** A distance and its square as one vector. */
function withSquare(distance: f64): v128 {
  return f64x2.mul(f64x2.splat(distance), f64x2.replace_lane(f64x2.splat(1), 1, distance))
}
