import type { z } from 'zod'
import type { Shape } from '../../contract/fields.js'
import { maxWaitSeconds } from '../../contract/limits.js'
import { settledShape } from '../../contract/query.js'
import { candlesShape } from '../../contract/requests.js'
import { type Json, jsonOf, ref } from './json-schema.js'

/** The variable of a path. */
export const pathParameter = (name: string, schema: z.ZodType): Json => ({
  name,
  in: 'path',
  required: true,
  schema: jsonOf(schema),
})

/** The parameters of a query string. Their descriptions stand beside their schemas, where readers of the document look. */
export const queryParameters = (shape: Shape): readonly Json[] =>
  Object.entries(shape).map(([name, field]) => {
    const { description, ...schema } = jsonOf(field)
    const required = !field.safeParse(undefined).success
    return { name, in: 'query', required, ...(description !== undefined && { description }), schema }
  })

const [exchange, symbol, timeframe, adjustment, results, backtrack, from, to, chart, asOf, maxAge, format] =
  queryParameters(candlesShape())

/** The parameters that several routes share. */
export const parameters: Json = {
  exchange: { ...exchange, example: 'demo' },
  symbol: { ...symbol, example: 'BTCUSDT' },
  timeframe: { ...timeframe, example: '1h' },
  adjustment,
  results,
  backtrack,
  from,
  to,
  chart,
  asOf,
  maxAge,
  settled: queryParameters(settledShape())[0] as Json,
  format,
  prefer: {
    name: 'Prefer',
    in: 'header',
    description: `\`wait=<seconds>\` (at most ${maxWaitSeconds}): wait so long for data that is still being fetched, instead of getting the reply 202 at once.`,
    schema: { type: 'string', pattern: 'wait=\\d+', examples: ['wait=5'] },
  },
}

/** A parameter that several routes share. */
export const shared = (name: string): Json => ref('parameters', name)

/** The parameters that name a market. */
export const marketParameters = ['exchange', 'symbol', 'timeframe', 'adjustment'].map(shared)
export const resultsParameter = shared('results')
/** The parameters after `results` of a route that reads candles of a market. */
export const readingParameters = [
  'backtrack',
  'from',
  'to',
  'chart',
  'asOf',
  'maxAge',
  'format',
  'prefer',
].map(shared)
export const settledParameter = shared('settled')
export const preferParameter = shared('prefer')
export const formatParameter = shared('format')
