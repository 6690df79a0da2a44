/** Whole numbers: `unit` times one of them, divided by ten to `power`, is the number in its place. */
export interface Whole {
  readonly columns: readonly Float64Array[]
  readonly unit: number
  readonly power: number
}

/** Up to here the change of a distance between two whole numbers is exact, with one bit more for its sign. */
const maxWhole = 2 ** 50
export const powersOfTen: readonly number[] = Array.from({ length: 16 }, (_, power) => 10 ** power)

/**
 * Decimal numbers as whole numbers, with the smallest power of ten and the greatest unit that all of them have in common.
 * Undefined where one of them would not come back bit for bit: because it has too many digits, is no decimal number, is
 * -0 or not finite.
 */
export function wholeOf(columns: readonly Float64Array[]): Whole | undefined {
  let power = 0
  // A number that is whole with one power is whole with greater ones, too.
  for (const column of columns)
    for (let i = 0; i < column.length; i++)
      while (!isWhole(column[i] as number, power)) if (++power === powersOfTen.length) return undefined
  const factor = powersOfTen[power] as number
  let unit = 0
  const whole = columns.map(column => column.map(number => Math.round(number * factor)))
  for (const [k, column] of whole.entries())
    for (let i = 0; i < column.length; i++) {
      // What was whole with a smaller power may be too great with this one.
      if (!isWhole(columns[k]?.[i] as number, power)) return undefined
      if (unit !== 1 && (column[i] as number) % unit !== 0) unit = divisorOf(column[i] as number, unit)
    }
  if (unit > 1)
    for (const column of whole)
      for (let i = 0; i < column.length; i++) column[i] = (column[i] as number) / unit
  return { columns: whole, unit: unit || 1, power }
}

function isWhole(number: number, power: number): boolean {
  const factor = powersOfTen[power] as number
  const whole = Math.round(number * factor)
  return Math.abs(whole) <= maxWhole && whole / factor === number && !Object.is(number, -0)
}

/** The greatest common divisor, positive. */
function divisorOf(one: number, other: number): number {
  let [a, b] = [Math.abs(one), Math.abs(other)]
  while (b > 0) [a, b] = [b, a % b]
  return a
}
