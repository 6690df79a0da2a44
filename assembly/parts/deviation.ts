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
  const share = 1 / <f64>period
  let block = from - ((from - start) % period)
  let oldest = from - period + 1
  let i = from
  while (i < to) {
    const centre = x[block]
    const unit = unitOf(centre)
    const scale = 1 / unit
    let sum: f64 = 0
    let squares: f64 = 0
    suffixes[2 * period] = 0
    suffixes[2 * period + 1] = 0
    for (let j = block - 1; j >= oldest; j--) {
      const distance = (x[j] - centre) * scale
      sum += distance
      squares += distance * distance
      const k = 2 * (j - block + period)
      suffixes[k] = sum
      suffixes[k + 1] = squares
    }
    sum = 0
    squares = 0
    for (let j = block; j < i; j++) {
      const distance = (x[j] - centre) * scale
      sum += distance
      squares += distance * distance
    }
    for (const end = min(block + period, to); i < end; i++) {
      const distance = (x[i] - centre) * scale
      sum += distance
      squares += distance * distance
      const k = 2 * (i - block + 1)
      const shift = (suffixes[k] + sum) * share
      const variance = (suffixes[k + 1] + squares) * share - shift * shift
      mean[i] = centre + shift * unit
      spread[i] = variance < 0 ? 0 : sqrt(variance) * unit
    }
    oldest = block + 1
    block += period
  }
}

/** The size in which distances from `centre` are measured, so that their squares neither overflow nor vanish. */
export function unitOf(centre: f64): f64 {
  const size = Math.abs(centre)
  return size > 1e-300 ? size : 1
}
