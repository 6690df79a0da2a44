import { type Inputs, type Snapshot, timeframeOf } from '../candles/columns.js'
import { joinCandles } from '../candles/multi-market-series.js'
import type { Timeframe } from '../candles/timeframe.js'
import type { Entry } from '../catalogue/index.js'
import { readBulkCandles } from '../contract/bulk.js'
import { candlesOfMarketMissing, candlesOfNoMarket, inExpression } from '../contract/expression-refusals.js'
import { readShape } from '../contract/fields.js'
import { type Query, readQuery } from '../contract/query.js'
import { isRefusal, missingCandles, type Refusal } from '../contract/refusals.js'
import { withShape } from '../contract/requests.js'
import { readSuppliedCandles } from '../contract/supplied-candles.js'
import type { Resumable } from '../runtime/scheduler.js'
import { type BulkLayout, layoutSteps } from './bulk-layout.js'
import { isExpression } from './expressions/compile.js'
import type { Expressions } from './expressions/expressions.js'
import { nameOfOther, readOther } from './expressions/plan.js'
import { type BodyParser, constructsOf, readCandlesField } from './json/body-parser.js'

/** The query of a request body and the candles that the body supplies. */
export interface SuppliedQuery {
  readonly query: Query
  readonly inputs: Inputs
}

/** Reads a body of `POST /indicator/<indicator>`. */
export function readSupplied(
  bodyParser: BodyParser,
  indicator: Entry,
  body: Uint8Array,
): SuppliedQuery | Refusal {
  const fields = bodyParser.fields(body)
  if (isRefusal(fields)) return fields
  const query = readQuery(indicator, fields, 'json', ['candles'])
  if (isRefusal(query)) return query
  const snapshot = fields.has('candles') ? readCandlesField(fields.get('candles')) : missingCandles()
  return isRefusal(snapshot) ? snapshot : { query, inputs: [snapshot] }
}

/** Reads a body of `POST /expression`. The timeframe is derived from the candles. */
export function readSuppliedExpression(
  bodyParser: BodyParser,
  expressions: Expressions,
  body: Uint8Array,
): SuppliedQuery | Refusal {
  const fields = bodyParser.fields(body)
  if (isRefusal(fields)) return fields
  const snapshot = fields.has('candles') ? readCandlesField(fields.get('candles')) : missingCandles()
  if (isRefusal(snapshot)) return snapshot
  const query = expressions.readQuery(fields, 'json', ['candles', 'with'], timeframeOf(snapshot))
  if (isRefusal(query)) return query
  const asked = readShape(withShape(), { with: fields.get('with') })
  if (isRefusal(asked)) return asked
  const joined = joinSupplied(query, snapshot, Object.entries(asked.with ?? {}), readSuppliedCandles)
  return isRefusal(joined) ? joined : { query, inputs: joined }
}

/** Name of the request's own market in a table. Other markets are named as in the expression. */
export const ownMarket = ''

/** Joins the request's candles with those of other markets, given by their names in the expression. */
export function joinSupplied<T>(
  { indicator }: Pick<Query, 'indicator'>,
  own: Snapshot,
  given: readonly (readonly [string, T])[],
  read: (candles: T) => Snapshot | Refusal,
): Inputs | Refusal {
  const markets = namesOf(indicator)
  const supplied = new Map<string, Snapshot>()
  for (const [name, candles] of given) {
    const other = readOther(name)
    const key = other && nameOfOther(other)
    if (key === undefined || !markets.includes(key)) return candlesOfNoMarket(name, markets)
    const snapshot = read(candles)
    if (isRefusal(snapshot)) return inExpression(`with.${name}`, snapshot)
    supplied.set(key, snapshot)
  }
  const missing = missingOther(indicator, supplied)
  return missing === undefined ? joinNamed(indicator, own, supplied) : candlesOfMarketMissing(missing)
}

const namesOf = (indicator: Entry) => (isExpression(indicator) ? indicator.plan.markets.map(nameOfOther) : [])

/** Name of the first other market whose candles are not supplied; undefined if none is missing. */
export const missingOther = (indicator: Entry, supplied: ReadonlyMap<string, Snapshot>): string | undefined =>
  namesOf(indicator).find(name => !supplied.has(name))

/** Joins the own candles with those of the expression's other markets. No market may be missing. */
export function joinNamed(indicator: Entry, own: Snapshot, supplied: ReadonlyMap<string, Snapshot>): Inputs {
  const others = namesOf(indicator).map(name => supplied.get(name) as Snapshot)
  return joinCandles(timeframeOf(own) as Timeframe, '', [own, ...others])
}

/** Reads a body of `POST /bulk-candles` with at most `allowed` constructs. The steps make the layout of its answer. */
export function readSuppliedBulk(
  bodyParser: BodyParser,
  expressions: Expressions,
  body: Uint8Array,
  allowed: number,
): Resumable<BulkLayout> | Refusal {
  const fields = bodyParser.fields(body, constructsOf)
  const bulk = isRefusal(fields) ? fields : readBulkCandles(fields, allowed, readCandlesField, expressions)
  if (isRefusal(bulk)) return bulk
  const sections = bulk.constructs.map(({ id, items, snapshot }) => ({
    id,
    items,
    candles: [snapshot] as const,
  }))
  return layoutSteps(sections, bulk.verbose)
}
