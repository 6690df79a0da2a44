import type { ReadLine } from '../../candles/csv/candle-reader.js'
import { defaultRowsInMemory, RowFile } from './row-file.js'

/** The numbers of a line: its number, and those of its candle. */
const width = 7
/** Problems that are kept. A file with more of them is not read further. */
const mostProblems = 1000
const pieceRows = 4096

/** Lines of a file that wait, any number of them: in memory, or in a temporary file. */
export class HeldLines {
  readonly #rows: RowFile
  #problems: ReadLine[] = []
  #hasHeader = true
  #areTimed = true

  constructor(rowsInMemory = defaultRowsInMemory) {
    this.#rows = new RowFile(width, rowsInMemory)
  }

  add(line: ReadLine): void {
    const { candle } = line
    this.#hasHeader = line.hasHeader
    if (typeof candle === 'string') {
      if (this.#problems.length < mostProblems) this.#problems.push(line)
      return
    }
    const { timestamp, open, high, low, close, volume } = candle
    this.#areTimed &&= timestamp !== undefined
    const at = this.#rows.next()
    this.#rows.memory.set([line.line, timestamp ?? Number.NaN, open, high, low, close, volume], at)
  }

  /** The lines as they were added, but for those with problems, which come where their number is passed. */
  *read(): Generator<ReadLine> {
    let next = 0
    for (let from = 0; from < this.#rows.count; from += pieceRows) {
      const rows = this.#rows.read(from, Math.min(from + pieceRows, this.#rows.count))
      for (let at = 0; at < rows.length; at += width) {
        const [line, timestamp, open, high, low, close, volume] = rows.subarray(
          at,
          at + width,
        ) as unknown as [number, number, number, number, number, number, number]
        while ((this.#problems[next]?.line ?? Number.POSITIVE_INFINITY) < line)
          yield this.#problems[next++] as ReadLine
        const numbers = { open, high, low, close, volume }
        const candle = this.#areTimed ? { timestamp, ...numbers } : numbers
        yield { line, candle, hasHeader: this.#hasHeader }
      }
    }
    yield* this.#problems.slice(next)
  }

  close(): void {
    this.#rows.close()
  }
}
