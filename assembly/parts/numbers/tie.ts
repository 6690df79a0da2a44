/**
 * Largest difference that counts as rounding, as a share of the compared values. On a market of whole ticks, prices,
 * their sums and their means are often equal; rounding makes them differ by some 1e-16 to 1e-14 of themselves. A tick
 * is never so small a share of a price.
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

// The rule for a window in which nothing moved: `distance` is the distance between its values, or of one of them from
// their mean, and `value` is any of them, because a value far from the others is at most as large as the distance.
// Neither condition holds for NaN, so NaN is kept.

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

// Lengths are differences of prices: bodies, shadows, ranges, and sums or shares of these. Rounding changes them by a share
// of the prices: one tick by a hundred-millionth of itself if a price has 40 million ticks.

/** Lengths are equal if they differ by at most this share of the second one. */
const roundingOfLengths: f64 = 1e-8

/** Whether the length `a` exceeds the length `b` by more than rounding. */
export function isLonger(a: f64, b: f64): bool {
  return a - b > roundingOfLengths * abs(b)
}

/** Whether the length `a` falls short of the length `b` by more than rounding. */
export function isShorter(a: f64, b: f64): bool {
  return b - a > roundingOfLengths * abs(b)
}

/** Whether the lengths `a` exceed the lengths `b`, which are not negative, by more than rounding, in both lanes. */
export function areLonger(a: v128, b: v128): v128 {
  return f64x2.gt(a, f64x2.mul(b, f64x2.splat(1 + roundingOfLengths)))
}

/** Whether the lengths `a` fall short of the lengths `b`, which are not negative, by more than rounding, in both lanes. */
export function areShorter(a: v128, b: v128): v128 {
  return f64x2.lt(a, f64x2.mul(b, f64x2.splat(1 - roundingOfLengths)))
}
