import {
  type CandleBlock,
  countBefore,
  countUntil,
  type Snapshot,
  timestampAt,
} from '../../candles/columns.js'
import { formatTime } from '../../candles/format-time.js'
import type { Query } from '../../contract/query.js'
import { notEnoughCandles, nothingInRange, notSettled, type Refusal } from '../../contract/refusals.js'
import { type TimeRange, textOfRange } from '../../contract/time-range.js'
import { isExpression } from '../../expression/compile.js'
import type { Expressions } from '../../expression/expressions.js'
import { type Settling, settledDigitsAt, settledIndex } from '../answer.js'
import { candleText } from '../json/candle-text.js'
import type { JsonSink } from '../json/sink.js'
import { type Block, BlockCalculator, type Checkpoint } from '../kernels/block-calculator.js'
import { formatAt, formatsOf, withholding } from '../kernels/output-format.js'
import { instantiate, type WasmModule } from '../kernels/wasm-module.js'
import { timestampHead } from '../results/timestamp-writer.js'
import { withheldFrom } from '../results/windows.js'
import { type RangeTask, unpackQuery, unpackSeries } from '../workers/worker-task.js'

/** Reads the candles that open from `from` to `to` (Unix seconds, both included) from what `place` says, in the order of time. */
export type ReadOlder = (place: unknown, from: number, to: number) => Iterable<CandleBlock>

/** What a thread has to run the task of a range. */
interface RangeContext {
  readonly readOlder: ReadOlder
  readonly expressions: Expressions
  readonly sink: JsonSink
  /** Called between blocks, so that the processor can be yielded. */
  readonly pause: () => void
}

/** How far a task has come. Without a checkpoint it has come to the end. */
interface RangeOutcome {
  readonly refusal?: Refusal
  /** Before the candles in memory, which may be corrected: where the calculation continues, or begins the next time. */
  readonly checkpoint?: Checkpoint | undefined
  /** How far the values have settled that were written. */
  readonly settling?: Settling | undefined
}

let kernels: WasmModule | undefined

/**
 * Computes a calculation over all candles up to the end of a time, from a checkpoint on, and writes the values of that time. Where
 * the time is far, it writes nothing and answers with the checkpoint that it has come to. Without a query it writes the candles.
 */
export function runRange(task: RangeTask, context: RangeContext): RangeOutcome {
  const memory = unpackSeries(task.memory)
  const candles = (from: number) => candlesOf(task, memory, context.readOlder, from)
  if (task.query === undefined) return writeCandles(task, memory, candles(task.range.from), context)
  const query = unpackQuery(task.query, context.expressions)
  kernels ??= instantiate()
  const calculator = new BlockCalculator([query], undefined, kernels)
  const { start, range } = task
  if (start) calculator.resume(start)
  const found = new FoundValues(query, range)
  const end = (start?.index ?? 0) + task.pieceLength
  let boundary: Checkpoint | undefined
  const compute = (forming?: Snapshot['forming']) => {
    context.pause()
    found.add(calculator.compute(forming))
  }
  for (const { columns, from, to } of candles(start?.from ?? Number.NEGATIVE_INFINITY)) {
    if (columns === memory.columns) {
      if (calculator.size > 0) compute()
      if (calculator.size === 0) boundary = calculator.checkpoint()
    }
    for (let at = from; at < to; ) {
      at += calculator.addFrom(columns, at, to)
      if (calculator.size < calculator.blockSize) continue
      compute()
      if (calculator.next >= end && !boundary && found.isBefore)
        return { checkpoint: calculator.checkpoint() }
    }
  }
  if (calculator.size < 0) throw new Error('the candles before a checkpoint are missing')
  const { forming } = memory
  const wanted = forming && forming.timestamp <= range.to ? forming : undefined
  if (calculator.size > 0 || wanted) compute(wanted)
  const known = calculator.next + (wanted ? 1 : 0)
  const refusal = found.refuse(known, task.first, memory)
  if (refusal) return { refusal, checkpoint: boundary }
  found.write(context.sink)
  const settled = settledIndex(query)
  const from =
    settled !== undefined && settled < known ? timeOf(settled, candles(Number.NEGATIVE_INFINITY)) : null
  return { checkpoint: boundary, settling: { digits: settledDigitsAt(query, known - 1), from } }
}

/** When candle `at` of a history opens; that of one that forms is not asked for. */
function timeOf(at: number, candles: Iterable<CandleBlock>): number | null {
  let first = 0
  for (const { columns, from, to } of candles) {
    if (at < first + to - from) return columns.timestamp[from + at - first] as number
    first += to - from
  }
  return null
}

