import type { Chart } from '../../candles/charts/chart.js'
import type { PlacedOutput } from '../../catalogue/define.js'
import { formatNumber, type NumberWriter } from '../../compute/json/number-writer.js'
import { formatAt, formatsOf } from '../../compute/json/output-format.js'
import type { Block } from '../../compute/kernels/block-calculator.js'
import type { Calculation } from '../../compute/kernels/shape.js'
import { CommandFailure } from '../failure.js'

/** Maximum number of values that fit into the memory of a process. */
const maxValues = 50_000_000

/** Number of values of a JSON array written at a time. */
const batchSize = 4096

/** Form of the written values: the newest `results` or all; with `isNamed`, by the names of the indicators. */
export interface TextOptions {
  readonly format: 'csv' | 'ndjson' | 'json'
  readonly results?: number | undefined
  /** Chart into which the candles are converted first. */
  readonly chart?: Chart | undefined
  /** Number of digits of the values of an expression that must have settled. */
  readonly settled?: number | undefined
  readonly isNamed: boolean
}

/** Returns the text of a value in one row of a block. */
type TextAt = (block: Block, row: number) => string

/** Returns the lines of a block, by row. */
type LineOf = (block: Block) => (row: number) => string

/** An output of a calculation as a column of the result. */
interface ValueColumn {
  /** `value`, or `rsi.value` if several indicators are computed. */
  readonly name: string
  /** Index of the calculation among the calculations of a block. */
  readonly calculation: number
  readonly output: PlacedOutput
  /** Value as JSON. */
  readonly text: TextAt
}

/** Columns of all outputs of calculations. */
const valueColumns = (calculations: readonly Calculation[]): readonly ValueColumn[] =>
  calculations.flatMap(({ indicator }, calculation) =>
    formatsOf(indicator).map(format => ({
      name: calculations.length === 1 ? format.output.name : `${indicator.name}.${format.output.name}`,
      calculation,
      output: format.output,
      text: ({ columns }, row) => formatAt(format, column => columns[calculation]?.[column]?.[row] as number),
    })),
  )

/** Yields the text of the values of `calculations` in `blocks`, as far as it can be written. `numbers` formats numbers for CSV. */
export function writeValues(
  blocks: AsyncIterable<Block>,
  calculations: readonly Calculation[],
  numbers: NumberWriter,
  { format, results = Number.POSITIVE_INFINITY, isNamed }: TextOptions,
): AsyncGenerator<string> {
  const columns = valueColumns(calculations)
  const [{ indicator, params }, ...others] = calculations as [Calculation, ...Calculation[]]
  const needed = others.length === 0 ? indicator.warmup(params) + 1 : 1
  if (format === 'json') return writeJson(blocks, calculations, columns, results, isNamed)
  return format === 'csv'
    ? writeLines(blocks, csvLine(columns, numbers), results, needed, columns)
    : writeLines(blocks, jsonLine(columns), results, needed)
}

/**
 * Yields one line per candle, after a head with the names of the columns if there is one. Writes nothing before `needed` candles
 * have arrived, so that a command that fails for lack of candles writes no lines.
 */
async function* writeLines(
  blocks: AsyncIterable<Block>,
  lineOf: LineOf,
  results: number,
  needed: number,
  head?: readonly ValueColumn[],
): AsyncGenerator<string> {
  let waiting = head ? `timestamp,${head.map(({ name }) => name).join(',')}\n` : ''
  let newest: string[] = []
  for await (const block of blocks) {
    const line = lineOf(block)
    const lines = Array.from({ length: block.count }, (_, row) => `${line(row)}\n`)
    if (results !== Number.POSITIVE_INFINITY) newest = newest.concat(lines).slice(-results)
    else if (block.from + block.count < needed) waiting += lines.join('')
    else {
      yield waiting + lines.join('')
      waiting = ''
    }
  }
  yield waiting + newest.join('')
}

