import { BarFlow, maxBarsOfCandle } from '../../candles/charts/bar-flow.js'
import { type Chart, hasCandleTimes } from '../../candles/charts/chart.js'
import {
  type CandleBlock,
  Columns,
  countBefore,
  countUntil,
  type OtherCandles,
  type Snapshot,
  timestampAt,
} from '../../candles/columns.js'
import { formatTime } from '../../candles/format-time.js'
import { tooManyBars } from '../../contract/expression-refusals.js'
import type { Query } from '../../contract/query.js'
import { notEnoughCandles, nothingInRange, notSettled, type Refusal } from '../../contract/refusals.js'
import { type TimeRange, textOfRange } from '../../contract/time-range.js'
import { type Settling, settledDigitsAt, settledIndex } from '../answer.js'
import { isExpression } from '../expressions/compile.js'
import type { Expressions } from '../expressions/expressions.js'
import { candlesText, candleText } from '../json/candle-text.js'
import { type JsonSink, NumberWriter } from '../json/sink.js'
import { timestampHead, writeOutputs } from '../json/text-column.js'
import { type Block, BlockCalculator, type Checkpoint } from '../kernels/block-calculator.js'
import { shapeOf } from '../kernels/shape.js'
import { OtherFlow } from '../plans/other-flow.js'
import { maskedFrom } from '../results/result-series.js'
import { type RangeTask, type TaskResult, unpackInputs, unpackQuery } from '../task.js'
import { instantiate } from '../wasm/kernels-file.js'
import type { WasmModule } from '../wasm/module.js'
import { checkpointDistance } from './range-answers.js'

/**
 * Reads the candles at `location` that open from `from` to `to` (Unix seconds, both included), in the order of time. With
 * `closesOnly` only times and closes are needed.
 */
export type ReadOlder = (
  location: unknown,
  from: number,
  to: number,
  closesOnly?: boolean,
) => Iterable<CandleBlock>

/** Resources of a thread for range tasks. */
interface RangeContext {
  readonly readOlder: ReadOlder
  readonly expressions: Expressions
  readonly sink: JsonSink
  readonly writer: NumberWriter
  /** Called between blocks to yield the processor. */
  readonly pause: () => void
}

/**
 * Outcome of a range task: a refusal, written or returned values, or only checkpoints if the range is not reached yet.
 * All checkpoints are before the candles in memory, which may be corrected.
 */
interface RangeOutcome extends Omit<TaskResult, 'answer'> {
  /** Values as laid out by `packColumns`, if they were not written. */
  readonly columns?: Float64Array
}

let kernels: WasmModule | undefined

/**
 * Runs a calculation from a checkpoint up to the end of a range, over candles or over the bars of their chart. Answers
 * with the values of the range. If the range is too far, returns only checkpoints, the last of which is where the task
 * stopped. Without a query it writes the candles.
 */
export function runRange(task: RangeTask, context: RangeContext): RangeOutcome {
  const [memory, ...otherMemories] = unpackInputs(task.memory)
  const [location] = task.locations
  const { readOlder } = context
  const candles = (from: number) => candlesOf(location, memory, readOlder, from, task.range.to)
  if (task.query === undefined) return writeCandles(task, memory, candles(task.range.from), context)
  const query = unpackQuery(task.query, context.expressions)
  const { chart } = query
  if (!task.start && !hasCandleTimes(chart) && areFirstTooMany(chart, candles(Number.NEGATIVE_INFINITY)))
    return { refusal: tooManyBars(task.mostBars) }
  kernels ??= instantiate()
  let others: readonly OtherFlow[] = []
  const openOthers = (lookback: number) => {
    others = flowsOf(task, otherMemories, readOlder, lookback)
    return others
  }
  const calculator = new BlockCalculator([query], kernels, undefined, openOthers)
  const readCloses: ReadOlder = (location, from, to) => readOlder(location, from, to, true)
  const closes = (from: number) => candlesOf(location, memory, readCloses, from, task.range.to)
  const needed = !chart && calculator.readsClosesOnly ? closes : candles
  try {
    return computeRange({ task, query, memory, calculator }, needed, context)
  } finally {
    for (const other of others) other.close()
  }
}

/** Opens the candles of the other markets, from the start of a task. */
const flowsOf = (
  { start, locations: [, ...locations] }: RangeTask,
  others: readonly OtherCandles[],
  readOlder: ReadOlder,
  lookback: number,
): readonly OtherFlow[] =>
  others.map((other, market) => {
    const location = locations[market]
    const candles = (from: number) => candlesOf(location, other, readOlder, from, Number.POSITIVE_INFINITY)
    return new OtherFlow(candles, other, lookback, start?.others?.[market])
  })

