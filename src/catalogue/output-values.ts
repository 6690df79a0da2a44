import { namesPerColumn, type PlacedOutput } from './define.js'

/** Value of an output as the interface has it; a missing number is NaN, a missing text or boolean null. */
export type OutputValue = number | string | boolean | null

/** Reads an output at one candle. `read` returns the number of a kernel's column there. */
export function outputValue(output: PlacedOutput, read: (column: number) => number): OutputValue {
  switch (output.kind) {
    case 'names':
      return namesAt(output, read)
    case 'flag':
      return flagOf(read(output.column))
    case 'label':
      return output.labels[read(output.column)] ?? null
    default:
      return read(output.column)
  }
}

const flagOf = (value: number): boolean | null => (Number.isNaN(value) ? null : value !== 0)

/** The factor between the lower and the upper half of a column's bits. */
const halfOfColumn = 2 ** (namesPerColumn / 2)

/** The names that apply at one candle, separated by commas. */
function namesAt(
  { column, names }: PlacedOutput & { readonly kind: 'names' },
  read: (column: number) => number,
): string | null {
  if (Number.isNaN(read(column))) return null
  let list = ''
  for (let first = 0; first < names.length; first += namesPerColumn) {
    const mask = read(column + first / namesPerColumn)
    // Bit operators work on 32 bits. Few bits are set, so only the set ones are visited.
    const halves = [mask % halfOfColumn, Math.floor(mask / halfOfColumn)] as const
    for (let half = 0; half < 2; half++) {
      for (let bits = halves[half] as number; bits !== 0; bits &= bits - 1) {
        const bit = 31 - Math.clz32(bits & -bits)
        const name = names[first + (half * namesPerColumn) / 2 + bit]
        list += list === '' ? name : `,${name}`
      }
    }
  }
  return list
}
