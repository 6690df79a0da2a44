import { z } from 'zod'
import { timeframes } from '../../candles/timeframe.js'
import { stabilities } from '../../catalogue/description.js'
import { maxPoints } from '../../contract/limits.js'
import { alertShape, candleFields, candleTime } from '../../contract/requests.js'
import { component } from './json-schema.js'

const text = (description: string) => z.string().describe(description)
const number = (description: string) => z.number().describe(description)
const integer = (description: string) => z.int().describe(description)
/** A statistic that too few cases do not have. */
const statistic = (description: string) => z.number().nullable().describe(description)
const interval = (description: string) => z.array(z.number()).min(2).max(2).nullable().describe(description)
const count = () => z.int().min(0)

export const error = component('Error', z.strictObject({ error: text('What is wrong, for a human reader.') }))

export const pending = component(
  'Pending',
  z.object({
    pending: z.literal(true),
    key: text('Names the data that is fetched.'),
    done: integer(
      'Of a screen: the markets that were tried. Of a time: the candles that are there.',
    ).optional(),
    total: integer(
      'Of a screen: all of its markets. Of a time: the candles that are fetched at most.',
    ).optional(),
    missing: z.array(z.string()).describe('Of a breadth: the symbols that have no candles yet.').optional(),
  }),
)

export const candle = component(
  'Candle',
  z.object({
    timestamp: candleTime(),
    timestampHuman: text('The same in UTC, YYYY-MM-DD HH:MM:SS'),
    ...candleFields(),
  }),
)

const indicatorResult = component(
  'IndicatorResult',
  z
    .object({ timestamp: z.array(z.int()) })
    .catchall(z.array(z.unknown()))
    .describe('One array per output, aligned with timestamp, oldest first; null where there is no value.'),
)

export const expressionResult = component(
  'ExpressionResult',
  z.object({
    value: z
      .array(z.union([z.number(), z.boolean(), z.null()]))
      .describe('Oldest first; null where the expression is undefined.'),
    timestamp: z.array(z.int()),
  }),
)

const settledAfter = (digits: number) =>
  z
    .int()
    .nullable()
    .describe(
      `Candles before the first value whose first ${digits} digits do not depend on where the history begins. Null where there is no such number.`,
    )

export const expressionCheck = component(
  'ExpressionCheck',
  z.object({
    outputs: z.array(z.object({ name: z.string(), type: z.enum(['number', 'boolean']) })),
    lookback: integer('Candles, or bars of the chart, before the first value.'),
    settled4: settledAfter(4),
    settled8: settledAfter(8),
    unsettling: text('The indicator or the chart because of which it never settles.').optional(),
    formingChanges: z
      .boolean()
      .describe('Whether the value at the forming candle may change until that closes.'),
    lookAhead: z.object({
      possible: z.boolean().describe('Whether a value may depend on a later candle: never.'),
      because: text('Why.'),
    }),
    timeframes: z.array(z.string()).describe('The longer timeframes that are chosen by `@`.'),
    markets: z.array(z.string()).describe('The other markets that are chosen between braces.'),
    nodes: integer('Different parts that are computed.'),
    indicators: z
      .array(
        z.object({
          indicator: z.string(),
          params: z.looseObject({}),
          lookback: integer('Candles before its first value.'),
          stability: z.enum(Object.values(stabilities)),
          settled4: settledAfter(4),
          settled8: settledAfter(8),
        }),
      )
      .describe('The different calculations of indicators among them.'),
    cost: z
      .object({ candles: integer('Those that the service keeps of a market.'), microseconds: z.int() })
      .describe('What the first value over so many candles takes, about; later ones take one step.'),
  }),
)

const envelope = component(
  'Envelope',
  z.object({
    indicator: z.string(),
    params: z.looseObject({}).describe('Every parameter, defaults included.'),
    result: indicatorResult.nullable(),
    errors: z.array(z.string()),
    settled: z
      .object({
        digits: integer('How many digits of the newest value have settled, at most 8.'),
        from: integer(
          'The open time of the first candle whose value has 4 settled digits, or as many as `settled` asks for.',
        ).nullable(),
      })
      .describe('How far the values do not depend on where the history begins; absent without a result.')
      .optional(),
    warnings: z
      .array(z.string())
      .describe('Where there are fewer values than `results` asks for: how many, and why.')
      .optional(),
  }),
)

