import { z } from 'zod'
import { timeframes } from '../src/candles/timeframe.js'
import { tiers } from '../src/catalogue/about.js'
import { prices } from '../src/catalogue/define.js'
import { stabilities, units } from '../src/catalogue/description.js'
import { categories } from '../src/catalogue/index.js'
import { colourings, panes, shapeKinds } from '../src/catalogue/shape.js'
import { plans, scopes } from '../src/contract/account.js'
import { named } from '../src/contract/fields.js'
import { maxPoints } from '../src/contract/limits.js'
import { alertShape, candleFields, candleTime } from '../src/contract/requests.js'

const text = (description: string) => z.string().describe(description)
const number = (description: string) => z.number().describe(description)
const integer = (description: string) => z.int().describe(description)
/** Schema of a statistic. It is null if there are too few cases. */
const statistic = (description: string) => z.number().nullable().describe(description)
const interval = (description: string) => z.array(z.number()).min(2).max(2).nullable().describe(description)
const count = () => z.int().min(0)
const parameterValues = () => z.record(z.string(), z.union([z.number(), z.string(), z.boolean()]))

export const error = named('Error', () => z.strictObject({ error: text('Error text for people.') }))

export const pending = named('Pending', () =>
  z.object({
    pending: z.literal(true),
    key: text('Names the data that is fetched.'),
    done: integer(
      'Screens: number of tried markets. Time ranges: number of candles that have arrived.',
    ).optional(),
    total: integer(
      'Screens: number of all markets. Time ranges: maximum number of fetched candles.',
    ).optional(),
    missing: z.array(z.string()).describe('Breadths: symbols that have no candles yet.').optional(),
  }),
)

export const candle = named('Candle', () =>
  z.object({
    timestamp: candleTime(),
    timestampHuman: text('Open time of the candle in UTC: YYYY-MM-DD HH:MM:SS.'),
    ...candleFields(),
  }),
)

const indicatorResult = named('IndicatorResult', () =>
  z
    .object({ timestamp: z.array(z.int()) })
    .catchall(z.array(z.unknown()))
    .describe('One array per output, aligned with timestamp, oldest first; null where there is no value.'),
)

export const expressionResult = named('ExpressionResult', () =>
  z.object({
    value: z
      .array(z.union([z.number(), z.boolean(), z.null()]))
      .describe('Values, oldest first. An undefined value is null.'),
    timestamp: z.array(z.int()).describe('Open times of the candles in Unix seconds, aligned with `value`.'),
  }),
)

const settledAfter = (digits: number) =>
  z
    .int()
    .nullable()
    .describe(
      `Number of candles before the first value with ${digits} settled digits, which do not depend on where the history begins. Null if the digits never settle.`,
    )

export const expressionCheck = named('ExpressionCheck', () =>
  z.object({
    outputs: z
      .array(z.object({ name: z.string(), type: z.enum(['number', 'boolean']) }))
      .describe('The only output, named `value`.'),
    lookback: integer('Number of candles, or bars of the chart, before the first value.'),
    settled4: settledAfter(4),
    settled8: settledAfter(8),
    unsettling: text('The indicator or chart that keeps the expression from settling.').optional(),
    formingChanges: z
      .boolean()
      .describe('Whether the value of the forming candle may change until the candle closes.'),
    lookAhead: z.object({
      possible: z.boolean().describe('Whether a value may depend on a later candle. Always false.'),
      because: text('Reason.'),
    }),
    timeframes: z
      .array(z.enum(Object.keys(timeframes)))
      .describe('Longer timeframes that the expression chooses with `@`.'),
    markets: z.array(z.string()).describe('Other markets that the expression names in braces.'),
    nodes: integer('Number of distinct parts to compute.'),
    indicators: z
      .array(
        z.object({
          indicator: z.string(),
          params: parameterValues(),
          lookback: integer('Number of candles before the first value.'),
          stability: z.enum(Object.values(stabilities)),
          settled4: settledAfter(4),
          settled8: settledAfter(8),
        }),
      )
      .describe('Distinct indicator calculations among the parts.'),
    cost: z
      .object({
        candles: integer('Candles that the service keeps in memory per market.'),
        microseconds: z.int(),
      })
      .describe(
        'Estimated cost of the first value over this number of candles. Each later value costs one step.',
      ),
  }),
)