interface RangeWork {
  readonly task: RangeTask
  readonly query: Query
  readonly memory: Snapshot
  readonly calculator: BlockCalculator
}

function computeRange(
  work: RangeWork,
  candles: (from: number) => Iterable<CandleBlock>,
  context: RangeContext,
): RangeOutcome {
  const { task, query, memory, calculator } = work
  const { sink, pause } = context
  const cursor = new RangeCursor(work, pause)
  const { found } = cursor
  const { checkpoints } = cursor
  for (const block of candles(cursor.from)) {
    if (cursor.add(block)) return { checkpoints }
    if (cursor.isTooLong) return { refusal: tooManyBars(task.mostBars), checkpoints }
  }
  const known = cursor.finish()
  const refusal = found.refuse(known, calculator.begin, task.first, memory)
  if (refusal) return { refusal, checkpoints, isEmpty: task.isNewest && found.isEmpty }
  const settling = query.chart ? undefined : settlingAt(query, known, candles)
  const { before } = found
  if (task.form === 'columns') return { checkpoints, settling, before, columns: found.columns() }
  if (task.form === 'candles') {
    const { buffer } = found.columns()
    const columns = Columns.over(buffer as ArrayBuffer)
    writeBlocks([{ columns, from: 0, to: columns.capacity }], context)
  } else found.write(sink)
  return { checkpoints, settling, before }
}

/** Convergence of the values of a history with `known` candles. */
function settlingAt(query: Query, known: number, candles: (from: number) => Iterable<CandleBlock>): Settling {
  const settled = settledIndex(query)
  const from =
    settled !== undefined && settled < known ? timeOf(settled, candles(Number.NEGATIVE_INFINITY)) : null
  return { digits: settledDigitsAt(query, known - 1), from }
}

/** Maximum number of bars computed up to the end of a range: with a small bar size each candle makes thousands. */
const maxBarsBefore = 10_000_000
/** Number of candles whose bars are counted before any bar is made. */
const countedFirst = 10_000

/** Whether the first candles of a range exceed the maximum number of computed bars. */
function areFirstTooMany(chart: Chart | undefined, blocks: Iterable<CandleBlock>): boolean {
  if (!chart) return false
  const flow = new BarFlow(chart)
  let [candles, bars] = [0, 0]
  for (const { columns, from, to } of blocks) {
    for (let at = from; at < to; at++) {
      bars += Math.min(flow.close(columns.read(at))?.count ?? 0, maxBarsOfCandle)
      if (bars > maxBarsBefore) return true
      if (++candles === countedFirst) return false
    }
  }
  return false
}

/** A calculation that advances to a time range, over candles that come in blocks or over the bars of their chart. */
class RangeCursor {
  readonly found: FoundValues
  /** Open time of the first candle to add, in Unix seconds. */
  readonly from: number
  readonly #task: RangeTask
  readonly #memory: Snapshot
  readonly #calculator: BlockCalculator
  readonly #pause: () => void
  readonly #flow: BarFlow | undefined
  /** Whether checkpoints are made. Values that depend only on their own candle need no earlier candles. */
  readonly #hasCheckpoints: boolean
  /** Checkpoints for later calculations, in the order of time. */
  readonly checkpoints: Checkpoint[] = []
  /** Candles plus bars of a chart left in the task, and left until the next checkpoint. */
  #left: number
  #leftToCheckpoint: number
  /** Candles plus bars of a chart passed since the start of the history. */
  #passed: number
  /** Whether candles in memory have been reached, after which no checkpoint is made. */
  #isInMemory = false
  /** Open time of the last candle whose bars were added. */
  #last: number

  constructor({ task, query, memory, calculator }: RangeWork, pause: () => void) {
    const { start } = task
    this.#task = task
    this.#memory = memory
    this.#calculator = calculator
    this.#pause = pause
    this.found = new FoundValues(query, task, query.chart ? task.mostBars : Number.POSITIVE_INFINITY)
    this.#flow = query.chart && new BarFlow(query.chart, start?.chart?.flow)
    const { isStateless, lookback } = shapeOf(query)
    const isAlone = !query.chart && isStateless && lookback === 0
    this.#hasCheckpoints = !isAlone || task.isNewest
    this.from = start?.from ?? (isAlone ? task.range.from : Number.NEGATIVE_INFINITY)
    this.#last = start?.last ?? Number.NEGATIVE_INFINITY
    if (start) calculator.resume(start)
    if (start?.chart?.bars.byteLength) {
      const bars = Columns.over(start.chart.bars)
      calculator.addFrom(bars, 0, bars.capacity)
    }
    this.#left = task.pieceLength - calculator.size
    this.#passed = start?.passed ?? 0
    this.#leftToCheckpoint = checkpointDistance(this.#task.pieceLength)
  }

