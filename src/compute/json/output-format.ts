import { namesPerColumn, type Output, type PlacedOutput } from '../../catalogue/define.js'
import type { Entry } from '../../catalogue/index.js'
import { formatNumber } from './number-writer.js'
import type { JsonSink } from './sink.js'

/** JSON format of one output's values. */
export interface OutputFormat {
  readonly output: PlacedOutput
  /** Text before the list of values in an answer. */
  readonly head: string
  readonly isNumber: boolean
  /** Formats a value; undefined for numbers, and for names, which are read from several columns. */
  readonly text: ((value: number) => string) | undefined
}

/** Property of a list of outputs that holds its formats. */
const known = Symbol('formats')

/** JSON formats of an indicator's outputs, in their order. */
export function formatsOf({ outputs }: Pick<Entry, 'outputs'>): readonly OutputFormat[] {
  const owner: Entry['outputs'] & { [known]?: readonly OutputFormat[] } = outputs
  owner[known] ??= outputs.map((output, k) => {
    const text = formatterOf(output)
    const isNumber = output.kind !== 'names' && !text
    return { output, head: `${k === 0 ? '{' : '],'}"${output.name}":[`, isNumber, text }
  })
  return owner[known]
}

/** Values of an indicator's columns in one list: column `k` has the value of candle `i` at `at + k * stride + i`. */
export interface OutputValues {
  readonly numbers: Float64Array
  readonly at: number
  readonly stride: number
}

/** The candles [from, to) of an answer, of which the first `masked` have null instead of their values. */
export interface Rows {
  readonly from: number
  readonly to: number
  readonly masked: number
}

/** Writes the values of all outputs as JSON lists, up to the end of the last list. */
export function writeOutputs(
  sink: JsonSink,
  formats: readonly OutputFormat[],
  { numbers, at, stride }: OutputValues,
  { from, to, masked }: Rows,
): void {
  const first = from + masked
  for (const format of formats) {
    sink.add(masked === 0 ? format.head : format.head + 'null,'.repeat(masked))
    const start = at + format.output.column * stride
    if (format.isNumber) sink.addNumbers(numbers, start + first, start + to)
    else
      for (let i = first; i < to; i++)
        sink.add((i > first ? ',' : '') + formatAt(format, k => numbers[at + k * stride + i] as number))
  }
}

/** Formats an output at one candle. `read` returns the value of a kernel's column there. */
export function formatAt({ output, text }: OutputFormat, read: (column: number) => number): string {
  if (output.kind === 'names') return formatNames(output, read)
  return text ? text(read(output.column)) : formatNumber(read(output.column))
}

/** The factor between the lower and the upper half of a column's bits. */
const halfOfColumn = 2 ** (namesPerColumn / 2)

/** Formats the names that apply at one candle as JSON text. */
export function formatNames(
  output: PlacedOutput & { readonly kind: 'names' },
  read: (column: number) => number,
): string {
  if (Number.isNaN(read(output.column))) return 'null'
  let list = ''
  for (let first = 0; first < output.names.length; first += namesPerColumn) {
    const mask = read(output.column + first / namesPerColumn)
    // Bit operators work on 32 bits. Few bits are set, so only the set ones are visited.
    const halves = [mask % halfOfColumn, Math.floor(mask / halfOfColumn)] as const
    for (let half = 0; half < 2; half++) {
      for (let bits = halves[half] as number; bits !== 0; bits &= bits - 1) {
        const bit = 31 - Math.clz32(bits & -bits)
        const name = output.names[first + (half * namesPerColumn) / 2 + bit]
        list += list === '' ? name : `,${name}`
      }
    }
  }
  return list === '' ? '""' : JSON.stringify(list)
}

/** Formatter of an output whose values are not numbers; undefined for other outputs. */
function formatterOf(output: Output): ((value: number) => string) | undefined {
  if (output.kind === 'flag') return value => (Number.isNaN(value) ? 'null' : value === 0 ? 'false' : 'true')
  if (output.kind === 'label') {
    const { labels } = output
    return value => (value in labels ? JSON.stringify(labels[value]) : 'null')
  }
  return undefined
}
