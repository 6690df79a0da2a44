import { barsInTurns } from '../../candles/charts/bars.js'
import type { Snapshot } from '../../candles/columns.js'
import type { Evaluation } from '../../client/screen-types.js'
import type { ComputeDispatcher } from '../../compute/compute-dispatcher.js'
import type { Calculator } from '../../compute/kernels/calculator.js'
import { singleTable } from '../../compute/tables/table.js'
import { readBodyFields } from '../../contract/body.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { readSuppliedCandles } from '../../contract/supplied-candles.js'
import { evaluationFormatShape } from '../../contract/table-format.js'
import { type Conditions, computeConditions, evaluate, evaluatedOf } from '../../evaluate/evaluation.js'
import { compileConditions, type EvaluationRequest, readEvaluation } from '../../evaluate/request.js'
import type { CompiledExpression } from '../../expression/compile.js'
import { timeframeOf } from '../../expression/expressions.js'
import type { MarketData } from '../../history/market-data.js'
import { finishInTurns } from '../../runtime/pieces.js'
import { replyFromCandles } from '../candles-reply.js'
import { type Caller, ok, type QueryHead, type Reply, refused } from '../reply.js'
import { readAnswerOptions } from '../tables/answer-format.js'
import { evaluationTable } from '../tables/endpoint-tables.js'
import type { TableReplies } from '../tables/table-replies.js'

interface Dependencies {
  readonly calculator: Calculator
  readonly dispatch: ComputeDispatcher
  readonly marketData: MarketData
  readonly tables: TableReplies
}

/** `POST /evaluate`: what followed when a condition became true. */
export async function postEvaluate(
  dependencies: Dependencies,
  head: QueryHead & Caller,
  accountId: string,
  body: Uint8Array,
): Promise<Reply> {
  const asked = readAnswerOptions(head, evaluationFormatShape, '/evaluate')
  if (isRefusal(asked)) return refused(asked)
  const fields = readBodyFields(body)
  if (isRefusal(fields)) return refused(fields)
  const read = readEvaluation(fields)
  if (isRefusal(read)) return refused(read)
  const { request, source } = read
  const snapshot = 'candles' in source ? readSuppliedCandles(source.candles) : undefined
  if (isRefusal(snapshot)) return refused(snapshot)
  const timeframe = 'candles' in source ? timeframeOf(snapshot as Snapshot) : source.market.timeframe
  const compiled = compileConditions(request, timeframe)
  if (isRefusal(compiled)) return refused(compiled)
  const { format, part } = asked
  const compose = async (candles: Snapshot) => {
    const result = await evaluateOver(
      dependencies,
      compiled,
      request,
      await barsInTurns(request.chart, candles),
      accountId,
    )
    if (isRefusal(result)) return refused(result)
    if (format === 'json') return ok(JSON.stringify(result))
    const layout = singleTable(evaluationTable(result, part ?? 'returns'))
    return dependencies.tables.ofLayout(layout, format, head, accountId)
  }
  if ('candles' in source) return compose(snapshot as Snapshot)
  return replyFromCandles(dependencies.marketData, source.market, accountId, head, compose)
}

async function evaluateOver(
  { calculator, dispatch }: Dependencies,
  compiled: CompiledExpression,
  request: EvaluationRequest,
  snapshot: Snapshot,
  accountId: string,
): Promise<Evaluation | Refusal> {
  const query = { ...compiled.spec, results: Number.POSITIVE_INFINITY, backtrack: 0 }
  const text = await dispatch.textOfLong(query, evaluatedOf(snapshot, request.range), accountId, {
    isKept: false,
  })
  if (isRefusal(text)) return text
  const conditions =
    text === undefined
      ? computeConditions(calculator, compiled)
      : ({ count }: Snapshot) => conditionsOf(compiled, text, count)
  return finishInTurns('requests', evaluate(compiled, request, snapshot, conditions))
}

/** The conditions in the text of an answer, which begins at the first candle that has a value. */
function conditionsOf({ outputs }: CompiledExpression, text: string, count: number): Conditions {
  const answer: Readonly<Record<string, readonly (boolean | null)[]>> = JSON.parse(text)
  return outputs.map(({ name }) => {
    const values = answer[name] as readonly (boolean | null)[]
    const condition = new Float64Array(count).fill(Number.NaN)
    const first = count - values.length
    for (const [k, value] of values.entries()) if (value !== null) condition[first + k] = Number(value)
    return condition
  })
}
