import { z } from 'zod'
import { once } from '../runtime/once.js'
import type { Scope } from './account.js'
import { isObject, type JsonObject } from './json-value.js'
import { authenticationSeconds, maxMessageBytes, maxUnreadSeconds } from './limits.js'
import { marketShape, nameSchema } from './market.js'
import { chartShape, settledShape } from './query.js'
import { closeCodes } from './refusals.js'
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

/** Close codes of a streaming connection, each with its reason and the next step of a client. */
export const closings = () => {
  const { stopping, binary, tooManyMessages, tooLarge, internal } = closeCodes()
  const { tooSlow, inactive, outOfScope, unauthenticated } = closeCodes()
  return [
    { ...stopping, because: 'the service is stopping', next: 'connect again' },
    { ...binary, because: 'a message was binary', next: 'connect again, and send text' },
    { ...tooManyMessages, because: 'too many messages', next: 'connect again, and send fewer' },
    {
      ...tooLarge,
      because: `a message was larger than ${maxMessageBytes / 1024} KiB`,
      next: 'connect again, and send shorter ones',
    },
    { ...internal, because: 'an error of the service', next: 'connect again' },
    {
      ...tooSlow,
      because: `updates were not read for ${maxUnreadSeconds} seconds, or too many connections had sent no key`,
      next: 'connect again',
    },
    {
      ...inactive,
      because: 'the key was revoked, has expired or was replaced',
      next: 'not connect again with this key',
    },
    {
      ...outOfScope,
      because: 'the key has lost a scope',
      next: 'connect again, and request what the key allows',
    },
    {
      ...unauthenticated,
      because: `no key within ${authenticationSeconds} seconds`,
      next: 'connect again, and send the key first',
    },
  ]
}

/**
 * Protocol of the streaming connection in CommonMark, because OpenAPI cannot describe messages. `asyncapi.json`
 * describes each message.
 */
export const streamingProtocol =
  () => `Every message is a JSON object in a text frame, at most ${maxMessageBytes / 1024} KiB from the client.

| Message of the client | fields | reply |
|---|---|---|
| \`auth\` | \`token\`: \`Bearer <API_KEY>\` | \`auth_ok\`, or \`auth_error\` with \`error\`; without a key the connection closes after ${authenticationSeconds} seconds |
| \`subscribe\` | \`id\`, \`exchange\`, \`symbol\`, \`interval\`, \`indicator\`, \`params\` (object), \`candleClose\` (true: closed candles only) | \`update\` at once, then whenever there is a new value: \`id\`, \`subscription\` (\`<exchange>:<symbol>:<interval>\`), \`indicator\`, \`params\` (every one), \`closed\` (false while the candle is forming) and \`data\`: the outputs (a single one under the indicator's name) and \`timestamp\` |
| \`unsubscribe\` | \`id\`: \`<exchange>_<symbol>_<interval>_<id>\`, lower case, symbol without slash | nothing |
| \`alerts\` | \`ack\` (true: alerts are kept until acknowledged) | \`alerts_ok\`, then \`alert\` whenever an alert of the key without a webhook or an e-mail address fires; with \`id\`, \`alert\`, \`exchange\`, \`symbol\`, \`timeframe\`, \`expression\`, \`on\`, \`trigger\`, \`timestamp\`, \`timestampHuman\`, \`closed\` and \`price\` |
| \`alert_ack\` | \`id\` of an \`alert\` | nothing |
| \`screen\` | \`id\`, and \`exchange\`, \`timeframe\`, \`symbols\` or \`quote\`, \`where\` and \`select\` of \`POST /screen\` | \`screen_pending\` with \`id\`, \`done\` and \`total\` while candles are fetched, \`screen_ok\` with \`id\`, \`matches\`, \`screened\` and \`failed\`, then \`screen_update\` whenever something has changed: \`id\`, \`entered\`, \`changed\` (matches) and \`left\` (symbols) |
| \`screen_stop\` | \`id\` | nothing |
| \`breadth\` | \`id\`, and the fields of \`POST /breadth\` without \`from\` and \`to\` | \`breadth_pending\` with \`id\`, \`done\` and \`total\` while candles are fetched, \`breadth_ok\` with \`id\` and the answer of \`POST /breadth\`, then \`breadth_update\` with \`id\` and the candles that have come or changed |
| \`breadth_stop\` | \`id\` | nothing |
| \`list\` | | \`subscriptions\` with \`data\`: \`id\` (composed), \`exchange\`, \`symbol\`, \`interval\`, \`indicator\`, \`params\` |

What cannot be followed is answered by \`error\` with \`id\` (the client's, or null) and \`error\`.

| Close code | because | a client should |
|---|---|---|
${closings()
  .map(({ code, because, next }) => `| ${code} | ${because} | ${next} |`)
  .join('\n')}`
