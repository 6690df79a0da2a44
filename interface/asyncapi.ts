import { z } from 'zod'
import type { Description } from '../src/catalogue/description.js'
import { describe } from '../src/catalogue/description.js'
import { catalogue } from '../src/catalogue/index.js'
import type { Shape } from '../src/contract/fields.js'
import { marketShape } from '../src/contract/market.js'
import { clientMessages, messageScopes, streamingProtocol } from '../src/contract/messages.js'
import { alertMessage, breadthResult, matches, screenResult } from '../src/contract/replies.js'
import { expressionShape } from '../src/contract/requests.js'
import { parameterShape, valueSchema } from './indicators.js'
import { type Json, ref, SchemaWriter } from './json-schema.js'
import { version } from './openapi.js'

const schemas = new SchemaWriter()

/** A message of one type; where it is not `open`, other fields are refused, or not sent. */
function message(type: string, summary: string, shape: Shape, more: Json = {}, isOpen = false): Json {
  const fields = { type: z.literal(type), ...shape }
  const payload = schemas.definition(isOpen ? z.looseObject(fields) : z.strictObject(fields))
  return { name: type, summary, payload: { ...payload, ...more } }
}

/** Additional schema of the messages of one indicator. */
const whereIndicatorIs = (id: string, properties: Json): Json => ({
  if: { properties: { indicator: { const: id } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties },
})

/** The parameters of an indicator by their names; none is required, and their other names are accepted too. */
const paramsOf = (indicator: Description): Json => schemas.definition(z.object(parameterShape(indicator)))
const expressionParams = schemas.definition(z.object(expressionShape()))

const candleTime = z.int().describe('Unix seconds of the candle open')

/** The values of one candle in an update. A single output has the name of its indicator. */
const valuesOf = ({ id, outputs }: Description): Json =>
  schemas.definition(
    z.strictObject({
      ...Object.fromEntries(
        outputs.map(output => [outputs.length === 1 ? id : output.name, valueSchema(output)]),
      ),
      timestamp: candleTime,
    }),
  )
/** The values of an expression in an update. */
const expressionValues = schemas.definition(
  z.strictObject({
    expression: z.union([z.number(), z.boolean(), z.null()]),
    timestamp: z.int(),
  }),
)

const withScope = (summary: string, type: keyof typeof messageScopes): string => {
  const scope = messageScopes[type]
  return scope === undefined ? summary : `${summary} The key must have the scope \`${scope}\`.`
}

/** Messages of clients. */
const describeClientMessages = (indicators: readonly Description[]): Json =>
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

const settledDigits = () => z.int().describe('As in the subscription.').optional()
const screenId = z.string().describe('Id of the `screen` message.')
const breadthId = z.string().describe('Id of the `breadth` message.')
const count = z.int().min(0)
/** Progress of a fetch of the candles of many markets. */
const progress = { done: count.describe('Markets that were tried.'), total: count }
const error = z.string().describe('Error text for people.')
const anyObject = (description: string) => z.looseObject({}).describe(description)

const listedSubscription = () =>
  z.strictObject({
    id: z.string().describe('Id for `unsubscribe`.'),
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
      id: z.string().describe('The `id` of the `subscribe` message.'),
      subscription: z.string().describe('The market: `<exchange>:<symbol>:<interval>` in lower case.'),
      indicator: z.enum([...indicators.map(({ id }) => id), 'expression']),
      params: anyObject('The parameters of the indicator. Every one, defaults included.'),
      chart: z
        .string()
        .optional()
        .describe('Bars that are made from the candles first; absent for the candles themselves.'),
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
        .describe('Seconds since the end of the newest candle of the market, if it is old.'),
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

/** Messages of the service. */
const describeServiceMessages = (indicators: readonly Description[]): Json => ({
  auth_ok: message('auth_ok', 'The key is valid.', {}),
  auth_error: message('auth_error', 'The key is invalid, or another message came first.', { error }),
  update: updateMessage(indicators),
  alerts_ok: message('alerts_ok', 'Alerts are sent on this connection.', {
    ack: z.literal(true).optional().describe('They are kept until this connection acknowledges them.'),
  }),
  alert: {
    name: 'alert',
    summary: 'An alert that fired at a candle.',
    payload: schemas.definition(alertMessage()),
  },
  screen_pending: message('screen_pending', 'The candles of a live screen are being fetched.', {
    id: screenId,
    ...progress,
  }),
  screen_ok: message('screen_ok', 'The first state of a live screen.', {
    id: screenId,
    ...screenResult().shape,
  }),
  screen_update: message('screen_update', 'Changes of a live screen since the previous message.', {
    id: screenId,
    entered: matches().describe('Markets that match now.'),
    changed: matches().describe('Markets that still match, with changed values.'),
    left: z.array(z.string()).describe('Symbols that have stopped matching.'),
  }),
  breadth_pending: message('breadth_pending', 'The candles of a live breadth are being fetched.', {
    id: breadthId,
    ...progress,
  }),
  breadth_ok: message('breadth_ok', 'The first values of a live breadth.', {
    id: breadthId,
    ...breadthResult().shape,
  }),
  breadth_update: message(
    'breadth_update',
    'New and changed values since the previous message: the newest candles, or all candles after a correction.',
    { id: breadthId, ...breadthResult().shape },
  ),
  subscriptions: message('subscriptions', 'The subscriptions, in the order in which they were made.', {
    data: z.array(listedSubscription()),
  }),
  error: message('error', 'A message that cannot be followed.', {
    id: z.string().nullable().describe('The id that the client gave.'),
    error,
  }),
})

const channel = { $ref: '#/channels/streaming' }
const messages = (...names: readonly string[]) =>
  names.map(name => ({ $ref: `${channel.$ref}/messages/${name}` }))

/** The operation for a received message; the service sends one of `replies`. */
const receives = (message: string, summary: string, ...replies: readonly string[]): Json => ({
  action: 'receive',
  channel,
  summary,
  messages: messages(message),
  ...(replies.length > 0 && { reply: { channel, messages: messages(...replies) } }),
})

const operations: Json = {
  authenticate: receives('auth', 'Says who the client is: the first message.', 'auth_ok', 'auth_error'),
  subscribe: receives('subscribe', 'Begins updates of one indicator over one market.', 'update', 'error'),
  unsubscribe: receives('unsubscribe', 'Ends them.', 'error'),
  list: receives('list', 'Requests the current subscriptions.', 'subscriptions'),
  listen: receives('alerts', 'Requests alerts.', 'alerts_ok'),
  acknowledge: receives('alert_ack', 'Acknowledges an alert.'),
  screen: receives(
    'screen',
    'Begins a live screen: markets enter and leave.',
    'screen_pending',
    'screen_ok',
    'error',
  ),
  stopScreen: receives('screen_stop', 'Ends it.', 'error'),
  sendScreenUpdates: {
    action: 'send',
    channel,
    summary: 'Sends what has changed in a live screen, at most every second.',
    messages: messages('screen_update'),
  },
  breadth: receives(
    'breadth',
    'Begins measures over many markets.',
    'breadth_pending',
    'breadth_ok',
    'error',
  ),
  stopBreadth: receives('breadth_stop', 'Ends them.', 'error'),
  sendBreadthUpdates: {
    action: 'send',
    channel,
    summary: 'Sends the values of a live breadth that have come or changed, at most every second.',
    messages: messages('breadth_update'),
  },
  sendAlerts: {
    action: 'send',
    channel,
    summary: 'Sends an alert that fired.',
    messages: messages('alert'),
  },
  sendUpdates: {
    action: 'send',
    channel,
    summary: 'Sends a value whenever there is a new one.',
    messages: messages('update'),
  },
}

/** The AsyncAPI 3.0 document of the streaming connection. */
export function describeStreaming(): Json {
  const descriptions = [...catalogue.values()].map(describe)
  const described = { ...describeClientMessages(descriptions), ...describeServiceMessages(descriptions) }
  const names = Object.keys(described)
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Candela',
      version,
      description: 'Live updates of technical-analysis indicators over a WebSocket.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      default: {
        host: '127.0.0.1:8080',
        protocol: 'ws',
        description: 'Default address of the service; `wss` behind TLS.',
      },
    },
    channels: {
      streaming: {
        address: '/streaming',
        description: streamingProtocol(),
        messages: Object.fromEntries(names.map(name => [name, { $ref: `#/components/messages/${name}` }])),
      },
    },
    operations,
    components: {
      messages: described,
      schemas: {
        ...schemas.components(),
        ...Object.fromEntries(
          descriptions.map(description => [`values.${description.id}`, valuesOf(description)]),
        ),
      },
    },
  }
}
