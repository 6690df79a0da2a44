import type { Description } from '../../catalogue/description.js'
import { authenticationSeconds, maxNameLength } from '../../contract/limits.js'
import { alertMessage, alertMessageFields } from '../openapi/alert-operations.js'
import { ownParameters } from '../openapi/indicator-operations.js'
import { array, type Json, object, ref, text } from '../openapi/json-schema.js'
import { exchangeSchema, expressionSchema, symbolSchema, timeframeSchema } from '../openapi/parameters.js'
import { liveScreenFields, matchesSchema, screenResultFields } from '../openapi/screen-schemas.js'

interface Fields {
  readonly required?: Json
  readonly optional?: Json
  /** Whether other fields are refused, or not sent; else they are ignored. */
  readonly isExact?: boolean
  /** Schemas that the whole message must also match. */
  readonly allOf?: readonly Json[]
}

/** A message of one type. */
function message(
  type: string,
  summary: string,
  { required = {}, optional = {}, isExact = true, allOf }: Fields = {},
): Json {
  const fields = { type: { type: 'string', const: type }, ...required, ...optional }
  return {
    name: type,
    summary,
    payload: object(fields, ['type', ...Object.keys(required)], {
      additionalProperties: !isExact,
      ...(allOf && { allOf }),
    }),
  }
}

/** What a message of one indicator must also match. */
const whereIndicatorIs = (id: string, properties: Json): Json => ({
  if: { properties: { indicator: { const: id } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties },
})

const name = (description: string): Json => text(description, { minLength: 1, maxLength: maxNameLength })

/** The parameters of an indicator by their names; none is required, and their other names are accepted too. */
const paramsSchema = (description: Description): Json => ({
  type: 'object',
  properties: Object.fromEntries(ownParameters(description)),
})

/** The parameters of an expression. */
const expressionParams: Json = object({ expression: expressionSchema }, ['expression'])
/** The values of an expression in an update. */
const expressionValues: Json = object(
  { expression: { type: ['number', 'boolean', 'null'] }, timestamp: { type: 'integer' } },
  ['expression', 'timestamp'],
  { additionalProperties: false },
)

const { exchange, timeframe, where, ...ofScreen } = liveScreenFields
const screenId = text('That of the `screen` message.')
const count = { type: 'integer', minimum: 0 }

const parameters = 'The parameters of the indicator.'
const error = text('What is wrong, for a human reader.')

/** What clients send. */
export const clientMessages = (indicators: readonly Description[]): Json => ({
  auth: message('auth', `Must be sent within ${authenticationSeconds} seconds.`, {
    required: { token: text('`Bearer <API_KEY>`') },
    isExact: false,
  }),
  subscribe: message('subscribe', 'The first update follows at once.', {
    required: {
      id: name('Chosen by the client.'),
      exchange: exchangeSchema,
      symbol: symbolSchema,
      interval: timeframeSchema,
      indicator: text('An identifier from `GET /indicators`, or `expression`, in any case.', {
        examples: ['rsi'],
      }),
    },
    optional: {
      params: { type: 'object', description: parameters },
      candleClose: {
        type: 'boolean',
        default: false,
        description: 'Whether only closed candles are wanted.',
      },
    },
    allOf: [
      ...indicators.map(each => whereIndicatorIs(each.id, { params: paramsSchema(each) })),
      whereIndicatorIs('expression', { params: expressionParams }),
    ],
  }),
  unsubscribe: message('unsubscribe', 'There is no reply.', {
    required: {
      id: text('`<exchange>_<symbol>_<interval>_<id>` in lower case, as `subscriptions` lists it.'),
    },
    isExact: false,
  }),
  alerts: message('alerts', 'Asks for the alerts of the key that have no webhook, from now on.', {
    isExact: false,
  }),
  screen: message('screen', 'The first state follows when all candles are there.', {
    required: { id: name('Chosen by the client.'), exchange, timeframe, where },
    optional: ofScreen,
  }),
  screen_stop: message('screen_stop', 'There is no reply.', { required: { id: screenId }, isExact: false }),
  list: message('list', 'Asks for the subscriptions of this connection.', { isExact: false }),
})

const alertFired: Json = {
  name: 'alert',
  summary: 'An alert that fired at a candle.',
  payload: object({ type: { type: 'string', const: 'alert' }, ...alertMessage }, [
    'type',
    ...alertMessageFields,
  ]),
}

const screenMessages: Json = {
  screen_pending: message('screen_pending', 'The candles of a live screen are being fetched.', {
    required: { id: screenId, done: { ...count, description: 'Markets that were tried.' }, total: count },
  }),
  screen_ok: message('screen_ok', 'The first state of a live screen.', {
    required: { id: screenId, ...screenResultFields },
  }),
  screen_update: message('screen_update', 'What has changed in a live screen since the message before.', {
    required: {
      id: screenId,
      entered: { ...matchesSchema, description: 'Markets that match now.' },
      changed: { ...matchesSchema, description: 'Markets that go on matching, with other values.' },
      left: array({ type: 'string' }, { description: 'The symbols of those that do not match any more.' }),
    },
  }),
}

/** What the service sends. */
export const serviceMessages = (indicators: readonly Description[]): Json => ({
  auth_ok: message('auth_ok', 'The key is valid.'),
  auth_error: message('auth_error', 'The key is invalid, or another message came first.', {
    required: { error },
  }),
  update: message('update', 'The values of one candle.', {
    required: {
      subscription: text('The market: `<exchange>:<symbol>:<interval>` in lower case.'),
      indicator: { type: 'string', enum: [...indicators.map(({ id }) => id), 'expression'] },
      params: { type: 'object', description: `${parameters} Every one, defaults included.` },
      closed: {
        type: 'boolean',
        description:
          'Whether the candle is closed: then the values are final. Else they change until it closes.',
      },
      data: {
        type: 'object',
        description: 'The outputs of the indicator, and the `timestamp` of the candle.',
      },
    },
    allOf: [
      ...indicators.map(each =>
        whereIndicatorIs(each.id, { params: paramsSchema(each), data: ref('schemas', `values.${each.id}`) }),
      ),
      whereIndicatorIs('expression', { params: expressionParams, data: expressionValues }),
    ],
  }),
  alerts_ok: message('alerts_ok', 'Alerts are sent on this connection.'),
  alert: alertFired,
  ...screenMessages,
  subscriptions: message('subscriptions', 'The subscriptions, in the order in which they were made.', {
    required: {
      data: array(
        object(
          {
            id: text('What `unsubscribe` takes.'),
            exchange: { type: 'string' },
            symbol: { type: 'string' },
            interval: timeframeSchema,
            indicator: { type: 'string' },
            params: { type: 'object', description: parameters },
          },
          ['id', 'exchange', 'symbol', 'interval', 'indicator', 'params'],
          { additionalProperties: false },
        ),
      ),
    },
  }),
  error: message('error', 'A message that cannot be followed.', {
    required: { id: { type: ['string', 'null'], description: 'The id that the client gave.' }, error },
  }),
})