export const envelope = named('Envelope', () =>
  z.object({
    indicator: z.string(),
    params: parameterValues().describe('All parameters, including the defaults.'),
    result: indicatorResult().nullable(),
    errors: z.array(z.string()).describe('Reasons for a missing result.'),
    settled: z
      .object({
        digits: integer('Number of settled digits of the newest value, at most 8.'),
        from: z
          .int()
          .nullable()
          .describe(
            'Open time of the first candle whose value has the number of settled digits in the request, by default 4.',
          ),
      })
      .describe(
        'Settled digits of the values: digits that do not depend on where the history begins. Absent without a result.',
      )
      .optional(),
    warnings: z
      .array(z.string())
      .describe('Warning if there are fewer values than `results`: their number and the reason.')
      .optional(),
  }),
)

const lineNotes = (description: string) =>
  z.array(z.object({ line: integer('Line, counted from 1.'), text: z.string() })).describe(description)

export const pineTranslation = named('PineTranslation', () =>
  z.object({
    title: text('Title of the script.'),
    inputs: z
      .array(z.object({ line: z.int(), name: z.string(), title: z.string(), value: z.string() }))
      .describe('Inputs, which have their defaults.'),
    expressions: z
      .array(
        z.object({
          line: z.int(),
          from: text('Function of Pine, such as `plot` or `alertcondition`.'),
          title: z.string(),
          expression: z.string(),
          type: z.enum(['number', 'boolean']),
        }),
      )
      .describe('The values that the script shows, and the conditions of its alerts and orders.'),
    differences: lineNotes('Differences from Pine.'),
    refused: lineNotes('Lines without an expression, with the reason.'),
  }),
)

export const bulkResult = named('BulkResult', () =>
  z
    .record(
      z.string(),
      z
        .object({
          _age: integer(
            'Age of old candles: seconds since the end of the newest one. Absent if the candles are current.',
          ).optional(),
          _error: text('Error text if there are no candles.').optional(),
          _asset: z
            .object({
              exchange: z.string(),
              symbol: z.string(),
              timeframe: z.enum(Object.keys(timeframes)).meta({ examples: ['1h'] }),
              source: text('Provider of the candles of stocks, such as `alpaca-iex`.').optional(),
            })
            .describe('With verbose on exchange data: the market.')
            .optional(),
        })
        .catchall(z.union([indicatorResult(), envelope(), z.null()])),
    )
    .describe('Results by construct id, then by indicator id.'),
)

/** Schema of the markets at which the condition of a screen holds. */
export const matches = () =>
  z.array(
    z
      .object({ symbol: z.string(), timestamp: integer('Unix seconds of a candle open') })
      .catchall(z.union([z.number(), z.boolean(), z.null()]))
      .describe('In addition it has the fields of `select`; null if a value is undefined.'),
  )

export const screenFailure = named('ScreenFailure', () => z.object({ symbol: z.string(), error: z.string() }))
export const staleMarket = named('StaleMarket', () =>
  z.object({ symbol: z.string(), age: integer('Seconds since the end of the newest candle.') }),
)
/** Schema of markets with old candles; absent if there are none. */
const stale = () =>
  z.array(staleMarket()).optional().describe('Markets with old candles. Absent if there are none.')

export const screenResult = named('ScreenResult', () =>
  z.object({
    matches: matches(),
    screened: count().describe('Number of markets for which the condition was evaluated.'),
    failed: z.array(screenFailure()).describe('Markets that could not be evaluated, with the reason.'),
    stale: stale(),
  }),
)

export const namedList = named('NamedList', () =>
  z.object({
    name: text('Name of the list. The service stores it in lower case.'),
    symbols: z
      .array(z.string())
      .describe('Symbols of the list. A symbol such as `binance:BTCUSDT` applies to this exchange only.'),
  }),
)

