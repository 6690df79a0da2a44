import { Columns } from '../../candles/columns.js'
import type { Timeframe } from '../../candles/timeframe.js'
import { type CompiledExpression, compileExpressions } from '../../compute/expressions/compile.js'
import type { RangeColumns } from '../../compute/ranges/range-answers.js'
import type { Refusal } from '../../contract/refusals.js'
import type { Conditions, EvaluatedCandles } from './evaluation.js'
import { conditionTexts, type EvaluationRequest } from './request.js'

/** What an evaluation needs of each candle of a time, as one plan: its conditions, the entry at the candle before, and prices. */
export const compileForRange = (
  request: EvaluationRequest,
  timeframe: Timeframe,
): CompiledExpression | Refusal =>
  compileExpressions(
    {
      ...conditionTexts(request),
      ...{ entryBefore: `(${request.entry})[1]`, openPrice: 'open', closePrice: 'close' },
    },
    { timeframe },
  )

/**
 * The candles of a time with their conditions, out of the values of that plan: behind a candle of which only the entry is
 * known, unless the history begins with the time.
 */
export function rangeCandles(
  { exit }: EvaluationRequest,
  { columns: values, before }: RangeColumns,
): { readonly candles: EvaluatedCandles; readonly conditions: Conditions } {
  const names = [
    'timestamp',
    'entry',
    ...(exit === undefined ? [] : ['exit']),
    'entryBefore',
    'open',
    'close',
  ]
  const rows = values.length / names.length
  const begin = before > 0 ? 1 : 0
  const count = begin + rows
  const of = (name: string) => {
    const at = names.indexOf(name) * rows
    return values.subarray(at, at + rows)
  }
  const columns = Columns.unshared(count)
  for (const name of ['timestamp', 'open', 'close'] as const) columns[name].set(of(name), begin)
  const conditions = ['entry', 'exit'].slice(0, exit === undefined ? 1 : 2).map(name => {
    const condition = new Float64Array(count).fill(Number.NaN)
    condition.set(of(name), begin)
    return condition
  })
  if (begin > 0) (conditions[0] as Float64Array)[0] = of('entryBefore')[0] as number
  const snapshot = { columns, closed: count, forming: undefined, count }
  return { candles: { snapshot, before: before - begin, begin }, conditions }
}
