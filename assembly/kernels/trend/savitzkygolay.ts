import { Column, Frame } from '../../frame'
import { weightedMean } from '../../parts/weighted-window'

/**
 * Savitzky-Golay Filter: the polynomial of degree `polyOrder` that fits the values of the window best (least squares), in
 * the middle of the window.
 * An even period counts as the odd number below it; the newest candles are the window, so the line lags by half of it.
 * Every degree is fitted (QuanTAlib rounds its table of small windows).
 * Source: Savitzky and Golay, Analytical Chemistry 36 (1964); QuanTAlib sgf.
 */
export function savitzkygolay(frame: Frame, from: i32, to: i32): void {
  const half = (frame.integer(0) - 1) >> 1
  const count = 2 * half + 1
  const weights = frame.state
  if (from === 0) fitWeights(weights, half, frame.integer(1))
  weightedMean(frame.input(0), 0, frame.output(0), from, to, weights, count)
}

/**
 * Adds up the polynomials that are orthogonal over the window (Gram's), each weighted by its value in the middle. They
 * follow from each other: p(d + 1) = t·p(d) − share·p(d − 1) at the place t, with the share of their squares.
 */
function fitWeights(weights: Column, half: i32, degree: i32): void {
  const count = 2 * half + 1
  const scale = 1 / <f64>half
  for (let k = 0; k < count; k++) weights[k] = 0
  for (let d = 0; d <= degree; d++) {
    // Odd polynomials are 0 in the middle.
    if ((d & 1) === 1) continue
    const square = squareOf(half, d)
    const middle = gram(0, d, half)
    for (let k = 0; k < count; k++) weights[k] += (middle / square) * gram(<f64>(k - half) * scale, d, half)
  }
}

/** Gram's polynomial of a degree at the place t, from −1 to 1 over the window. */
function gram(t: f64, degree: i32, half: i32): f64 {
  let value: f64 = 1
  let before: f64 = 0
  for (let d = 0; d < degree; d++) {
    const next = t * value - shareOf(half, d) * before
    before = value
    value = next
  }
  return value
}

/** By how much the polynomial of degree d exceeds the one before in its squares: d²·(n² − d²) / (4·(4d² − 1)), scaled. */
function shareOf(half: i32, d: i32): f64 {
  if (d === 0) return 0
  const n = <f64>(2 * half + 1)
  const square = <f64>(d * d)
  return (square * (n * n - square)) / (4 * (4 * square - 1)) / (<f64>half * <f64>half)
}

/** The sum of the squares of Gram's polynomial over the window. */
function squareOf(half: i32, degree: i32): f64 {
  let square = <f64>(2 * half + 1)
  for (let d = 1; d <= degree; d++) square *= shareOf(half, d)
  return square
}
