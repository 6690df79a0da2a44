import { BarFlow } from '../../candles/charts/bar-flow.js'
import {
  type CandleBlock,
  Columns,
  countBefore,
  countUntil,
  type Snapshot,
  timestampAt,
} from '../../candles/columns.js'
import { formatTime } from '../../candles/format-time.js'
import { tooManyBars } from '../../contract/chart-refusals.js'
import type { Query } from '../../contract/query.js'
import { notEnoughCandles, nothingInRange, notSettled, type Refusal } from '../../contract/refusals.js'
import { type TimeRange, textOfRange } from '../../contract/time-range.js'
import { isExpression } from '../../expression/compile.js'
import type { Expressions } from '../../expression/expressions.js'
import { type Settling, settledDigitsAt, settledIndex } from '../answer.js'
import { candleText } from '../json/candle-text.js'
import type { JsonSink } from '../json/sink.js'
import { type Block, BlockCalculator, type Checkpoint } from '../kernels/block-calculator.js'
import { isStateless } from '../kernels/calculator.js'
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
  /** The values, as `packColumns` lays them out, where they were not written. */
  readonly columns?: Float64Array
  /** The number of candles before the first one that has a value. */
  readonly before?: number
}

let kernels: WasmModule | undefined

/**
 * Computes a calculation over all candles up to the end of a time, or over the bars of their chart, from a checkpoint on, and answers with
 * the values of that time. Where the time is far, it answers with the checkpoint alone that it has come to. Without a query it writes the candles.
 */
export function runRange(task: RangeTask, context: RangeContext): RangeOutcome {
  const memory = unpackSeries(task.memory)
  const candles = (from: number) => candlesOf(task, memory, context.readOlder, from)
  if (task.query === undefined) return writeCandles(task, memory, candles(task.range.from), context)
  const query = unpackQuery(task.query, context.expressions)
  kernels ??= instantiate()
  const way = new RangeWay(
    task,
    query,
    memory,
    new BlockCalculator([query], undefined, kernels),
    context.pause,
  )
  const { found } = way
  for (const block of candles(way.from)) {
    const reached = way.add(block)
    if (reached) return { checkpoint: reached }
    if (found.isTooLong) return { refusal: tooManyBars(task.mostBars) }
  }
  const known = way.finish()
  const { checkpoint } = way
  const refusal = found.refuse(known, task.first, memory)
  if (refusal) return { refusal, checkpoint }
  const settling = query.chart ? undefined : settlingAt(query, known, candles)
  const { before } = found
  if (task.asColumns) return { checkpoint, settling, before, columns: found.columns() }
  found.write(context.sink)
  return { checkpoint, settling, before }
}

/** How far the values of a history with so many candles have settled. */
function settlingAt(query: Query, known: number, candles: (from: number) => Iterable<CandleBlock>): Settling {
  const settled = settledIndex(query)
  const from =
    settled !== undefined && settled < known ? timeOf(settled, candles(Number.NEGATIVE_INFINITY)) : null
  return { digits: settledDigitsAt(query, known - 1), from }
}

/** The most bars of a chart up to the end of a time: a small size makes thousands of each candle. */
const maxBarsBefore = 10_000_000

/** A calculation on its way to a time, over candles that come in blocks, or over the bars of their chart. */
class RangeWay {
  readonly found: FoundValues
  /** When the first candle opens that it is to get, in Unix seconds. */
  readonly from: number
  readonly #task: RangeTask
  readonly #memory: Snapshot
  readonly #calculator: BlockCalculator
  readonly #pause: () => void
  readonly #flow: BarFlow | undefined
  /** Values that depend on their own candle alone need no candle before the time. */
  readonly #hasCheckpoints: boolean
  /** Candles, and bars of a chart, that are left of the task. */
  #left: number
  /** When the last candle opens whose bars were added. */
  #last: number
  /** Before the candles in memory, which may be corrected. */
  checkpoint: Checkpoint | undefined

