import { categories } from '../../catalogue/index.js'
import { tiers } from '../../catalogue/tiers.js'
import type { RouteId } from '../route-table.js'
import { alertOperations } from './alert-operations.js'
import { array, json, object, ref, refs, text } from './json-schema.js'
import type { IndicatorRouteId, Operation } from './operation.js'
import {
  backtrackSchema,
  exchangeSchema,
  expressionSchema,
  marketParameters,
  query,
  readingParameters,
  resultsSchemaOf,
} from './parameters.js'
import { answered } from './responses.js'
import { screenOperations } from './screen-operations.js'
import { streamingProtocol } from './streaming-protocol.js'

/** A response of a route that needs no key. */
const open = (description: string, schema = ref('schemas', 'Status')) => ({
  description,
  content: json(schema),
})

/** A description of the interface. */
const document = (description: string) => ({
  description,
  headers: refs('headers', ['ETag']),
  content: json({ type: 'object' }),
})

const expressionText =
  'A number or a condition per candle, in a small language over the catalogue: indicators, columns of the candles, arithmetic, comparisons, `and`, `or`, `not`, `[n]` for n candles ago and `@4h` for a longer timeframe.'

/** What the routes do, except those of single indicators. */
export const operations: Readonly<Record<Exclude<RouteId, IndicatorRouteId>, Operation>> = {
  bulk: {
    id: 'bulk',
    tag: 'Bulk',
    summary: 'Many indicators over many markets',
    description: 'Candles that cannot be had mark only their own construct, by `_error`.',
    body: ref('schemas', 'Bulk'),
    responses: { 200: answered('The results.', ref('schemas', 'BulkResult'), ['Warning']) },
  },
  bulkCandles: {
    id: 'bulkCandles',
    tag: 'Bulk',
    summary: 'Many indicators over supplied candles',
    body: ref('schemas', 'BulkCandles'),
    responses: { 200: answered('The results.', ref('schemas', 'BulkResult')) },
  },
  candles: {
    id: 'candles',
    tag: 'Market data',
    summary: 'Raw candles',
    parameters: [...marketParameters, ref('parameters', 'results'), ...readingParameters],
    responses: {
      200: answered('Candles, oldest first.', array(ref('schemas', 'Candle')), [
        'Warning',
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
      query('expression', expressionSchema, true),
      ref('parameters', 'results'),
      ...readingParameters,
    ],
    responses: {
      200: answered('The newest values.', ref('schemas', 'ExpressionResult'), [
        'Warning',
        'Preference-Applied',
      ]),
    },
  },
  postExpression: {
    id: 'compute_expression',
    tag: 'Expressions',
    summary: 'An expression over supplied candles',
    description: `${expressionText} The smallest distance between two candles is their timeframe.`,
    body: object(
      {
        candles: ref('schemas', 'SuppliedCandles'),
        expression: expressionSchema,
        results: resultsSchemaOf(1),
        backtrack: backtrackSchema,
      },
      ['candles', 'expression'],
      { additionalProperties: false },
    ),
    responses: { 200: answered('The newest values.', ref('schemas', 'ExpressionResult')) },
  },
  ...screenOperations,
  exchanges: {
    id: 'exchanges',
    tag: 'Market data',
    summary: 'The exchanges',
    responses: { 200: answered('Identifiers.', ref('schemas', 'ExchangeList')) },
  },
  symbols: {
    id: 'symbols',
    tag: 'Market data',
    summary: 'The symbols of an exchange',
    parameters: [{ name: 'exchange', in: 'path', required: true, schema: exchangeSchema }],
    responses: { 200: answered('Symbols, those of spot markets first.', ref('schemas', 'SymbolList')) },
  },
  indicators: {
    id: 'indicators',
    tag: 'Catalogue',
    summary: 'Every indicator with its parameters and outputs, or those that are searched for',
    description:
      'Without parameters sorted by identifier; with `search` an exact name or other name comes first, then the shortest.',
    parameters: [
      query('category', text('Only those of a category, in any case.', { enum: Object.keys(categories) })),
      query('search', text('Only those whose name, other names, title or category have all these words.')),
      query('tier', {
        type: 'integer',
        enum: tiers,
        description: 'Only those of a tier: 1 is widely known, 3 hardly.',
      }),
    ],
    responses: { 200: answered('The catalogue.', ref('schemas', 'IndicatorList'), ['ETag']) },
  },
  mcp: {
    id: 'mcp',
    tag: 'Language models',
    summary: 'One message of the Model Context Protocol',
    description: 'The HTTP transport of the protocol without sessions: every message is answered as JSON.',
    body: { type: 'object', description: 'A JSON-RPC message.' },
    responses: {
      200: answered('A JSON-RPC response.', { type: 'object' }),
      202: { description: 'The message was a notification: nothing is answered.' },
    },
  },
  openapi: {
    id: 'openapi',
    tag: 'Catalogue',
    summary: 'This document',
    responses: { 200: document('An OpenAPI document.') },
  },
  asyncapi: {
    id: 'asyncapi',
    tag: 'Catalogue',
    summary: 'The messages of the streaming connection',
    responses: { 200: document('An AsyncAPI document.') },
  },
  streaming: {
    id: 'streaming',
    tag: 'Streaming',
    summary: 'Live updates over a WebSocket',
    description: streamingProtocol,
    responses: {
      101: { description: 'The connection is a WebSocket from here on.' },
      426: open('The request does not ask for one.', ref('schemas', 'Error')),
      503: open('Too many connections.', ref('schemas', 'Error')),
    },
  },
  streamingHealth: {
    id: 'streamingHealth',
    tag: 'Streaming',
    summary: 'What the streaming connections hold at present',
    responses: { 200: answered('It works.', ref('schemas', 'StreamingHealth')) },
  },
  ...alertOperations,
  live: {
    id: 'live',
    tag: 'Health',
    summary: 'Whether the process answers',
    responses: { 200: open('It does.') },
  },
  ready: {
    id: 'ready',
    tag: 'Health',
    summary: 'Whether requests are welcome, and the state of each part',
    responses: {
      200: open('They are. With `degraded` a part does not work as it should.', ref('schemas', 'Readiness')),
      503: open(
        'They are not: the service is stopping, or no key can be checked.',
        ref('schemas', 'Readiness'),
      ),
    },
  },
}
