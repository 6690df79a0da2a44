import { readBulkCandles } from '../../contract/bulk.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { expressionQueries } from '../../expression/query.js'
import { type BodyParser, constructsOf, readCandlesField } from '../json/body-parser.js'
import { layoutBulk, type Segment } from './bulk-layout.js'

/** The answer to a body with supplied candles, laid out and not computed yet. */
export interface SuppliedBulk {
  readonly segments: readonly Segment[]
  readonly verbose: boolean
}

/** Reads a body of `POST /bulk-candles` for a plan that allows so many constructs, and lays out its answer. */
export function readSuppliedBulk(
  bodyParser: BodyParser,
  body: Uint8Array,
  allowed: number,
): SuppliedBulk | Refusal {
  const fields = bodyParser.fields(body, constructsOf)
  const bulk = isRefusal(fields)
    ? fields
    : readBulkCandles(fields, allowed, readCandlesField, expressionQueries)
  if (isRefusal(bulk)) return bulk
  const sections = bulk.constructs.map(({ id, items, snapshot }) => ({ id, items, candles: snapshot }))
  return { segments: layoutBulk(sections, bulk.verbose), verbose: bulk.verbose }
}