  constructor(
    task: RangeTask,
    query: Query,
    memory: Snapshot,
    calculator: BlockCalculator,
    pause: () => void,
  ) {
    const { start } = task
    this.#task = task
    this.#memory = memory
    this.#calculator = calculator
    this.#pause = pause
    this.found = new FoundValues(query, task.range, query.chart ? task.mostBars : Number.POSITIVE_INFINITY)
    this.#flow = query.chart && new BarFlow(query.chart, start?.chart?.flow)
    const isAlone = !query.chart && isStateless(query) && query.indicator.lookback(query.params) === 0
    this.#hasCheckpoints = !isAlone
    this.from = start?.from ?? (isAlone ? task.range.from : Number.NEGATIVE_INFINITY)
    this.#last = start?.last ?? Number.NEGATIVE_INFINITY
    if (start) calculator.resume(start)
    if (start?.chart?.bars.byteLength) {
      const bars = Columns.over(start.chart.bars)
      calculator.addFrom(bars, 0, bars.capacity)
    }
    this.#left = task.pieceLength - calculator.size
  }

  /** Takes the next candles. A checkpoint where the task has done its share and the time is still far. */
  add(block: CandleBlock): Checkpoint | undefined {
    const calculator = this.#calculator
    if (block.columns === this.#memory.columns) {
      if (calculator.size > 0) this.#compute()
      if (calculator.size === 0 && this.#hasCheckpoints) this.checkpoint = this.#checkpointHere()
    }
    if (!this.#flow) return this.#addFrom(block, true)
    for (const bars of this.#flow.blocks(block)) {
      this.#addFrom(bars, false)
      if (this.found.isTooLong) return undefined
    }
    this.#left -= block.to - block.from
    this.#last = block.columns.timestamp[block.to - 1] as number
    if (this.#left > 0 || this.checkpoint) return undefined
    if (calculator.size > 0) this.#compute()
    return this.found.isBefore ? this.#checkpointHere() : undefined
  }

  /** Computes what is left, with the forming candle where it belongs to the time. The number of candles or bars that are known. */
  finish(): number {
    const calculator = this.#calculator
    if (calculator.size < 0) throw new Error('the candles before a checkpoint are missing')
    const { forming } = this.#memory
    const wanted = forming && forming.timestamp <= this.#task.range.to ? forming : undefined
    const newest = wanted && this.#flow ? this.#flow.preview(wanted) : wanted
    if (calculator.size > 0 || newest) this.#compute(newest)
    return calculator.next + (newest ? 1 : 0)
  }

  #addFrom({ columns, from, to }: CandleBlock, mayEnd: boolean): Checkpoint | undefined {
    const calculator = this.#calculator
    for (let at = from; at < to; ) {
      const added = calculator.addFrom(columns, at, to)
      at += added
      this.#left -= added
      if (calculator.size < calculator.blockSize) continue
      this.#compute()
      if (mayEnd && this.#left <= 0 && !this.checkpoint && this.found.isBefore) return this.#checkpointHere()
    }
    return undefined
  }

  #compute(forming?: Snapshot['forming']): void {
    this.#pause()
    this.found.add(this.#calculator.compute(forming))
    if (this.#flow && this.#calculator.next > maxBarsBefore) this.found.isTooLong = true
  }

  #checkpointHere(): Checkpoint {
    const checkpoint = this.#calculator.checkpoint()
    if (!this.#flow) return checkpoint
    const chart = { flow: this.#flow.state, bars: this.#calculator.lookback().buffer }
    return { ...checkpoint, from: this.#last + 1, last: this.#last, chart }
  }
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
  /** The number of candles before the one with the first value. */
  before = 0
  /** Candles of the time, those within the warm-up included. */
  #candles = 0
  /** Whether all candles so far open before the time. */
  isBefore = true
  /** Whether there are more values than may be given. */
  isTooLong = false

  constructor(
    query: Query,
    range: TimeRange,
    readonly most: number,
  ) {
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
    this.isTooLong ||= this.#candles > this.most
    const first = Math.max(begin, this.#warmup - from)
    if (first >= count) return
    const [own = []] = columns
    if (this.#times.length === 0) this.before = from + first
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

  /** The values as `packColumns` lays them out. */
  columns(): Float64Array {
    const parts = [this.#times, ...this.#columns].map(join)
    const withheld = withheldFrom(this.#query, this.before)
    for (const values of parts.slice(1)) values.fill(Number.NaN, 0, withheld)
    return join(parts)
  }

  write(sink: JsonSink): void {
    const times = join(this.#times)
    const columns = this.#columns.map(join)
    const withheld = withheldFrom(this.#query, this.before)
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
