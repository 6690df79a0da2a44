import { z } from 'zod'
import { timeframes } from '../candles/timeframe.js'
import { tiers } from '../catalogue/about.js'
import { describe } from '../catalogue/description.js'
import { mostDigits, usualDigits } from '../catalogue/fading.js'
import { type Category, catalogue, categories } from '../catalogue/index.js'
import { once } from '../runtime/once.js'
import { badMeasureName, expressionNotText, measuresNotObject, scriptNotText } from './expression-refusals.js'
import { listOf, named, optional, refusedBy, type Shape, withDefault } from './fields.js'
import { isObject, jsonText } from './json-value.js'
import {
  idPattern,
  longestHorizon,
  maxAlertMarkets,
  maxConstructs,
  maxExpressionLength,
  maxFee,
  maxHorizons,
  maxIndicators,
  maxMarkets,
  maxMeasures,
  maxNameLength,
  maxSelected,
  maxSuppliedCandles,
  maxWebhookLength,
  reservedIds,
} from './limits.js'
import { canonicalSymbol, marketShape, nameSchema } from './market.js'
import { chartShape, settledShape, windowShape } from './query.js'
import { expected, invalidTimeframe, invalidValue, type Refusal } from './refusals.js'
import {
  badHorizons,
  badSelectName,
  expressionFieldNotText,
  symbolNotName,
  symbolsNotList,
  tooManySelected,
  webhookNotUrl,
  webhookWithPassword,
} from './screen-refusals.js'
import { formatShape } from './table-format.js'
import { ageShape, maxAgeShape, timeSchema } from './time-range.js'
import { webhookFormatShape } from './webhook-format.js'

// Shapes of request fields: allowed values, descriptions and parsing. Requests are checked against these shapes, and the
// OpenAPI and AsyncAPI documents are generated from them. A shape is created at its first use, because the start of the
// service needs few shapes.

/** Moments at which an expression is evaluated: at the close of a candle, or also at every change of the forming candle. */
export const moments = ['close', 'update'] as const
/** Triggers of an alert: candles at which its condition becomes true, or all candles at which it is true. */
export const triggers = ['edge', 'level'] as const

/** Rules of the expression compiler, for the documents. */
const expressionRules = {
  minLength: 1,
  maxLength: maxExpressionLength,
  examples: ['rsi(14) < 30 and close > ema(200)'],
}

const textOfExpression = (description: string) => z.string().meta({ description, ...expressionRules })

/** Field of a request with a single expression. */
export const expressionShape = once(() => ({
  expression: refusedBy(textOfExpression('The expression.'), expressionNotText),
}))

/** Candles of other markets in the body of `POST /expression`. Each list is read like `candles`. */
export const withShape = once(() => ({
  with: optional(z.record(z.string(), z.unknown())).describe(
    'The candles of other markets, by the names that the expression has between braces.',
  ),
}))

/** The body of `POST /expression/check`. */
export const expressionCheckShape = once(() => ({
  ...expressionShape(),
  timeframe: refusedBy(
    optional(marketShape().timeframe).describe(
      'Timeframe of the candles. Required if the expression has longer ones with `@`.',
    ),
    value => invalidTimeframe(value, Object.keys(timeframes)),
  ),
  ...chartShape(),
}))

/** The body of `POST /expression/pine`. */
export const pineShape = once(() => ({
  script: refusedBy(z.string().describe('The script, of version 5 or 6 of Pine.'), scriptNotText),
  timeframe: expressionCheckShape().timeframe,
}))

const oneExpression = <Schema extends z.ZodType>(schema: Schema) =>
  refusedBy(schema, (value, name) => expressionFieldNotText(name, value))

/** Schema of one of several texts. The first one is the default. */
const choiceOf = <const Text extends string>(texts: readonly [Text, ...Text[]], description: string) =>
  refusedBy(withDefault(z.enum(texts), texts[0]).describe(description), (value, name) =>
    invalidValue(name, value, expected.oneOf(texts)),
  )

/** Query string of `GET /indicators`. The case of a category is ignored. */
export const catalogueShape = once(() => {
  const names = Object.keys(categories) as Category[]
  const inCase = (text: unknown) => names.find(name => name.toLowerCase() === String(text).toLowerCase())
  return {
    category: z
      .preprocess(text => inCase(text) ?? text, z.enum(names).optional())
      .describe('Only indicators of a category, in any case.'),
    // Limited, because each word is searched in every indicator.
    search: nameSchema(
      'Only indicators whose names, title, category, text or search words have all these words; best matches first.',
    ).optional(),
    tier: z.literal(tiers).optional().describe('Tier of the indicator: 1 is widely known, 3 hardly known.'),
  }
})

