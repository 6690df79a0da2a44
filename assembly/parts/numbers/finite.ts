/** The value itself, or NaN where it is infinite. */
export function finite(value: f64): f64 {
  return Math.abs(value) === Infinity ? NaN : value
}
