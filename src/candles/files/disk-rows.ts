import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Candle, unpackCandle, unpackCandles } from '../candle.js'
import { columnNames } from '../columns.js'
import { type Gap, gapsIn } from '../gaps.js'
import type { Timeframe } from '../timeframe.js'
import type { ReadLine } from './candle-reader.js'
import { FileFailure } from './text.js'

/** Default maximum number of rows in memory: a few megabytes. */
const defaultRowsInMemory = 65_536
const pieceRows = 4096

/**
 * Any number of rows of `width` numbers. The last rows are in memory, and earlier rows are in a temporary file. The file has no
 * name, so it disappears even if the process is killed. Throws FileFailure if the file cannot be written.
 */
class RowFile {
  readonly width: number
  /** Buffer of the last rows. */
  readonly memory: Float64Array
  readonly #mostInMemory: number
  readonly #beforeWrite: (rows: Float64Array) => void
  #inMemory = 0
  #written = 0
  #file: number | undefined

  /** `beforeWrite` is called with all rows in memory before they are written. It may change them. */
  constructor(width: number, mostInMemory: number, beforeWrite: (rows: Float64Array) => void = () => {}) {
    this.width = width
    this.memory = new Float64Array(mostInMemory * width)
    this.#mostInMemory = mostInMemory
    this.#beforeWrite = beforeWrite
  }

  get count(): number {
    return this.#written + this.#inMemory
  }