/** The query string of `GET /candles`. */
export const candlesShape = once(() => ({
  ...marketShape(),
  ...windowShape(),
  ...ageShape(),
  ...formatShape(),
}))

/** Schema of a list of symbols without duplicates. */
export const symbolsOf = (symbol: z.ZodType<string>) =>
  listOf(symbol, 1, maxMarkets).transform((symbols): readonly string[] => [...new Set(symbols)])

/** Refusal of a value that `symbolsOf` rejects. */
export const refuseSymbols = (value: unknown, _: string, [at]: readonly PropertyKey[]): Refusal =>
  typeof at === 'number'
    ? symbolNotName(at, (value as readonly unknown[])[at])
    : symbolsNotList(Array.isArray(value) ? `${value.length} symbols` : value)

/** Schema of symbols of an exchange. Converts them to canonical spelling and removes duplicates. */
const symbolList = (description: string, maxItems: number) =>
  refusedBy(
    optional(symbolsOf(marketShape().symbol.refine(symbol => symbol !== ''))).meta({ description, maxItems }),
    refuseSymbols,
  )

/** Schema of the quote currency with which symbols end. */
const quoteSchema = (description: string) => optional(nameSchema(description).transform(canonicalSymbol))

/** Fields of every match of a screen. */
const matchFields: readonly string[] = ['symbol', 'timestamp']

/** Refusal of an invalid field `select`: expressions by their names in a match. */
function faultOfSelect(select: unknown): Refusal | undefined {
  if (!isObject(select)) return invalidValue('select', jsonText(select), expected.object)
  let count = 0
  for (const name in select) {
    if (count++ === maxSelected) return tooManySelected(maxSelected)
    if (!idPattern.test(name) || name.length > maxNameLength || matchFields.includes(name))
      return badSelectName(name, matchFields)
    if (typeof select[name] !== 'string') return expressionFieldNotText(`select.${name}`, select[name])
  }
  return undefined
}

const selectSchema = () =>
  refusedBy(
    optional(z.custom<Readonly<Record<string, string>>>(select => faultOfSelect(select) === undefined)).meta({
      type: 'object',
      description: 'Expressions by name. Each match has their values.',
      maxProperties: maxSelected,
      propertyNames: { pattern: idPattern.source, maxLength: maxNameLength },
      additionalProperties: { type: 'string', description: 'The expression.', ...expressionRules },
    }),
    select => faultOfSelect(select) as Refusal,
  )

/** Fields of a live screen. It has no order and no past state. */
export const liveScreenShape = once(() => ({
  exchange: marketShape().exchange,
  timeframe: marketShape().timeframe,
  adjustment: marketShape().adjustment,
  symbols: symbolList(
    'Symbols of the markets, `list:<name>` for the symbols of a list of the key, and `top:<n>` for the `n` most traded markets of `quote` in 24 hours. Default: all symbols of the exchange.',
    maxMarkets,
  ),
  quote: quoteSchema(
    'Quote currency such as USDT: selects only symbols that end with it. Together with `symbols` only if they include `top:<n>`.',
  ),
  where: oneExpression(textOfExpression('The condition.')),
  select: selectSchema(),
  settled: settledShape().settled.describe(
    `Required settled digits of the values that the condition compares, 1 to ${mostDigits}. Markets without them are in \`failed\`, and other values of \`select\` without them are null. Refused for values that never settle.`,
  ),
  ...chartShape(),
  maxAge: maxAgeShape().maxAge.describe(
    'Markets whose newest candle ended more than this number of seconds ago are in `failed`. Without this field they are in `stale`.',
  ),
}))

/** The body of `POST /screen`. */
export const screenShape = once(() => ({
  ...liveScreenShape(),
  orderBy: oneExpression(
    optional(
      z.string().meta({
        description: 'An expression or a name of `select`, optionally followed by `desc` or `asc`.',
        examples: ['volume desc'],
      }),
    ),
  ),
  limit: optional(z.int().min(1).max(maxMarkets)).describe('Maximum number of matches.'),
  backtrack: windowShape().backtrack,
  at: timeSchema(
    'Evaluates the screen at the close of the last candle that opened at this time or earlier: Unix seconds, or ISO 8601 in UTC. Not together with `backtrack`.',
  ),
}))