export const bulkResult = component(
  'BulkResult',
  z
    .record(
      z.string(),
      z
        .object({
          _age: integer(
            'Where candles are old, or could not be brought up to date: seconds since the end of the newest one.',
          ).optional(),
          _error: text('Why the candles of this construct could not be had.').optional(),
          _asset: z
            .object({
              exchange: z.string(),
              symbol: z.string(),
              timeframe: z.enum(Object.keys(timeframes)).meta({ examples: ['1h'] }),
              source: text('Of stocks: the provider of the candles, such as `alpaca-iex`.').optional(),
            })
            .describe('With verbose on exchange data: the market.')
            .optional(),
        })
        .catchall(z.union([indicatorResult, envelope, z.null()])),
    )
    .describe('By construct id, then by indicator id.'),
)

/** The markets at which the condition of a screen holds. */
export const matches = z.array(
  z
    .object({ symbol: z.string(), timestamp: integer('Unix seconds of a candle open') })
    .catchall(z.union([z.number(), z.boolean(), z.null()]))
    .describe('Beside these fields it has those of `select`; null where one is undefined.'),
)

/** Markets with old candles; absent where there are none. */
const stale = () =>
  z
    .array(z.object({ symbol: z.string(), age: integer('Seconds since the end of the newest candle') }))
    .optional()
    .describe('Markets whose candles are old; absent where there are none.')

export const screenResult = component(
  'ScreenResult',
  z.object({
    matches,
    screened: count().describe('Markets at which the condition was looked at.'),
    failed: z.array(z.object({ symbol: z.string(), error: z.string() })),
    stale: stale(),
  }),
)

export const namedList = component(
  'NamedList',
  z.object({ name: text('Lower case.'), symbols: z.array(z.string()) }),
)

/** The values of measures over many markets. */
export const breadthResult = component(
  'BreadthResult',
  z.object({
    timestamp: z.array(z.int()).describe('Unix seconds of candle opens, oldest first.'),
    measures: z
      .record(
        z.string(),
        z.object({
          markets: z
            .array(count())
            .describe(
              'Markets that take part: those at which all values that the measure needs are defined.',
            ),
          value: z.array(z.number().nullable()).describe('Null where it is undefined.'),
        }),
      )
      .describe('By name; aligned with `timestamp`.'),
    forming: z
      .boolean()
      .describe('Whether the last candle is not closed at all markets, so that its values may change.'),
    screened: count().describe('Markets whose candles were looked at.'),
    failed: z.array(z.object({ symbol: z.string(), error: z.string() })),
    stale: stale(),
  }),
)

const returnFields = {
  count: count(),
  mean: statistic('A return of 0.01 is one per cent.'),
  median: statistic('The middle one.'),
  standardDeviation: statistic('Of a sample, with the divisor n − 1.'),
  hitRate: statistic('The share of returns above 0.'),
  meanInterval: interval('The 95 % confidence interval of the mean by Student’s distribution.'),
  hitRateInterval: interval('The 95 % confidence interval of the hit rate by Wilson’s score.'),
}
const returnStatistics = component('ReturnStatistics', z.object(returnFields))

const openTime = () => integer('Unix seconds of a candle open')
const tradeStatistics = z.object({
  ...returnFields,
  profitFactor: statistic('What the trades gained for each 1 that they lost.'),
  candles: statistic('Candles that a trade took on average.'),
  exposure: number('The share of candles with an open trade'),
  totalReturn: number('Of all trades one after the other, after costs'),
  holdReturn: statistic('Of buying (or selling) once and keeping it, without costs.'),
  maximumDrawdown: z.object({
    share: number('The largest fall, as a share of the value before it'),
    from: openTime(),
    to: openTime(),
  }),
  open: z
    .object({ entryTimestamp: openTime(), entryPrice: number('An open'), return: statistic('So far') })
    .nullable(),
  list: z
    .array(
      z.object({
        entryTimestamp: openTime(),
        entryPrice: number('The open of that candle'),
        exitTimestamp: openTime(),
        exitPrice: number('The open of that candle'),
        candles: count(),
        return: number('After costs'),
      }),
    )
    .describe('The newest ones.'),
})