/** Lines with one JSON object each. */
function jsonLine(columns: readonly ValueColumn[]): LineOf {
  const fields = columns.map(({ name, text }) => ({ key: `,${JSON.stringify(name)}:`, text }))
  return block => row => {
    let line = `{"timestamp":${formatNumber(block.timestamp[row] as number)}`
    for (const { key, text } of fields) line += key + text(block, row)
    return `${line}}`
  }
}

const isNumber = ({ output: { kind } }: ValueColumn): boolean => kind === 'number' || kind === 'signal'

/** CSV lines with the open time and the value of each column. A cell without a value is empty. */
function csvLine(columns: readonly ValueColumn[], numbers: NumberWriter): LineOf {
  return block => {
    // The numbers of a column are formatted together, which is four times as fast.
    const cells = columns.map(column => {
      if (!isNumber(column)) return (row: number) => cellOf(column.text(block, row))
      const values = block.columns[column.calculation]?.[column.output.column] as Float64Array
      const texts = numbers.list(values, 0, block.count).replaceAll('null', '').split(',')
      return (row: number) => texts[row] as string
    })
    return row => {
      let line = `${block.timestamp[row]}`
      for (const cell of cells) line += `,${cell(row)}`
      return line
    }
  }
}

/** Converts a value to a cell of a CSV file. */
function cellOf(json: string): string {
  if (json === 'null') return ''
  if (!json.startsWith('"')) return json
  const text = JSON.parse(json) as string
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Yields JSON as in the reply of `POST /indicator` with `results`; several indicators are listed by their names. All values are in
 * memory until the end, so their number is limited.
 */
async function* writeJson(
  blocks: AsyncIterable<Block>,
  calculations: readonly Calculation[],
  columns: readonly ValueColumn[],
  results: number,
  isNamed: boolean,
): AsyncGenerator<string> {
  let wanted: Block[] = []
  let count = 0
  for await (const block of blocks) {
    count = block.from + block.count
    wanted.push({ ...block, columns: block.columns.map(each => each.map(column => column.slice())) })
    const first = count - results
    wanted = wanted.filter(each => each.from + each.count > first)
    if (columns.length * Math.min(count, results) > maxValues)
      throw new CommandFailure(
        `The result has more than ${maxValues} values, too many for JSON: use --output ndjson or csv`,
      )
  }
  for (const [k, { indicator, params }] of calculations.entries()) {
    if (isNamed) yield `${k === 0 ? '{' : ',\n'}${JSON.stringify(indicator.name)}:`
    const warmup = indicator.warmup(params)
    const from =
      results === Number.POSITIVE_INFINITY
        ? (firstValue(wanted, k, warmup) ?? count)
        : Math.max(warmup, count - results)
    const own = columns.filter(({ calculation }) => calculation === k)
    for (const [at, { output, text }] of own.entries()) {
      yield `${at === 0 ? '{' : '],'}${JSON.stringify(output.name)}:[`
      yield* listOf(wanted, from, text)
    }
    yield '],"timestamp":['
    yield* listOf(wanted, from, ({ timestamp }, row) => `${timestamp[row]}`)
    yield ']}'
  }
  yield isNamed ? '}\n' : '\n'
}

/** First candle from `warmup` on at which a calculation has a value; undefined if it has none. */
function firstValue(blocks: readonly Block[], calculation: number, warmup: number): number | undefined {
  for (const { from, count, columns } of blocks) {
    for (let row = Math.max(0, warmup - from); row < count; row++)
      if (columns[calculation]?.some(column => !Number.isNaN(column[row]))) return from + row
  }
  return undefined
}

/** Yields the values of blocks from candle `from` on, as the inside of a JSON array. */
function* listOf(blocks: readonly Block[], from: number, text: TextAt): Generator<string> {
  let texts: string[] = []
  let separator = ''
  for (const block of blocks) {
    for (let row = Math.max(0, from - block.from); row < block.count; row++) texts.push(text(block, row))
    if (texts.length < batchSize) continue
    yield separator + texts.join(',')
    separator = ','
    texts = []
  }
  if (texts.length > 0) yield separator + texts.join(',')
}
