import type { Snapshot } from '../candles/columns.js'
import type { Entry } from '../catalogue/index.js'
import { readBulkCandles } from '../contract/bulk.js'
import { type Query, readQuery } from '../contract/query.js'
import { isRefusal, missingCandles, type Refusal } from '../contract/refusals.js'
import { type Expressions, timeframeOf } from '../expression/expressions.js'
import type { Steps } from '../runtime/pieces.js'
import { type BulkLayout, layoutSteps } from './bulk/bulk-layout.js'
import { type BodyParser, constructsOf, readCandlesField } from './json/body-parser.js'

/** What a body with candles asks for. */
export interface SuppliedQuery {
  readonly query: Query
  readonly snapshot: Snapshot
}

/** Reads a body of `POST /indicator/<indicator>`. */
export function readSupplied(
  bodyParser: BodyParser,
  indicator: Entry,
  body: Uint8Array,
): SuppliedQuery | Refusal {
  const fields = bodyParser.fields(body, whole => [whole])
  if (isRefusal(fields)) return fields
  const query = readQuery(indicator, fields, 'json', ['candles'])
  if (isRefusal(query)) return query
  const snapshot = fields.has('candles') ? readCandlesField(fields.get('candles')) : missingCandles()
  return isRefusal(snapshot) ? snapshot : { query, snapshot }
}

/** Reads a body of `POST /expression`. The candles show the timeframe. */
export function readSuppliedExpression(
  bodyParser: BodyParser,
  expressions: Expressions,
  body: Uint8Array,
): SuppliedQuery | Refusal {
  const fields = bodyParser.fields(body, whole => [whole])
  if (isRefusal(fields)) return fields
  const snapshot = fields.has('candles') ? readCandlesField(fields.get('candles')) : missingCandles()
  if (isRefusal(snapshot)) return snapshot
  const query = expressions.readQuery(fields, 'json', ['candles'], timeframeOf(snapshot))
  return isRefusal(query) ? query : { query, snapshot }
}

/** Reads a body of `POST /bulk-candles` for a plan that allows so many constructs. The steps make its answer's layout. */
export function readSuppliedBulk(
  bodyParser: BodyParser,
  expressions: Expressions,
  body: Uint8Array,
  allowed: number,
): Steps<BulkLayout> | Refusal {
  const fields = bodyParser.fields(body, constructsOf)
  const bulk = isRefusal(fields) ? fields : readBulkCandles(fields, allowed, readCandlesField, expressions)
  if (isRefusal(bulk)) return bulk
  const sections = bulk.constructs.map(({ id, items, snapshot }) => ({ id, items, candles: snapshot }))
  return layoutSteps(sections, bulk.verbose)
}