export const evaluationResult = component(
  'EvaluationResult',
  z.object({
    candles: count().describe('Closed candles at which the entry is defined.'),
    from: openTime(),
    to: openTime(),
    fired: count().describe('How often the entry became true.'),
    returns: z
      .array(z.object({ after: integer('Candles.'), signals: returnStatistics, baseline: returnStatistics }))
      .describe('Without costs; `baseline` is over all candles, for comparison.'),
    warnings: z.array(z.string()).describe('Why the statistics say less than it seems.'),
    trades: tradeStatistics.optional(),
    equity: z
      .object({ timestamp: z.array(z.int()), value: z.array(z.number()) })
      .describe(`What 1 became; at most ${maxPoints} points.`)
      .optional(),
  }),
)

export const exchangeList = component(
  'ExchangeList',
  z.object({
    exchanges: z.array(z.string()),
    count: z.int(),
    sources: z
      .record(z.string(), z.string())
      .describe('The providers of the candles of the exchanges of stocks, such as `yahoo`.'),
  }),
)

export const symbolList = component('SymbolList', z.object({ count: z.int(), symbols: z.array(z.string()) }))

export const status = component('Status', z.object({ status: z.string() }))

const partFields = {
  status: z.enum(['ok', 'degraded', 'down']),
  reason: text('Why it is not all that it should be.').optional(),
}
const partHealth = component('PartHealth', z.object(partFields))

export const readiness = component(
  'Readiness',
  z.object({
    status: z.enum(['ready', 'degraded', 'unavailable', 'stopping']),
    parts: z.object({
      accounts: partHealth,
      archive: partHealth,
      alerts: partHealth,
      store: partHealth.optional(),
      exchanges: z.object({
        ...partFields,
        down: z.array(text('An identifier.')).describe('The exchanges whose last answer was a failure.'),
      }),
    }),
  }),
)

export const streamingHealth = component(
  'StreamingHealth',
  z.object({
    status: z.literal('ok'),
    connections: integer('Connections that are open.'),
    subscriptions: integer('Subscriptions of all connections.'),
    feeds: integer('Markets that are watched or polled.'),
    uptime: integer('Seconds since the service started.'),
  }),
)

const seconds = (description: string) => integer(`${description}, in Unix seconds.`)
const { symbol, symbols, quote, ...condition } = alertShape()
const { email: _email, format: _format, template: _template, ...fired } = condition

export const alert = component(
  'Alert',
  z
    .object({
      id: z.string(),
      ...condition,
      symbol: symbol.optional(),
      symbols,
      quote,
      paused: z.boolean(),
      created: seconds('When it was made'),
      settledAfter: integer(
        'Candles before the first one at which the condition has settled, where it must.',
      ).optional(),
      unsettling: text(
        'The indicator because of which the condition never settles: then it may fire at any candle.',
      ).optional(),
      unsettled: z
        .array(z.string())
        .describe(
          'Symbols at which the condition has not settled yet, so that nothing is fired. The list of alerts has it.',
        )
        .optional(),
      fired: seconds(
        'The open time of the newest candle at which it has fired, where it has. The list of alerts has it',
      ).optional(),
      secret: text(
        'The key of the signatures of its webhook. Only the reply that makes the alert has it.',
      ).optional(),
    })
    .required({ on: true, trigger: true }),
)

/** What an alert has fired, as webhooks and streaming connections get it. */
export const alertMessage = component(
  'AlertMessage',
  z
    .object({
      type: z.literal('alert'),
      test: z
        .literal(true)
        .describe('It is a test: no candle has fired it, its time is that of the test and its price is 0.')
        .optional(),
      id: text(
        'The same whenever the same candle is delivered: the alert, over several markets the symbol, and the candle.',
      ),
      alert: text('The id of the alert.'),
      ...fired,
      symbol,
      timestamp: seconds('The open time of the candle'),
      timestampHuman: z.string(),
      closed: z.boolean().describe('Whether the candle had closed.'),
      price: number('The close of the candle, or its last price.'),
    })
    .required({ on: true, trigger: true }),
)

export const alertTest = component(
  'AlertTest',
  z.object({ delivered: z.boolean(), reason: text('Why it has not arrived.').optional() }),
)

export const deadLetter = component(
  'DeadLetter',
  z.object({
    id: text('Of the message.'),
    alert: text('The id of the alert.'),
    created: seconds('When the alert fired'),
    failed: seconds('When it was given up'),
    attempts: integer('Since the last start of the service.'),
    reason: text('Why the last attempt failed.'),
    message: alertMessage,
  }),
)
