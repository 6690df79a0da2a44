import { marketsOf } from '../../src/compute/expressions/compile.js'
import type { Market } from '../../src/contract/market.js'
import type { LiveSpec, PreparedQuestion } from '../../src/contract/query.js'

/** A question for the newest value of a specification. */
export const questionOf = (market: Market, spec: LiveSpec): PreparedQuestion => ({
  query: { ...spec, results: 1, backtrack: 0 },
  markets: marketsOf(spec.indicator, market),
})
