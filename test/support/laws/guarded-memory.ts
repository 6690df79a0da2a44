import { readFileSync } from 'node:fs'
import { instantiateSync } from '@assemblyscript/loader'
import { buildFile } from '../built-kernels.js'

/** Writes the outputs and the state of the candles [from, to). */
export type Kernel = (frame: number, from: number, to: number) => void

/** The memory that kernels calculate in, free from byte `start` on. */
export interface KernelMemory {
  readonly memory: WebAssembly.Memory
  readonly start: number
}

/** One instance of a build. */
export interface Build extends KernelMemory {
  readonly imports: readonly string[]
  readonly exports: readonly string[]
  readonly kernels: Readonly<Record<string, Kernel>>
}

/** Loads a fresh instance of a build. */
export function load(build: 'release' | 'debug'): Build {
  const { module, instance } = instantiateSync(readFileSync(buildFile(build)))
  const { memory, start, ...rest } = instance.exports
  return {
    memory: memory as WebAssembly.Memory,
    start: (start as WebAssembly.Global).value,
    imports: WebAssembly.Module.imports(module).map(entry => `${entry.module}.${entry.name}`),
    exports: WebAssembly.Module.exports(module).map(entry => entry.name),
    kernels: rest as Record<string, Kernel>,
  }
}

/** Layout of a guarded memory; `length` is the number of candles. */
export interface Shape {
  readonly length: number
  readonly lookback: number
  readonly inputs: number
  readonly outputs: readonly string[]
  readonly scratch: number
  readonly state: number
  readonly numbers: readonly number[]
}

/**
 * Patterns that fill every byte that a kernel must not read: a signalling NaN that no calculation yields, a number above all
 * others, a number below all others. A comparison that one of them passes fails for another.
 */
export const fillPatterns = [0x7ff4_a5a5_5a5a_c3c3n, 0x7f35_a5a5_5a5a_c3c3n, 0xff35_a5a5_5a5a_c3c3n] as const
export type FillPattern = (typeof fillPatterns)[number]

interface Region {
  readonly name: string
  readonly at: number
  readonly size: number
}

/** A frame begins with 8 inputs, 16 outputs, 8 scratch columns and the state as u32; its 24 parameters follow at 136. */
const frameSize = 136 + 24 * 8
const places = { inputs: 8, outputs: 16, scratch: 8, numbers: 24 } as const
/** Largest number of values that are copied one by one: a view of them would cost more. */
const maxLoopCopy = 16
/** A pointer beyond any memory of these tests: an access traps. */
const invalidPointer = 0x8000_0000
/** Bytes between two regions. */
const guardSize = 64
/** Bytes behind the last region. */
const margin = 4096
const page = 65_536

/**
 * A frame with its columns in guarded memory:
 *
 *   module │ frame ▒ input ▒ … ▒ output ▒ … ▒ state ▒ scratch ▒ … ▒▒▒▒
 *
 * A call may write its range of the outputs, the state and the scratch columns, and nothing else. The outputs are compared
 * with an image after each call, because the next call could hide a wrong write. The inputs are compared before they change,
 * and the whole stretch by `expectIntact` after the last call. Values are copied out after each call, so that no call sees
 * outputs or scratch of another.
 */
export class GuardedMemory {
  readonly inputs: readonly Float64Array[]
  readonly state: Float64Array
  readonly #place: KernelMemory
  readonly #kernel: Kernel
  readonly #frame: number
  /** Contents of the frame: addresses, and the place of the first of them. */
  readonly #pointers: readonly (readonly [slot: number, addresses: readonly number[]])[]
  readonly #buffer: ArrayBuffer
  readonly #regions: Region[] = []
  readonly #words: BigUint64Array
  readonly #inputs: readonly BigUint64Array[]
  readonly #outputs: readonly BigUint64Array[]
  readonly #outputValues: readonly Float64Array[]
  /** The bytes of the outputs with the guards between them, present and expected. */
  readonly #outputBytes: Buffer
  readonly #outputImage: Buffer
  readonly #outputHalves: readonly Uint32Array[]
  readonly #state: BigUint64Array
  readonly #scratch: readonly BigUint64Array[]
  readonly #shape: Shape
  readonly #bytes: Buffer
  readonly #image: Buffer
  #pattern: FillPattern = fillPatterns[0]
  /** The pattern as two numbers of 32 bits, the low one first. */
  #patternHalves: readonly [number, number] = [0, 0]
  /** The columns whose values are in the inputs. */
  #columns: readonly Float64Array[] = []
  /** The candles [from, to) whose inputs are not hidden. */
  #shown: readonly [from: number, to: number] = [0, 0]
  /** The candles [from, to) of the newest call. */
  #called: readonly [from: number, to: number] = [0, 0]

