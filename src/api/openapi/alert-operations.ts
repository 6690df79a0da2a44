import { moments, triggers } from '../../alerts/alert.js'
import { maxWebhookLength } from '../../alerts/request.js'
import { maxAlertMarkets } from '../../alerts/screen-markets.js'
import { maxNameLength } from '../../contract/limits.js'
import { maxDeadLetters } from '../../store/alerts.js'
import type { RouteId } from '../route-table.js'
import { array, type Json, object, ref, text } from './json-schema.js'
import type { Operation } from './operation.js'
import { exchangeSchema, expressionSchema, symbolSchema, timeframeSchema } from './parameters.js'
import { answered } from './responses.js'

type AlertRouteId = Extract<RouteId, 'alerts' | 'createAlert' | 'changeAlert' | 'deleteAlert' | 'deadLetters'>

const seconds = (description: string): Json => ({
  type: 'integer',
  description: `${description}, in Unix seconds.`,
})

/** Several markets instead of one. */
const screen = {
  symbols: array(symbolSchema, {
    minItems: 1,
    maxItems: maxAlertMarkets,
    description: 'The markets, instead of `symbol`. Each counts as an alert.',
  }),
  quote: text(
    `Instead of \`symbol\` and \`symbols\`: all symbols of the exchange that end with it, such as USDT, at most ${maxAlertMarkets}.`,
    { maxLength: maxNameLength },
  ),
}
const chosen = {
  name: text('For its owner.', { maxLength: maxNameLength }),
  exchange: exchangeSchema,
  symbol: symbolSchema,
  timeframe: timeframeSchema,
  expression: { ...expressionSchema, description: 'The condition.' },
  on: {
    enum: moments,
    default: moments[0],
    description:
      '`close`: evaluated when a candle has closed. `update`: also at every change of the forming candle.',
  },
  trigger: {
    enum: triggers,
    default: triggers[0],
    description:
      '`edge`: fires where the condition is true and was false at the candle before. `level`: fires at every candle where it is true.',
  },
  webhook: text(
    'Where what it fires is posted; without one it goes to the streaming connections of the key that ask for alerts.',
    { maxLength: maxWebhookLength },
  ),
}
const required = ['exchange', 'timeframe', 'expression']
const idParameter = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }

/** What an alert has fired, as webhooks and streaming connections get it. */
export const alertMessage: Json = {
  id: text(
    'The same whenever the same candle is delivered: the alert, over several markets the symbol, and the candle.',
  ),
  alert: text('The id of the alert.'),
  ...chosen,
  timestamp: seconds('The open time of the candle'),
  timestampHuman: { type: 'string' },
  closed: { type: 'boolean', description: 'Whether the candle had closed.' },
  price: { type: 'number', description: 'The close of the candle, or its last price.' },
}
/** The fields of such a message that are always there. */
export const alertMessageFields = [
  'id',
  'alert',
  'symbol',
  ...required,
  'on',
  'trigger',
  'timestamp',
  'timestampHuman',
  'closed',
  'price',
]

/** The schemas of alerts. */
export const alertSchemas: Json = {
  AlertRequest: object({ ...chosen, ...screen }, required, {
    additionalProperties: false,
    description: 'One of `symbol`, `symbols` and `quote` says which markets.',
  }),
  Alert: object(
    {
      id: { type: 'string' },
      ...chosen,
      ...screen,
      paused: { type: 'boolean' },
      created: seconds('When it was made'),
      secret: text('The key of the signatures of its webhook. Only the reply that makes the alert has it.'),
    },
    ['id', ...required, 'on', 'trigger', 'paused', 'created'],
  ),
  AlertMessage: object({ type: { const: 'alert' }, ...alertMessage }, ['type', ...alertMessageFields]),
  DeadLetter: object(
    {
      id: text('Of the message.'),
      alert: text('The id of the alert.'),
      created: seconds('When the alert fired'),
      failed: seconds('When it was given up'),
      attempts: { type: 'integer', description: 'Since the last start of the service.' },
      reason: text('Why the last attempt failed.'),
      message: ref('schemas', 'AlertMessage'),
    },
    ['id', 'alert', 'created', 'failed', 'attempts', 'reason', 'message'],
  ),
}

/** What the routes of alerts do. */
export const alertOperations: Readonly<Record<AlertRouteId, Operation>> = {
  createAlert: {
    id: 'create_alert',
    tag: 'Alerts',
    summary: 'A new alert',
    description:
      'It fires at most once per market and candle. Messages to a webhook are signed as Standard Webhooks describes, and repeated until they are answered with a status of 200 to 299 or given up.',
    body: ref('schemas', 'AlertRequest'),
    responses: { 201: answered('The alert.', ref('schemas', 'Alert')) },
  },
  alerts: {
    id: 'alerts',
    tag: 'Alerts',
    summary: 'The alerts of the key',
    responses: {
      200: answered('Oldest first.', object({ alerts: array(ref('schemas', 'Alert')) }, ['alerts'])),
    },
  },
  changeAlert: {
    id: 'change_alert',
    tag: 'Alerts',
    summary: 'Pauses an alert, or resumes it',
    description:
      'Candles that end while it is paused never fire it. What it has fired and was not delivered is dropped.',
    parameters: [idParameter],
    body: object({ paused: { type: 'boolean' } }, ['paused'], { additionalProperties: false }),
    responses: { 200: answered('The alert.', ref('schemas', 'Alert')) },
  },
  deleteAlert: {
    id: 'delete_alert',
    tag: 'Alerts',
    summary: 'Deletes an alert',
    description: 'What it has fired and is not delivered yet is dropped.',
    parameters: [idParameter],
    responses: { 200: answered('The alert that was deleted.', ref('schemas', 'Alert')) },
  },
  deadLetters: {
    id: 'dead_letters',
    tag: 'Alerts',
    summary: 'What could not be delivered',
    responses: {
      200: answered(
        `Newest first, at most ${maxDeadLetters}.`,
        object({ deadLetters: array(ref('schemas', 'DeadLetter')) }, ['deadLetters']),
      ),
    },
  },
}
