import type { RouteId } from '../route-table.js'
import { array, json, ref, refs } from './json-schema.js'
import type { IndicatorRouteId, Operation } from './operation.js'
import { exchangeSchema, marketParameters, readingParameters } from './parameters.js'
import { answered } from './responses.js'
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
    summary: 'Every indicator with its parameters and outputs',
    responses: { 200: answered('The catalogue.', ref('schemas', 'IndicatorList'), ['ETag']) },
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
  live: {
    id: 'live',
    tag: 'Health',
    summary: 'Whether the process answers',
    responses: { 200: open('It does.') },
  },
  ready: {
    id: 'ready',
    tag: 'Health',
    summary: 'Whether requests are welcome',
    responses: { 200: open('They are.'), 503: open('The service is stopping.') },
  },
}
