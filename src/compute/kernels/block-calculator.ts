import type { Candle } from '../../candles/candle.js'
import { type ColumnName, columnNames } from '../../candles/columns.js'
import { NumberWriter } from '../json/number-writer.js'
import type { Calculation } from './calculator.js'
import { cacheLineBytes, columnLength, encode, frameAt, scratchLengthOf } from './frame.js'
import {
  alignAddress,
  firstFreeAddress,
  growMemory,
  instantiate,
  runKernel,
  type WasmModule,
} from './wasm-module.js'

/** Means that a calculation may choose as its source. */
const means = {
  hl2: ({ high, low }: Candle) => (high + low) / 2,
  hlc3: ({ high, low, close }: Candle) => (high + low + close) / 3,
  ohlc4: ({ open, high, low, close }: Candle) => (open + high + low + close) / 4,
}
type Mean = keyof typeof means

/** The columns that a block has: those of candles and the means of some. */
const names = [...columnNames, ...(Object.keys(means) as Mean[])] as const

/** The values of the candles that were added last, valid until the next candle is added. */
export interface Block {
  /** How many candles there were before. */
  readonly from: number
  readonly count: number
  /** The open time of each candle, in Unix seconds. */
  readonly timestamp: Float64Array
  /** By calculation: one view per column of its entry, NaN where there is no value. */
  readonly columns: readonly (readonly Float64Array[])[]
}

/** A calculation with the addresses of its frame, its first output and its state. */
interface Placed extends Calculation {
  readonly frame: number
  readonly outputs: number
  readonly lookback: number
}

/**
 * Computes indicators over any number of candles, which are added in blocks: each kernel continues with its state, so the
 * values are those of one calculation over all candles, bit for bit. In memory are the block, the candles before it
 * that a kernel looks back at, and working space: some kernels address theirs by the index of the candle, so it grows
 * by up to 8 bytes for each scratch column and candle.
 *
 * A kernel receives the address that candle 0 would have. It may lie before the memory: addresses wrap at 4 GiB, and
 * a kernel uses only those of candles that are there.
 */
export class BlockCalculator {
  /** Writes lists of numbers as JSON in the same memory. */
  readonly writer: NumberWriter
  readonly blockSize: number
  readonly #module: WasmModule
  readonly #placed: readonly Placed[]
  readonly #lookback: number
  /** Where the columns begin, and how many numbers each has. */
  readonly #inputs: number
  readonly #inputLength: number
  readonly #outputLength: number
  readonly #scratchAt: number
  #scratchLength = 0
  #numbers = new Float64Array()
  #words = new Int32Array()
  /** The index of the first candle in memory, of the first one of the block, and of the next one that is added. */
  #base = 0
  #from = 0
  #next = 0

  constructor(calculations: readonly Calculation[], blockSize = 1024, module = instantiate()) {
    this.blockSize = blockSize
    this.#module = module
    const start = firstFreeAddress(module)
    this.writer = new NumberWriter(module, start)
    let free = alignAddress(start + NumberWriter.byteSize, cacheLineBytes)
    const take = (bytes: number) => {
      const at = free
      free += bytes
      return at
    }
    this.#lookback = Math.max(...calculations.map(({ indicator, params }) => indicator.lookback(params)))
    this.#inputLength = columnLength(this.#lookback + blockSize + 1)
    this.#outputLength = columnLength(blockSize + 1)
    this.#inputs = take(names.length * this.#inputLength * 8)
    this.#placed = calculations.map(calculation => {
      const { indicator, params } = calculation
      const frame = take(alignAddress(frameAt.size))
      const outputs = take(indicator.columns * this.#outputLength * 8)
      // The frame holds the address of the state from here on.
      const state = take((indicator.state(params) + 1) * 8)
      this.#reserve(free)
      this.#words[(frame + frameAt.state) >> 2] = state
      let at = (frame + frameAt.params) >> 3
      for (const name in indicator.params) this.#numbers[at++] = encode(indicator, name, params)
      free = alignAddress(free)
      return { ...calculation, frame, outputs, lookback: indicator.lookback(params) }
    })
    this.#scratchAt = free
  }

  /** Candles that were added to the block. */
  get size(): number {
    return this.#next - this.#from
  }

  /** Adds the next candle; to be called at most `blockSize` times for one block. */
  add(candle: Candle): void {
    const at = (this.#inputs >> 3) + this.#next - this.#base
    const length = this.#inputLength
    for (let k = 0; k < columnNames.length; k++)
      this.#numbers[at + k * length] = candle[columnNames[k] as ColumnName]
    this.#numbers[at + 6 * length] = means.hl2(candle)
    this.#numbers[at + 7 * length] = means.hlc3(candle)
    this.#numbers[at + 8 * length] = means.ohlc4(candle)
    this.#next++
  }

  /** Computes the candles of the block, and begins the next one. */
  compute(): Block {
    const from = this.#from
    const to = this.#next
    this.#reserveScratch(to)
    const columns = this.#placed.map(placed => {
      this.#run(placed, from, to)
      const { indicator, outputs } = placed
      return Array.from({ length: indicator.columns }, (_, k) => {
        const at = (outputs >> 3) + k * this.#outputLength
        return this.#numbers.subarray(at, at + to - from)
      })
    })
    const first = (this.#inputs >> 3) + from - this.#base
    const timestamp = this.#numbers.slice(first, first + to - from)
    this.#from = to
    this.#shift()
    return { from, count: to - from, timestamp, columns }
  }

  #run({ indicator, source, source2, frame, outputs }: Placed, from: number, to: number): void {
    const words = this.#words
    const at = frame >> 2
    indicator.inputs.forEach((input, k) => {
      const name = (k === 0 ? source : k === 1 ? source2 : undefined) ?? input
      const address = this.#inputs + names.indexOf(name) * this.#inputLength * 8
      words[at + (frameAt.inputs >> 2) + k] = address - this.#base * 8
    })
    for (let k = 0; k < indicator.columns; k++)
      words[at + (frameAt.outputs >> 2) + k] = outputs + k * this.#outputLength * 8 - from * 8
    for (let k = 0; k < indicator.scratch; k++)
      words[at + (frameAt.scratch >> 2) + k] = this.#scratchAt + k * this.#scratchLength * 8
    runKernel(this.#module, indicator, frame, from, to)
  }

  /** Moves the candles that the next block looks back at to the beginning. */
  #shift(): void {
    const base = Math.max(this.#base, this.#next - this.#lookback)
    const moved = base - this.#base
    if (moved === 0) return
    for (let k = 0; k < names.length; k++) {
      const at = (this.#inputs >> 3) + k * this.#inputLength
      this.#numbers.copyWithin(at, at + moved, at + this.#next - this.#base)
    }
    this.#base = base
  }

  /** Reserves the scratch columns for candles up to `to`, as long as those of one calculation over all candles. */
  #reserveScratch(to: number): void {
    const count = Math.max(0, ...this.#placed.map(({ indicator }) => indicator.scratch))
    const needed = scratchLengthOf(to, this.#lookback)
    if (count === 0 || needed <= this.#scratchLength) return
    this.#scratchLength = columnLength(2 * needed)
    this.#reserve(this.#scratchAt + count * this.#scratchLength * 8)
  }

  #reserve(bytes: number): void {
    const { memory } = this.#module
    growMemory(memory, bytes)
    if (this.#numbers.buffer === memory.buffer) return
    this.#numbers = new Float64Array(memory.buffer)
    this.#words = new Int32Array(memory.buffer)
  }
}
