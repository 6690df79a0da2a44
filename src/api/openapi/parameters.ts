import { timeframes } from '../../candles/timeframe.js'
import { maxWaitSeconds } from '../../contract/limits.js'
import { marketFields } from '../../contract/market.js'
import { type Json, ref, text } from './json-schema.js'

export const resultsSchema: Json = {
  oneOf: [{ type: 'integer', minimum: 1 }, { const: 'max' }],
  description: 'How many values, the newest ones; max for all there are.',
}
export const backtrackSchema: Json = {
  type: 'integer',
  minimum: 0,
  default: 0,
  description: 'Candles to skip from the newest, which is the forming one.',
}
export const timeframeSchema: Json = { type: 'string', enum: Object.keys(timeframes), examples: ['1h'] }
export const exchangeSchema = text('An identifier from GET /exchanges; `stocks` for US shares.', {
  examples: ['demo', 'stocks'],
})
export const symbolSchema = text('A symbol without slash, or a ticker.', { examples: ['BTCUSDT', 'AAPL'] })

/** A parameter of the query string. Its description stands beside its schema, where readers of the document look. */
export function query(name: string, { description, ...schema }: Json, required = false): Json {
  return { name, in: 'query', required, ...(description !== undefined && { description }), schema }
}

/** The parameters that several routes share. */
export const parameters: Json = {
  exchange: { ...query('exchange', exchangeSchema, true), example: 'demo' },
  symbol: { ...query('symbol', symbolSchema, true), example: 'BTCUSDT' },
  timeframe: { ...query('timeframe', timeframeSchema, true), example: '1h' },
  results: query('results', { ...resultsSchema, default: 1 }),
  backtrack: query('backtrack', backtrackSchema),
  prefer: {
    name: 'Prefer',
    in: 'header',
    description: `\`wait=<seconds>\` (at most ${maxWaitSeconds}): be held instead of being told that the data is pending.`,
    schema: { type: 'string', pattern: 'wait=\\d+', examples: ['wait=5'] },
  },
}
/** The parameters that name a market. */
export const marketParameters = marketFields.map(name => ref('parameters', name))
/** The parameters after `results` of a route that reads candles of a market. */
export const readingParameters = ['backtrack', 'prefer'].map(name => ref('parameters', name))
