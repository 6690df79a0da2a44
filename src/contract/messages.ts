import { z } from 'zod'
import { once } from '../runtime/once.js'
import type { Scope } from './account.js'
import { isObject, type JsonObject } from './json-value.js'
import { authenticationSeconds } from './limits.js'
import { marketShape, nameSchema } from './market.js'
import { chartShape, settledShape } from './query.js'
import { liveBreadthShape, liveScreenShape } from './requests.js'

// The fields of the messages that clients send over a streaming connection, in addition to `type`.

const ownId = () => nameSchema('Chosen by the client.').meta({ minLength: 1 })
const screenId = () => z.string().describe('Id of the `screen` message.')

const alertMessages = () => ({
  alerts: {
    summary:
      'Requests the messages of alerts of the key that have neither a webhook nor an e-mail address, from now on.',
    shape: {
      ack: z
        .boolean()
        .prefault(false)
        .describe(
          'Whether this connection acknowledges alerts: each is kept until then, and sent again after a new connection.',
        ),
    },
    isOpen: true,
  },
  alert_ack: {
    summary: 'Acknowledges an alert. There is no reply.',
    shape: { id: z.string().describe('Id of the `alert` message.') },
    isOpen: true,
  },
})

/** Messages that a client may send. `shape` has the fields. `isOpen` allows other fields, which are ignored. */
export const clientMessages = once(() => ({
  auth: {
    summary: `Must be sent within ${authenticationSeconds} seconds.`,
    shape: { token: z.string().describe('`Bearer <API_KEY>`') },
    isOpen: true,
  },
  subscribe: {
    summary: 'The first update follows at once.',
    shape: {
      id: ownId(),
      exchange: marketShape().exchange,
      symbol: marketShape().symbol,
      interval: marketShape().timeframe,
      adjustment: marketShape().adjustment,
      indicator: nameSchema('An identifier from `GET /indicators`, or `expression`, in any case.', ['rsi']),
      params: z
        .custom<JsonObject>(isObject)
        .prefault({})
        .meta({ type: 'object', description: 'The parameters of the indicator.' }),
      ...chartShape(),
      candleClose: z.boolean().prefault(false).describe('Whether only closed candles are wanted.'),
      settled: settledShape().settled.describe(
        'There is no update for a candle whose value has fewer settled digits: 1 to 8. Refused for what never settles.',
      ),
    },
    isOpen: false,
  },
  unsubscribe: {
    summary: 'There is no reply.',
    shape: {
      id: z
        .string()
        .describe(
          '`<exchange>_<symbol>_<interval>_<id>` in lower case, as `subscriptions` lists it. The own id of a single subscription is accepted as well.',
        ),
    },
    isOpen: true,
  },
  list: { summary: 'Requests the subscriptions of this connection.', shape: {}, isOpen: true },
  ...alertMessages(),
  screen: {
    summary: 'The first state follows when all candles have arrived.',
    shape: { id: ownId(), ...liveScreenShape() },
    isOpen: false,
  },
  screen_stop: { summary: 'There is no reply.', shape: { id: screenId() }, isOpen: true },
  breadth: {
    summary: 'The first values follow when all candles have arrived.',
    shape: { id: ownId(), ...liveBreadthShape() },
    isOpen: false,
  },
  breadth_stop: {
    summary: 'There is no reply.',
    shape: { id: z.string().describe('Id of the `breadth` message.') },
    isOpen: true,
  },
}))

/** Scopes that messages need. Messages without an entry need no scope. */
export const messageScopes: Partial<Record<keyof ReturnType<typeof clientMessages>, Scope>> = {
  subscribe: 'stream',
  screen: 'stream',
  breadth: 'stream',
  alerts: 'alerts',
  alert_ack: 'alerts',
}
