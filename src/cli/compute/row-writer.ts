import { formatNumber, NumberWriter } from '../../compute/json/number-writer.js'
import type { Block } from '../../compute/kernels/block-calculator.js'
import { isNumeric, type ValueColumn } from './value-columns.js'

/** Writes a result as text. */
export interface ResultWriter {
  /** The text before all values. */
  begin(): string
  /** Takes the values of a block; answers the text that can be written by now. */
  add(block: Block): string
  /** The text that is left after all blocks. */
  end(): Iterable<string>
}

/** Columns that stand next to each other, and all of which are numbers or none. */
interface Run {
  readonly columns: readonly ValueColumn[]
  readonly isNumeric: boolean
}

function runsOf(columns: readonly ValueColumn[]): readonly Run[] {
  const runs: { columns: ValueColumn[]; isNumeric: boolean }[] = []
  for (const column of columns) {
    const last = runs.at(-1)
    const isNumber = isNumeric(column.output)
    if (last && last.isNumeric === isNumber) last.columns.push(column)
    else runs.push({ columns: [column], isNumeric: isNumber })
  }
  return runs
}

/** Keeps the newest lines; all of them pass through where there is no limit. */
class Lines {
  #kept: string[] = []

  constructor(readonly limit: number) {}

  /** Takes lines, oldest first; answers those that can be written by now. */
  pass(lines: string[]): string {
    if (this.limit === Number.POSITIVE_INFINITY) return joined(lines)
    this.#kept = this.#kept.concat(lines).slice(-this.limit)
    return ''
  }

  rest(): string {
    return joined(this.#kept)
  }
}

const joined = (lines: readonly string[]) => (lines.length === 0 ? '' : `${lines.join('\n')}\n`)

/** One line for each candle: `results` is how many of the newest are written. */
abstract class LineWriter implements ResultWriter {
  readonly #lines: Lines

  constructor(results: number) {
    this.#lines = new Lines(results)
  }

  abstract begin(): string
  protected abstract line(block: Block, i: number): string

  add(block: Block): string {
    const lines = []
    for (let i = 0; i < block.count; i++) lines.push(this.line(block, i))
    return this.#lines.pass(lines)
  }

  end(): readonly string[] {
    return [this.#lines.rest()]
  }
}

/** CSV with the open time and the value of each column; a cell without a value is empty. */
export class CsvWriter extends LineWriter {
  readonly #runs: readonly Run[]
  readonly #row = new Float64Array(NumberWriter.batchSize)

  constructor(
    readonly columns: readonly ValueColumn[],
    results: number,
    readonly numbers: NumberWriter,
  ) {
    super(results)
    this.#runs = runsOf(columns)
  }

  begin(): string {
    return `timestamp,${this.columns.map(({ name }) => name).join(',')}\n`
  }

  protected line(block: Block, i: number): string {
    let text = `${block.timestamp[i]}`
    for (const run of this.#runs) {
      if (run.isNumeric) text += this.#numbers(run.columns, block, i)
      else for (const column of run.columns) text += `,${cellOf(column.text(block, i))}`
    }
    return text
  }

  #numbers(columns: readonly ValueColumn[], block: Block, i: number): string {
    let text = ''
    for (let from = 0; from < columns.length; from += this.#row.length) {
      const to = Math.min(columns.length, from + this.#row.length)
      for (let k = from; k < to; k++) {
        const { calculation, output } = columns[k] as ValueColumn
        this.#row[k - from] = block.columns[calculation]?.[output.column]?.[i] as number
      }
      text += `,${this.numbers.list(this.#row, 0, to - from)}`
    }
    return text.replaceAll('null', '')
  }
}

/** A value as a cell of a CSV file. */
function cellOf(json: string): string {
  if (json === 'null') return ''
  if (!json.startsWith('"')) return json
  const text = JSON.parse(json) as string
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One JSON object in each line. */
export class JsonLineWriter extends LineWriter {
  readonly #columns: readonly (readonly [key: string, column: ValueColumn])[]

  constructor(columns: readonly ValueColumn[], results: number) {
    super(results)
    this.#columns = columns.map(column => [`,${JSON.stringify(column.name)}:`, column])
  }

  begin(): string {
    return ''
  }

  protected line(block: Block, i: number): string {
    let text = `{"timestamp":${formatNumber(block.timestamp[i] as number)}`
    for (const [key, column] of this.#columns) text += key + column.text(block, i)
    return `${text}}`
  }
}
