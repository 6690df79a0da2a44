import { Column } from '../../frame'
import { isMove } from './tie'

// Least squares by elimination. The variables of a regression, the explained one last, have the sums of the products of
// their distances from their means in a symmetric matrix, of which the rows up to the diagonal are stored one after
// another. Once a variable is eliminated, the remaining sums are those of the parts that it does not explain.

/** Index of row `row` and column `column`, `column ≤ row`. */
export function cell(row: i32, column: i32): i32 {
  return ((row * (row + 1)) >> 1) + column
}

/**
 * Eliminates variable `p` from the variables behind it. Returns the reduction of the unexplained square of the last
 * one; NaN if nothing of the variable is left. `scale` is its original square.
 */
export function eliminate(matrix: Column, size: i32, p: i32, scale: f64): f64 {
  const pivot = matrix[cell(p, p)]
  // The remainder is rounding: the other variables explain all of this one.
  if (!isMove(pivot, scale)) return NaN
  let explained: f64 = 0
  for (let row = p + 1; row < size; row++) {
    const share = matrix[cell(row, p)] / pivot
    explained = share * matrix[cell(row, p)]
    for (let column = p + 1; column <= row; column++) {
      matrix[cell(row, column)] -= share * matrix[cell(column, p)]
    }
  }
  return explained
}

/** Σ (a[i − k] − aCentre)·(b[j − k] − bCentre) over `count` candles back from i and from j. */
export function sumOfProducts(
  a: Column,
  i: i32,
  aCentre: f64,
  b: Column,
  j: i32,
  bCentre: f64,
  count: i32,
): f64 {
  const aCentres = f64x2.splat(aCentre)
  const bCentres = f64x2.splat(bCentre)
  let one = f64x2.splat(0)
  let two = one
  let k: i32 = 1
  for (; k + 2 < count; k += 4) {
    const near = f64x2.mul(f64x2.sub(a.pair(i - k), aCentres), f64x2.sub(b.pair(j - k), bCentres))
    const far = f64x2.mul(f64x2.sub(a.pair(i - k - 2), aCentres), f64x2.sub(b.pair(j - k - 2), bCentres))
    one = f64x2.add(one, near)
    two = f64x2.add(two, far)
  }
  const both = f64x2.add(one, two)
  let sum = f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1)
  for (k--; k < count; k++) sum += (a[i - k] - aCentre) * (b[j - k] - bCentre)
  return sum
}