/** Values of measures over many markets. */
export const breadthResult = named('BreadthResult', () =>
  z.object({
    timestamp: z.array(z.int()).describe('Open times of the candles in Unix seconds, oldest first.'),
    measures: z
      .record(
        z.string(),
        z.object({
          markets: z
            .array(count())
            .describe(
              'Number of markets that take part: at which all values that the measure needs are defined.',
            ),
          value: z.array(z.number().nullable()).describe('An undefined value is null.'),
        }),
      )
      .describe('Values of each measure, aligned with `timestamp`.'),
    forming: z
      .boolean()
      .describe('Whether the last candle is forming at a market, so that its values may change.'),
    screened: count().describe('Number of markets whose candles were evaluated.'),
    failed: z.array(screenFailure()).describe('Markets that could not be evaluated, with the reason.'),
    stale: stale(),
  }),
)

const returnFields = () => ({
  count: count(),
  mean: statistic('A return of 0.01 is one per cent.'),
  median: statistic('Median return.'),
  standardDeviation: statistic('Standard deviation of a sample, with the divisor n − 1.'),
  hitRate: statistic('Share of returns above 0.'),
  meanInterval: interval('Confidence interval of the mean at 95 %, by Student’s distribution.'),
  hitRateInterval: interval('Confidence interval of the hit rate at 95 %, by Wilson’s score.'),
})
export const returnStatistics = named('ReturnStatistics', () => z.object(returnFields()))

const openTime = (which: string) => integer(`Open time of the candle ${which}, in Unix seconds.`)
const tradeEntry = () => ({
  entryTimestamp: openTime('at whose open the trade began'),
  entryPrice: number('Open of this candle.'),
})
const tradeStatistics = () =>
  z.object({
    ...returnFields(),
    profitFactor: statistic('Sum of all gains divided by the sum of all losses. Null without a loss.'),
    candles: statistic('Average number of candles per trade.'),
    exposure: number('Share of candles with an open trade.'),
    totalReturn: number('Return of all trades in sequence after costs, including the open trade.'),
    holdReturn: statistic('Return of buying (or selling) once and holding the position, without costs.'),
    maximumDrawdown: z
      .object({
        share: number('Fall as a share of the preceding peak.'),
        from: openTime('at its start'),
        to: openTime('at its end'),
      })
      .describe('Largest fall of the equity.'),
    open: z
      .object({ ...tradeEntry(), return: number('Return after costs at the last close.') })
      .nullable()
      .describe('The open trade, valued at the last close.'),
    list: z
      .array(
        z.object({
          ...tradeEntry(),
          exitTimestamp: openTime('at whose open the trade ended'),
          exitPrice: number('Open of this candle.'),
          candles: count().describe('Number of candles from entry to exit.'),
          return: number('Return after costs.'),
        }),
      )
      .describe('The newest trades, oldest first.'),
  })

export const evaluationResult = named('EvaluationResult', () =>
  z.object({
    candles: count().describe('Number of closed candles at which the entry condition is defined.'),
    from: integer('Open time of the first of these candles, in Unix seconds.'),
    to: integer('Open time of the last of these candles, in Unix seconds.'),
    fired: count().describe('Number of times that the entry condition became true.'),
    returns: z
      .array(
        z.object({
          after: integer('Horizon: number of candles after the signal.'),
          signals: returnStatistics(),
          baseline: returnStatistics(),
        }),
      )
      .describe('Returns per horizon, without costs. `baseline` covers all candles, for comparison.'),
    warnings: z.array(z.string()).describe('Reasons why the statistics are weaker than they seem.'),
    trades: tradeStatistics().optional(),
    equity: z
      .object({ timestamp: z.array(z.int()), value: z.array(z.number()) })
      .describe(
        `Equity curve of an initial amount of 1, at most ${maxPoints} points, with the open times of the candles at whose close a value is measured.`,
      )
      .optional(),
  }),
)

