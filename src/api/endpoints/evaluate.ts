import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Snapshot } from '../../candles/columns.js'
import type { Evaluation } from '../../client/screen-types.js'
import type { Calculator } from '../../compute/calculator.js'
import { readBodyFields } from '../../contract/body.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { readSuppliedCandles } from '../../contract/supplied-candles.js'
import { evaluate, evaluateAtOnce } from '../../evaluate/evaluation.js'
import { compileConditions, type EvaluationRequest, readEvaluation } from '../../evaluate/request.js'
import type { CompiledExpression } from '../../expression/compile.js'
import { timeframeOf } from '../../expression/query.js'
import type { MarketData } from '../../history/market-data.js'
import type { Account, PendingQuestions } from '../../store/store.js'
import { replyFromCandles } from '../candles-reply.js'
import { answerRepeatable } from '../repeated-posts.js'
import { ok, type Reply, refused } from '../reply.js'

interface Dependencies {
  readonly calculator: Calculator
  readonly marketData: MarketData
  readonly questions: PendingQuestions
}

/** Histories up to this length are evaluated at once, longer ones in pieces between which the event loop goes on. */
const maxAtOnce = 2_000

/** `POST /evaluate`: what followed when a condition became true. */
export const postEvaluate = (
  dependencies: Dependencies,
  body: Uint8Array,
  account: Account,
  prefer: string,
): Reply | Promise<Reply> =>
  answerRepeatable(dependencies.questions, account, '/evaluate', body, () =>
    answer(dependencies, body, account, prefer),
  )

function answer(
  { calculator, marketData }: Dependencies,
  body: Uint8Array,
  account: Account,
  prefer: string,
): Reply | Promise<Reply> {
  const fields = readBodyFields(body)
  if (isRefusal(fields)) return refused(fields)
  const read = readEvaluation(fields)
  if (isRefusal(read)) return refused(read)
  const { request, source } = read
  if ('candles' in source) {
    const snapshot = readSuppliedCandles(source.candles)
    if (isRefusal(snapshot)) return refused(snapshot)
    const compiled = compileConditions(request, timeframeOf(snapshot))
    return isRefusal(compiled) ? refused(compiled) : replyTo(calculator, compiled, request, snapshot)
  }
  const { market } = source
  const compiled = compileConditions(request, market.timeframe)
  if (isRefusal(compiled)) return refused(compiled)
  return replyFromCandles(marketData, market, account.id, { header: () => prefer }, snapshot =>
    replyTo(calculator, compiled, request, snapshot),
  )
}

function replyTo(
  calculator: Calculator,
  compiled: CompiledExpression,
  request: EvaluationRequest,
  snapshot: Snapshot,
): Reply | Promise<Reply> {
  return snapshot.count > maxAtOnce
    ? inPieces(evaluate(calculator, compiled, request, snapshot))
    : replyWith(evaluateAtOnce(calculator, compiled, request, snapshot))
}

async function inPieces(steps: Generator<undefined, Evaluation | Refusal>): Promise<Reply> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return replyWith(value)
    await nextTurn()
  }
}

const replyWith = (result: Evaluation | Refusal): Reply =>
  isRefusal(result) ? refused(result) : ok(JSON.stringify(result))
