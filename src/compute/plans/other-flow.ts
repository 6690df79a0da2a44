import type { Candle } from '../../candles/candle.js'
import { type CandleBlock, Columns, columnNames } from '../../candles/columns.js'
import type { OtherCandles } from '../../candles/multi-market-columns.js'
import { blockSize } from './timeline-candles.js'

/** Where the candles of another market go on behind a checkpoint. */
export interface OtherPlace {
  /** The index of the first candle that is looked back at, counted from the beginning of the history. */
  readonly first: number
  /** When it opens, in Unix seconds. */
  readonly from: number
}

/** The candles of another market from a time (Unix seconds) on, in its order: those before the ones in memory, then these. */
export type OtherCandlesFrom = (from: number) => Iterable<CandleBlock>

/**
 * The candles of another market on the way through a long history. A part of them is in memory: as many as are looked back at, and as
 * many as are read with a block.
 */
export class OtherFlow implements OtherCandles {
  readonly columns: Columns
  closed: number
  ended: Candle | undefined
  #first: number
  readonly #lookback: number
  readonly #blocks: Iterator<CandleBlock>
  #block: CandleBlock | undefined
  /** How many candles of the block are in the columns. */
  #taken = 0
  /** The candles in memory, which may be corrected later, and the index of the first one once it is known. */
  readonly #memory: OtherCandles
  #memoryAt = Number.POSITIVE_INFINITY

  /** `lookback` is how many candles before those that are read are looked back at. */
  constructor(candles: OtherCandlesFrom, memory: OtherCandles, lookback: number, place?: OtherPlace) {
    // Whether a candle ended within the present one is asked of the last one that was read.
    this.#lookback = Math.max(1, lookback)
    this.#memory = memory
    this.columns = Columns.unshared(this.#lookback + blockSize + 1)
    this.#first = place?.first ?? 0
    this.closed = this.#first
    this.#blocks = candles(place?.from ?? Number.NEGATIVE_INFINITY)[Symbol.iterator]()
    this.#next()
  }

  get first(): number {
    return this.#first
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

  /** Whether candles in memory are among the first `read` ones. */
  hasReachedMemory(read: number): boolean {
    return read > Math.min(this.#memoryAt, this.closed)
  }

  /** Where another flow goes on that is to look back from candle `read`. */
  placeAt(read: number): OtherPlace | undefined {
    const first = Math.max(this.#first, read - this.#lookback)
    return first < this.closed
      ? { first, from: this.columns.timestamp[first - this.#first] as number }
      : undefined
  }

  /** Reads no more; to be called once. */
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
    if (!this.#block) this.ended = this.#memory.ended
    if (this.#block?.columns === this.#memory.columns) this.#memoryAt = this.closed
  }
}
