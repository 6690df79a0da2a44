import { z } from 'zod'
import { Columns } from '../../candles/columns.js'
import type { Executor } from '../../compute/executor.js'
import { checkExpression } from '../../compute/expressions/check.js'
import { type Expressions, refuseChart } from '../../compute/expressions/expressions.js'
import { ofRequest, translatePine } from '../../compute/pine/translate.js'
import { readBody } from '../../contract/fields.js'
import { isRefusal } from '../../contract/refusals.js'
import { expressionCheckShape, pineShape } from '../../contract/requests.js'
import { finishInSlices } from '../../runtime/scheduler.js'
import { ok, type Reply, refused } from '../reply.js'
import { type Call, type KeyRoute, maxShortBytes, post } from '../route.js'

export interface Dependencies {
  readonly executor: Executor
  readonly expressions: Expressions
  readonly historyDepth: number
}

/** `POST /expression/check`: the facts of an expression that are known without computing it. */
function postExpressionCheck(
  { executor, expressions, historyDepth: candles }: Dependencies,
  { body }: Call,
): Reply {
  const asked = readBody(body, 'expression/check', expressionCheckShape(), ['expression'])
  if (isRefusal(asked)) return refused(asked)
  const compiled = expressions.compile(asked.expression, asked.timeframe)
  if (isRefusal(compiled)) return refused(compiled)
  const { chart } = asked
  const unfit = refuseChart({ ...compiled.spec, chart })
  if (unfit) return refused(unfit)
  const query = { ...compiled.spec, results: 1, backtrack: 0 }
  const history = { columns: Columns.unshared(0), closed: candles, forming: undefined, count: candles }
  const { ns } = executor.costs.of(query, [history])
  const microseconds = Math.ceil(ns / 1000)
  return ok(JSON.stringify({ ...checkExpression(compiled, chart), cost: { candles, microseconds } }))
}

export const expressionCheckRoute: KeyRoute<Dependencies> = post({
  path: '/expression/check',
  maxBytes: maxShortBytes,
  answer: postExpressionCheck,
  describe: () => ({
    id: 'check_expression',
    tag: 'Expressions',
    summary: 'Facts about an expression before it is computed',
    description:
      'Nothing is computed and no candle is read: the warm-up, when values settle, whether the forming candle changes them, and what they cost.',
    body: z.strictObject(expressionCheckShape()),
    replies: { 200: { description: 'Facts about the expression.', schema: 'expressionCheck' } },
  }),
})

/** `POST /expression/pine`: a script of Pine as expressions. */
async function postPine(body: Uint8Array): Promise<Reply> {
  const asked = readBody(body, 'expression/pine', pineShape(), ['script'])
  if (isRefusal(asked)) return refused(asked)
  return ok(
    JSON.stringify(await finishInSlices('requests', translatePine(asked.script, asked.timeframe, ofRequest))),
  )
}

export const pineRoute: KeyRoute<object> = post({
  path: '/expression/pine',
  maxBytes: maxShortBytes,
  answer: (_, { body }) => postPine(body),
  describe: () => ({
    id: 'translate_pine',
    tag: 'Expressions',
    summary: 'A script of Pine as expressions',
    description:
      'Each value that a script of version 5 or 6 plots, and each condition of its alerts and orders, as an expression. Lines without an expression are listed with the reason. Nothing is computed.',
    body: z.strictObject(pineShape()),
    replies: {
      200: { description: 'The expressions, and the lines without one.', schema: 'pineTranslation' },
    },
  }),
})
