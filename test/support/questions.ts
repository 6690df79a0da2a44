import { marketsOf } from '../../src/compute/expressions/compile.js'
import type { Market } from '../../src/contract/market.js'
import type { IndicatorSpec, PreparedQuestion } from '../../src/contract/query.js'

/** A question for the newest value of a specification. */
export const questionOf = (market: Market, spec: IndicatorSpec): PreparedQuestion => ({
  query: { ...spec, results: 1, backtrack: 0 },
  markets: marketsOf(spec.indicator, market),
})
