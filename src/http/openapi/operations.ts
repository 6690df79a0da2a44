import { z } from 'zod'
import { alertIdForm } from '../../alerts/alert.js'
import { breadthShape } from '../../contract/breadth-request.js'
import { listNameForm, listShape } from '../../contract/lists.js'
import { marketShape } from '../../contract/market.js'
import { settledShape, windowShape } from '../../contract/query.js'
import {
  alertShape,
  bulkIndicator,
  bulkOf,
  candlesConstruct,
  catalogueShape,
  evaluationShape,
  expressionCheckShape,
  expressionShape,
  marketConstruct,
  pausedShape,
  screenShape,
  suppliedCandle,
  suppliedCandles,
  withShape,
} from '../../contract/requests.js'
import { maxDeadLetters } from '../../contract/storage/alerts.js'
import { bulkFormatShape, evaluationFormatShape } from '../../contract/table-format.js'
import { maxAgeShape } from '../../contract/time-range.js'
import type { RouteId } from '../route-table.js'
import { adminOperations } from './admin-operations.js'
import { indicatorList } from './indicator-list.js'
import { component, type Json, json, refs } from './json-schema.js'
import {
  formatParameter,
  marketParameters,
  pathParameter,
  preferParameter,
  queryParameters,
  readingParameters,
  resultsParameter,
  settledParameter,
} from './parameters.js'
import {
  alert,
  alertTest,
  breadthResult,
  bulkResult,
  candle,
  deadLetter,
  error,
  evaluationResult,
  exchangeList,
  expressionCheck,
  expressionResult,
  namedList,
  readiness,
  screenResult,
  status,
  streamingHealth,
  symbolList,
} from './replies.js'
import { answered, answeredAsTable, suppliedHeaders } from './responses.js'
import { streamingProtocol } from './streaming-protocol.js'

/** The routes that the document describes once for each indicator. */
export type IndicatorRouteId = Extract<RouteId, 'getIndicator' | 'postIndicator'>

/** What the document says about a route beside what the route table says. */
export interface Operation {
  /** That of the operation, where it is not that of the route. */
  readonly id?: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Json[]
  /** The schema of the request's body. */
  readonly body?: z.ZodType
  /** Whether the body may be a table of candles, too. */
  readonly takesTables?: boolean
  /** By status: those that the route does not share with others. */
  readonly responses: Readonly<Record<number, Json>>
}

component('SuppliedCandle', suppliedCandle())
component('SuppliedCandles', suppliedCandles())
component('BulkIndicator', bulkIndicator())
const bulkBody = component('Bulk', bulkOf(component('MarketConstruct', marketConstruct())))
const bulkCandlesBody = component('BulkCandles', bulkOf(component('CandlesConstruct', candlesConstruct())))
const screenBody = component('Screen', z.strictObject(screenShape()))
const breadthBody = component('Breadth', z.strictObject(breadthShape()))
const { exchange, symbol, timeframe, adjustment } = z.object(marketShape()).partial().shape
const evaluationBody = component(
  'Evaluation',
  z
    .strictObject({
      exchange,
      symbol,
      timeframe,
      adjustment,
      candles: suppliedCandles().optional(),
      ...evaluationShape(),
      ...maxAgeShape(),
    })
    .describe('Either `candles`, or `exchange`, `symbol` and `timeframe`.'),
)
const alertBody = component(
  'AlertRequest',
  z
    .strictObject({ ...alertShape(), symbol })
    .describe('One of `symbol`, `symbols` and `quote` says which markets.'),
)

const anyObject = z.looseObject({})

/** A response of a route that needs no key. */
const open = (description: string, schema: z.ZodType = status) => ({
  description,
  content: json(schema),
})

/** A description of the interface. */
const document = (description: string) => ({
  description,
  headers: refs('headers', ['ETag']),
  content: json(anyObject),
})

/** What the document says about bodies that are tables. */
export const tableBody =
  'As CSV or Apache Arrow, with more candles, they come with the other fields in the query string.'

const expressionText =
  'A number or a condition per candle, in a small language over the catalogue: indicators, columns of the candles, arithmetic, comparisons, `and`, `or`, `not`, `[n]` for n candles ago, `@4h` for a longer timeframe and `{ETHUSDT}` for another market.'

