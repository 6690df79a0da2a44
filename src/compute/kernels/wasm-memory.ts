import type { WasmModule } from './wasm-module.js'

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
