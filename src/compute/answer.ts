import { rewind, type Snapshot } from '../candles/columns.js'
import type { Output } from '../catalogue/define.js'
import type { Question } from '../contract/question.js'
import type { Calculator } from './calculator.js'
import type { Costs } from './costs.js'
import { listText, type Writer } from './json.js'

/** The history is shorter than the indicator needs. */
export interface Shortage {
  readonly needed: number
  readonly available: number
}

/**
 * Answers a question over a snapshot: the JSON text of the indicator result, whose arrays hold the newest
 * `results` values (fewer where there are fewer), oldest first, aligned with `timestamp`. All there are begin with the
 * first candle that has one. What the kernel took is noted in `costs`.
 */
export function answer(
  calculator: Calculator,
  question: Question,
  now: Snapshot,
  costs?: Costs,
): string | Shortage {
  const { indicator, params, results, backtrack } = question
  const snapshot = rewind(now, backtrack)
  const { count } = snapshot
  const needed = indicator.lookback(params) + 1
  if (count < needed) return { needed, available: count }

  const { writer } = calculator
  const began = costs ? performance.now() : 0
  const { columns } = calculator.calculate(question, snapshot)
  costs?.note(indicator.name, count, (performance.now() - began) * 1e6)
  const from =
    results === Number.POSITIVE_INFINITY
      ? firstValue(columns, needed - 1, count)
      : Math.max(needed - 1, count - results)
  let json = '{'
  indicator.outputs.forEach((output, k) => {
    const column = columns[k] as Float64Array
    const text = textOf(output)
    const list = text ? listText(column, from, count, text) : writer.list(column, from, count)
    json += `"${output.name}":[${list}],`
  })
  return `${json}"timestamp":[${timesText(writer, snapshot, from)}]}`
}

/** The first candle from `from` on that has a value in any output: all there is begins there. */
function firstValue(columns: readonly Float64Array[], from: number, count: number): number {
  let at = from
  while (at < count && columns.every(column => Number.isNaN(column[at]))) at++
  return at
}

/** The open times from candle `from` on, the forming one's included. */
function timesText(writer: Writer, { columns, closed, forming }: Snapshot, from: number): string {
  const list = writer.list(columns.timestamp, from, closed)
  if (!forming) return list
  return list === '' ? `${forming.timestamp}` : `${list},${forming.timestamp}`
}

/** How the values of an output are written where they are no numbers. */
export function textOf(output: Output): ((value: number) => string) | undefined {
  if (output.kind === 'flag') return value => (Number.isNaN(value) ? 'null' : value === 0 ? 'false' : 'true')
  if (output.kind === 'label') {
    const texts = new Map(
      Object.entries(output.labels).map(([code, text]) => [Number(code), JSON.stringify(text)]),
    )
    return value => texts.get(value) ?? 'null'
  }
  return undefined
}