/** Schema of the number of settled digits that signals and alerts need. `otherwise` describes the other default. */
const requiredDigits = (description: string, otherwise: string) =>
  optional(z.int().min(0).max(mostDigits)).describe(
    `${description}: 0 to ${mostDigits}, and 0 for any. Default: ${usualDigits}, ${otherwise}. A condition that never settles counts from its first value on.`,
  )

/** The body of `POST /evaluate`, without its candles. */
export const evaluationShape = once(() => ({
  entry: oneExpression(
    textOfExpression('Condition of a signal, which is a candle at which it becomes true.'),
  ),
  exit: oneExpression(
    optional(textOfExpression('Condition that ends a trade. Without `exit` there are no trades.')),
  ),
  side: withDefault(z.enum(['long', 'short']), 'long'),
  fee: withDefault(z.number().min(0).max(maxFee), 0).describe(
    'Cost of each entry and each exit, as a share of the amount.',
  ),
  horizons: refusedBy(
    withDefault(
      listOf(z.int().min(1).max(longestHorizon), 1, maxHorizons).transform((after): readonly number[] =>
        [...new Set(after)].sort((a, b) => a - b),
      ),
      [1, 5, 20],
    ).describe('Numbers of candles after a signal at which returns are measured.'),
    value => badHorizons(value, maxHorizons, longestHorizon),
  ),
  from: timeSchema(
    'Open time of the first candle with signals: Unix seconds, or ISO 8601 in UTC. Earlier candles are the warm-up.',
  ),
  to: timeSchema(
    'Open time of the last candle. Later candles are ignored. Default: the newest closed candle.',
  ),
  settled: requiredDigits(
    'Required settled digits of the compared values at a counted signal',
    'or 0 if no candle has that number',
  ),
  ...chartShape(),
}))

/** Schema of a webhook address. Refuses a key or a password in the address, because lists and logs show it. */
const webhookSchema = () => {
  const isWeb = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  const address = z
    .string()
    .max(maxWebhookLength)
    .refine(isWeb)
    .describe(
      'Address to which messages are posted. Without `webhook` and `email`, messages go to the streaming connections of the key that request alerts.',
    )
  const withoutPassword = address
    .transform(text => new URL(text))
    .refine(({ username, password }) => username === '' && password === '')
  return refusedBy(optional(withoutPassword), value =>
    address.safeParse(value).success ? webhookWithPassword() : webhookNotUrl(value),
  )
}

/** Body of `POST /alerts`. One of `symbol`, `symbols` and `quote` selects the markets. */
export const alertShape = once(() => ({
  ...marketShape(),
  symbols: symbolList(
    'Symbols of several markets instead of `symbol`, `list:<name>` for the symbols of a list of the key, and `top:<n>` for the `n` most traded markets of `quote` when the alert is created. Each market counts as an alert.',
    maxAlertMarkets,
  ),
  quote: quoteSchema(
    `Quote currency such as USDT, instead of \`symbol\` and \`symbols\`: selects all symbols of the exchange that end with it, at most ${maxAlertMarkets}. A created alert lists them in \`symbols\`.`,
  ),
  expression: refusedBy(textOfExpression('The condition.'), expressionNotText),
  on: choiceOf(
    moments,
    '`close`: evaluated when a candle closes. `update`: also evaluated at every change of the forming candle.',
  ),
  trigger: choiceOf(
    triggers,
    '`edge`: fires when the condition becomes true. `level`: fires at every candle at which the condition is true.',
  ),
  settled: requiredDigits(
    'Required settled digits of the compared values at a fire',
    'or the number that can settle within the candles in memory (HISTORY_DEPTH)',
  ),
  ...chartShape(),
  webhook: webhookSchema(),
  ...webhookFormatShape(),
  name: optional(nameSchema('Name of the alert, for its owner.')),
}))

export const candleTime = () => z.int().describe('Open time of the candle in Unix seconds.')
const price = (description: string) => z.number().describe(description)

/** The prices and the volume of a candle. */
export const candleFields = once(() => ({
  open: price('Opening price'),
  high: price('Highest price'),
  low: price('Lowest price'),
  close: price('Closing price'),
  volume: z.number().min(0).describe('Traded volume'),
}))

