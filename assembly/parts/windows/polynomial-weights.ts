import { Column } from '../../frame'

/**
 * Writes the weights of `count` values, the newest first, whose sum is the value at `place` of the polynomial of a degree
 * that fits the values best (least squares): −1 is the oldest value, 0 the middle, 1 the newest; `degree < count`.
 *
 * It is the sum of the polynomials that are orthogonal over the window (Gram's), each weighted by its value there. They
 * follow from each other: p(d + 1) = t·p(d) − share·p(d − 1) at the place t, with the share of their squares.
 */
export function fitWeights(weights: Column, count: i32, degree: i32, place: f64): void {
  const half = <f64>(count - 1) / 2
  for (let k = 0; k < count; k++) weights[k] = 0
  for (let d = 0; d <= degree; d++) {
    const there = gram(place, d, half) / squareOf(half, d)
    // Odd polynomials are 0 in the middle.
    if (there === 0) continue
    for (let k = 0; k < count; k++) weights[k] += there * gram(1 - <f64>k / half, d, half)
  }
}

/** Gram's polynomial of a degree at position t, from −1 to 1 over the window. */
function gram(t: f64, degree: i32, half: f64): f64 {
  let value: f64 = 1
  let before: f64 = 0
  for (let d = 0; d < degree; d++) {
    const next = t * value - shareOf(half, d) * before
    before = value
    value = next
  }
  return value
}

/** Ratio of the squares of the polynomials of degree d and d − 1: d²·(n² − d²) / (4·(4d² − 1)), scaled. */
function shareOf(half: f64, d: i32): f64 {
  if (d === 0) return 0
  const n = 2 * half + 1
  const square = <f64>(d * d)
  return (square * (n * n - square)) / (4 * (4 * square - 1)) / (half * half)
}

/** The sum of the squares of Gram's polynomial over the window. */
function squareOf(half: f64, degree: i32): f64 {
  let square = 2 * half + 1
  for (let d = 1; d <= degree; d++) square *= shareOf(half, d)
  return square
}
