import { z } from 'zod'
import { once } from '../runtime/once.js'
import { authenticationSeconds } from './limits.js'
import { marketShape, nameSchema } from './market.js'
import { liveScreenShape } from './requests.js'

// The fields of the messages that clients send over a streaming connection, beside their `type`.

const ownId = () => nameSchema('Chosen by the client.').meta({ minLength: 1 })
const screenId = () => z.string().describe('That of the `screen` message.')

/** Each message that a client may send: its fields, what it is for, and whether it may have other fields, which are ignored. */
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
      indicator: nameSchema('An identifier from `GET /indicators`, or `expression`, in any case.', ['rsi']),
      params: z.record(z.string(), z.unknown()).prefault({}).describe('The parameters of the indicator.'),
      candleClose: z.boolean().prefault(false).describe('Whether only closed candles are wanted.'),
    },
    isOpen: false,
  },
  unsubscribe: {
    summary: 'There is no reply.',
    shape: {
      id: z
        .string()
        .describe('`<exchange>_<symbol>_<interval>_<id>` in lower case, as `subscriptions` lists it.'),
    },
    isOpen: true,
  },
  list: { summary: 'Asks for the subscriptions of this connection.', shape: {}, isOpen: true },
  alerts: {
    summary: 'Asks for the alerts of the key that have no webhook, from now on.',
    shape: {},
    isOpen: true,
  },
  screen: {
    summary: 'The first state follows when all candles are there.',
    shape: { id: ownId(), ...liveScreenShape() },
    isOpen: false,
  },
  screen_stop: { summary: 'There is no reply.', shape: { id: screenId() }, isOpen: true },
}))
