import { idPattern, reservedIds } from '../../contract/bulk.js'
import { maxConstructs, maxIndicators, maxNameLength } from '../../contract/limits.js'
import { maxSuppliedCandles } from '../../contract/supplied-candles.js'
import { indicatorDescription } from './indicator-description.js'
import { array, type Json, number, object, ref, text } from './json-schema.js'
import {
  backtrackSchema,
  bulkResultsSchema,
  exchangeSchema,
  expressionSchema,
  symbolSchema,
  timeframeSchema,
} from './parameters.js'
import { screenSchemas } from './screen-schemas.js'

const seconds = { type: 'integer', description: 'Unix seconds of the candle open' }

const id = text('The key of its entry in the answer.', {
  pattern: idPattern.source,
  maxLength: maxNameLength,
})
const indicatorId = text(
  `The key of its entry in the answer. ${reservedIds.map(each => `\`${each}\``).join(' and ')} are reserved.`,
  { pattern: idPattern.source, maxLength: maxNameLength, not: { enum: reservedIds } },
)
const indicators = array(ref('schemas', 'BulkIndicator'), { minItems: 1, maxItems: maxIndicators })

const partHealth = {
  status: { enum: ['ok', 'degraded', 'down'] },
  reason: text('Why it is not all that it should be.'),
}

const bulkSchema = (construct: string): Json =>
  object(
    {
      constructs: array(ref('schemas', construct), { minItems: 1, maxItems: maxConstructs }),
      verbose: {
        type: 'boolean',
        default: false,
        description: 'Wrap each result with its indicator, its parameters and its errors.',
      },
    },
    ['constructs'],
    { additionalProperties: false },
  )

const candleFields = {
  open: number('Opening price'),
  high: number('Highest price'),
  low: number('Lowest price'),
  close: number('Closing price'),
  volume: { ...number('Traded volume'), minimum: 0 },
}
const shortFields = { o: 'open', h: 'high', l: 'low', c: 'close', v: 'volume' } as const

/** The schemas that do not depend on an indicator. */
export const schemas: Json = {
  Error: object({ error: text('What is wrong, for a human reader.') }, ['error'], {
    additionalProperties: false,
  }),
  Pending: object(
    {
      pending: { const: true },
      key: text('Names the data that is fetched.'),
      done: { type: 'integer', description: 'Of a screen: the markets that were tried.' },
      total: { type: 'integer', description: 'Of a screen: all of its markets.' },
    },
    ['pending', 'key'],
  ),
  Candle: object(
    {
      timestamp: seconds,
      timestampHuman: text('The same in UTC, YYYY-MM-DD HH:MM:SS'),
      ...candleFields,
    },
    ['timestamp', 'timestampHuman', ...Object.keys(candleFields)],
  ),
  SuppliedCandle: {
    description: 'One candle in the long or the short spelling; timestamps are on all candles or on none.',
    anyOf: [
      object({ timestamp: seconds, ...candleFields }, Object.keys(candleFields)),
      object(
        {
          t: seconds,
          ...Object.fromEntries(Object.entries(shortFields).map(([key, name]) => [key, candleFields[name]])),
        },
        Object.keys(shortFields),
      ),
    ],
  },
  SuppliedCandles: array(ref('schemas', 'SuppliedCandle'), {
    minItems: 1,
    maxItems: maxSuppliedCandles,
    description: 'Oldest to newest.',
  }),
  IndicatorResult: object({ timestamp: array({ type: 'integer' }) }, ['timestamp'], {
    description: 'One array per output, aligned with timestamp, oldest first; null where there is no value.',
    additionalProperties: array({}),
  }),
  ExpressionResult: object(
    {
      value: array(
        { type: ['number', 'boolean', 'null'] },
        { description: 'Oldest first; null where the expression is undefined.' },
      ),
      timestamp: array({ type: 'integer' }),
    },
    ['value', 'timestamp'],
  ),
  BulkIndicator: object(
    {
      id: indicatorId,
      indicator: text('An identifier from GET /indicators, in any case, or `expression`.', {
        examples: ['rsi'],
      }),
      expression: { ...expressionSchema, description: 'Where `indicator` is `expression`: its text.' },
      results: bulkResultsSchema,
      backtrack: backtrackSchema,
    },
    ['id', 'indicator'],
    {
      description: 'Beside these fields it takes the parameters of its indicator.',
      additionalProperties: true,
    },
  ),
  MarketConstruct: object(
    { id, exchange: exchangeSchema, symbol: symbolSchema, timeframe: timeframeSchema, indicators },
    ['id', 'exchange', 'symbol', 'timeframe', 'indicators'],
    { additionalProperties: false },
  ),
  CandlesConstruct: object(
    { id, candles: ref('schemas', 'SuppliedCandles'), indicators },
    ['id', 'candles', 'indicators'],
    { additionalProperties: false },
  ),
  Envelope: object(
    {
      indicator: { type: 'string' },
      params: { type: 'object', description: 'Every parameter, defaults included.' },
      result: { anyOf: [ref('schemas', 'IndicatorResult'), { type: 'null' }] },
      errors: array({ type: 'string' }),
    },
    ['indicator', 'params', 'result', 'errors'],
  ),
  BulkResult: {
    type: 'object',
    description: 'By construct id, then by indicator id.',
    additionalProperties: {
      type: 'object',
      properties: {
        _error: text('Why the candles of this construct could not be had.'),
        _asset: object(
          { exchange: { type: 'string' }, symbol: { type: 'string' }, timeframe: timeframeSchema },
          ['exchange', 'symbol', 'timeframe'],
          { description: 'With verbose on exchange data: the market.' },
        ),
      },
      additionalProperties: {
        anyOf: [ref('schemas', 'IndicatorResult'), ref('schemas', 'Envelope'), { type: 'null' }],
      },
    },
  },
  ...screenSchemas,
  ExchangeList: object({ exchanges: array({ type: 'string' }), count: { type: 'integer' } }, [
    'exchanges',
    'count',
  ]),
  SymbolList: object({ count: { type: 'integer' }, symbols: array({ type: 'string' }) }, [
    'count',
    'symbols',
  ]),
  IndicatorList: object(
    { count: { type: 'integer' }, indicators: array(ref('schemas', 'IndicatorDescription')) },
    ['count', 'indicators'],
  ),
  IndicatorDescription: indicatorDescription,
  Status: object({ status: { type: 'string' } }, ['status']),
  Readiness: object(
    {
      status: { enum: ['ready', 'degraded', 'unavailable', 'stopping'] },
      parts: object(
        {
          accounts: ref('schemas', 'PartHealth'),
          archive: ref('schemas', 'PartHealth'),
          alerts: ref('schemas', 'PartHealth'),
          store: ref('schemas', 'PartHealth'),
          exchanges: object(
            {
              ...partHealth,
              down: array(text('An identifier.'), {
                description: 'The exchanges whose last answer was a failure.',
              }),
            },
            ['status', 'down'],
          ),
        },
        ['accounts', 'archive', 'alerts', 'exchanges'],
      ),
    },
    ['status', 'parts'],
  ),
  PartHealth: object(partHealth, ['status']),
  StreamingHealth: object(
    {
      status: { const: 'ok' },
      connections: { type: 'integer', description: 'Connections that are open.' },
      subscriptions: { type: 'integer', description: 'Subscriptions of all connections.' },
      feeds: { type: 'integer', description: 'Markets that are watched or polled.' },
      uptime: { type: 'integer', description: 'Seconds since the service started.' },
    },
    ['status', 'connections', 'subscriptions', 'feeds', 'uptime'],
  ),
  Bulk: bulkSchema('MarketConstruct'),
  BulkCandles: bulkSchema('CandlesConstruct'),
}
