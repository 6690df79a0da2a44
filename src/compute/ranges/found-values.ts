import { type Snapshot, timestampAt } from '../../candles/columns.js'
import { formatTime } from '../../candles/format-time.js'
import type { Query } from '../../contract/query.js'
import { notEnoughCandles, nothingInRange, notSettled, type Refusal } from '../../contract/refusals.js'
import { type TimeRange, textOfRange } from '../../contract/time-range.js'
import { isExpression } from '../expressions/compile.js'
import type { JsonSink } from '../json/sink.js'
import type { Block } from '../kernels/block-calculator.js'
import { formatAt, formatsOf, withholding } from '../kernels/output-format.js'
import { timestampHead } from '../results/timestamp-writer.js'
import { withheldFrom } from '../results/windows.js'
import type { RangeTask } from '../workers/worker-task.js'

/** The refusal of a time without candles; `first` is when the first one of all opens. */
export const nothingOf = (range: TimeRange, first: number, memory: Snapshot): Refusal =>
  nothingInRange(textOfRange(range), formatTime(first), formatTime(timestampAt(memory, memory.count - 1)))

/** The values of a time, out of those of blocks that are computed one after the other. */
export class FoundValues {
  readonly #query: Query
  readonly #range: TimeRange
  /** Whether only the newest value is wanted. */
  readonly #isNewest: boolean
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
    { range, isNewest }: Pick<RangeTask, 'range' | 'isNewest'>,
    readonly most: number,
  ) {
    this.#query = query
    this.#range = range
    this.#isNewest = isNewest
    const { indicator, params } = query
    this.#warmup = indicator.warmup(params)
    this.#columns = Array.from({ length: indicator.columns }, () => [])
  }

  /** Whether the time has no candles so far. */
  get isEmpty(): boolean {
    return this.#candles === 0
  }

  /** Takes what belongs to the time; no candle is after its end. */
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

  /** Takes the newest value in the place of what was found. */
  #takeNewest({ from, count, timestamp, columns: [own = []] }: Block): void {
    this.#candles = 1
    this.before = from + count - 1
    if (this.before < this.#warmup) return
    this.#times.splice(0, 1, timestamp.slice(-1))
    for (const [k, parts] of this.#columns.entries())
      parts.splice(0, 1, (own[k] as Float64Array).slice(count - 1, count))
  }

  /**
   * The refusal where there are too few candles, of which so many are known up to the end of the time. The first value has left its
   * warm-up at candle `begin`.
   */
  refuse(known: number, begin: number, first: number, memory: Snapshot): Refusal | undefined {
    if (this.#candles === 0) return nothingOf(this.#range, first, memory)
    const { indicator, settled } = this.#query
    if (settled && settled.first > this.#warmup && known <= settled.first)
      return notSettled(indicator.name, settled.digits, settled.first + 1, known, false)
    // Where an expression chooses longer timeframes or other markets, its warm-up ends with their candles.
    if (isExpression(indicator) && begin >= known)
      return notEnoughCandles(indicator.name, indicator.depth, known)
    const needed = this.#warmup + 1
    return known < needed ? notEnoughCandles(indicator.name, needed, known) : undefined
  }

  /** The values as `packColumns` lays them out. */
  columns(): Float64Array {
    const parts = [this.#times, ...this.#columns].map(join)
    const masked = withheldFrom(this.#query, this.before)
    for (const values of parts.slice(1)) values.fill(Number.NaN, 0, masked)
    return join(parts)
  }

  write(sink: JsonSink): void {
    const times = join(this.#times)
    const columns = this.#columns.map(join)
    const masked = withheldFrom(this.#query, this.before)
    for (const format of withholding(formatsOf(this.#query.indicator), masked)) {
      sink.add(format.head)
      if (format.isNumber)
        sink.addNumbers(columns[format.output.column] as Float64Array, masked, times.length)
      else
        for (let i = masked; i < times.length; i++)
          sink.add((i > masked ? ',' : '') + formatAt(format, k => columns[k]?.[i] as number))
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
