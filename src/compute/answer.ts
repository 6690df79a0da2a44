import { rewind, type Snapshot } from '../candles/columns.js'
import type { Output } from '../catalogue/define.js'
import type { Query } from '../contract/query.js'
import { isRefusal, notEnoughCandles, type Refusal } from '../contract/refusals.js'
import type { Calculator } from './calculator.js'
import type { CostEstimates } from './costs.js'
import { formatNumberList } from './json/number-writer.js'
import { type JsonSink, StringSink } from './json/sink.js'

/** The values that answer a query, not yet written. Valid until the calculator is used again. */
interface ComputedResult {
  readonly query: Query
  readonly snapshot: Snapshot
  readonly columns: readonly Float64Array[]
  /** The first candle whose values are wanted. */
  readonly from: number
}

/**
 * Answers a query over a snapshot: the JSON text of the indicator result, whose arrays hold the newest
 * `results` values (fewer where there are fewer), oldest first, aligned with `timestamp`. All there are begin with the
 * first candle that has one.
 */
export function answer(calculator: Calculator, query: Query, snapshot: Snapshot): string | Refusal {
  const found = computeResult(calculator, query, snapshot)
  if (isRefusal(found)) return found
  const sink = new StringSink(calculator.writer)
  writeResult(found, sink)
  return sink.text
}

/** Calculates what answers a query. What the kernel took is noted in `costs`. */
export function computeResult(
  calculator: Calculator,
  query: Query,
  now: Snapshot,
  costs?: CostEstimates,
): ComputedResult | Refusal {
  const { indicator, params, results, backtrack } = query
  const snapshot = rewind(now, backtrack)
  const { count } = snapshot
  const needed = indicator.lookback(params) + 1
  if (count < needed) return notEnoughCandles(indicator.name, needed, count)

  const began = costs ? performance.now() : 0
  const { columns } = calculator.calculate(query, snapshot)
  costs?.record(indicator.name, count, (performance.now() - began) * 1e6)
  const from =
    results === Number.POSITIVE_INFINITY
      ? firstValue(columns, needed - 1, count)
      : Math.max(needed - 1, count - results)
  return { query, snapshot, columns, from }
}

/** Writes values as JSON. */
export function writeResult({ query, snapshot, columns, from }: ComputedResult, sink: JsonSink): void {
  let before = '{'
  query.indicator.outputs.forEach((output, k) => {
    const column = columns[k] as Float64Array
    const text = formatterOf(output)
    sink.add(`${before}"${output.name}":[`)
    if (text) sink.add(formatNumberList(column, from, snapshot.count, text))
    else sink.addNumbers(column, from, snapshot.count)
    before = '],'
  })
  sink.add(`${before}"timestamp":[`)
  writeTimes(sink, snapshot, from)
  sink.add(']}')
}

/** The first candle from `from` on that has a value in any output: all there is begins there. */
function firstValue(columns: readonly Float64Array[], from: number, count: number): number {
  let at = from
  while (at < count && columns.every(column => Number.isNaN(column[at]))) at++
  return at
}

/** The open times from candle `from` on, the forming one's included. */
function writeTimes(sink: JsonSink, { columns, closed, forming }: Snapshot, from: number): void {
  sink.addNumbers(columns.timestamp, from, closed)
  if (forming) sink.add(from < closed ? `,${forming.timestamp}` : `${forming.timestamp}`)
}

/** How the values of an output are written where they are no numbers. */
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
