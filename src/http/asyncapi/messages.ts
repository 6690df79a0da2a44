import { z } from 'zod'
import type { Description } from '../../catalogue/description.js'
import type { Shape } from '../../contract/fields.js'
import { marketShape } from '../../contract/market.js'
import { clientMessages, messageScopes } from '../../contract/messages.js'
import { expressionShape } from '../../contract/requests.js'
import { parameterShape, valueSchema } from '../openapi/indicator-operations.js'
import { definitionOf, type Json, ref } from '../openapi/json-schema.js'
import { alertMessage, breadthResult, matches, screenResult } from '../openapi/replies.js'

/** A message of one type; where it is not `open`, other fields are refused, or not sent. */
function message(type: string, summary: string, shape: Shape, more: Json = {}, isOpen = false): Json {
  const fields = { type: z.literal(type), ...shape }
  const payload = definitionOf(isOpen ? z.looseObject(fields) : z.strictObject(fields))
  return { name: type, summary, payload: { ...payload, ...more } }
}

/** What a message of one indicator must also match. */
const whereIndicatorIs = (id: string, properties: Json): Json => ({
  if: { properties: { indicator: { const: id } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties },
})

/** The parameters of an indicator by their names; none is required, and their other names are accepted too. */
const paramsOf = (indicator: Description): Json => definitionOf(z.object(parameterShape(indicator)))
const expressionParams = definitionOf(z.object(expressionShape()))

const candleTime = z.int().describe('Unix seconds of the candle open')

/** The values of one candle in an update. A single output has the name of its indicator. */
export const valuesOf = ({ id, outputs }: Description): Json =>
  definitionOf(
    z.strictObject({
      ...Object.fromEntries(
        outputs.map(output => [outputs.length === 1 ? id : output.name, valueSchema(output)]),
      ),
      timestamp: candleTime,
    }),
  )
/** The values of an expression in an update. */
const expressionValues = definitionOf(
  z.strictObject({
    expression: z.union([z.number(), z.boolean(), z.null()]),
    timestamp: z.int(),
  }),
)

const withScope = (summary: string, type: keyof typeof messageScopes): string => {
  const scope = messageScopes[type]
  return scope === undefined ? summary : `${summary} The key must have the scope \`${scope}\`.`
}

/** What clients send. */
export const describeClientMessages = (indicators: readonly Description[]): Json =>
  Object.fromEntries(
    Object.entries(clientMessages()).map(([type, { summary, shape, isOpen }]) => [
      type,
      message(
        type,
        withScope(summary, type as keyof typeof messageScopes),
        shape,
        type === 'subscribe'
          ? {
              allOf: [
                ...indicators.map(each => whereIndicatorIs(each.id, { params: paramsOf(each) })),
                whereIndicatorIs('expression', { params: expressionParams }),
              ],
            }
          : {},
        isOpen,
      ),
    ]),
  )

const settledDigits = () => z.int().describe('As the subscription asks for.').optional()
const screenId = z.string().describe('That of the `screen` message.')
const breadthId = z.string().describe('That of the `breadth` message.')
const count = z.int().min(0)
const error = z.string().describe('What is wrong, for a human reader.')
const anyObject = (description: string) => z.looseObject({}).describe(description)

const listedSubscription = () =>
  z.strictObject({
    id: z.string().describe('What `unsubscribe` takes.'),
    exchange: z.string(),
    symbol: z.string(),
    interval: marketShape().timeframe,
    indicator: z.string(),
    params: anyObject('The parameters of the indicator.'),
    chart: z.string().optional(),
    settled: settledDigits(),
  })

/** The values of one candle, as the service sends them. */
const updateMessage = (indicators: readonly Description[]): Json =>
  message(
    'update',
    'The values of one candle.',
    {
      subscription: z.string().describe('The market: `<exchange>:<symbol>:<interval>` in lower case.'),
      indicator: z.enum([...indicators.map(({ id }) => id), 'expression']),
      params: anyObject('The parameters of the indicator. Every one, defaults included.'),
      chart: z
        .string()
        .optional()
        .describe('What is made of the candles first; absent for the candles themselves.'),
      settled: settledDigits(),
      closed: z
        .boolean()
        .describe(
          'Whether the candle is closed: then the values are final. Else they change until it closes.',
        ),
      data: anyObject('The outputs of the indicator, and the `timestamp` of the candle.'),
      age: z
        .int()
        .optional()
        .describe('Where the newest candle of the market is old: seconds since its end.'),
    },
    {
      allOf: [
        ...indicators.map(each =>
          whereIndicatorIs(each.id, { params: paramsOf(each), data: ref('schemas', `values.${each.id}`) }),
        ),
        whereIndicatorIs('expression', { params: expressionParams, data: expressionValues }),
      ],
    },
  )

/** What the service sends. */
export const describeServiceMessages = (indicators: readonly Description[]): Json => ({
  auth_ok: message('auth_ok', 'The key is valid.', {}),
  auth_error: message('auth_error', 'The key is invalid, or another message came first.', { error }),
  update: updateMessage(indicators),
  alerts_ok: message('alerts_ok', 'Alerts are sent on this connection.', {
    ack: z.literal(true).optional().describe('They are kept until this connection acknowledges them.'),
  }),
  alert: { name: 'alert', summary: 'An alert that fired at a candle.', payload: definitionOf(alertMessage) },
  screen_pending: message('screen_pending', 'The candles of a live screen are being fetched.', {
    id: screenId,
    done: count.describe('Markets that were tried.'),
    total: count,
  }),
  screen_ok: message('screen_ok', 'The first state of a live screen.', {
    id: screenId,
    ...screenResult.shape,
  }),
  screen_update: message('screen_update', 'What has changed in a live screen since the message before.', {
    id: screenId,
    entered: matches.describe('Markets that match now.'),
    changed: matches.describe('Markets that go on matching, with other values.'),
    left: z.array(z.string()).describe('The symbols of those that do not match any more.'),
  }),
  breadth_pending: message('breadth_pending', 'The candles of a live breadth are being fetched.', {
    id: breadthId,
    done: count.describe('Markets that were tried.'),
    total: count,
  }),
  breadth_ok: message('breadth_ok', 'The first values of a live breadth.', {
    id: breadthId,
    ...breadthResult.shape,
  }),
  breadth_update: message(
    'breadth_update',
    'What has come or changed since the message before: the newest candles, or all where a market was corrected.',
    { id: breadthId, ...breadthResult.shape },
  ),
  subscriptions: message('subscriptions', 'The subscriptions, in the order in which they were made.', {
    data: z.array(listedSubscription()),
  }),
  error: message('error', 'A message that cannot be followed.', {
    id: z.string().nullable().describe('The id that the client gave.'),
    error,
  }),
})
