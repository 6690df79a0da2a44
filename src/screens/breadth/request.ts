import type { Expressions } from '../../compute/expressions/expressions.js'
import { compileMeasures, type Measure } from '../../compute/expressions/measures.js'
import { type Fields, readKnown, readShape, refuseMissing } from '../../contract/fields.js'
import { isAbsent } from '../../contract/json-value.js'
import { readSymbols } from '../../contract/lists.js'
import { readPlace } from '../../contract/market.js'
import { type Query, type QueryWindow, readWindow } from '../../contract/query.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { breadthShape, liveBreadthShape } from '../../contract/requests.js'
import type { ScannedRequest } from '../request.js'

/** Measures of breadth over many markets, checked and complete. The exchange need not exist. */
export interface BreadthRequest extends ScannedRequest {
  /** Query for the values of one market at all candles in memory. */
  readonly query: Query
  readonly measures: readonly Measure[]
  /** Window of the returned values. */
  readonly window: QueryWindow
}

/** Reads the body of `POST /breadth`, or the fields of a live breadth. Refuses the first fault. */
export function readBreadth(
  fields: Fields,
  expressions: Expressions,
  isLive = false,
): BreadthRequest | Refusal {
  const shape = breadthShape()
  const given = readKnown(fields, 'breadth', Object.keys(isLive ? liveBreadthShape() : shape))
  if (isRefusal(given)) return given
  const place = refuseMissing(given, ['exchange', 'timeframe', 'measures']) ?? readPlace(given)
  if (isRefusal(place)) return place
  const symbols = readSymbols(given)
  if (isRefusal(symbols)) return symbols
  const present = new Map(Object.entries(given).filter(([, value]) => !isAbsent(value)))
  const window = readWindow(present, 'json', 1, ['results', 'from', 'to'])
  if (isRefusal(window)) return window
  const asked = readShape(shape, given, ['measures', 'maxAge'])
  if (isRefusal(asked)) return asked
  const plan = compileMeasures(asked.measures, place.timeframe, expressions)
  if (isRefusal(plan)) return plan
  const query = { ...plan.compiled.spec, results: Number.POSITIVE_INFINITY, backtrack: 0 }
  return { ...place, ...symbols, ...plan, query, window, at: undefined, maxAge: asked.maxAge }
}