  /** Rows in memory. */
  get rest(): Float64Array {
    return this.memory.subarray(0, this.#inMemory * this.width)
  }

  /** Makes room for one more row. Returns the index of its first number in `memory`. */
  next(): number {
    if (this.#inMemory === this.#mostInMemory) this.#writeAll()
    return this.#inMemory++ * this.width
  }

  /** Reads the numbers of the rows from `from` to before `to`. */
  read(from: number, to: number): Float64Array {
    const { width } = this
    const rows = new Float64Array((to - from) * width)
    const inFile = Math.max(0, Math.min(to, this.#written) - from)
    const bytes = new Uint8Array(rows.buffer, 0, inFile * width * 8)
    for (let done = 0; done < bytes.length; )
      done += readSync(this.#file as number, bytes, done, bytes.length - done, from * width * 8 + done)
    const start = Math.max(0, from - this.#written)
    const end = Math.max(0, to - this.#written)
    rows.set(this.memory.subarray(start * width, end * width), inFile * width)
    return rows
  }

  /** Reads the numbers of the rows from `from` on, some rows at a time. */
  *pieces(from = 0): Generator<Float64Array> {
    for (let at = from; at < this.count; at += pieceRows)
      yield this.read(at, Math.min(at + pieceRows, this.count))
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  #writeAll(): void {
    this.#beforeWrite(this.memory)
    const bytes = new Uint8Array(this.memory.buffer)
    try {
      this.#file ??= openNameless()
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done)
    } catch (cause) {
      const { message } = cause as Error
      throw new FileFailure(`Cannot write a temporary file in "${tmpdir()}": ${message}`, { cause })
    }
    this.#written += this.#mostInMemory
    this.#inMemory = 0
  }
}

/** Opens a temporary file and removes its name immediately. */
function openNameless(): number {
  const directory = mkdtempSync(join(tmpdir(), 'candela-'))
  try {
    return openSync(join(directory, 'rows'), 'w+')
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Count of numbers per candle, which are in the order of `columnNames`. */
export const candleWidth = columnNames.length

function packCandle(numbers: Float64Array, at: number, candle: ReadLine['candle'] & object): void {
  numbers[at] = candle.timestamp ?? Number.NaN
  numbers[at + 1] = candle.open
  numbers[at + 2] = candle.high
  numbers[at + 3] = candle.low
  numbers[at + 4] = candle.close
  numbers[at + 5] = candle.volume
}

/** Any number of ascending candles, partly in memory and partly on disk. */
export class CandleRows {
  readonly #rows: RowFile
  #first = 0

  constructor(rowsInMemory = defaultRowsInMemory) {
    this.#rows = new RowFile(candleWidth, rowsInMemory)
  }

  get count(): number {
    return this.#rows.count - this.#first
  }

  /** Adds the candle whose numbers begin at index `at`. */
  add(numbers: Float64Array, at: number): void {
    const to = this.#rows.next()
    const { memory } = this.#rows
    for (let k = 0; k < candleWidth; k++) memory[to + k] = numbers[at + k] as number
  }

  /** Drops the oldest candles if there are more than `most`. Returns the number of dropped candles. */
  dropOldest(most: number): number {
    const dropped = Math.max(0, this.count - most)
    this.#first += dropped
    return dropped
  }

  timeOf(at: number): number {
    return this.#numbers(at, at + 1)[0] as number
  }

  indexAfter(time: number): number {
    let [low, high] = [0, this.count]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.timeOf(middle) <= time) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Reads the candles from index `from` to before `to`. */
  read(from: number, to: number): Candle[] {
    return unpackCandles(this.#numbers(from, to), 0, to - from)
  }

  /** Reads the numbers of all candles, some candles at a time. */
  pieces(): Generator<Float64Array> {
    return this.#rows.pieces(this.#first)
  }

  *gaps(timeframe: Timeframe): Generator<Gap> {
    let last: readonly number[] = []
    for (const piece of this.pieces()) {
      const opens = piece.filter((_, at) => at % candleWidth === 0)
      const times = [...last, ...opens]
      yield* gapsIn(times, times.length, timeframe)
      last = times.slice(-1)
    }
  }

  close(): void {
    this.#rows.close()
  }

  #numbers(from: number, to: number): Float64Array {
    return this.#rows.read(this.#first + from, this.#first + to)
  }
}

/** Index of the line number in a held line, after the numbers of the candle. */
const lineAt = candleWidth
/** Maximum number of held problems. A file with more problems is not read further. */
const mostProblems = 1000

/** Any number of waiting lines of a file. */
export class HeldLines {
  readonly #rows = new RowFile(candleWidth + 1, defaultRowsInMemory)
  #problems: ReadLine[] = []
  #hasHeader = true
  #areTimed = true

  add(read: ReadLine): void {
    const { candle, line } = read
    this.#hasHeader = read.hasHeader
    if (typeof candle === 'string') {
      if (this.#problems.length < mostProblems) this.#problems.push(read)
      return
    }
    this.#areTimed &&= candle.timestamp !== undefined
    const at = this.#rows.next()
    packCandle(this.#rows.memory, at, candle)
    this.#rows.memory[at + lineAt] = line
  }

  /** Reads the lines in the order of their numbers, some at a time. Lines with problems are inserted by their numbers. */
  *read(): Generator<readonly ReadLine[]> {
    let next = 0
    for (const numbers of this.#rows.pieces()) {
      const lines: ReadLine[] = []
      for (let at = 0; at < numbers.length; at += this.#rows.width) {
        const line = numbers[at + lineAt] as number
        while ((this.#problems[next]?.line ?? Number.POSITIVE_INFINITY) < line)
          lines.push(this.#problems[next++] as ReadLine)
        const { timestamp, ...others } = unpackCandle(numbers, at)
        const candle = this.#areTimed ? { timestamp, ...others } : others
        lines.push({ line, candle, hasHeader: this.#hasHeader })
      }
      yield lines
    }
    yield this.#problems.slice(next)
  }

  close(): void {
    this.#rows.close()
  }
}

/**
 * Indices of the numbers in a row: the candle in the order of `columnNames`, the index of its file, and the line, counted from 1.
 */
export const rowAt = { time: 0, open: 1, high: 2, low: 3, close: 4, volume: 5, file: 6, line: 7 } as const
export const rowWidth = 8

/**
 * Any number of candles from files, each with its file and line. Rows are sorted in runs that fit into memory. The runs are merged
 * when they are read.
 */
export class SortedRows {
  readonly #rows: RowFile
  readonly #runLength: number

  constructor(rowsInMemory = defaultRowsInMemory) {
    this.#rows = new RowFile(rowWidth, rowsInMemory, sortRows)
    this.#runLength = rowsInMemory
  }

  /** Adds the candle of a line. The lines of a file must be added in order. */
  add(file: number, line: number, candle: Candle): void {
    const at = this.#rows.next()
    const { memory } = this.#rows
    packCandle(memory, at, candle)
    memory[at + rowAt.file] = file
    memory[at + rowAt.line] = line
  }

  /**
   * Reads the rows by time, some at a time. Rows of the same time are in the order of their addition. No row may be added later.
   */
  *ascending(): Generator<Float64Array> {
    sortRows(this.#rows.rest)
    let runs: Run[] = []
    for (let from = 0; from < this.#rows.count; from += this.#runLength)
      runs.push(new Run(this.#rows, from, Math.min(from + this.#runLength, this.#rows.count)))
    while (runs.length > 0) {
      // Runs of sorted files do not overlap, so whole pieces of a run can be yielded.
      let first = runs[0] as Run
      for (const run of runs) if (run.time < first.time) first = run
      let limit = Number.POSITIVE_INFINITY
      for (const run of runs) if (run !== first && run.time < limit) limit = run.time
      yield first.take(limit)
      if (first.isEmpty) runs = runs.filter(run => run !== first)
    }
  }

  close(): void {
    this.#rows.close()
  }
}

/** A sorted run of rows of a file, from `from` to before `to`. */
class Run {
  readonly #rows: RowFile
  readonly #to: number
  #next: number
  #piece: Float64Array
  #at = 0

  constructor(rows: RowFile, from: number, to: number) {
    this.#rows = rows
    this.#to = to
    // Most runs need only their first row for a long time.
    this.#piece = rows.read(from, from + 1)
    this.#next = from + 1
  }

  /** Open time of the first remaining row. */
  get time(): number {
    return this.#piece[this.#at] as number
  }

  get isEmpty(): boolean {
    return this.#at === this.#piece.length
  }

  /** Removes and returns the first row and the following rows in memory that open before `limit`. */
  take(limit: number): Float64Array {
    const from = this.#at
    const piece = this.#piece
    do this.#at += rowWidth
    while (this.#at < piece.length && (piece[this.#at] as number) < limit)
    if (this.#at === piece.length && this.#next < this.#to) this.#readOn()
    return piece.subarray(from, this.#piece === piece ? this.#at : piece.length)
  }

  #readOn(): void {
    const end = Math.min(this.#next + pieceRows, this.#to)
    this.#piece = this.#rows.read(this.#next, end)
    this.#next = end
    this.#at = 0
  }
}

/** Sorts rows by time. The sort is stable, and skipped for sorted rows. */
function sortRows(rows: Float64Array): void {
  let isAscending = true
  for (let at = rowWidth; at < rows.length && isAscending; at += rowWidth)
    isAscending = (rows[at] as number) >= (rows[at - rowWidth] as number)
  if (isAscending) return
  const order = Uint32Array.from({ length: rows.length / rowWidth }, (_, k) => k * rowWidth)
  order.sort((a, b) => (rows[a] as number) - (rows[b] as number) || a - b)
  const before = rows.slice()
  for (const [k, from] of order.entries()) rows.set(before.subarray(from, from + rowWidth), k * rowWidth)
}
