/**
 * What counts as rounding, as a share of the values that are compared: on a market of whole ticks prices, their sums and their
 * means are often equal, and rounded they differ by some 1e-16 to 1e-14 of themselves. A tick is never so small a share of a price.
 */
export const rounding: f64 = 1e-12

/** Whether `a` is above `b` by more than rounding. */
export function isAbove(a: f64, b: f64): bool {
  return a - b > rounding * max(abs(a), abs(b))
}

/** Whether the numbers `a` differ from the numbers `b` by no more than rounding, in both lanes. */
export function areEqual(a: v128, b: v128): v128 {
  return areRounding(f64x2.abs(f64x2.sub(a, b)), b)
}

// The rule for a window in which nothing moved: `distance` is how far its values lie apart, or one of them from their mean, and
// `value` any of them, because a value that is far from the others is at most as large as the distance. Neither of the two
// holds for what is not a number, so that it stays what it is.

/** Whether a distance is no more than rounding of a value. */
export function isRounding(distance: f64, value: f64): bool {
  return distance <= rounding * abs(value)
}

/** The same in both lanes. */
export function areRounding(distance: v128, value: v128): v128 {
  return f64x2.le(distance, f64x2.mul(f64x2.abs(value), f64x2.splat(rounding)))
}

/** Whether a distance is more than rounding of a value. */
export function isMove(distance: f64, value: f64): bool {
  return distance > rounding * abs(value)
}

/** The same in both lanes. */
export function areMoves(distance: v128, value: v128): v128 {
  return f64x2.gt(distance, f64x2.mul(f64x2.abs(value), f64x2.splat(rounding)))
}
