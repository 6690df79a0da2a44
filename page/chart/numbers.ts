const maxDecimals = 10

/** Number of decimals with which a number is written: 4 of 0.6123, 8 of 1.5e-8. */
function decimalsOf(value: number): number {
  const [, fraction = '', exponent = '0'] = /^-?\d*(?:\.(\d*))?(?:e([+-]\d+))?$/.exec(String(value)) ?? []
  return Math.min(maxDecimals, Math.max(0, fraction.length - Number(exponent)))
}

/** Decimals of a market's prices, derived from the prices; at least two, unless no price has any. */
export function priceDecimals(prices: readonly number[]): number {
  let most = 0
  for (const price of prices) most = Math.max(most, decimalsOf(price))
  return most === 1 ? 2 : most
}

/** The decimals that values of an indicator deserve: enough for four digits of the largest one. */
export function valueDecimals(values: readonly number[]): number {
  let largest = 0
  for (const value of values) if (Number.isFinite(value)) largest = Math.max(largest, Math.abs(value))
  if (largest === 0) return 2
  return Math.min(maxDecimals, Math.max(largest >= 1e4 ? 0 : 2, 3 - Math.floor(Math.log10(largest))))
}

const units = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
] as const

/** A number of at most about six characters for large ones: `12.3M`. */
export function shortNumber(value: number): string {
  for (const [size, unit] of units)
    if (Math.abs(value) >= size) return `${Number((value / size).toPrecision(4))}${unit}`
  return String(Number(value.toPrecision(4)))
}

const separated = new Map<number, Intl.NumberFormat>()

/** A price with separators of thousands: `57,026.02`. */
export function formatPrice(value: number, decimals: number): string {
  let format = separated.get(decimals)
  if (!format) {
    format = new Intl.NumberFormat('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
    separated.set(decimals, format)
  }
  return format.format(value)
}

/** A number for a legend or an axis: with fixed decimals, large ones in short. */
export function formatValue(value: number, decimals: number): string {
  if (decimals === 0 && Math.abs(value) >= 1e5) return shortNumber(value)
  // A number whose digits all lie beyond the last decimal is written with an exponent.
  if (decimals === maxDecimals && Math.abs(value) < 1e-7) return value === 0 ? '0' : value.toExponential(2)
  return formatPrice(value, decimals)
}

/** A change in per cent with its sign: `+1.20 %`, `−0.35 %`. A change that rounds to zero has no sign: `0.00 %`. */
export function formatChange(percent: number, decimals = 2): string {
  const digits = Math.abs(percent).toFixed(decimals)
  const sign = Number(digits) === 0 ? '' : percent < 0 ? '−' : '+'
  return `${sign}${digits} %`
}
