import { isTimeframe, type Timeframe } from '../candles/timeframe.js'
import type { Fields } from './query.js'
import { invalidTimeframe, missingRequired, type Refusal } from './refusals.js'

/** Which candles are meant: normalised, not yet known to exist. */
export interface Market {
  /** Lower case. */
  readonly exchange: string
  /** Upper case, without slash or dash. */
  readonly symbol: string
  readonly timeframe: Timeframe
}

/** What the candles of a market are kept under. */
export const keyOf = ({ exchange, symbol, timeframe }: Market): string => `${exchange}:${symbol}:${timeframe}`

/** The fields that name a market. */
export const marketFields = ['exchange', 'symbol', 'timeframe'] as const

/** The canonical spelling of a symbol. */
export const canonicalSymbol = (symbol: string): string => symbol.replace(/[/-]/g, '').toUpperCase()

/** Reads the market that a query names. */
export function readMarket(fields: Fields): Market | Refusal {
  const missing = marketFields.filter(name => !fields.get(name))
  if (missing.length > 0) return missingRequired(missing)
  const timeframe = fields.get('timeframe') as string
  if (!isTimeframe(timeframe)) return invalidTimeframe(timeframe.slice(0, 60))
  return {
    exchange: (fields.get('exchange') as string).toLowerCase(),
    symbol: canonicalSymbol(fields.get('symbol') as string),
    timeframe,
  }
}