/** What the routes do, except those of single indicators. */
export const operations: Readonly<Record<Exclude<RouteId, IndicatorRouteId>, Operation>> = {
  bulk: {
    tag: 'Bulk',
    summary: 'Many indicators over many markets',
    description: 'Candles that cannot be had mark only their own construct, by `_error`.',
    parameters: queryParameters(bulkFormatShape()),
    body: bulkBody,
    responses: { 200: answeredAsTable('The results.', bulkResult, ['Warning', 'Age']) },
  },
  bulkCandles: {
    tag: 'Bulk',
    summary: 'Many indicators over supplied candles',
    body: bulkCandlesBody,
    responses: { 200: answered('The results.', bulkResult) },
  },
  candles: {
    tag: 'Market data',
    summary: 'Raw candles',
    parameters: [...marketParameters, resultsParameter, ...readingParameters],
    responses: {
      200: answeredAsTable('Candles, oldest first.', z.array(candle), [
        'Warning',
        'Age',
        'Preference-Applied',
      ]),
    },
  },
  getExpression: {
    id: 'expression',
    tag: 'Expressions',
    summary: 'An expression over the candles of an exchange',
    description: expressionText,
    parameters: [
      ...marketParameters,
      ...queryParameters(expressionShape()),
      resultsParameter,
      ...readingParameters,
      settledParameter,
    ],
    responses: {
      200: answeredAsTable('The newest values.', expressionResult, [
        'Warning',
        'Age',
        'Preference-Applied',
        'Settled-Digits',
      ]),
    },
  },
  postExpression: {
    id: 'compute_expression',
    tag: 'Expressions',
    summary: 'An expression over supplied candles',
    description: `${expressionText} The smallest distance between two candles is their timeframe. ${tableBody} There a column \`with\` names the market of a row where it is another one.`,
    parameters: [formatParameter],
    takesTables: true,
    body: z.strictObject({
      candles: suppliedCandles(),
      with: z
        .record(z.string(), suppliedCandles())
        .optional()
        .meta({ description: withShape().with.description }),
      ...expressionShape(),
      ...windowShape(),
      ...settledShape(),
    }),
    responses: {
      200: answeredAsTable('The newest values.', expressionResult, suppliedHeaders),
    },
  },
  checkExpression: {
    id: 'check_expression',
    tag: 'Expressions',
    summary: 'What is known of an expression before it is computed',
    description:
      'Nothing is computed and no candle is read: the warm-up, when values settle, whether the forming candle changes them, and what they cost.',
    body: z.strictObject(expressionCheckShape()),
    responses: { 200: answered('What is known.', expressionCheck) },
  },
  screen: {
    tag: 'Screens and signals',
    summary: 'The markets of an exchange at which a condition holds',
    description:
      'The first screen of an exchange fetches the candles of its markets under the exchange’s rate limit: it is pending (202) meanwhile, with `done` and `total`. Later ones are answered from memory.',
    parameters: [formatParameter, preferParameter],
    body: screenBody,
    responses: {
      200: answeredAsTable('The matches.', screenResult, ['Warning', 'Age', 'Preference-Applied']),
    },
  },
  breadth: {
    tag: 'Screens and signals',
    summary: 'Measures over the markets of an exchange, by time',
    description:
      'The share of markets at which a condition holds, their number, the advance/decline line, the McClellan oscillator and others. A market counts at a candle where it has one and its values are defined. The first breadth over markets is pending (202) while their candles are fetched, with `done`, `total` and the `missing` symbols.',
    parameters: [formatParameter, preferParameter],
    body: breadthBody,
    responses: { 200: answeredAsTable('The values.', breadthResult, ['Warning', 'Preference-Applied']) },
  },
  evaluate: {
    tag: 'Screens and signals',
    summary: 'What followed when a condition became true',
    description:
      'Over the closed candles of a market, or over `candles`. A signal at the close of a candle acts at the open of the next one, so nothing looks ahead.',
    parameters: [
      formatParameter,
      ...queryParameters({ part: evaluationFormatShape().part }),
      preferParameter,
    ],
    body: evaluationBody,
    responses: {
      200: answeredAsTable('The statistics.', evaluationResult, ['Warning', 'Age', 'Preference-Applied']),
    },
  },
  exchanges: {
    tag: 'Market data',
    summary: 'The exchanges',
    responses: { 200: answered('Identifiers.', exchangeList) },
  },
  symbols: {
    tag: 'Market data',
    summary: 'The symbols of an exchange',
    parameters: [pathParameter('exchange', marketShape().exchange)],
    responses: { 200: answered('Symbols, those of spot markets first.', symbolList) },
  },
  indicators: {
    tag: 'Catalogue',
    summary: 'Every indicator with its parameters and outputs, or those that are searched for',
    description:
      'Without parameters sorted by identifier; with `search` an exact name or other name comes first, then the shortest.',
    parameters: queryParameters(catalogueShape()),
    responses: { 200: answered('The catalogue.', indicatorList, ['ETag']) },
  },
  mcp: {
    tag: 'Language models',
    summary: 'One message of the Model Context Protocol',
    description: 'The HTTP transport of the protocol without sessions: every message is answered as JSON.',
    body: anyObject.describe('A JSON-RPC message.'),
    responses: {
      200: answered('A JSON-RPC response.', anyObject),
      202: { description: 'The message was a notification: nothing is answered.' },
      400: answered(
        'An error of the interface where the body is no JSON object, else a JSON-RPC error: no message of the protocol, or an unknown `Mcp-Protocol-Version`.',
        anyObject,
      ),
      403: answered(
        'An error of the interface where the key has not the scope, or a JSON-RPC error where the `Origin` is not in `CORS_ORIGINS`.',
        anyObject,
        ['WWW-Authenticate'],
      ),
    },
  },
  openapi: {
    tag: 'Catalogue',
    summary: 'This document',
    responses: { 200: document('An OpenAPI document.') },
  },
  asyncapi: {
    tag: 'Catalogue',
    summary: 'The messages of the streaming connection',
    responses: { 200: document('An AsyncAPI document.') },
  },
  streaming: {
    tag: 'Streaming',
    summary: 'Live updates over a WebSocket',
    description: streamingProtocol,
    responses: {
      101: { description: 'The connection is a WebSocket from here on.' },
      426: open('The request does not ask for one.', error),
      503: open('Too many connections.', error),
    },
  },
  streamingHealth: {
    tag: 'Streaming',
    summary: 'What the streaming connections hold at present',
    responses: { 200: answered('It works.', streamingHealth) },
  },
  createAlert: {
    id: 'create_alert',
    tag: 'Alerts',
    summary: 'A new alert',
    description:
      'It fires at most once per market and candle. Messages to a webhook are signed as Standard Webhooks describes, and repeated until they are answered with a status of 200 to 299 or given up.',
    body: alertBody,
    responses: { 201: answered('The alert.', alert) },
  },
  alerts: {
    tag: 'Alerts',
    summary: 'The alerts of the key',
    responses: {
      200: answered('Oldest first.', z.object({ alerts: z.array(alert) })),
    },
  },
  changeAlert: {
    id: 'change_alert',
    tag: 'Alerts',
    summary: 'Pauses an alert, or resumes it',
    description:
      'Candles that end while it is paused never fire it. What it has fired and was not delivered is dropped.',
    parameters: [pathParameter('id', z.string().regex(alertIdForm))],
    body: z.strictObject(pausedShape()),
    responses: { 200: answered('The alert.', alert) },
  },
  testAlert: {
    id: 'test_alert',
    tag: 'Alerts',
    summary: 'Sends a test',
    description:
      'A message like those that the alert fires, with `test`, is sent once to where these go. The candles do not matter, and nothing is stored.',
    parameters: [pathParameter('id', z.string().regex(alertIdForm))],
    body: z.strictObject({}),
    responses: { 200: answered('Whether it has arrived.', alertTest) },
  },
  deleteAlert: {
    id: 'delete_alert',
    tag: 'Alerts',
    summary: 'Deletes an alert',
    description: 'What it has fired and is not delivered yet is dropped.',
    parameters: [pathParameter('id', z.string().regex(alertIdForm))],
    responses: { 200: answered('The alert that was deleted.', alert) },
  },
  deadLetters: {
    id: 'dead_letters',
    tag: 'Alerts',
    summary: 'What could not be delivered',
    responses: {
      200: answered(
        `Newest first, at most ${maxDeadLetters}.`,
        z.object({ deadLetters: z.array(deadLetter) }),
      ),
    },
  },
  lists: {
    tag: 'Lists',
    summary: 'The lists of the key',
    responses: { 200: answered('In the order of their names.', z.object({ lists: z.array(namedList) })) },
  },
  storeList: {
    id: 'store_list',
    tag: 'Lists',
    summary: 'Stores a list of symbols',
    description:
      'It takes the place of the one with its name. `list:<name>` among the `symbols` of a screen, a breadth or an alert stands for all of it: its symbols without an exchange, and those of the exchange of the request. Screens follow its changes; an alert is over what it had when the alert was made.',
    body: z.strictObject(listShape()),
    responses: { 200: answered('The list.', namedList) },
  },
  list: {
    tag: 'Lists',
    summary: 'One list of the key',
    parameters: [pathParameter('name', z.string().regex(listNameForm))],
    responses: { 200: answered('The list.', namedList) },
  },
  deleteList: {
    id: 'delete_list',
    tag: 'Lists',
    summary: 'Deletes a list',
    parameters: [pathParameter('name', z.string().regex(listNameForm))],
    responses: { 200: answered('The list that was deleted.', namedList) },
  },
  ...adminOperations,
  live: {
    tag: 'Health',
    summary: 'Whether the process answers',
    responses: { 200: open('It does.') },
  },
  ready: {
    tag: 'Health',
    summary: 'Whether requests are welcome, and the state of each part',
    responses: {
      200: open('They are. With `degraded` a part does not work as it should.', readiness),
      503: open('They are not: the service is stopping, or no key can be checked.', readiness),
    },
  },
}
