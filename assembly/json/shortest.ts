import { lastExactPower, multiplyHigh, powerHigh, powerLow } from './powers'

const hidden: u64 = 1 << 52

/** Digits of the number found last: `value = shortestDigits × 10^shortestExponent`, zeros at the end included. */
export let shortestDigits: u64 = 0
export let shortestExponent: i32 = 0

/**
 * The shortest decimal that reads back as a positive double, the nearest one where several are as short. The bits are
 * those of neither NaN, Infinity nor zero.
 * Schubfach (Giulietti, "The Schubfach way to render doubles", 2020); its three products differ by shifts of the power.
 */
export function findShortest(bits: u64): void {
  const fraction = bits & (hidden - 1)
  const biased = <i32>(bits >> 52)
  let mantissa = fraction
  let binary = -1074
  if (biased !== 0) {
    mantissa |= hidden
    binary = biased - 1075
    if (binary <= 0 && binary > -53 && ctz<u64>(mantissa) >= <u64>-binary) {
      shortestDigits = mantissa >> <u64>-binary
      shortestExponent = 0
      return
    }
  }
  // Below a power of two doubles lie twice as dense.
  const isUneven = fraction === 0 && biased > 1
  const exponent = (binary * 1_262_611 - (isUneven ? 524_031 : 0)) >> 22
  const shift = <u64>(binary + ((-exponent * 1_741_647) >> 19) + 1)

  let powerTop = powerHigh(-exponent)
  let powerEnd = powerLow(-exponent)
  if (-exponent > lastExactPower) {
    // Here powers are rounded up.
    powerEnd++
    if (powerEnd === 0) powerTop++
  }
  const scaled = (mantissa << 2) << shift
  const end = powerEnd * scaled
  const upper = multiplyHigh(powerEnd, scaled)
  const middle = powerTop * scaled + upper
  const top = multiplyHigh(powerTop, scaled) + <u64>(middle < upper)

  // The bounds lie half a unit in the last place above and below; below a power of two a quarter.
  const rise = shift + 1
  const riseFactor: u64 = 1 << rise
  const riseEnd = powerEnd * riseFactor
  const riseMiddle = powerTop * riseFactor + (powerEnd >> (64 - rise))
  const partial = middle + riseMiddle
  const rightMiddle = partial + <u64>(end + riseEnd < end)
  const rightTop = top + (powerTop >> (64 - rise)) + <u64>(partial < middle) + <u64>(rightMiddle < partial)

  const fall = isUneven ? shift : rise
  const fallFactor: u64 = 1 << fall
  const fallEnd = powerEnd * fallFactor
  const fallMiddle = powerTop * fallFactor + (powerEnd >> (64 - fall))
  const borrow = <u64>(end < fallEnd)
  const difference = middle - fallMiddle
  const leftMiddle = difference - borrow
  const leftTop = top - (powerTop >> (64 - fall)) - <u64>(middle < fallMiddle) - <u64>(difference < borrow)

  // Bounds belong to the interval of an even mantissa, because readers round ties to even.
  const isOdd = mantissa & 1
  const value = roundedToOdd(top, middle)
  const lowest = roundedToOdd(leftTop, leftMiddle) + isOdd
  const highest = roundedToOdd(rightTop, rightMiddle) - isOdd

  choose(value, lowest, highest, exponent)
}

/** Takes the shortest digits between two bounds, all three in quarters of 10^exponent, the nearest to `value`. */
function choose(value: u64, lowest: u64, highest: u64, exponent: i32): void {
  const whole = value >> 2
  if (whole >= 10) {
    const tens = whole / 10
    const isBelowInside = lowest <= 40 * tens
    const isAboveInside = 40 * tens + 40 <= highest
    if (isBelowInside !== isAboveInside) {
      shortestDigits = tens + <u64>isAboveInside
      shortestExponent = exponent + 1
      return
    }
  }
  shortestExponent = exponent
  const isBelowInside = lowest <= 4 * whole
  const isAboveInside = 4 * whole + 4 <= highest
  if (isBelowInside !== isAboveInside) {
    shortestDigits = whole + <u64>isAboveInside
    return
  }
  const center = 4 * whole + 2
  shortestDigits = whole + <u64>(value > center || (value === center && (whole & 1) !== 0))
}

/** The integer part of a product. Its last bit is set if the fraction is more than an error of the power. */
function roundedToOdd(top: u64, middle: u64): u64 {
  return top | <u64>(middle > 1)
}
