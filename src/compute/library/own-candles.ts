import { type ColumnName, Columns, columnNames, type Snapshot } from '../../candles/columns.js'
import { CandelaError } from '../../client/errors.js'
import {
  candlesNotArray,
  isRefusal,
  missingRequired,
  priceNotNumber,
  type Refusal,
  unequalColumns,
} from '../../contract/refusals.js'
import { readSuppliedCandles, refuseTime } from '../../contract/supplied-candles.js'
import type { CandleColumns, Numbers, OwnCandles } from './types.js'

/** The value of a result that may be a refusal, which is thrown in the words of the service. */
export function orThrow<Value>(result: Value | Refusal): Value {
  if (isRefusal(result)) throw new CandelaError(result.error, result.status)
  return result
}

/**
 * Reads the candles of a caller. Columns that are not `needed` are not read and may be missing. A list of numbers stands
 * for the column of a calculation that reads no other.
 */
export function readOwn(candles: OwnCandles, needed: readonly ColumnName[]): Snapshot {
  if (typeof candles !== 'object' || candles === null) return orThrow<Snapshot>(candlesNotArray())
  if (!Array.isArray(candles) && !ArrayBuffer.isView(candles))
    return readColumns(candles as CandleColumns, needed)
  if (typeof candles[0] === 'object' && candles[0] !== null)
    return orThrow(readSuppliedCandles(candles, Number.POSITIVE_INFINITY))
  return readColumns({ [onlyColumn(needed)]: candles as Numbers }, needed)
}

/** The only column that a calculation reads. */
export const onlyColumn = (needed: readonly ColumnName[]): ColumnName =>
  needed.length === 1 && needed[0] ? needed[0] : orThrow<ColumnName>(missingRequired(needed))

function readColumns(given: CandleColumns, needed: readonly ColumnName[]): Snapshot {
  let count = 0
  const missing: ColumnName[] = []
  for (const name of needed) {
    const values = given[name]
    if (values !== undefined) count = values.length
    else if (name !== 'timestamp') missing.push(name)
  }
  if (missing.length > 0) orThrow(missingRequired(missing, Object.keys(given)))
  const columns: Partial<Record<ColumnName, Float64Array>> = {}
  for (const name of needed) {
    const values = given[name]
    if (values === undefined) continue
    if (values.length !== count) orThrow(unequalColumns(name, values.length, count))
    columns[name] = values instanceof Float64Array ? values : readNumbers(name, values)
  }
  if (needed[0] === 'timestamp') {
    columns.timestamp ??= Float64Array.from({ length: count }, (_, i) => i)
    checkTimes(columns.timestamp)
  }
  // Only the needed columns are read.
  return { columns: columns as unknown as Columns, closed: count, forming: undefined, count }
}

function readNumbers(name: string, values: Exclude<Numbers, Float64Array>): Float64Array {
  const numbers = new Float64Array(values.length)
  for (let i = 0; i < values.length; i++) {
    const value: unknown = values[i]
    if (typeof value === 'number') numbers[i] = value
    else if (value === null || value === undefined) numbers[i] = Number.NaN
    else orThrow(priceNotNumber(i, name, value))
  }
  return numbers
}

function checkTimes(timestamp: Float64Array): void {
  for (let i = 0; i < timestamp.length; i++) {
    const fault = refuseTime(timestamp, i, timestamp[i])
    if (fault) orThrow(fault)
  }
}

/** Candles in one buffer with all columns, for calculations that read other markets. */
export function joinable(snapshot: Snapshot): Snapshot {
  const columns = Columns.unshared(snapshot.count)
  for (const name of columnNames) columns[name].set(snapshot.columns[name])
  return { ...snapshot, columns }
}