/** A supplied candle. `readSuppliedCandles` and the WASM parser read it. */
export const suppliedCandle = named('SuppliedCandle', () => {
  const { open: o, high: h, low: l, close: c, volume: v } = candleFields()
  return z
    .union([
      z.object({ timestamp: candleTime().optional(), ...candleFields() }),
      z.object({ t: candleTime().optional(), o, h, l, c, v }),
    ])
    .describe('One candle in the long or the short spelling; timestamps are on all candles or on none.')
})
export const suppliedCandles = named('SuppliedCandles', () =>
  z.array(suppliedCandle()).min(1).max(maxSuppliedCandles).describe('Oldest to newest.'),
)

const idSchema = () => z.string().regex(idPattern).max(maxNameLength)

export const bulkIndicator = named('BulkIndicator', () => {
  const others = [...catalogue.values()].map(describe).filter(({ results }) => results !== 1)
  const { results, backtrack, from, to, chart } = windowShape()
  return z
    .looseObject({
      id: idSchema()
        .refine(id => !reservedIds.includes(id))
        .meta({
          not: { enum: reservedIds },
          description: `The key of its entry in the answer. ${reservedIds.map(id => `\`${id}\``).join(', ')} are reserved.`,
        }),
      indicator: z.string().meta({
        description: 'An identifier from GET /indicators, in any case, or `expression`.',
        examples: ['rsi'],
      }),
      expression: textOfExpression('Text of the expression, if `indicator` is `expression`.').optional(),
      results: results
        .unwrap()
        .optional()
        .describe(
          `${results.description} Default: 1; ${others.map(({ id, results }) => `\`${id}\`: ${results}`).join(', ')}.`,
        ),
      backtrack,
      from,
      to,
      chart,
      ...settledShape(),
    })
    .describe('In addition it has the parameters of its indicator.')
})

const constructOf = <S extends Shape>(shape: S) =>
  z.strictObject({
    id: idSchema().describe('The key of its entry in the answer.'),
    ...shape,
    indicators: z.array(bulkIndicator()).min(1).max(maxIndicators),
  })
/** Constructs of `POST /bulk` and of `POST /bulk-candles`. `readBulk` and `readBulkCandles` read them. */
export const marketConstruct = once(() => constructOf({ ...marketShape(), ...ageShape() }))
export const candlesConstruct = once(() => constructOf({ candles: suppliedCandles() }))

/** Body of a bulk request with constructs of one kind. */
export const bulkOf = (construct: z.ZodType) =>
  z.strictObject({
    constructs: z.array(construct).min(1).max(maxConstructs),
    verbose: z
      .boolean()
      .prefault(false)
      .describe('Wrap each result with its indicator, its parameters and its errors.'),
  })

/** The body of `POST /alerts/{id}`. */
export const pausedShape = once(() => ({ paused: z.boolean() }))

/** Refusal of an invalid field `measures`: expressions by name. */
function faultOfMeasures(measures: unknown): Refusal | undefined {
  const names = isObject(measures) ? Object.keys(measures) : []
  if (!isObject(measures) || names.length === 0 || names.length > maxMeasures)
    return measuresNotObject(
      isObject(measures) ? `${names.length} expressions` : jsonText(measures),
      maxMeasures,
    )
  for (const name of names) {
    if (!idPattern.test(name) || name.length > maxNameLength) return badMeasureName(name)
    if (typeof measures[name] !== 'string') return expressionFieldNotText(`measures.${name}`, measures[name])
  }
  return undefined
}

const measuresSchema = () =>
  refusedBy(
    z
      .custom<Readonly<Record<string, string>>>(value => faultOfMeasures(value) === undefined)
      .meta({
        type: 'object',
        description:
          'Expressions by name, in which values of single markets stand within `breadth(condition)`, `count(condition)` or `total(number)`; or measures that have a name, such as `mcclellan`.',
        minProperties: 1,
        maxProperties: maxMeasures,
        propertyNames: { pattern: idPattern.source, maxLength: maxNameLength },
        additionalProperties: {
          type: 'string',
          description: 'The expression.',
          minLength: 1,
          maxLength: maxExpressionLength,
          examples: ['breadth(close > sma(200))', 'mcclellan'],
        },
      }),
    value => faultOfMeasures(value) as Refusal,
  )

/** Fields of a live breadth. Its first message has the newest `results` values. */
export const liveBreadthShape = once(() => {
  const { exchange, timeframe, adjustment, symbols, quote, maxAge } = liveScreenShape()
  return {
    ...{ exchange, timeframe, adjustment, symbols, quote },
    measures: measuresSchema(),
    results: windowShape().results,
    maxAge,
  }
})

/** The body of `POST /breadth`. */
export const breadthShape = once(() => {
  const { from, to } = windowShape()
  return { ...liveBreadthShape(), from, to }
})