export const exchangeList = named('ExchangeList', () =>
  z.object({
    exchanges: z.array(z.string()),
    count: z.int(),
    sources: z
      .record(z.string(), z.string())
      .describe('The providers of the candles of the exchanges of stocks, such as `yahoo`.'),
  }),
)

export const symbolList = named('SymbolList', () =>
  z.object({ count: z.int(), symbols: z.array(z.string()) }),
)

export const status = named('Status', () => z.object({ status: z.string() }))

const partFields = () => ({
  status: z.enum(['ok', 'degraded', 'down']),
  reason: text('Reason of a status other than `ok`.').optional(),
})
const partHealth = named('PartHealth', () => z.object(partFields()))

export const readiness = named('Readiness', () =>
  z.object({
    status: z.enum(['ready', 'degraded', 'unavailable', 'stopping']),
    parts: z.object({
      accounts: partHealth(),
      archive: partHealth(),
      alerts: partHealth(),
      store: partHealth().optional(),
      exchanges: z.object({
        ...partFields(),
        down: z.array(text('An identifier.')).describe('The exchanges whose last answer was a failure.'),
      }),
    }),
  }),
)

export const streamingHealth = named('StreamingHealth', () =>
  z.object({
    status: z.literal('ok'),
    connections: integer('Connections that are open.'),
    subscriptions: integer('Subscriptions of all connections.'),
    feeds: integer('Markets that are watched or polled.'),
    uptime: integer('Seconds since the service started.'),
  }),
)

const seconds = (description: string) => integer(`${description}, in Unix seconds.`)
/** Fields of an alert that select its markets, and fields that its messages also have. */
function alertFields() {
  const { symbol, symbols, quote, ...condition } = alertShape()
  const { exchange, timeframe, adjustment, expression, on, trigger, chart, name } = condition
  const fired = { exchange, timeframe, adjustment, expression, on, trigger, chart, name }
  return { symbol, symbols, quote, condition, fired }
}

export const alert = named('Alert', () => {
  const { symbol, symbols, quote, condition } = alertFields()
  return z
    .object({
      id: z.string(),
      ...condition,
      symbol: symbol.optional(),
      symbols,
      quote,
      paused: z.boolean(),
      created: seconds('Time of creation'),
      settledAfter: integer(
        'Number of candles before the first one at which the condition has settled. Absent if the condition need not settle.',
      ).optional(),
      unsettling: text(
        'The indicator that keeps the condition from settling. The alert may then fire at any candle.',
      ).optional(),
      unsettled: z
        .array(z.string())
        .describe(
          'Symbols at which the condition has not settled yet, so the alert does not fire. Only in the list of alerts.',
        )
        .optional(),
      fired: integer(
        'Open time of the newest candle at which the alert has fired, in Unix seconds. Only in the list of alerts.',
      ).optional(),
      secret: text(
        'Key that signs the messages to the webhook. Only the reply that creates the alert has it.',
      ).optional(),
    })
    .required({ on: true, trigger: true })
})

/** Message of a fired alert, as sent to webhooks and streaming connections. */
export const alertMessage = named('AlertMessage', () => {
  const { symbol, fired } = alertFields()
  return z
    .object({
      type: z.literal('alert'),
      test: z
        .literal(true)
        .describe(
          'True for a test message. No candle has fired it: its time is that of the test, and its price is 0.',
        )
        .optional(),
      id: text(
        'Id of the message. It names the alert, the candle and, if the alert has several markets, the symbol. All delivery attempts have the same id.',
      ),
      alert: text('Id of the alert.'),
      ...fired,
      symbol,
      timestamp: seconds('Open time of the candle'),
      timestampHuman: z.string(),
      closed: z.boolean().describe('Whether the candle had closed.'),
      price: number('Close of the candle, or its last price while it is forming.'),
    })
    .required({ on: true, trigger: true })
})

export const alertTest = named('AlertTest', () =>
  z.object({ delivered: z.boolean(), reason: text('Reason why the message has not arrived.').optional() }),
)

