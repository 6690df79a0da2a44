import type { Entry } from '../catalogue/index.js'
import { readQuery } from '../contract/query.js'
import { isRefusal, missingCandles, type Refusal } from '../contract/refusals.js'
import { readExpressionQuery, timeframeOf } from '../expression/query.js'
import { answer } from './answer.js'
import type { Calculator } from './calculator.js'
import { type BodyParser, readCandlesField } from './json/body-parser.js'

/** What reads and answers bodies with candles in one thread. */
interface Context {
  readonly calculator: Calculator
  readonly bodyParser: BodyParser
}

/** Answers a body of `POST /indicator/<indicator>` with JSON text. */
export function answerSupplied(
  { calculator, bodyParser }: Context,
  indicator: Entry,
  body: Uint8Array,
): string | Refusal {
  const fields = bodyParser.fields(body, whole => [whole])
  if (isRefusal(fields)) return fields
  const query = readQuery(indicator, fields, 'json', ['candles'])
  if (isRefusal(query)) return query
  const snapshot = fields.has('candles') ? readCandlesField(fields.get('candles')) : missingCandles()
  return isRefusal(snapshot) ? snapshot : answer(calculator, query, snapshot)
}

/** Answers a body of `POST /expression` with JSON text. The candles show the timeframe. */
export function answerSuppliedExpression(
  { calculator, bodyParser }: Context,
  body: Uint8Array,
): string | Refusal {
  const fields = bodyParser.fields(body, whole => [whole])
  if (isRefusal(fields)) return fields
  const snapshot = fields.has('candles') ? readCandlesField(fields.get('candles')) : missingCandles()
  if (isRefusal(snapshot)) return snapshot
  const query = readExpressionQuery(fields, 'json', ['candles'], timeframeOf(snapshot))
  return isRefusal(query) ? query : answer(calculator, query, snapshot)
}
