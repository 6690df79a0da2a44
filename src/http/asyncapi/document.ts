import { describe } from '../../catalogue/description.js'
import { catalogue } from '../../catalogue/index.js'
import { version } from '../openapi/document.js'
import type { Json } from '../openapi/json-schema.js'
import { streamingProtocol } from '../openapi/streaming-protocol.js'
import { describeClientMessages, describeServiceMessages, valuesOf } from './messages.js'

const channel = { $ref: '#/channels/streaming' }
const messages = (...names: readonly string[]) =>
  names.map(name => ({ $ref: `${channel.$ref}/messages/${name}` }))

/** What the service does when it receives a message; `replies` are the messages of which it sends one. */
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
  list: receives('list', 'Asks for the present subscriptions.', 'subscriptions'),
  listen: receives('alerts', 'Asks for alerts.', 'alerts_ok'),
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
        description: 'Where the service listens by default; `wss` behind TLS.',
      },
    },
    channels: {
      streaming: {
        address: '/streaming',
        description: streamingProtocol,
        messages: Object.fromEntries(names.map(name => [name, { $ref: `#/components/messages/${name}` }])),
      },
    },
    operations,
    components: {
      messages: described,
      schemas: Object.fromEntries(
        descriptions.map(description => [`values.${description.id}`, valuesOf(description)]),
      ),
    },
  }
}
