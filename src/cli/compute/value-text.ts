import type { Chart } from '../../candles/charts/chart.js'
import type { NumberWriter } from '../../compute/json/sink.js'
import { formatAt, formatsOf } from '../../compute/json/text-column.js'
import type { Block } from '../../compute/kernels/block-calculator.js'
import type { Calculation } from '../../compute/kernels/shape.js'
import { assembleTable, outputColumns, singleTable } from '../../compute/tables/table.js'
import { writeText } from '../../compute/tables/write-table.js'
import { CommandFailure } from '../failure.js'

/** Maximum number of values that fit into the memory of a process. */
const maxValues = 50_000_000

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

type TextAt = (block: Block, row: number) => string

/** Yields the text of the values of `calculations` in `blocks`, as far as it can be written. `numbers` formats numbers. */
export function writeValues(
  blocks: AsyncIterable<Block>,
  calculations: readonly Calculation[],
  numbers: NumberWriter,
  { format, results = Number.POSITIVE_INFINITY, isNamed }: TextOptions,
): AsyncGenerator<string> {
  if (format === 'json') return writeJson(blocks, calculations, results, isNamed)
  const linesOf = (block: Block) => writeText(tableOf(block, calculations), format, numbers)
  return writeLines(blocks, calculations, linesOf, { hasHead: format === 'csv', results })
}

/** Table of a block: the open times in Unix seconds, then `value`, or `rsi.value` if several indicators are computed. */
const tableOf = ({ count, timestamp, columns }: Block, calculations: readonly Calculation[]) =>
  assembleTable(
    singleTable({
      rows: count,
      columns: [
        { name: 'timestamp', kind: 'number', values: timestamp.subarray(0, count) },
        ...calculations.flatMap(({ indicator }, k) =>
          outputColumns(
            indicator,
            column => ((columns[k] as Block['columns'][number])[column] as Float64Array).subarray(0, count),
            name => (calculations.length === 1 ? name : `${indicator.name}.${name}`),
          ),
        ),
      ],
    }),
  )

/**
 * Yields one line per candle, after a head if there is one. Writes nothing before enough candles for a value have arrived, so that a
 * command that fails for lack of candles writes no lines.
 */
async function* writeLines(
  blocks: AsyncIterable<Block>,
  calculations: readonly Calculation[],
  linesOf: (block: Block) => Iterable<string>,
  { hasHead, results }: { readonly hasHead: boolean; readonly results: number },
): AsyncGenerator<string> {
  const [{ indicator, params }, ...others] = calculations as [Calculation, ...Calculation[]]
  const needed = others.length === 0 ? indicator.warmup(params) + 1 : 1
  let waiting = ''
  let newest: string[] = []
  for await (const block of blocks) {
    const [head = '', ...lines] = hasHead ? linesOf(block) : ['', ...linesOf(block)]
    if (block.from === 0) waiting = head
    if (results !== Number.POSITIVE_INFINITY)
      newest = newest.concat(lines.join('').split(/(?<=\n)/)).slice(-results)
    else if (block.from + block.count < needed) waiting += lines.join('')
    else {
      yield waiting + lines.join('')
      waiting = ''
    }
  }
  yield waiting + newest.join('')
}

/**
 * Yields JSON as in the reply of `POST /indicator` with `results`; several indicators are listed by their names. All values are in
 * memory until the end, so their number is limited.
 */
async function* writeJson(
  blocks: AsyncIterable<Block>,
  calculations: readonly Calculation[],
  results: number,
  isNamed: boolean,
): AsyncGenerator<string> {
  const outputs = calculations.reduce((sum, { indicator }) => sum + indicator.outputs.length, 0)
  let wanted: Block[] = []
  let count = 0
  for await (const block of blocks) {
    count = block.from + block.count
    wanted.push({ ...block, columns: block.columns.map(each => each.map(column => column.slice())) })
    const first = count - results
    wanted = wanted.filter(each => each.from + each.count > first)
    if (outputs * Math.min(count, results) > maxValues)
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
    for (const format of formatsOf(indicator)) {
      yield format.head
      yield* listOf(wanted, from, ({ columns }, row) =>
        formatAt(format, column => columns[k]?.[column]?.[row] as number),
      )
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
