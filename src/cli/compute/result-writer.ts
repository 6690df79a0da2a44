import type { Block } from '../../compute/kernels/block-calculator.js'
import type { Calculation } from '../../compute/kernels/calculator.js'
import { CommandFailure } from '../failure.js'
import type { ResultWriter } from './row-writer.js'
import { columnsOf, type ValueColumn } from './value-columns.js'

/** More values would not fit into the memory of a process. */
const maxValues = 50_000_000

/** Values that are written at a time. */
const batchSize = 4096

/** A kept block, and the first of its candles whose values are wanted. */
interface Kept {
  readonly block: Block
  readonly first: number
}

/**
 * JSON as `POST /indicator` answers with `results`, for several indicators by their names. All values are in memory until the
 * end, and their number is limited.
 */
export class JsonWriter implements ResultWriter {
  readonly #calculations: readonly Calculation[]
  readonly #columns: readonly ValueColumn[]
  readonly #results: number
  readonly #isNamed: boolean
  #blocks: Block[] = []
  #count = 0

  constructor(calculations: readonly Calculation[], results: number, isNamed: boolean) {
    this.#calculations = calculations
    this.#columns = columnsOf(calculations)
    this.#results = results
    this.#isNamed = isNamed
  }

  begin(): string {
    return ''
  }

  add(block: Block): string {
    this.#count = block.from + block.count
    const columns = block.columns.map(each => each.map(column => column.slice()))
    this.#blocks.push({ ...block, columns })
    const first = this.#count - this.#results
    this.#blocks = this.#blocks.filter(({ from, count }) => from + count > first)
    const values = this.#columns.length * Math.min(this.#count, this.#results)
    if (values > maxValues)
      throw new CommandFailure(
        `The result has more than ${maxValues} values, too many for JSON: use --output ndjson or csv`,
      )
    return ''
  }

  *end(): Generator<string> {
    for (const [k, { indicator }] of this.#calculations.entries()) {
      if (this.#isNamed) yield `${k === 0 ? '{' : ',\n'}${JSON.stringify(indicator.name)}:`
      yield* this.#result(k)
    }
    yield this.#isNamed ? '}\n' : '\n'
  }

  *#result(k: number): Generator<string> {
    const from = this.#firstOf(k)
    const kept = this.#blocks
      .map(block => ({ block, first: Math.max(0, from - block.from) }))
      .filter(({ block, first }) => first < block.count)
    let separator = '{'
    for (const { output, calculation, text } of this.#columns) {
      if (calculation !== k) continue
      yield `${separator}${JSON.stringify(output.name)}:[`
      yield* listOf(kept, text)
      separator = '],'
    }
    yield `${separator}"timestamp":[`
    yield* listOf(kept, ({ timestamp }, i) => `${timestamp[i]}`)
    yield ']}'
  }

  /** The candle that the values of a calculation begin with: where all are wanted, the first one that has any. */
  #firstOf(k: number): number {
    const { indicator, params } = this.#calculations[k] as Calculation
    const warmup = indicator.warmup(params)
    if (this.#results !== Number.POSITIVE_INFINITY) return Math.max(warmup, this.#count - this.#results)
    for (const { from, count, columns } of this.#blocks) {
      for (let i = Math.max(0, warmup - from); i < count; i++)
        if (columns[k]?.some(column => !Number.isNaN(column[i]))) return from + i
    }
    return this.#count
  }
}

/** Values of some blocks as the inside of a JSON array. */
function* listOf(kept: readonly Kept[], text: (block: Block, i: number) => string): Generator<string> {
  let texts: string[] = []
  let separator = ''
  for (const { block, first } of kept) {
    for (let i = first; i < block.count; i++) texts.push(text(block, i))
    if (texts.length < batchSize) continue
    yield separator + texts.join(',')
    separator = ','
    texts = []
  }
  if (texts.length > 0) yield separator + texts.join(',')
}
