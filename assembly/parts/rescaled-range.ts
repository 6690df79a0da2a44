import { Column } from '../frame'

/**
 * Writes the rescaled ranges of the chunks of `length` returns that `count` chunks one after another need, the last of
 * which ends at a candle in [from, to).
 */
export function rescaledRanges(
  returns: Column,
  out: Column,
  from: i32,
  to: i32,
  length: i32,
  count: i32,
): void {
  let done = from - length * count
  for (let m = count - 1; m >= 0; m--) {
    const end = to - m * length
    for (let j = max(from - m * length, done); j < end; j++) {
      out[j] = rescaledRange(returns.from(j - length + 1), length)
    }
    done = end
  }
}

/**
 * How far the running sum of the distances of returns from their mean ranges, in standard deviations of the returns; NaN
 * where they are all equal.
 */
function rescaledRange(returns: Column, length: i32): f64 {
  const oldest = returns[0]
  let sum: f64 = 0
  let differ: i32 = 0
  for (let k = 0; k < length; k++) {
    sum += returns[k]
    differ |= i32(returns[k] !== oldest)
  }
  if (differ === 0) return NaN
  const mean = sum / <f64>length
  let running: f64 = 0
  let squares: f64 = 0
  let highest: f64 = -Infinity
  let lowest: f64 = Infinity
  for (let k = 0; k < length; k++) {
    const distance = returns[k] - mean
    running += distance
    squares += distance * distance
    highest = Math.max(highest, running)
    lowest = Math.min(lowest, running)
  }
  return (highest - lowest) / sqrt(squares / <f64>length)
}

/** The longest chunk for which the quotient of gamma functions is calculated. */
const longestExact: i32 = 340

/** The rescaled range of `length` independent returns that Anis and Lloyd expect. */
export function expectedRange(length: i32): f64 {
  const n = <f64>length
  // Γ((k − 1)/2) / Γ(k/2) for k = 2, and each one from the one before.
  let quotient = sqrt(Math.PI)
  for (let k = 2; k < length; k++) quotient = 2 / (<f64>(k - 1) * quotient)
  const factor = length > longestExact ? sqrt(2 / (Math.PI * (n - 1))) : quotient / sqrt(Math.PI)
  let sum: f64 = 0
  for (let k = 1; k < length; k++) sum += sqrt((n - <f64>k) / <f64>k)
  return factor * sum
}
