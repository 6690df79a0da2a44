import { z } from 'zod'
import type { Description } from '../src/catalogue/description.js'
import { describe } from '../src/catalogue/description.js'
import { catalogue } from '../src/catalogue/index.js'
import type { Shape } from '../src/contract/fields.js'
import { clientMessages, messageScopes } from '../src/contract/messages.js'
import { expressionShape } from '../src/contract/requests.js'
import { parameterShape, valueSchema } from './indicators.js'
import { type Json, ref, SchemaWriter } from './json-schema.js'
import { version } from './openapi.js'
import { alertMessage } from './replies.js'
import { serviceMessages, streamingProtocol } from './stream-messages.js'

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

/** Messages of the service. Those with values have the additional schemas of each indicator. */
const describeServiceMessages = (indicators: readonly Description[]): Json => {
  const { update, alert, ...others } = serviceMessages()
  const names = z.enum([...indicators.map(({ id }) => id), 'expression'])
  const values = indicators.map(each =>
    whereIndicatorIs(each.id, { params: paramsOf(each), data: ref('schemas', `values.${each.id}`) }),
  )
  const ofExpression = whereIndicatorIs('expression', { params: expressionParams, data: expressionValues })
  return {
    ...Object.fromEntries(
      Object.entries(others).map(([type, { summary, shape }]) => [type, message(type, summary, shape)]),
    ),
    update: message(
      'update',
      update.summary,
      { ...update.shape, indicator: names },
      { allOf: [...values, ofExpression] },
    ),
    alert: { name: 'alert', summary: alert.summary, payload: schemas.definition(alertMessage()) },
  }
}

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
