import type { Kernels } from '../../../build/kernels.js'
import type { Entry, Values } from '../../catalogue/index.js'

export type { Kernels }

/** Functions of the module that read and write text. Addresses are in bytes: see assembly/json. */
export interface JsonFunctions {
  findCandles(at: number, to: number): number
  readCandles(at: number, target: number, maxCandles: number): number
  writeNumbers(column: number, count: number, text: number): number
}

/** Functions of the module that compute operations of expressions. Addresses are in bytes: see assembly/expression. */
export interface ExpressionFunctions {
  computePointwise(operation: number, out: number, a: number, b: number, c: number, count: number): void
  countFinite(at: number, count: number): number
}

/** An instance of the kernels with its memory. */
export interface WasmModule extends Kernels, JsonFunctions, ExpressionFunctions {
  readonly memory: WebAssembly.Memory
  /** The first byte that the host may use. */
  readonly start: WebAssembly.Global
}

/** Instantiates compiled kernels, which import nothing. */
export const instanceOf = (compiled: WebAssembly.Module): WasmModule =>
  new WebAssembly.Instance(compiled).exports as unknown as WasmModule

/** A kernel that ended in a trap. This is a bug of one indicator only; other indicators can still be computed. */
export class KernelFailure extends Error {
  constructor(indicator: string, cause: Error) {
    super(`${indicator} cannot be computed because of a bug in its kernel: ${cause.message}`, { cause })
  }
}

/** Runs the kernel of an indicator for the candles [from, to). Throws `KernelFailure` if the kernel traps. */
export function runKernel(
  module: WasmModule,
  { name, kernel }: Pick<Entry, 'name' | 'kernel'>,
  frame: number,
  from: number,
  to: number,
): void {
  try {
    module[kernel as keyof Kernels](frame, from, to)
  } catch (error) {
    throw error instanceof WebAssembly.RuntimeError ? new KernelFailure(name, error) : error
  }
}

/** Bytes of one page of WebAssembly memory, the unit in which it grows. */
const wasmPageBytes = 65_536

/** Rounds an address up to a multiple of `bytes`, a power of 2. The default is the size of a vector. */
export const alignAddress = (address: number, bytes = 16): number => (address + bytes - 1) & -bytes

/** The first aligned address that the host may use. */
export const firstFreeAddress = ({ start }: WasmModule): number => alignAddress(start.value as number)

/**
 * Grows a memory to at least `bytes` bytes, and by an eighth, because candles arrive one by one. Untouched pages need no
 * memory of the machine. Growing replaces `memory.buffer`, so views of it must be created again.
 */
export function growMemory(memory: WebAssembly.Memory, bytes: number): void {
  const { byteLength } = memory.buffer
  const missing = bytes - byteLength
  if (missing > 0) memory.grow(Math.ceil(Math.max(missing, byteLength / 8) / wasmPageBytes))
}

/** Offsets inside a frame, in bytes: see assembly/frame.ts. */
export const frameAt = { inputs: 0, outputs: 32, scratch: 96, state: 128, params: 136, size: 328 } as const

/** Length of a kernel's scratch column for the candles before `to`, in numbers. */
export const scratchLengthOf = (to: number, lookback: number): number => to + 2 * (lookback + 1) + 16

/** Bytes of a cache line. Stores that cross its end are half as fast. */
export const cacheLineBytes = 64

/**
 * Distance between the starts of two columns with `numbers` numbers each, in numbers. The lower 12 bits of an address
 * decide whether a load waits for an earlier store, and select its place in the L1 cache. So columns that are used
 * together start five cache lines apart in these bits (docs/adr/0043-kernels-without-branches-on-prices.md).
 */
export const columnLength = (numbers: number): number => ((numbers + 511) & ~511) + 40

/** Encodes the value of a parameter as the number that the kernel expects. */
export function encode(indicator: Entry, name: string, params: Values): number {
  const param = indicator.params[name]
  const value = params[name]
  if (typeof value === 'string' && param && 'of' in param)
    return (param.of as readonly string[]).indexOf(value)
  return Number(value)
}
