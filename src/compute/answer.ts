import { rewind, type Snapshot } from '../candles/columns.js'
import type { Output } from '../catalogue/define.js'
import type { Question } from '../contract/query.js'
import type { Calculator } from './calculator.js'
import type { Costs } from './costs.js'
import { listText } from './json/number-writer.js'
import { type Sheet, StringSheet } from './json/sink.js'

/** The history is shorter than the indicator needs. */
export interface Shortage {
  readonly needed: number
  readonly available: number
}

/** The values that answer a question, not yet written. Valid until the calculator is used again. */
interface Found {
  readonly question: Question
  readonly snapshot: Snapshot
  readonly columns: readonly Float64Array[]
  /** The first candle whose values are wanted. */
  readonly from: number
}

/**
 * Answers a question over a snapshot: the JSON text of the indicator result, whose arrays hold the newest
 * `results` values (fewer where there are fewer), oldest first, aligned with `timestamp`. All there are begin with the
 * first candle that has one.
 */
export function answer(calculator: Calculator, question: Question, snapshot: Snapshot): string | Shortage {
  const found = find(calculator, question, snapshot)
  if (!('columns' in found)) return found
  const sheet = new StringSheet(calculator.writer)
  print(found, sheet)
  return sheet.text
}

/** Calculates what answers a question. What the kernel took is noted in `costs`. */
export function find(
  calculator: Calculator,
  question: Question,
  now: Snapshot,
  costs?: Costs,
): Found | Shortage {
  const { indicator, params, results, backtrack } = question
  const snapshot = rewind(now, backtrack)
  const { count } = snapshot
  const needed = indicator.lookback(params) + 1
  if (count < needed) return { needed, available: count }

  const began = costs ? performance.now() : 0
  const { columns } = calculator.calculate(question, snapshot)
  costs?.note(indicator.name, count, (performance.now() - began) * 1e6)
  const from =
    results === Number.POSITIVE_INFINITY
      ? firstValue(columns, needed - 1, count)
      : Math.max(needed - 1, count - results)
  return { question, snapshot, columns, from }
}

/** Writes values as JSON. */
export function print({ question, snapshot, columns, from }: Found, sheet: Sheet): void {
  let before = '{'
  question.indicator.outputs.forEach((output, k) => {
    const column = columns[k] as Float64Array
    const text = textOf(output)
    sheet.add(`${before}"${output.name}":[`)
    if (text) sheet.add(listText(column, from, snapshot.count, text))
    else sheet.addNumbers(column, from, snapshot.count)
    before = '],'
  })
  sheet.add(`${before}"timestamp":[`)
  printTimes(sheet, snapshot, from)
  sheet.add(']}')
}

/** The first candle from `from` on that has a value in any output: all there is begins there. */
function firstValue(columns: readonly Float64Array[], from: number, count: number): number {
  let at = from
  while (at < count && columns.every(column => Number.isNaN(column[at]))) at++
  return at
}

/** The open times from candle `from` on, the forming one's included. */
function printTimes(sheet: Sheet, { columns, closed, forming }: Snapshot, from: number): void {
  sheet.addNumbers(columns.timestamp, from, closed)
  if (forming) sheet.add(from < closed ? `,${forming.timestamp}` : `${forming.timestamp}`)
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
