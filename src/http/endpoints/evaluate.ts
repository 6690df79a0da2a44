import { z } from 'zod'
import { closedCandles, type Inputs, type Snapshot, timeframeOf } from '../../candles/columns.js'
import type { Timeframe } from '../../candles/timeframe.js'
import type { Evaluation } from '../../client/types.js'
import { barsInSlices, type Executor } from '../../compute/executor.js'
import { type CompiledExpression, hasOtherMarkets, marketsOf } from '../../compute/expressions/compile.js'
import { type DeepInputs, isDeep } from '../../compute/ranges/range-answers.js'
import { singleTable } from '../../compute/tables/table.js'
import { otherMarketsInBulk } from '../../contract/expression-refusals.js'
import { named, readBodyFields } from '../../contract/fields.js'
import { marketShape } from '../../contract/market.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { evaluationShape, suppliedCandles } from '../../contract/requests.js'
import { readSuppliedCandles } from '../../contract/supplied-candles.js'
import { evaluationFormatShape } from '../../contract/table-format.js'
import { maxAgeShape } from '../../contract/time-range.js'
import type { MarketData } from '../../markets/history/market-data.js'
import { finishInSlices } from '../../runtime/scheduler.js'
import {
  type Conditions,
  candlesWithin,
  compileForRange,
  evaluate,
  rangeCandles,
} from '../../screens/evaluation/evaluation.js'
import {
  compileConditions,
  type EvaluationRequest,
  readEvaluation,
} from '../../screens/evaluation/request.js'
import { replyFromCandles } from '../candles-reply.js'
import { type Caller, ok, type QueryHead, type Reply, readAnswerOptions, refused } from '../reply.js'
import { type Call, type KeyRoute, maxShortBytes, post } from '../route.js'
import { evaluationTable } from '../tables/endpoint-tables.js'
import type { TableReplies } from '../tables/table-replies.js'

export interface Parts {
  readonly executor: Executor
  readonly marketData: MarketData
  readonly tables: TableReplies
}

interface EvaluationCall extends Pick<Call, 'account' | 'body'> {
  readonly request: QueryHead & Caller
}

/** `POST /evaluate`: statistics of the candles after a condition became true. */
export async function answerEvaluation(
  parts: Parts,
  { request: head, account, body }: EvaluationCall,
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
  if ('candles' in source && hasOtherMarkets(compiled.spec.indicator)) return refused(otherMarketsInBulk())
  const { format, part } = asked
  const compose = async (candles: Inputs) => {
    const evaluated = { ...parts, compiled, request, accountId: account.id }
    const result =
      isDeep(candles) && timeframe
        ? await evaluateRange(evaluated, candles, timeframe, head)
        : await evaluateOver(evaluated, await barsInSlices(request.chart, candles))
    if (isRefusal(result)) return refused(result)
    if (format === 'json') return ok(JSON.stringify(result))
    const layout = singleTable(evaluationTable(result, part ?? 'returns'))
    return parts.tables.ofLayout(layout, format, head, account.id)
  }
  if ('candles' in source) return compose([snapshot as Snapshot])
  const { market, maxAge } = source
  // Without a start, only the candles in memory are evaluated, because the stored history may have millions of candles.
  const range = Number.isFinite(request.range.from) ? request.range : undefined
  const query = {
    ...compiled.spec,
    results: Number.POSITIVE_INFINITY,
    backtrack: 0,
    range,
    chart: request.chart,
  }
  const question = { query, markets: marketsOf(query.indicator, market), maxAge }
  return replyFromCandles(parts.marketData, question, account, head, compose)
}

interface Evaluated extends Pick<Parts, 'executor'> {
  readonly compiled: CompiledExpression
  readonly request: EvaluationRequest
  readonly accountId: string
}

/** Evaluates a range of a history that is longer than the one in memory. */
async function evaluateRange(
  { executor, compiled, request, accountId }: Evaluated,
  current: DeepInputs,
  timeframe: Timeframe,
  caller: Caller,
): Promise<Evaluation | Refusal> {
  const plan = compileForRange(request, timeframe)
  if (isRefusal(plan)) return plan
  const { range, chart } = request
  const query = { ...plan.spec, range, chart, results: Number.POSITIVE_INFINITY, backtrack: 0 }
  const inputs = closedCandles(current) as DeepInputs
  const found = await executor.ranges.columns({ query, range, inputs }, { accountId, signal: caller.signal })
  if (isRefusal(found)) return found
  const { candles, conditions } = rangeCandles(request, found)
  return finishInSlices('requests', evaluate(compiled, request, candles, conditions))
}

async function evaluateOver(
  { executor, compiled, request, accountId }: Evaluated,
  current: Inputs,
): Promise<Evaluation | Refusal> {
  const candles = candlesWithin(request.range, current)
  if (isRefusal(candles)) return candles
  const query = { ...compiled.spec, results: Number.POSITIVE_INFINITY, backtrack: 0 }
  const found = await executor.executeColumns([{ query, inputs: candles.inputs }], { accountId })
  if (isRefusal(found)) return found
  const [values] = found as readonly [Float64Array | Refusal]
  const packed = isRefusal(values) ? noValues : values
  const conditions = conditionsOf(query.indicator.columns, packed, candles.inputs[0].count)
  return finishInSlices('requests', evaluate(compiled, request, candles, conditions))
}

const noValues = new Float64Array()

/** Conditions in packed columns, which begin at the first candle with a value. */
const conditionsOf = (columns: number, packed: Float64Array, count: number): Conditions => {
  const rows = packed.length / (1 + columns)
  return Array.from({ length: columns }, (_, k) => {
    const condition = new Float64Array(count).fill(Number.NaN)
    condition.set(packed.subarray((1 + k) * rows, (2 + k) * rows), count - rows)
    return condition
  })
}

const evaluationBody = named('Evaluation', () => {
  const { exchange, symbol, timeframe, adjustment } = z.object(marketShape()).partial().shape
  return z
    .strictObject({
      exchange,
      symbol,
      timeframe,
      adjustment,
      candles: suppliedCandles().optional(),
      ...evaluationShape(),
      ...maxAgeShape(),
    })
    .describe('Either `candles`, or `exchange`, `symbol` and `timeframe`.')
})

export const evaluateRoute: KeyRoute<Parts> = post({
  path: '/evaluate',
  hasNoQuery: false,
  maxBytes: maxShortBytes,
  mayBePending: true,
  answer: answerEvaluation,
  describe: () => ({
    id: 'evaluate',
    tag: 'Screens and signals',
    summary: 'Returns after a condition became true',
    description:
      'Over the closed candles of a market, or over `candles`. A signal at the close of a candle acts at the open of the next one, so nothing looks ahead.',
    query: evaluationFormatShape(),
    body: evaluationBody(),
    replies: {
      200: {
        description: 'The statistics.',
        schema: 'evaluationResult',
        headers: ['Warning', 'Age', 'Preference-Applied'],
        isTable: true,
      },
    },
    statuses: [404],
  }),
})