  /** Whether there are more bars than an answer may have, or than may be computed. */
  get isTooLong(): boolean {
    return this.found.isTooLong || (this.#flow !== undefined && this.#calculator.next > maxBarsBefore)
  }

  /**
   * Adds the next candles. Returns true if the task ends at the last checkpoint, because its share is done and the
   * range is not reached yet.
   */
  add(block: CandleBlock): boolean {
    const calculator = this.#calculator
    if (block.columns === this.#memory.columns) {
      if (calculator.size > 0) this.#compute()
      if (calculator.size === 0 && !calculator.hasReachedOthersInMemory) this.#checkpoint()
      this.#isInMemory = true
    }
    if (!this.#flow) return this.#addFrom(block, true)
    for (const bars of this.#flow.blocks(block)) {
      this.#addFrom(bars, false)
      if (this.isTooLong) return false
    }
    this.#count(block.to - block.from)
    this.#last = block.columns.timestamp[block.to - 1] as number
    if (calculator.size > 0 && this.#leftToCheckpoint <= 0) this.#compute()
    return this.#reach()
  }

  /**
   * Computes the remaining candles, with the forming candle if it belongs to the range. Returns the number of known
   * candles or bars.
   */
  finish(): number {
    const calculator = this.#calculator
    if (calculator.size < 0) throw new Error('the candles before a checkpoint are missing')
    const { forming } = this.#memory
    const wanted = forming && forming.timestamp <= this.#task.range.to ? forming : undefined
    const newest = wanted && this.#flow ? this.#flow.preview(wanted) : wanted
    if (calculator.size > 0 || newest) this.#compute(newest)
    return calculator.next + (newest ? 1 : 0)
  }

  #addFrom({ columns, from, to }: CandleBlock, isAligned: boolean): boolean {
    const calculator = this.#calculator
    for (let at = from; at < to; ) {
      const added = calculator.addFrom(columns, at, to)
      at += added
      this.#count(added)
      if (calculator.size < calculator.blockSize) continue
      this.#compute()
      if (isAligned && this.#reach()) return true
    }
    return false
  }

  #count(added: number): void {
    this.#passed += added
    this.#left -= added
    this.#leftToCheckpoint -= added
  }

  #compute(forming?: Snapshot['forming']): void {
    this.#pause()
    this.found.add(this.#calculator.compute(forming))
  }

  /** Makes a checkpoint after a computed block if one is due. Returns whether the task ends there. */
  #reach(): boolean {
    if (this.#leftToCheckpoint > 0 || this.#isInMemory) return false
    if (this.#calculator.hasReachedOthersInMemory) return false
    this.#checkpoint()
    this.#leftToCheckpoint = checkpointDistance(this.#task.pieceLength)
    return this.#left <= 0 && this.found.isBefore
  }

  #checkpoint(): void {
    if (!this.#hasCheckpoints) return
    const checkpoint = this.#calculator.checkpoint()
    if (!this.#flow) this.checkpoints.push(checkpoint)
    else {
      const chart = { flow: this.#flow.state, bars: this.#calculator.lookback().buffer }
      this.checkpoints.push({
        ...checkpoint,
        passed: this.#passed,
        from: this.#last + 1,
        last: this.#last,
        chart,
      })
    }
  }
}

/** Open time of candle `at` of a history; null for the forming candle. */
function timeOf(at: number, candles: Iterable<CandleBlock>): number | null {
  let first = 0
  for (const { columns, from, to } of candles) {
    if (at < first + to - from) return columns.timestamp[from + at - first] as number
    first += to - from
  }
  return null
}

/** Reads the closed candles between two times: first the older ones, then those in memory. */
function* candlesOf(
  location: unknown,
  { columns, closed }: Pick<Snapshot, 'columns' | 'closed'>,
  readOlder: ReadOlder,
  from: number,
  to: number,
): Generator<CandleBlock> {
  const first = closed > 0 ? (columns.timestamp[0] as number) : Number.POSITIVE_INFINITY
  if (location !== undefined && from < first) yield* readOlder(location, from, Math.min(to, first - 1))
  const begin = countBefore(columns, closed, from)
  const end = countUntil(columns, closed, to)
  if (begin < end) yield { columns, from: begin, to: end }
}

function writeCandles(
  { range, first }: RangeTask,
  memory: Snapshot,
  candles: Iterable<CandleBlock>,
  context: RangeContext,
): RangeOutcome {
  const { forming } = memory
  const isWanted = forming && forming.timestamp >= range.from && forming.timestamp <= range.to
  const isEmpty = writeBlocks(candles, context, isWanted ? candleText(forming) : undefined)
  return isEmpty ? { refusal: nothingOf(range, first, memory) } : {}
}

/**
 * Writes the candles of blocks as a JSON array, with `last` as the text of one more candle. If there are none, writes
 * nothing and returns true.
 */
function writeBlocks(
  blocks: Iterable<CandleBlock>,
  { sink, writer, pause }: RangeContext,
  last?: string,
): boolean {
  let isEmpty = true
  const write = (text: string) => {
    sink.add((isEmpty ? '[' : ',') + text)
    isEmpty = false
  }
  for (const { columns, from, to } of blocks)
    for (let i = from; i < to; i += NumberWriter.batchSize) {
      pause()
      write(candlesText(columns, i, Math.min(i + NumberWriter.batchSize, to), writer))
    }
  if (last !== undefined) write(last)
  if (!isEmpty) sink.add(']')
  return isEmpty
}

/** The refusal of a range without candles. `first` is the open time of the first candle of the history. */
const nothingOf = (range: TimeRange, first: number, memory: Snapshot): Refusal =>
  nothingInRange(textOfRange(range), formatTime(first), formatTime(timestampAt(memory, memory.count - 1)))

/** Collects the values of a time range from consecutive computed blocks. */
class FoundValues {
  readonly #range: TimeRange
  readonly #isNewest: boolean
  readonly #warmup: number
  /** Open times, and values per column of the indicator, in consecutive parts. */
  readonly #times: Float64Array[] = []
  readonly #columns: Float64Array[][]
  /** Number of candles before the first value. */
  before = 0
  /** Number of candles in the range, including those within the warm-up. */
  #candles = 0
  /** Whether all candles so far open before the range. */
  isBefore = true
  /** Whether there are more values than an answer may have. */
  isTooLong = false

  constructor(
    private readonly query: Query,
    { range, isNewest }: Pick<RangeTask, 'range' | 'isNewest'>,
    readonly most: number,
  ) {
    this.#range = range
    this.#isNewest = isNewest
    this.#warmup = shapeOf(query).warmup
    const { indicator } = query
    this.#columns = Array.from({ length: indicator.columns }, () => [])
  }

  /** Whether no candle of the range was found so far. */
  get isEmpty(): boolean {
    return this.#candles === 0
  }

  /** Adds the values in the range. No candle may be after the end of the range. */
  add(block: Block): void {
    const { from, count, timestamp, columns } = block
    if (this.#isNewest) {
      this.#takeNewest(block)
      return
    }
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

  /** Replaces what was found with the newest value. */
  #takeNewest({ from, count, timestamp, columns: [own = []] }: Block): void {
    this.#candles = 1
    this.before = from + count - 1
    if (this.before < this.#warmup) return
    this.#times.splice(0, 1, timestamp.slice(-1))
    for (const [k, parts] of this.#columns.entries())
      parts.splice(0, 1, (own[k] as Float64Array).slice(count - 1, count))
  }

  /**
   * Refuses the range if the `known` candles up to its end are too few. The first output has left its warm-up at candle
   * `begin`.
   */
  refuse(known: number, begin: number, first: number, memory: Snapshot): Refusal | undefined {
    if (this.#candles === 0) return nothingOf(this.#range, first, memory)
    const { indicator, settled } = this.query
    if (settled && settled.first > this.#warmup && known <= settled.first)
      return notSettled(indicator.name, settled.digits, settled.first + 1, known, false)
    // The warm-up of an expression with longer timeframes or other markets ends with their candles.
    if (isExpression(indicator) && begin >= known)
      return notEnoughCandles(indicator.name, indicator.depth, known)
    const needed = this.#warmup + 1
    return known < needed ? notEnoughCandles(indicator.name, needed, known) : undefined
  }

  /** Returns the values as laid out by `packColumns`. */
  columns(): Float64Array {
    const parts = [this.#times, ...this.#columns].map(join)
    const { settled } = this.query
    if (settled)
      for (const values of parts.slice(1)) values.fill(Number.NaN, 0, maskedFrom(settled, this.before))
    return join(parts)
  }

  write(sink: JsonSink): void {
    const numbers = this.columns()
    const rows = numbers.length / (1 + this.#columns.length)
    const values = { numbers, at: rows, stride: rows }
    writeOutputs(sink, shapeOf(this.query).formats, values, { from: 0, to: rows, masked: 0 })
    sink.add(timestampHead)
    sink.addNumbers(numbers, 0, rows)
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
