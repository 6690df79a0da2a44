import type { Candle } from '../../candles/candle.js'
import { defaultRowsInMemory, RowFile } from './row-file.js'

/** Where a row has its numbers: those of the candle in the order of `columnNames`, the index of its file, and the line in it, counted from 1. */
export const rowAt = { time: 0, open: 1, high: 2, low: 3, close: 4, volume: 5, file: 6, line: 7 } as const
export const rowWidth = 8

/** Rows that are read at a time. */
const pieceRows = 1024

/**
 * The candles of files with the lines that they come from, any number of them. They are sorted as far as memory holds them, and
 * these runs are put together when they are read.
 */
export class SortedRows {
  readonly #rows: RowFile
  readonly #runLength: number

  constructor(rowsInMemory = defaultRowsInMemory) {
    this.#rows = new RowFile(rowWidth, rowsInMemory, sortRows)
    this.#runLength = rowsInMemory
  }

  /** Adds the candle of a line; those of one file come in the order of their lines. */
  add(file: number, line: number, { timestamp, open, high, low, close, volume }: Candle): void {
    const at = this.#rows.next()
    const { memory } = this.#rows
    memory[at + rowAt.time] = timestamp
    memory[at + rowAt.open] = open
    memory[at + rowAt.high] = high
    memory[at + rowAt.low] = low
    memory[at + rowAt.close] = close
    memory[at + rowAt.volume] = volume
    memory[at + rowAt.file] = file
    memory[at + rowAt.line] = line
  }

  /** The rows by time, those of the same time as they were added: some at a time, whole rows. Nothing is added after that. */
  *ascending(): Generator<Float64Array> {
    sortRows(this.#rows.rest)
    let runs: Run[] = []
    for (let from = 0; from < this.#rows.count; from += this.#runLength)
      runs.push(new Run(this.#rows, from, Math.min(from + this.#runLength, this.#rows.count)))
    while (runs.length > 0) {
      // Runs of files that are in order do not overlap, so that whole pieces of one follow each other.
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

/** Rows of a file that are in order, from `from` on and before `to`. */
class Run {
  readonly #rows: RowFile
  readonly #to: number
  #next: number
  #piece: Float64Array
  #at = 0

  constructor(rows: RowFile, from: number, to: number) {
    this.#rows = rows
    this.#to = to
    // Of most runs only the first row is needed for long.
    this.#piece = rows.read(from, from + 1)
    this.#next = from + 1
  }

  /** When the first row opens that is left. */
  get time(): number {
    return this.#piece[this.#at] as number
  }

  get isEmpty(): boolean {
    return this.#at === this.#piece.length
  }

  /** Takes the first row, and those after it in memory that open before `limit`. */
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

/** Sorts rows by time where they are not in order; those of the same time stay in theirs. */
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
