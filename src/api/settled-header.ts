import type { Snapshot } from '../candles/columns.js'
import { settledDigits } from '../compute/answer.js'
import type { Query } from '../contract/query.js'

/** The header field with how many digits of the newest value have settled. */
export const settledHeader = (digits: number) => ({ 'Settled-Digits': String(digits) })

/** That field where a query asks for settled values. */
export const settledHeaderOf = (query: Query, snapshot: Snapshot) =>
  query.settled && settledHeader(settledDigits(query, snapshot))
