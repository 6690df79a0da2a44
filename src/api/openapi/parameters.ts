import { timeframes } from '../../candles/timeframe.js'
import { describe } from '../../catalogue/description.js'
import { catalogue } from '../../catalogue/index.js'
import { maxWaitSeconds } from '../../contract/limits.js'
import { marketFields } from '../../contract/market.js'
import { maxLength } from '../../expression/limits.js'
import { type Json, ref, text } from './json-schema.js'

const resultsText = 'How many values, the newest ones; max for all there are.'
const resultsValue = { oneOf: [{ type: 'integer', minimum: 1 }, { const: 'max' }] }
/** The schema of `results` for an indicator that returns so many values by default. */
export const resultsSchemaOf = (byDefault: number): Json =>
  byDefault === 1
    ? { ...resultsValue, description: resultsText, default: 1 }
    : {
        ...resultsValue,
        description: `${resultsText} Default: ${byDefault} with the default parameters, on which it depends.`,
      }
/** The schema of `results` for any indicator. */
export const bulkResultsSchema: Json = {
  ...resultsValue,
  description: `${resultsText} Default: 1; ${[...catalogue.values()]
    .map(describe)
    .filter(({ results }) => results !== 1)
    .map(({ id, results }) => `\`${id}\`: ${results}`)
    .join(', ')}.`,
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

/** The text of an expression. */
export const expressionSchema = text('The expression.', {
  minLength: 1,
  maxLength,
  examples: ['rsi(14) < 30 and close > ema(200)'],
})

/** A parameter of the query string. Its description stands beside its schema, where readers of the document look. */
export function query(name: string, { description, ...schema }: Json, required = false): Json {
  return { name, in: 'query', required, ...(description !== undefined && { description }), schema }
}

/** The parameters that several routes share. */
export const parameters: Json = {
  exchange: { ...query('exchange', exchangeSchema, true), example: 'demo' },
  symbol: { ...query('symbol', symbolSchema, true), example: 'BTCUSDT' },
  timeframe: { ...query('timeframe', timeframeSchema, true), example: '1h' },
  results: query('results', resultsSchemaOf(1)),
  backtrack: query('backtrack', backtrackSchema),
  prefer: {
    name: 'Prefer',
    in: 'header',
    description: `\`wait=<seconds>\` (at most ${maxWaitSeconds}): wait so long for data that is still being fetched, instead of getting the reply 202 at once.`,
    schema: { type: 'string', pattern: 'wait=\\d+', examples: ['wait=5'] },
  },
}
/** The parameters that name a market. */
export const marketParameters = marketFields.map(name => ref('parameters', name))
/** The parameters after `results` of a route that reads candles of a market. */
export const readingParameters = ['backtrack', 'prefer'].map(name => ref('parameters', name))
