import { z } from 'zod'
import { authenticationSeconds, maxMessageBytes, maxUnreadSeconds } from '../src/contract/limits.js'
import { marketShape } from '../src/contract/market.js'
import { closeCodes } from '../src/contract/refusals.js'
import { alertMessage, breadthResult, matches, screenResult } from './replies.js'

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

const update = () => ({
  id: z.string().describe('The `id` of the `subscribe` message.'),
  subscription: z.string().describe('The market: `<exchange>:<symbol>:<interval>` in lower case.'),
  indicator: z.string(),
  params: anyObject('The parameters of the indicator. Every one, defaults included.'),
  chart: z
    .string()
    .optional()
    .describe('Bars that are made from the candles first; absent for the candles themselves.'),
  settled: settledDigits(),
  closed: z
    .boolean()
    .describe('Whether the candle is closed: then the values are final. Else they change until it closes.'),
  data: anyObject('The outputs of the indicator, and the `timestamp` of the candle.'),
  age: z.int().optional().describe('Seconds since the end of the newest candle of the market, if it is old.'),
})

/** Messages of the service by type: the fields in addition to `type`. */
export const serviceMessages = () => ({
  auth_ok: { summary: 'The key is valid.', shape: {} },
  auth_error: { summary: 'The key is invalid, or another message came first.', shape: { error } },
  update: { summary: 'The values of one candle.', shape: update() },
  alerts_ok: {
    summary: 'Alerts are sent on this connection.',
    shape: {
      ack: z.literal(true).optional().describe('They are kept until this connection acknowledges them.'),
    },
  },
  alert: { summary: 'An alert that fired at a candle.', shape: alertMessage().shape },
  screen_pending: {
    summary: 'The candles of a live screen are being fetched.',
    shape: { id: screenId, ...progress },
  },
  screen_ok: {
    summary: 'The first state of a live screen.',
    shape: { id: screenId, ...screenResult().shape },
  },
  screen_update: {
    summary: 'Changes of a live screen since the previous message.',
    shape: {
      id: screenId,
      entered: matches().describe('Markets that match now.'),
      changed: matches().describe('Markets that still match, with changed values.'),
      left: z.array(z.string()).describe('Symbols that have stopped matching.'),
      stale: screenResult().shape.stale,
    },
  },
  breadth_pending: {
    summary: 'The candles of a live breadth are being fetched.',
    shape: { id: breadthId, ...progress },
  },
  breadth_ok: {
    summary: 'The first values of a live breadth.',
    shape: { id: breadthId, ...breadthResult().shape },
  },
  breadth_update: {
    summary:
      'New and changed values since the previous message: the newest candles, or all candles after a correction.',
    shape: { id: breadthId, ...breadthResult().shape },
  },
  subscriptions: {
    summary: 'The subscriptions, in the order in which they were made.',
    shape: { data: z.array(listedSubscription()) },
  },
  error: {
    summary: 'A message that cannot be followed.',
    shape: { id: z.string().nullable().describe('The id that the client gave.'), error },
  },
})

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
