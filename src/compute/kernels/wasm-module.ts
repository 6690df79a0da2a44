import { readFileSync } from 'node:fs'
import { instantiateSync } from '@assemblyscript/loader'
import type { Kernels } from '../../../build/kernels.js'
import type { Entry } from '../../catalogue/index.js'
import { once } from '../../runtime/once.js'

export type { Kernels }

/** The functions of the module that read and write text; addresses are in bytes. See assembly/json. */
export interface JsonFunctions {
  findCandles(at: number, to: number): number
  readCandles(at: number, target: number, maxCandles: number): number
  writeNumbers(column: number, count: number, text: number): number
}

/** The functions of the module that compute operations of expressions; addresses are in bytes. See assembly/expression. */
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

const compiled = once(
  () => new WebAssembly.Module(readFileSync(new URL('../../../build/kernels.wasm', import.meta.url))),
)

/** Instantiates the kernels, which are compiled once per thread. */
export function instantiate(): WasmModule {
  // Not the loader's own `exports`: it wraps each function, for the sake of optional arguments that there are none of here.
  return instantiateSync(compiled()).instance.exports as unknown as WasmModule
}

/** A kernel that ended in a trap. It is a bug, and is about its indicator alone: other ones can be computed as before. */
export class KernelFailure extends Error {
  constructor(indicator: string, cause: Error) {
    super(`${indicator} cannot be computed because of a bug in its kernel: ${cause.message}`, { cause })
  }
}

/** Runs the kernel of an indicator for the candles [from, to). Throws KernelFailure where it ends in a trap. */
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

/** The first address from `address` on that is a multiple of `bytes`, a power of 2; as a rule the size of a vector. */
export const alignAddress = (address: number, bytes = 16): number => (address + bytes - 1) & -bytes

/** The first aligned address that the host may use. */
export const firstFreeAddress = ({ start }: WasmModule): number => alignAddress(start.value as number)

/** Grows a memory to at least so many bytes. Growing replaces `memory.buffer`: views of it must be created again. */
export function growMemory(memory: WebAssembly.Memory, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / wasmPageBytes))
}
