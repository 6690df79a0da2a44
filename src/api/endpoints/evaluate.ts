import type { Snapshot } from '../../candles/columns.js'
import type { Evaluation } from '../../client/screen-types.js'
import type { ComputeDispatcher } from '../../compute/compute-dispatcher.js'
import type { Calculator } from '../../compute/kernels/calculator.js'
import { readBodyFields } from '../../contract/body.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { readSuppliedCandles } from '../../contract/supplied-candles.js'
import {
  type Conditions,
  closedOf,
  computeConditions,
  evaluate,
  evaluateAtOnce,
} from '../../evaluate/evaluation.js'
import { compileConditions, type EvaluationRequest, readEvaluation } from '../../evaluate/request.js'
import type { CompiledExpression } from '../../expression/compile.js'
import { timeframeOf } from '../../expression/query.js'
import type { MarketData } from '../../history/market-data.js'
import { turnClock } from '../../runtime/turn-clock.js'
import type { Account, FreeRetries } from '../../store/store.js'
import { replyFromCandles } from '../candles-reply.js'
import { answerRepeatable } from '../repeated-posts.js'
import { ok, type Reply, refused } from '../reply.js'

interface Dependencies {
  readonly calculator: Calculator
  readonly dispatch: ComputeDispatcher
  readonly marketData: MarketData
  readonly questions: FreeRetries
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
  dependencies: Dependencies,
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
    return isRefusal(compiled)
      ? refused(compiled)
      : replyTo(dependencies, compiled, request, snapshot, account.id)
  }
  const { market } = source
  const compiled = compileConditions(request, market.timeframe)
  if (isRefusal(compiled)) return refused(compiled)
  const head = { header: () => prefer }
  return replyFromCandles(dependencies.marketData, market, account.id, head, snapshot =>
    replyTo(dependencies, compiled, request, snapshot, account.id),
  )
}

function replyTo(
  { calculator, dispatch }: Dependencies,
  compiled: CompiledExpression,
  request: EvaluationRequest,
  snapshot: Snapshot,
  accountId: string,
): Reply | Promise<Reply> {
  const query = { ...compiled.spec, results: Number.POSITIVE_INFINITY, backtrack: 0 }
  const long = dispatch.textOfLong(query, closedOf(snapshot), accountId, { isKept: false })
  if (long)
    return long.then(text =>
      isRefusal(text)
        ? refused(text)
        : inPieces(evaluate(compiled, request, snapshot, ({ count }) => conditionsOf(compiled, text, count))),
    )
  return snapshot.count > maxAtOnce
    ? inPieces(evaluate(compiled, request, snapshot, computeConditions(calculator, compiled)))
    : replyWith(evaluateAtOnce(calculator, compiled, request, snapshot))
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

async function inPieces(steps: Generator<undefined, Evaluation | Refusal>): Promise<Reply> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return replyWith(value)
    if (turnClock.isOver()) await turnClock.next()
  }
}

const replyWith = (result: Evaluation | Refusal): Reply =>
  isRefusal(result) ? refused(result) : ok(JSON.stringify(result))
