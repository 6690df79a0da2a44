import { barsOf } from '../../candles/charts/bars.js'
import type { Snapshot } from '../../candles/columns.js'
import type { ComputeDispatcher } from '../../compute/compute-dispatcher.js'
import type { Calculator } from '../../compute/kernels/calculator.js'
import { readBodyFields } from '../../contract/body.js'
import { isRefusal } from '../../contract/refusals.js'
import { readSuppliedCandles } from '../../contract/supplied-candles.js'
import { type Conditions, computeConditions, evaluate, evaluatedOf } from '../../evaluate/evaluation.js'
import { compileConditions, type EvaluationRequest, readEvaluation } from '../../evaluate/request.js'
import type { CompiledExpression } from '../../expression/compile.js'
import { timeframeOf } from '../../expression/expressions.js'
import type { MarketData } from '../../history/market-data.js'
import { finishInTurns } from '../../runtime/pieces.js'
import { replyFromCandles } from '../candles-reply.js'
import { ok, type Reply, type RequestHead, refused } from '../reply.js'

interface Dependencies {
  readonly calculator: Calculator
  readonly dispatch: ComputeDispatcher
  readonly marketData: MarketData
}

/** `POST /evaluate`: what followed when a condition became true. */
export async function postEvaluate(
  dependencies: Dependencies,
  head: Pick<RequestHead, 'header'>,
  accountId: string,
  body: Uint8Array,
): Promise<Reply> {
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
  const compose = (candles: Snapshot) =>
    replyTo(dependencies, compiled, request, barsOf(request.chart, candles), accountId)
  if ('candles' in source) return compose(snapshot as Snapshot)
  return replyFromCandles(dependencies.marketData, source.market, accountId, head, compose)
}

async function replyTo(
  { calculator, dispatch }: Dependencies,
  compiled: CompiledExpression,
  request: EvaluationRequest,
  snapshot: Snapshot,
  accountId: string,
): Promise<Reply> {
  const query = { ...compiled.spec, results: Number.POSITIVE_INFINITY, backtrack: 0 }
  const text = await dispatch.textOfLong(query, evaluatedOf(snapshot, request.range), accountId, {
    isKept: false,
  })
  if (isRefusal(text)) return refused(text)
  const conditions =
    text === undefined
      ? computeConditions(calculator, compiled)
      : ({ count }: Snapshot) => conditionsOf(compiled, text, count)
  const result = await finishInTurns('requests', evaluate(compiled, request, snapshot, conditions))
  return isRefusal(result) ? refused(result) : ok(JSON.stringify(result))
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