export const deadLetter = named('DeadLetter', () =>
  z.object({
    id: text('Id of the message.'),
    alert: text('Id of the alert.'),
    created: seconds('Time at which the alert fired'),
    failed: seconds('Time at which the service gave up the delivery'),
    attempts: integer('Number of attempts since the last start of the service.'),
    reason: text('Reason why the last attempt failed.'),
    message: alertMessage(),
  }),
)

/** Keys of a record, and a text with their meanings. */
const keysOf = (meanings: Readonly<Record<string, string>>) => ({
  names: Object.keys(meanings),
  text: Object.entries(meanings)
    .map(([name, meaning]) => `\`${name}\`: ${meaning}`)
    .join('; '),
})
const shift = (description: string) =>
  z.union([z.number(), z.string()]).describe(`${description}; a text names the parameter that says how many.`)

const shape = named('Shape', () => {
  const kinds = keysOf(shapeKinds)
  const rules = keysOf(colourings)
  return z.object({
    kind: z.enum(kinds.names).describe(`${kinds.text}.`),
    outputs: z
      .array(z.string())
      .describe(
        'A kind that takes one output is drawn for each of them; several lines are a ribbon, each paler than the one before.',
      ),
    pane: z.enum(panes).describe('`price`: over the candles; `own`: in the pane of the indicator.'),
    colour: z
      .union([z.int(), z.enum(['up', 'down', 'quiet'])])
      .describe('A number is its place among the colours of the indicator, from 1 on.')
      .optional(),
    colouring: z
      .enum(rules.names)
      .describe(
        `The choice between the colours of rises and of falls: ${rules.text}. A line is broken where it changes.`,
      )
      .optional(),
    colouredBy: text(
      'The output that decides instead: a number above 0, a text that means up, or a flag that is set has the colour of rises.',
    ).optional(),
    ahead: shift('Candles by which it is drawn later than its candle').optional(),
    behind: shift('Candles by which it is drawn earlier').optional(),
    fromPrice: z
      .literal(true)
      .describe('It begins at the last candle whose price it is: a level at a high or low, a zone at both.')
      .optional(),
    span: text(
      'The output that says from how many candles before a line leads to a mark, from low to low or from high to high.',
    ).optional(),
    label: text('A short text at it.').optional(),
    at: z
      .enum(['above', 'below', 'sign'])
      .describe(
        'The side of a mark that is no advice; with `sign` above a value above 0, as of a high, and below any other.',
      )
      .optional(),
    price: z
      .literal('close')
      .describe('The column of the candles that a line without outputs draws.')
      .optional(),
    from: integer('The first number of a count that is shown.').optional(),
    ratios: z.array(z.number()).describe('The levels of a retracement.').optional(),
    except: z.array(z.string()).describe('Texts that are too frequent to be marked.').optional(),
  })
})

const indicatorParameter = () =>
  z.object({
    name: z.string(),
    type: z.enum(['integer', 'number', 'string', 'boolean']),
    default: z.union([z.number(), z.string(), z.boolean()]),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    choices: z
      .array(z.string())
      .describe('Allowed texts. A kind of moving average may be a number instead.')
      .optional(),
    follows: text('The parameter whose value is the default when that one was given.').optional(),
    meaning: text('Meaning of the numbers.').optional(),
    atMost: text('The parameter that this one must not exceed.').optional(),
    atLeast: text('The parameter that must not exceed this one.').optional(),
  })

const indicatorOutput = () =>
  z.object({
    name: z.string(),
    kind: z.enum(['number', 'signal', 'flag', 'label', 'names']),
    labels: z.array(z.string()).describe('All texts of a label.').optional(),
    directions: z
      .record(z.string(), z.literal([1, -1]))
      .describe('The texts that name a direction: 1 up, -1 down.')
      .optional(),
    unit: z
      .enum(units)
      .describe('Unit of the numbers, with default parameters; a time is in Unix seconds.')
      .optional(),
  })

