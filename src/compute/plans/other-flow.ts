import type { Candle } from '../../candles/candle.js'
import { type CandleBlock, Columns, columnNames, type OtherCandles } from '../../candles/columns.js'
import { blockSize, type OtherInput } from './timeline-candles.js'

/** Candle of another market from which reading continues after a checkpoint. */
export interface OtherStart {
  /** Index of the first candle within the lookback, counted from the start of the history. */
  readonly first: number
  /** Open time of that candle, in Unix seconds. */
  readonly from: number
}

/**
 * Candles of another market from a time (Unix seconds) on, in the order of time: first the older ones, then those in
 * memory.
 */
export type OtherCandlesFrom = (from: number) => Iterable<CandleBlock>

/**
 * Candles of another market during a pass over a long history. Memory holds the candles within the lookback and those
 * of the current block.
 */
export class OtherFlow implements OtherInput {
  readonly columns: Columns
  closed: number
  #first: number
  readonly #lookback: number
  readonly #blocks: Iterator<CandleBlock>
  #block: CandleBlock | undefined
  /** Number of candles of the source block already copied to the columns. */
  #taken = 0
  /** Candles in memory, which may still be corrected, and the index of the first one once known. */
  readonly #memory: OtherCandles
  #memoryAt = Number.POSITIVE_INFINITY

  /** `lookback` is the number of candles needed before the next one to read. */
  constructor(candles: OtherCandlesFrom, memory: OtherCandles, lookback: number, start?: OtherStart) {
    // At least 1, because the last candle read decides whether a candle ended within the current one.
    this.#lookback = Math.max(1, lookback)
    this.#memory = memory
    this.columns = Columns.unshared(this.#lookback + blockSize + 1)
    this.#first = start?.first ?? 0
    this.closed = this.#first
    this.#blocks = candles(start?.from ?? Number.NEGATIVE_INFINITY)[Symbol.iterator]()
    this.#next()
  }

  get first(): number {
    return this.#first
  }

  get forming(): Candle | undefined {
    return this.#memory.forming
  }

  get hasEnded(): boolean {
    return this.#block === undefined && this.#memory.hasEnded
  }

  hold(at: number): void {
    this.#dropBefore(at - this.#lookback)
    while (this.#block && this.closed <= at + blockSize) {
      const { columns, from, to } = this.#block
      const begin = from + this.#taken
      const count = Math.min(to - begin, at + blockSize + 1 - this.closed)
      this.#write(columns, begin, count)
      this.#taken += count
      if (begin + count === to) this.#next()
    }
  }

  /** Whether the first `read` candles include some that are in memory. */
  hasReachedMemory(read: number): boolean {
    return read > Math.min(this.#memoryAt, this.closed)
  }

  /** Start of another flow that continues at candle `read` with the same lookback. */
  startAt(read: number): OtherStart | undefined {
    const first = Math.max(this.#first, read - this.#lookback)
    return first < this.closed
      ? { first, from: this.columns.timestamp[first - this.#first] as number }
      : undefined
  }

  /** Stops reading. Call it once. */
  close(): void {
    this.#blocks.return?.()
  }

  #dropBefore(at: number): void {
    const dropped = at - this.#first
    if (dropped <= 0) return
    for (const name of columnNames) this.columns[name].copyWithin(0, dropped, this.closed - this.#first)
    this.#first = at
  }

  #write(columns: Columns, from: number, count: number): void {
    for (const name of columnNames)
      this.columns[name].set(columns[name].subarray(from, from + count), this.closed - this.#first)
    this.closed += count
  }

  #next(): void {
    this.#block = this.#blocks.next().value
    this.#taken = 0
    if (this.#block?.columns === this.#memory.columns) this.#memoryAt = this.closed
  }
}