  constructor(place: KernelMemory, kernel: Kernel, shape: Shape) {
    const { length, lookback, outputs } = shape
    for (const [noun, room] of Object.entries(places)) {
      const wanted = shape[noun as keyof typeof places]
      const count = typeof wanted === 'number' ? wanted : wanted.length
      if (count > room) throw new Error(`a frame has room for ${room} ${noun}, not for ${count}`)
    }
    let end = Math.ceil(place.start / 16) * 16
    const reserve = (name: string, size: number): Region => {
      const region = { name, at: end, size }
      this.#regions.push(region)
      end = Math.ceil((end + size + guardSize) / 16) * 16
      return region
    }
    const column = (name: string, size = length) => reserve(name, size * 8)
    const frame = reserve('the frame', frameSize)
    const ins = Array.from({ length: shape.inputs }, (_, k) => column(`input ${k}`))
    const outs = outputs.map(name => column(name))
    const state = column('the state', shape.state)
    const room = length + 2 * (lookback + 1) + 16
    const scratch = Array.from({ length: shape.scratch }, (_, k) => column(`scratch ${k}`, room))
    end += margin

    const { memory } = place
    const missing = end - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / page))
    const buffer = memory.buffer
    this.#place = place
    this.#kernel = kernel
    this.#frame = frame.at
    this.#buffer = buffer
    this.#shape = shape
    const words = (region: Region) => new BigUint64Array(buffer, region.at, region.size / 8)
    const values = (region: Region) => new Float64Array(buffer, region.at, region.size / 8)
    this.inputs = ins.map(values)
    this.state = values(state)
    this.#inputs = ins.map(words)
    this.#outputs = outs.map(words)
    this.#outputValues = outs.map(values)
    this.#outputHalves = outs.map(region => new Uint32Array(buffer, region.at, region.size / 4))
    this.#state = words(state)
    this.#scratch = scratch.map(words)
    this.#words = new BigUint64Array(buffer, frame.at, (end - frame.at) / 8)
    this.#bytes = Buffer.from(buffer, 0, end)
    this.#image = imageOf(place.memory, end)
    const outputsAt = outs[0]?.at ?? state.at
    this.#outputBytes = this.#bytes.subarray(outputsAt, state.at)
    this.#outputImage = this.#image.subarray(outputsAt, state.at)
    const addresses = (regions: readonly Region[]) => regions.map(({ at }) => at)
    this.#pointers = [
      [0, addresses(ins)],
      [8, addresses(outs)],
      [24, addresses(scratch)],
      [32, [state.at]],
    ]
  }

  /** Whether the memory was grown since, so that its views are detached. */
  get isLost(): boolean {
    return this.#place.memory.buffer !== this.#buffer
  }

  /** Lays everything out again, without a shown candle, whatever earlier calls of this or another layout have written. */
  reset(pattern: FillPattern = fillPatterns[0]): void {
    this.#pattern = pattern
    this.#patternHalves = [Number(pattern & 0xffff_ffffn), Number(pattern >> 32n)]
    this.#shown = [0, 0]
    this.#columns = []
    this.#called = [0, 0]
    this.#words.fill(pattern)
    const pointers = new Uint32Array(this.#buffer, this.#frame, 34).fill(invalidPointer)
    for (const [slot, addresses] of this.#pointers) pointers.set(addresses, slot)
    new Float64Array(this.#buffer, this.#frame + 136, 24).set(this.#shape.numbers)
    this.#bytes.copy(this.#image)
  }

  /** Puts the values of `columns` into the inputs for the candles [from, to) and hides all others. */
  show(columns: readonly Float64Array[], from: number, to: number): void {
    const [shownFrom, shownTo] = this.#shown
    // Shown candles stay: most calls hide a few candles and show the next ones.
    const isSame = columns === this.#columns && from >= shownFrom && from <= shownTo && to >= shownTo
    const hiddenTo = isSame ? from : shownTo
    const newFrom = isSame ? shownTo : from
    this.inputs.forEach((input, k) => {
      this.#expectBytes(input.byteOffset + shownFrom * 8, input.byteOffset + shownTo * 8)
      if (hiddenTo > shownFrom) {
        this.#inputs[k]?.fill(this.#pattern, shownFrom, hiddenTo)
        this.#copyToImage(input, shownFrom, hiddenTo)
      }
      if (to > newFrom) {
        copyValues(columns[k] as Float64Array, input, newFrom, to)
        this.#copyToImage(input, newFrom, to)
      }
    })
    this.#shown = [from, to]
    this.#columns = columns
  }

  /**
   * Calls the kernel for the candles [from, to), copies its outputs into the same places of `into`, and throws if it wrote
   * outside its range of the outputs.
   */
  call(from: number, to: number, into: readonly Float64Array[]): void {
    this.#called = [from, to]
    this.#kernel(this.#frame, from, to)
    if (this.isLost) throw new Error('the memory was grown by the call')
    for (let k = 0; k < this.#outputs.length; k++) this.#moveOutput(k, from, to, into[k] as Float64Array)
    for (const scratch of this.#scratch) scratch.fill(this.#pattern)
    if (!this.#outputBytes.equals(this.#outputImage)) this.#reportForeignWrite(this.#outputBytes.byteOffset)
  }

  /** Throws if the calls wrote anything but the outputs, the state and the scratch columns. */
  expectIntact(): void {
    const savedState = this.#state.slice()
    this.#state.fill(this.#pattern)
    this.#expectBytes(0, this.#bytes.byteLength)
    this.#state.set(savedState)
  }

  /** Copies the candles [from, to) of output `k` to `target` and hides them; throws if one was not written. */
  #moveOutput(k: number, from: number, to: number, target: Float64Array): void {
    const halves = this.#outputHalves[k] as Uint32Array
    const [low, high] = this.#patternHalves
    for (let i = from; i < to; i++) {
      if (halves[2 * i] === low && halves[2 * i + 1] === high) {
        throw new Error(`${this.#shape.outputs[k]}[${i}] was not written by the call for [${from}, ${to})`)
      }
    }
    copyValues(this.#outputValues[k] as Float64Array, target, from, to)
    if (to - from > maxLoopCopy) this.#outputs[k]?.fill(this.#pattern, from, to)
    else
      for (let i = from; i < to; i++) {
        halves[2 * i] = low
        halves[2 * i + 1] = high
      }
  }

  #copyToImage(input: Float64Array, from: number, to: number): void {
    const start = input.byteOffset + from * 8
    const end = input.byteOffset + to * 8
    if (to - from > maxLoopCopy) this.#bytes.copy(this.#image, start, start, end)
    else for (let i = start; i < end; i++) this.#image[i] = this.#bytes[i] as number
  }

  #expectBytes(from: number, to: number): void {
    if (this.#bytes.compare(this.#image, from, to, from, to) !== 0) this.#reportForeignWrite(from)
  }

  #reportForeignWrite(from: number): never {
    let at = from
    while (this.#bytes[at] === this.#image[at]) at++
    const [first, end] = this.#called
    const call = `the call for [${first}, ${end}) of ${this.#shape.length} candles, or one before it`
    const region = this.#regions.findLast(({ at: start }) => start <= at)
    if (!region) throw new Error(`byte ${at}, which belongs to the module, was changed by ${call}`)
    const index = (at - region.at) >> 3
    if (at < region.at + region.size) throw new Error(`${region.name}[${index}] was changed by ${call}`)
    throw new Error(
      `byte ${at - region.at - region.size} after the end of ${region.name} was changed by ${call}`,
    )
  }
}

/** Copies the candles [from, to) of a column into the same places of another. */
function copyValues(source: Float64Array, target: Float64Array, from: number, to: number): void {
  if (to - from > maxLoopCopy) target.set(source.subarray(from, to), from)
  else for (let i = from; i < to; i++) target[i] = source[i] as number
}

const images = new WeakMap<WebAssembly.Memory, Buffer>()

/** Space for the image of a memory's first `length` bytes, shared by all layouts in it, one after another. */
function imageOf(memory: WebAssembly.Memory, length: number): Buffer {
  let image = images.get(memory)
  if (!image || image.byteLength < length) {
    image = Buffer.allocUnsafeSlow(2 * length)
    images.set(memory, image)
  }
  return image.subarray(0, length)
}
