import { idPattern } from '../../contract/bulk.js'
import { maxNameLength } from '../../contract/limits.js'
import { maxMarkets } from '../../contract/symbols.js'
import { longestHorizon, maxFee, maxHorizons, maxPoints } from '../../evaluate/limits.js'
import { maxSelected } from '../../screen/limits.js'
import { array, type Json, number, object, ref, text } from './json-schema.js'
import {
  backtrackSchema,
  exchangeSchema,
  expressionSchema,
  symbolSchema,
  timeframeSchema,
} from './parameters.js'

const timestamp = { type: 'integer', description: 'Unix seconds of a candle open' }
const count = { type: 'integer', minimum: 0 }
const orNull = (schema: Json): Json => ({ anyOf: [schema, { type: 'null' }] })
const interval = (description: string): Json => ({
  ...orNull(array({ type: 'number' }, { minItems: 2, maxItems: 2 })),
  description,
})
const value = (description: string): Json => ({ type: ['number', 'null'], description })

/** The fields of a sample of returns. */
const returnFields = {
  count,
  mean: value('A return of 0.01 is one per cent.'),
  median: value('The middle one.'),
  standardDeviation: value('Of a sample, with the divisor n − 1.'),
  hitRate: value('The share of returns above 0.'),
  meanInterval: interval('The 95 % confidence interval of the mean by Student’s distribution.'),
  hitRateInterval: interval('The 95 % confidence interval of the hit rate by Wilson’s score.'),
}

const openTrade = object(
  { entryTimestamp: timestamp, entryPrice: number('An open'), return: value('So far') },
  ['entryTimestamp', 'entryPrice', 'return'],
)

const tradeFields = {
  entryTimestamp: timestamp,
  entryPrice: number('The open of that candle'),
  exitTimestamp: timestamp,
  exitPrice: number('The open of that candle'),
  candles: count,
  return: number('After costs'),
}

const tradesFields = {
  ...returnFields,
  profitFactor: value('What the trades gained for each 1 that they lost.'),
  candles: value('Candles that a trade took on average.'),
  exposure: number('The share of candles with an open trade'),
  totalReturn: number('Of all trades one after the other, after costs'),
  holdReturn: value('Of buying (or selling) once and keeping it, without costs.'),
  maximumDrawdown: object(
    { share: number('The largest fall, as a share of the value before it'), from: timestamp, to: timestamp },
    ['share', 'from', 'to'],
  ),
  open: orNull(openTrade),
  list: array(object(tradeFields, Object.keys(tradeFields)), { description: 'The newest ones.' }),
}

const resultFields = {
  candles: { ...count, description: 'Closed candles at which the entry is defined.' },
  from: timestamp,
  to: timestamp,
  fired: { ...count, description: 'How often the entry became true.' },
  returns: array(
    object(
      {
        after: { type: 'integer', description: 'Candles.' },
        signals: ref('schemas', 'ReturnStatistics'),
        baseline: ref('schemas', 'ReturnStatistics'),
      },
      ['after', 'signals', 'baseline'],
    ),
    { description: 'Without costs; `baseline` is over all candles, for comparison.' },
  ),
  warnings: array({ type: 'string' }, { description: 'Why the statistics say less than it seems.' }),
}

/** What markets are screened, and for what. */
export const liveScreenFields: Json = {
  exchange: exchangeSchema,
  timeframe: timeframeSchema,
  symbols: array(symbolSchema, {
    minItems: 1,
    maxItems: maxMarkets,
    description: 'The markets. Default: all of the exchange.',
  }),
  quote: text('Only symbols that end with it, such as USDT. Not beside `symbols`.', {
    maxLength: maxNameLength,
  }),
  where: { ...expressionSchema, description: 'The condition.' },
  select: {
    type: 'object',
    description: 'Values to give with each match: expressions by name.',
    maxProperties: maxSelected,
    propertyNames: { pattern: idPattern.source, maxLength: maxNameLength },
    additionalProperties: expressionSchema,
  },
}

export const matchesSchema: Json = array(
  object({ symbol: { type: 'string' }, timestamp }, ['symbol', 'timestamp'], {
    description: 'Beside these fields it has those of `select`; null where one is undefined.',
    additionalProperties: { type: ['number', 'boolean', 'null'] },
  }),
)

/** What a screen finds. */
export const screenResultFields: Json = {
  matches: matchesSchema,
  screened: { ...count, description: 'Markets at which the condition was looked at.' },
  failed: array(object({ symbol: { type: 'string' }, error: { type: 'string' } }, ['symbol', 'error'])),
}

/** The schemas of screens and of the statistics of signals. */
export const screenSchemas: Json = {
  Screen: object(
    {
      ...liveScreenFields,
      orderBy: text('An expression, or a name of `select`, then `desc` or `asc` or nothing.', {
        examples: ['volume desc'],
      }),
      limit: { type: 'integer', minimum: 1, maximum: maxMarkets, description: 'Matches to give at most.' },
      backtrack: backtrackSchema,
    },
    ['exchange', 'timeframe', 'where'],
    { additionalProperties: false },
  ),
  ScreenResult: object(screenResultFields, Object.keys(screenResultFields)),
  Evaluation: object(
    {
      exchange: exchangeSchema,
      symbol: symbolSchema,
      timeframe: timeframeSchema,
      candles: ref('schemas', 'SuppliedCandles'),
      entry: { ...expressionSchema, description: 'A condition: a signal is where it becomes true.' },
      exit: { ...expressionSchema, description: 'A condition: where it holds, a trade ends.' },
      side: { enum: ['long', 'short'], default: 'long' },
      fee: {
        type: 'number',
        minimum: 0,
        maximum: maxFee,
        default: 0,
        description: 'What each entry and each exit of a trade costs, as a share of its amount.',
      },
      horizons: array(
        { type: 'integer', minimum: 1, maximum: longestHorizon },
        { minItems: 1, maxItems: maxHorizons, default: [1, 5, 20], description: 'Candles after a signal.' },
      ),
    },
    ['entry'],
    {
      additionalProperties: false,
      description: 'Either `candles`, or `exchange`, `symbol` and `timeframe`.',
    },
  ),
  ReturnStatistics: object(returnFields, Object.keys(returnFields)),
  EvaluationResult: object(
    {
      ...resultFields,
      trades: object(tradesFields, Object.keys(tradesFields)),
      equity: object(
        { timestamp: array({ type: 'integer' }), value: array({ type: 'number' }) },
        ['timestamp', 'value'],
        { description: `What 1 became; at most ${maxPoints} points.` },
      ),
    },
    Object.keys(resultFields),
  ),
}