export const indicatorDescription = named('IndicatorDescription', () =>
  z.object({
    id: z.string(),
    title: z.string(),
    category: z.enum(Object.keys(categories)),
    parameters: z.array(indicatorParameter()),
    outputs: z.array(indicatorOutput()),
    inputs: z.array(z.enum([...prices, 'timestamp'])).describe('Columns that it reads.'),
    source: z.boolean().describe('Whether `source` replaces the first input.'),
    source2: z.boolean().describe('Whether `source2` replaces the second input.'),
    lookback: integer('Candles before the first value, by default.'),
    results: integer('Values returned where `results` is not given, by default.'),
    stability: z.enum(Object.values(stabilities)),
    settled4: z
      .int()
      .nullable()
      .describe(
        'Candles before the first value whose first 4 digits do not depend on where the history begins, by default. Null where there is no such number.',
      ),
    settled8: z.int().nullable().describe('The same for 8 digits.'),
    overlay: z.boolean().describe('Whether the outputs are prices.'),
    scale: z
      .object({
        minimum: number('Lower bound of all values, if prices are above 0').optional(),
        maximum: number('Upper bound of all values, if prices are above 0').optional(),
        levels: z
          .array(z.number())
          .describe(
            'Levels of lines in charts: limits of its author or of a widely used chart, and the value that it swings around.',
          ),
      })
      .optional(),
    drawing: z
      .array(shape())
      .describe(
        'Its drawing: shapes, the first one behind the others. Outputs without a shape are not drawn.',
      ),
    tier: z.literal(tiers).describe('Tier: 1 is widely known, 3 hardly known.'),
    description: text('Meaning, use and weaknesses of the indicator.').optional(),
    otherNames: z.array(z.string()).describe('Names by which other libraries and charts know it.'),
    related: z.array(z.string()).describe('Indicators that are alike or are read together with it.'),
  }),
)

export const indicatorList = named('IndicatorList', () =>
  z.object({ count: z.int(), indicators: z.array(indicatorDescription()) }),
)

const account = () => ({
  id: z.string().describe('Stays the same when its keys change.'),
  name: z.string(),
  plan: z.enum(Object.keys(plans)),
  requests: z.int().describe('Requests per 15 seconds.'),
  constructs: z.int().describe('Constructs per bulk request.'),
  subscriptions: z.int().describe('Live subscriptions at a time.'),
  scopes: z.array(z.enum(scopes)),
  created: seconds('Time of creation'),
  revoked: seconds('Since when it is refused').optional(),
  expires: seconds('From when on it is refused').optional(),
  keys: z
    .array(
      z.object({
        id: z.string().describe('The first digits of the SHA-256 of the key.'),
        created: seconds('Time of creation'),
        ends: seconds('Time until which the key works, if another key has replaced it').optional(),
      }),
    )
    .describe('Keys in the order of their use, newest last.'),
})
export const key = named('Key', () => z.object(account()))
export const newKey = named('NewKey', () =>
  z.object({ key: z.string().describe('The key itself, which is not shown again.'), ...account() }),
)
export const usage = named('Usage', () =>
  z.object({
    day: z.string().describe('In UTC: `YYYY-MM-DD`.'),
    id: z.string().describe('Id of the key.'),
    requests: z
      .record(z.string(), z.int())
      .describe(
        'Requests by the first word of the path. `refused` counts requests over the rate limit, `subscriptions` those of streaming connections.',
      ),
  }),
)

// Bodies without a name in the documents.

export const anyObject = () => z.looseObject({})
export const candles = () => z.array(candle())
export const namedLists = () => z.object({ lists: z.array(namedList()) })
export const alertList = () => z.object({ alerts: z.array(alert()) })
export const deadLetters = () => z.object({ deadLetters: z.array(deadLetter()) })
export const keyList = () =>
  z.object({
    keys: z.array(key()),
    total: z.int().describe('Number of all keys.'),
    corrupt: z.array(z.string()).describe('The ids of keys whose records cannot be read.'),
  })
export const usageList = () =>
  z.object({ usage: z.array(usage()), more: z.boolean().describe('Whether there are more rows.') })
