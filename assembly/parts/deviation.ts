import { Column } from '../frame'

/**
 * Moving mean and population standard deviation by blocks, as the moving sums. Sums are taken of the values less
 * the first value of the newest block the window touches, in units of it: that value lies inside the window, so
 * nothing cancels that the window itself does not cancel, and a flat window gives exactly 0.
 *
 * Writes `mean[i]` and `spread[i]` over x[i − period + 1 … i] for i in [from, to); `from ≥ start + period − 1`.
 * `behind` and `ahead` hold at least 2·period + 2 values each; x and the outputs must not overlap.
 */
export function deviation(
  x: Column,
  start: i32,
  mean: Column,
  spread: Column,
  from: i32,
  to: i32,
  period: i32,
  behind: Column,
  ahead: Column,
): void {
  if (from >= to) return
  const share = 1 / <f64>period
  let block = from - ((from - start) % period)
  let centre = x[block]
  let unit = unitOf(centre)
  suffixes(x, behind, block, from - period + 1, period, centre, 1 / unit)
  let i = from
  while (i < to) {
    const end = block + period
    const stop = min(end, to)
    const scale = 1 / unit
    behind[2 * period] = 0
    behind[2 * period + 1] = 0
    let sum: f64 = 0
    let squares: f64 = 0
    for (let j = block; j < i; j++) {
      const distance = (x[j] - centre) * scale
      sum += distance
      squares += distance * distance
    }
    for (; i < stop; i++) {
      const distance = (x[i] - centre) * scale
      sum += distance
      squares += distance * distance
      const k = 2 * (i - block + 1)
      const shift = (behind[k] + sum) * share
      const variance = (behind[k + 1] + squares) * share - shift * shift
      mean[i] = centre + shift * unit
      spread[i] = variance < 0 ? 0 : sqrt(variance) * unit
    }
    if (end < to) {
      centre = x[end]
      unit = unitOf(centre)
      suffixes(x, ahead, end, block + 1, period, centre, 1 / unit)
    }
    block = end
    const swap = behind
    behind = ahead
    ahead = swap
  }
}

/** Sums of distances and of their squares from each candle in [first, block) up to the end of that block. */
function suffixes(
  x: Column,
  out: Column,
  block: i32,
  first: i32,
  period: i32,
  centre: f64,
  scale: f64,
): void {
  let sum: f64 = 0
  let squares: f64 = 0
  for (let j = block - 1; j >= first; j--) {
    const distance = (x[j] - centre) * scale
    sum += distance
    squares += distance * distance
    const k = 2 * (j - block + period)
    out[k] = sum
    out[k + 1] = squares
  }
}

/** The size in which distances from `centre` are measured, so that their squares neither overflow nor vanish. */
function unitOf(centre: f64): f64 {
  const size = centre < 0 ? -centre : centre
  return size > 1e-300 ? size : 1
}
