import type { Snapshot } from '../../candles/columns.js'
import { columnsOf, type PlacedOutput } from '../../catalogue/define.js'
import type { Entry } from '../../catalogue/index.js'
import type { ComputedResult } from '../answer.js'
import type { Calculator } from '../kernels/calculator.js'
import { withheldFrom } from '../results/windows.js'
import type { CodedTable } from './table.js'

/** The open times of the candles from `from` on. */
export function timesFrom({ columns, closed, forming, count }: Snapshot, from: number): Float64Array {
  const times = new Float64Array(count - from)
  times.set(columns.timestamp.subarray(from, closed))
  if (forming && count > from) times[count - from - 1] = forming.timestamp
  return times
}

/**
 * The times and the columns of a result behind one another, copied out of the memory of the kernels:
 *
 *   ├─ times ─┼─ first column ─┼─ second column ─┼ …
 */
export function packColumns(calculator: Calculator, { query, snapshot, from }: ComputedResult): Float64Array {
  const { columns } = query.indicator
  const rows = snapshot.count - from
  const packed = new Float64Array(rows * (1 + columns))
  packed.set(timesFrom(snapshot, from))
  const withheld = withheldFrom(query, from)
  for (let k = 0; k < columns; k++) {
    const start = (1 + k) * rows
    packed.set(calculator.column(k, snapshot.count).subarray(from), start)
    packed.fill(Number.NaN, start, start + withheld)
  }
  return packed
}

/** The table of packed columns: the times, and a column for each output of the indicator, under the name that `rename` gives. */
export function tableOfColumns(
  { outputs, columns }: Entry,
  packed: Float64Array,
  rename: (output: string) => string = output => output,
): CodedTable {
  const rows = packed.length / (1 + columns)
  const column = (k: number) => packed.subarray(k * rows, (k + 1) * rows)
  const toColumn = (output: PlacedOutput) => columnOf(output, rename(output.name), k => column(1 + k))
  return { rows, columns: [{ name: 'time', kind: 'time', values: column(0) }, ...outputs.map(toColumn)] }
}

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
      const masks = Array.from({ length: columnsOf(output) }, (_, k) => column(output.column + k))
      return { name, kind: 'names', masks, names: output.names }
    }
  }
}
