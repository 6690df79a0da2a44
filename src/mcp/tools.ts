import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { timeframes } from '../candles/timeframe.js'
import { version } from '../runtime/version.js'
import { describeText, findText } from './catalogue-text.js'
import { candlesText, listText, resultText } from './result-text.js'

/** Sends a request to the service: a GET, or a POST where there is a body. */
export type Send = (
  path: string,
  body?: unknown,
) => Promise<{ readonly status: number; readonly body: unknown }>

/** The most rows of a result, so that it takes little of a model's context. */
const maxRows = 200

const market = {
  exchange: z.string().describe('such as binance, kraken, stocks, or demo for made-up candles'),
  symbol: z.string().describe('such as BTC/USDT, or AAPL on stocks'),
  timeframe: z.enum(Object.keys(timeframes)),
}
const rows = (value: number) => z.number().int().min(1).max(maxRows).default(value).describe('newest rows')
const candle = z.object({
  timestamp: z.number().optional().describe('Unix seconds'),
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  volume: z.number(),
})

const text = (content: string, isError = false) => ({
  content: [{ type: 'text' as const, text: content }],
  ...(isError ? { isError } : {}),
})

/** Sends a request and writes its answer with `format`, or the error of the service. */
async function ask<Body>(
  send: Send,
  path: string,
  format: (body: Body) => string,
  body?: unknown,
): Promise<ReturnType<typeof text>> {
  const reply = await send(path, body)
  if (reply.status === 200) return text(format(reply.body as Body))
  if (reply.status === 202) return text('The candles are being fetched. Ask again in a few seconds.', true)
  return text((reply.body as { readonly error?: string }).error ?? `Status ${reply.status}`, true)
}

const queryString = (fields: Readonly<Record<string, unknown>>): string =>
  new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])).toString()

/** A server of the Model Context Protocol whose tools send their requests by `send`. */
export function createMcpServer(send: Send): McpServer {
  const server = new McpServer(
    { name: 'candela', version },
    { instructions: 'Technical-analysis indicators over market data. Find an indicator, then compute it.' },
  )
  registerCatalogue(server)
  registerComputation(server, send)
  registerMarkets(server, send)
  return server
}

function registerCatalogue(server: McpServer): void {
  server.registerTool(
    'find_indicators',
    {
      description: 'Finds indicators by words of their names or categories. One line each.',
      inputSchema: { words: z.string().default('').describe('empty for the categories') },
      annotations: { readOnlyHint: true },
    },
    ({ words }) => text(findText(words)),
  )
  server.registerTool(
    'describe_indicator',
    {
      description: 'The parameters and outputs of one indicator.',
      inputSchema: { indicator: z.string().describe('such as rsi') },
      annotations: { readOnlyHint: true },
    },
    ({ indicator }) => {
      const described = describeText(indicator)
      return described === undefined
        ? text(`Unknown indicator: ${indicator}. Use find_indicators.`, true)
        : text(described)
    },
  )
}

function registerComputation(server: McpServer, send: Send): void {
  const params = z
    .record(z.string(), z.union([z.number(), z.string(), z.boolean()]))
    .default({})
    .describe('parameters of the indicator that differ from their defaults')
  server.registerTool(
    'compute_indicator',
    {
      description: 'Computes an indicator over the candles of an exchange. Answers CSV, oldest row first.',
      inputSchema: { indicator: z.string(), ...market, params, rows: rows(5) },
      annotations: { readOnlyHint: true },
    },
    ({ indicator, exchange, symbol, timeframe, params: given, rows: results }) => {
      const query = queryString({ exchange, symbol, timeframe, ...given, results })
      return ask(send, `/indicator/${encodeURIComponent(indicator)}?${query}`, resultText)
    },
  )
  server.registerTool(
    'compute_expression',
    {
      description:
        'Computes an expression of indicators, prices and numbers. Answers CSV, oldest row first: a number, or true or false.',
      inputSchema: {
        expression: z
          .string()
          .describe('such as rsi(14) < 30 and close > ema(200), macd.valueMACDHist[1] or rsi(14)@4h'),
        ...market,
        rows: rows(5),
      },
      annotations: { readOnlyHint: true },
    },
    ({ expression, exchange, symbol, timeframe, rows: results }) => {
      const query = queryString({ exchange, symbol, timeframe, expression, results })
      return ask(send, `/expression?${query}`, resultText)
    },
  )
  server.registerTool(
    'compute_on_candles',
    {
      description:
        'Computes an indicator over up to 500 candles that you supply. Answers CSV, oldest row first.',
      inputSchema: { indicator: z.string(), candles: z.array(candle).min(1).max(500), params, rows: rows(5) },
      annotations: { readOnlyHint: true },
    },
    ({ indicator, candles, params: given, rows: results }) =>
      ask(send, `/indicator/${encodeURIComponent(indicator)}`, resultText, { ...given, results, candles }),
  )
}

function registerMarkets(server: McpServer, send: Send): void {
  server.registerTool(
    'get_candles',
    {
      description:
        'The newest candles of a market as CSV, oldest row first. The last one may still be forming.',
      inputSchema: { ...market, rows: rows(20) },
      annotations: { readOnlyHint: true },
    },
    ({ exchange, symbol, timeframe, rows: results }) =>
      ask(send, `/candles?${queryString({ exchange, symbol, timeframe, results })}`, candlesText),
  )
  server.registerTool(
    'find_markets',
    {
      description: 'Lists exchanges, or the symbols of one exchange.',
      inputSchema: {
        exchange: z.string().optional().describe('without it, the exchanges are listed'),
        contains: z.string().default('').describe('part of the name'),
      },
      annotations: { readOnlyHint: true },
    },
    ({ exchange, contains }) => {
      const path =
        exchange === undefined ? '/exchanges' : `/exchanges/${encodeURIComponent(exchange)}/symbols`
      return ask(send, path, (body: Parameters<typeof listText>[0]) => listText(body, contains))
    },
  )
}
