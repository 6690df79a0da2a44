import { readFileSync } from 'node:fs'
import { once } from '../../runtime/once.js'
import { instanceOf, type WasmModule } from './module.js'

const compiled = once(
  () => new WebAssembly.Module(readFileSync(new URL('../../../build/kernels.wasm', import.meta.url))),
)

/** Instantiates the kernels, which are read from their file and compiled once per thread. */
export const instantiate = (): WasmModule => instanceOf(compiled())
