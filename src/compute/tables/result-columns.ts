import type { ColumnName, Snapshot } from '../../candles/columns.js'
import { columnCount, type PlacedOutput } from '../../catalogue/define.js'
import type { Entry } from '../../catalogue/index.js'
import type { ComputedResult } from '../answer.js'
import type { Calculator } from '../kernels/calculator.js'
import type { CodedTable, TableColumn } from './table.js'

/** Column of the candles from `from` on, without copying. */
export const candleColumn = (
  { columns, closed, forming, count }: Snapshot,
  from: number,
  field: ColumnName,
): TableColumn => ({
  name: field === 'timestamp' ? 'time' : field,
  kind: field === 'timestamp' ? 'time' : 'number',
  values: columns[field].subarray(from, closed),
  last: count > from ? forming?.[field] : undefined,
})

/**
 * Copies the times and the columns of a result out of the memory of the kernels, one after another:
 *
 *   ├─ times ─┼─ first column ─┼─ second column ─┼ …
 */
export function packColumns(calculator: Calculator, result: ComputedResult): Float64Array {
  const { query, snapshot, from, masked } = result
  const rows = snapshot.count - from
  const packed = new Float64Array(rows * (1 + query.indicator.columns))
  packed.set(snapshot.columns.timestamp.subarray(from, snapshot.closed))
  if (snapshot.forming && rows > 0) packed[rows - 1] = snapshot.forming.timestamp
  for (let k = 0; k < query.indicator.columns; k++) {
    const start = (1 + k) * rows
    packed.set(calculator.column(k, snapshot.count).subarray(from), start)
    packed.fill(Number.NaN, start, start + masked)
  }
  return packed
}

/** Names an output in a table. */
type Rename = (output: string) => string

/** Makes the table of packed columns: the times, and one column per output of the indicator, named by `rename`. */
export function tableOfColumns(indicator: Entry, packed: Float64Array, rename?: Rename): CodedTable {
  const rows = packed.length / (1 + indicator.columns)
  const column = (k: number) => packed.subarray(k * rows, (k + 1) * rows)
  const time: TableColumn = { name: 'time', kind: 'time', values: column(0) }
  return { rows, columns: [time, ...outputColumns(indicator, k => column(1 + k), rename)] }
}

/** Makes the table of a result without copying columns. Valid until the calculator is used again. */
export function tableOfResult(
  calculator: Calculator,
  { query, snapshot, from, masked }: ComputedResult,
): CodedTable {
  const column = (k: number) => {
    const values = calculator.column(k, snapshot.count).subarray(from)
    // An expression may be a column of the candles themselves.
    return masked === 0 ? values : values.slice().fill(Number.NaN, 0, masked)
  }
  const time = candleColumn(snapshot, from, 'timestamp')
  return { rows: snapshot.count - from, columns: [time, ...outputColumns(query.indicator, column)] }
}

/** One column per output of an indicator. */
const outputColumns = (
  { outputs }: Entry,
  column: (k: number) => Float64Array,
  rename: Rename = output => output,
): CodedTable['columns'] => outputs.map(output => columnOf(output, rename(output.name), column))

function columnOf(
  output: PlacedOutput,
  name: string,
  column: (k: number) => Float64Array,
): CodedTable['columns'][number] {
  const values = column(output.column)
  switch (output.kind) {
    case 'number':
    case 'signal':
      return { name, kind: 'number', values }
    case 'flag':
      return { name, kind: 'flag', values }
    case 'label':
      return { name, kind: 'label', values, labels: output.labels }
    case 'names': {
      const masks = Array.from({ length: columnCount(output) }, (_, k) => column(output.column + k))
      return { name, kind: 'names', masks, names: output.names }
    }
  }
}
