import { readFileSync } from 'node:fs'
import { instantiateSync } from '@assemblyscript/loader'
import type { Kernels } from '../build/kernels.js'
import type { Input, Param, Values } from '../src/catalogue/define.js'
import { catalogue, type Entry } from '../src/catalogue/index.js'

/** Candles as columns of equal length, oldest first. */
export type Columns = Readonly<Partial<Record<Input, ArrayLike<number>>>>
/** Parameters as a caller gives them; those that are missing take their defaults. */
export type Given = Readonly<Record<string, number | string | boolean>>

/** Both builds of the kernels hold the same mathematics; the debug build checks its assertions as well. */
export type Build = 'release' | 'debug'

interface Options {
  readonly build?: Build
  /** Where to cut the range: the kernel is called once for each piece. */
  readonly cuts?: readonly number[]
}

type Exports = Kernels & { start: WebAssembly.Global; memory: WebAssembly.Memory }

const files = { release: 'kernels.wasm', debug: 'kernels.debug.wasm' }
const loaded = new Map<Build, Exports>()

function load(build: Build): Exports {
  let exports = loaded.get(build)
  if (!exports) {
    const bytes = readFileSync(new URL(`../build/${files[build]}`, import.meta.url))
    exports = instantiateSync(bytes).exports as unknown as Exports
    loaded.set(build, exports)
  }
  return exports
}

/** The entry of that name. Throws when the catalogue has none. */
export function entryOf(name: string): Entry {
  const entry = catalogue.get(name)
  if (!entry) throw new Error(`no indicator is called '${name}'`)
  return entry
}

/** Every parameter of an entry with the value that it takes when `given` was asked for. */
export function valuesOf(entry: Entry, given: Given = {}): Values {
  for (const name of Object.keys(given))
    if (!(name in entry.params)) throw new Error(`'${entry.name}' has no parameter '${name}'`)
  const resolve = (name: string): number | string | boolean => {
    const param = entry.params[name] as Param
    if (given[name] !== undefined) return given[name]
    return param.follows && given[param.follows] !== undefined ? resolve(param.follows) : param.default
  }
  return Object.fromEntries(Object.keys(entry.params).map(name => [name, resolve(name)]))
}

function numberOf(param: Param, value: number | string | boolean): number {
  return param.kind === 'choice' ? param.of.indexOf(value as string) : Number(value)
}

/**
 * Computes an indicator over whole columns: one Float64Array per output of its entry, as long as the columns.
 * State, scratch and outputs are full of NaN beforehand, so a kernel that relies on cleared memory is found out.
 */
export function run(
  name: string,
  columns: Columns,
  given: Given = {},
  options: Options = {},
): Float64Array[] {
  const { build = 'release', cuts = [] } = options
  const entry = entryOf(name)
  const values = valuesOf(entry, given)
  const exports = load(build)
  const inputs = entry.inputs.map(input => {
    const column = columns[input]
    if (!column) throw new Error(`'${name}' reads '${input}', which is not among the columns`)
    return column
  })
  const candles = inputs[0]?.length ?? 0
  const room = candles + 2 * (entry.lookback(values) + 1) + 16

  const frame = Math.ceil(exports.start.value / 16) * 16
  let top = frame + 512
  const reserve = (count: number) => {
    const address = top
    top += Math.ceil(count / 2) * 16
    return address
  }
  const inputsAt = inputs.map(() => reserve(candles))
  const outputsAt = entry.outputs.map(() => reserve(candles))
  const scratchAt = Array.from({ length: entry.scratch }, () => reserve(room))
  const stateAt = reserve(entry.state(values))
  const missing = top - exports.memory.buffer.byteLength
  if (missing > 0) exports.memory.grow(Math.ceil(missing / 65_536))

  new Float64Array(exports.memory.buffer, frame, (top - frame) / 8).fill(NaN)
  const view = new DataView(exports.memory.buffer, frame)
  inputsAt.forEach((address, k) => {
    view.setUint32(4 * k, address, true)
    new Float64Array(exports.memory.buffer, address, candles).set(inputs[k] as ArrayLike<number>)
  })
  outputsAt.forEach((address, k) => {
    view.setUint32(32 + 4 * k, address, true)
  })
  scratchAt.forEach((address, k) => {
    view.setUint32(96 + 4 * k, address, true)
  })
  view.setUint32(128, stateAt, true)
  Object.entries(entry.params).forEach(([param, kind], k) => {
    view.setFloat64(136 + 8 * k, numberOf(kind, values[param] as number | string | boolean), true)
  })

  const kernel = exports[entry.kernel as keyof Kernels]
  const edges = [0, ...cuts, candles]
  edges.slice(1).forEach((to, k) => {
    kernel(frame, edges[k] as number, to)
  })
  return outputsAt.map(address => new Float64Array(exports.memory.buffer, address, candles).slice())
}
