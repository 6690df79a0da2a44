import { rewind, type Snapshot } from '../candles/columns.js'
import { namesPerColumn, type Output, type PlacedOutput } from '../catalogue/define.js'
import type { Query } from '../contract/query.js'
import { isRefusal, notEnoughCandles, type Refusal } from '../contract/refusals.js'
import type { Calculator } from './calculator.js'
import type { CostEstimates } from './costs.js'
import { formatNumberList } from './json/number-writer.js'
import { type JsonSink, StringSink } from './json/sink.js'

/** The values that answer a query, before they are written. Valid until the calculator is used again. */
interface ComputedResult {
  readonly query: Query
  readonly snapshot: Snapshot
  readonly columns: readonly Float64Array[]
  /** The index of the first candle whose values are written. */
  readonly from: number
}

/**
 * Answers a query over a snapshot with the JSON text of the indicator's result: arrays of the newest `results` values
 * (fewer where the history is shorter), oldest first, aligned with `timestamp`. With `results` infinite they begin at
 * the first candle that has a value.
 */
export function answer(calculator: Calculator, query: Query, snapshot: Snapshot): string | Refusal {
  const result = computeResult(calculator, query, snapshot)
  if (isRefusal(result)) return result
  const sink = new StringSink(calculator.writer)
  writeResult(result, sink)
  return sink.text
}

/** Computes the values that answer a query. The time that the kernel took is recorded in `costs`. */
export function computeResult(
  calculator: Calculator,
  query: Query,
  current: Snapshot,
  costs?: CostEstimates,
): ComputedResult | Refusal {
  const { indicator, params, results, backtrack } = query
  const snapshot = rewind(current, backtrack)
  const { count } = snapshot
  const needed = indicator.warmup(params) + 1
  if (count < needed) return notEnoughCandles(indicator.name, needed, count)

  const start = costs ? performance.now() : 0
  const { columns } = calculator.calculate(query, snapshot)
  costs?.record(indicator.name, count, (performance.now() - start) * 1e6)
  const from =
    results === Number.POSITIVE_INFINITY
      ? firstValue(columns, needed - 1, count)
      : Math.max(needed - 1, count - results)
  return { query, snapshot, columns, from }
}

/** Writes values as JSON. */
export function writeResult({ query, snapshot, columns, from }: ComputedResult, sink: JsonSink): void {
  let separator = '{'
  query.indicator.outputs.forEach(output => {
    const column = columns[output.column] as Float64Array
    const text = formatterOf(output)
    sink.add(`${separator}"${output.name}":[`)
    if (output.kind === 'names') {
      for (let i = from; i < snapshot.count; i++)
        sink.add((i > from ? ',' : '') + formatNames(output, k => columns[k]?.[i] as number))
    } else if (text) sink.add(formatNumberList(column, from, snapshot.count, text))
    else sink.addNumbers(column, from, snapshot.count)
    separator = '],'
  })
  sink.add(`${separator}"timestamp":[`)
  writeTimes(sink, snapshot, from)
  sink.add(']}')
}

/** The first candle from `from` on that has a value in any output. */
function firstValue(columns: readonly Float64Array[], from: number, count: number): number {
  let at = from
  while (at < count && columns.every(column => Number.isNaN(column[at]))) at++
  return at
}

/** The open times from candle `from` on, that of the forming candle included. */
function writeTimes(sink: JsonSink, { columns, closed, forming, count }: Snapshot, from: number): void {
  sink.addNumbers(columns.timestamp, from, closed)
  // With no value at all `from` lies behind the forming candle, too.
  if (forming && from < count) sink.add(from < closed ? `,${forming.timestamp}` : `${forming.timestamp}`)
}

/** What the bits of a column's lower half amount to. */
const halfOfColumn = 2 ** (namesPerColumn / 2)

/** The names that apply at one candle as JSON text; `read` gives the value of a column there. */
export function formatNames(
  output: PlacedOutput & { readonly kind: 'names' },
  read: (column: number) => number,
): string {
  if (Number.isNaN(read(output.column))) return 'null'
  let list = ''
  for (let first = 0; first < output.names.length; first += namesPerColumn) {
    const mask = read(output.column + first / namesPerColumn)
    // The operators for bits take 32 of them; few are set, so that only those are looked at.
    const halves = [mask % halfOfColumn, Math.floor(mask / halfOfColumn)] as const
    for (let half = 0; half < 2; half++) {
      for (let bits = halves[half] as number; bits !== 0; bits &= bits - 1) {
        const bit = 31 - Math.clz32(bits & -bits)
        const name = output.names[first + (half * namesPerColumn) / 2 + bit]
        list += list === '' ? name : `,${name}`
      }
    }
  }
  return list === '' ? '""' : JSON.stringify(list)
}

/** Writes a value of an output whose values are not written as numbers; undefined for other outputs. */
export function formatterOf(output: Output): ((value: number) => string) | undefined {
  if (output.kind === 'flag') return value => (Number.isNaN(value) ? 'null' : value === 0 ? 'false' : 'true')
  if (output.kind === 'label') {
    const texts = new Map(
      Object.entries(output.labels).map(([code, text]) => [Number(code), JSON.stringify(text)]),
    )
    return value => texts.get(value) ?? 'null'
  }
  return undefined
}