/** The closed candles from a time on up to the end of a range: those that are older than the ones in memory, then these. */
function* candlesOf(
  { place, range }: RangeTask,
  memory: Snapshot,
  readOlder: ReadOlder,
  from: number,
): Generator<CandleBlock> {
  const { columns, closed } = memory
  const first = timestampAt(memory, 0)
  if (from < first) yield* readOlder(place, from, Math.min(range.to, first - 1))
  const begin = countBefore(columns, closed, from)
  const end = countUntil(columns, closed, range.to)
  if (begin < end) yield { columns, from: begin, to: end }
}

function writeCandles(
  { range, first }: RangeTask,
  memory: Snapshot,
  candles: Iterable<CandleBlock>,
  { sink, pause }: RangeContext,
): RangeOutcome {
  let count = 0
  const write = (text: string) => sink.add((count++ === 0 ? '[' : ',') + text)
  for (const { columns, from, to } of candles) {
    pause()
    for (let i = from; i < to; i++) write(candleText(columns.read(i)))
  }
  const { forming } = memory
  if (forming && forming.timestamp >= range.from && forming.timestamp <= range.to) write(candleText(forming))
  if (count === 0) return { refusal: nothingOf(range, first, memory) }
  sink.add(']')
  return {}
}

const nothingOf = (range: TimeRange, first: number, memory: Snapshot): Refusal =>
  nothingInRange(textOfRange(range), formatTime(first), formatTime(timestampAt(memory, memory.count - 1)))

/** The values of a time, out of those of blocks that are computed one after the other. */
class FoundValues {
  readonly #query: Query
  readonly #range: TimeRange
  readonly #warmup: number
  /** Open times, and by column of the indicator its values: parts that follow one another. */
  readonly #times: Float64Array[] = []
  readonly #columns: Float64Array[][]
  /** The index of the candle with the first value. */
  #first = 0
  /** Candles of the time, those within the warm-up included. */
  #candles = 0
  /** Whether all candles so far open before the time. */
  isBefore = true

  constructor(query: Query, range: TimeRange) {
    this.#query = query
    this.#range = range
    const { indicator, params } = query
    this.#warmup = indicator.warmup(params)
    this.#columns = Array.from({ length: indicator.columns }, () => [])
  }

  /** Takes what belongs to the time; no candle is after its end. */
  add({ from, count, timestamp, columns }: Block): void {
    if ((timestamp[count - 1] as number) < this.#range.from) return
    const begin = timestamp.findIndex(time => time >= this.#range.from)
    this.isBefore = false
    this.#candles += count - begin
    const first = Math.max(begin, this.#warmup - from)
    if (first >= count) return
    const [own = []] = columns
    if (this.#times.length === 0) this.#first = from + first
    this.#times.push(timestamp.slice(first))
    for (const [k, parts] of this.#columns.entries()) parts.push((own[k] as Float64Array).slice(first, count))
  }

  /** The refusal where there are too few candles, of which so many are known up to the end of the time. */
  refuse(known: number, first: number, memory: Snapshot): Refusal | undefined {
    if (this.#candles === 0) return nothingOf(this.#range, first, memory)
    const { indicator, settled } = this.#query
    if (settled && settled.first > this.#warmup && known <= settled.first)
      return notSettled(indicator.name, settled.digits, settled.first + 1, known, false)
    // Where an expression chooses longer timeframes, its warm-up ends with their candles.
    if (isExpression(indicator) && known < indicator.depth && !this.#hasValue())
      return notEnoughCandles(indicator.name, indicator.depth, known)
    const needed = this.#warmup + 1
    return known < needed ? notEnoughCandles(indicator.name, needed, known) : undefined
  }

  #hasValue(): boolean {
    return this.#columns[0]?.some(part => part.some(value => !Number.isNaN(value))) ?? false
  }

  write(sink: JsonSink): void {
    const times = join(this.#times)
    const columns = this.#columns.map(join)
    const withheld = withheldFrom(this.#query, this.#first)
    for (const format of withholding(formatsOf(this.#query.indicator), withheld)) {
      sink.add(format.head)
      if (format.isNumber)
        sink.addNumbers(columns[format.output.column] as Float64Array, withheld, times.length)
      else
        for (let i = withheld; i < times.length; i++)
          sink.add((i > withheld ? ',' : '') + formatAt(format, k => columns[k]?.[i] as number))
    }
    sink.add(timestampHead)
    sink.addNumbers(times, 0, times.length)
    sink.add(']}')
  }
}

function join(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
