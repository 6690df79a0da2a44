/**
 * Whether `a` is above `b` by more than rounding: by more than 1e-12 of the larger of the two. A mean of equal prices may
 * differ from them by some 1e-14, and on a market of whole ticks a close often equals a mean exactly.
 */
export function isAbove(a: f64, b: f64): bool {
  return a - b > 1e-12 * max(abs(a), abs(b))
}
