import { readFileSync } from 'node:fs'
import { instantiateSync } from '@assemblyscript/loader'
import type { Candle } from '../../src/candles/candle.js'
import { Columns, columnNames, type Snapshot } from '../../src/candles/columns.js'
import { catalogue, type Entry, type SourceName, type Values } from '../../src/catalogue/index.js'
import { operationCodes } from '../../src/compute/expressions/plan.js'
import { Calculator } from '../../src/compute/kernels/calculator.js'
import type { WasmModule } from '../../src/compute/wasm/module.js'
import { readQuery } from '../../src/contract/query.js'
import { buildFile } from './built-kernels.js'

/** Candles as plain columns of equal length, oldest first. */
export type PlainColumns = Readonly<Record<keyof Candle, readonly number[]>>
/** The columns of candles; `read` returns the numbers of one of them. */
export const plainColumns = (read: (name: keyof Candle) => readonly number[]): PlainColumns => ({
  timestamp: read('timestamp'),
  open: read('open'),
  high: read('high'),
  low: read('low'),
  close: read('close'),
  volume: read('volume'),
})
/** Parameters of a caller; missing ones have their defaults. */
export type Given = Readonly<Record<string, number | string | boolean>>

const instantiated = () =>
  instantiateSync(readFileSync(buildFile('release'))).instance.exports as unknown as WasmModule

/** Runs the kernels of `testedEntries`. */
export const calculator = new Calculator(instantiated())

const powers = instantiated()

/** Powers as expressions have them: engines of JavaScript differ in the last digit. `pointwise.test.ts` checks them. */
export function power(base: number, exponent: number): number {
  const at = (powers.start.value as number) + 64
  const numbers = new Float64Array(powers.memory.buffer, (at + 7) & ~7, 3)
  numbers.set([base, exponent])
  const { byteOffset } = numbers
  powers.computePointwise(operationCodes.power, byteOffset + 16, byteOffset, byteOffset + 8, 0, 1)
  return numbers[2] as number
}

/** The entry of a name. Throws if the catalogue has none. */
export function entryOf(name: string): Entry {
  const entry = catalogue.get(name)
  if (!entry) throw new Error(`no indicator is called '${name}'`)
  return entry
}

/** Every parameter of an entry with its value for the given ones, and the sources chosen. */
export function valuesOf(
  entry: Entry,
  given: Given = {},
): { params: Values; source: SourceName | undefined; source2: SourceName | undefined } {
  const query = readQuery(entry, new Map(Object.entries(given)), 'json')
  if ('error' in query) throw new Error(query.error)
  const { params, source, source2 } = query
  return { params, source, source2 }
}

/** A snapshot of closed candles. */
export function snapshotOf(columns: PlainColumns): Snapshot {
  const count = columns.timestamp.length
  const shared = new Columns(count)
  for (const column of columnNames) shared[column].set(columns[column])
  return { columns: shared, closed: count, forming: undefined, count }
}

/** Computes an indicator over whole columns: one Float64Array per output of its entry, as long as the columns. */
export function run(name: string, columns: PlainColumns, given: Given = {}): Float64Array[] {
  const indicator = entryOf(name)
  const outputs = calculator.calculate({ indicator, ...valuesOf(indicator, given) }, [snapshotOf(columns)])
  return outputs.columns.map(column => column.slice())
}
