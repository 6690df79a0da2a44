import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { formatAge } from '../candles/age.js'
import { timeframes } from '../candles/timeframe.js'
import { version } from '../runtime/version.js'
import { describeText, findText } from './catalogue-text.js'
import { candlesText, listText, resultText } from './result-text.js'

/** Sends a request to the service: a GET, or a POST where there is a body. */
export type Send = (
  path: string,
  body?: unknown,
) => Promise<{
  readonly status: number
  readonly body: unknown
  /** Of candles that could not be brought up to date: seconds since the end of the newest one. */
  readonly age?: number | undefined
}>

/** The most rows of a result, so that it takes little of a model's context. */
const maxRows = 200

const market = {
  exchange: z.string().describe('such as binance, kraken, stocks, or demo for made-up candles'),
  symbol: z.string().describe('such as BTC/USDT, or AAPL on stocks'),
  timeframe: z.enum(Object.keys(timeframes)),
}
const chart = z
  .string()
  .optional()
  .describe('what is made of the candles first, such as heikinashi, renko:atr14, range:50 or linebreak:3')
const settled = z
  .number()
  .int()
  .min(1)
  .max(8)
  .optional()
  .describe('leave out values whose first so many digits depend on where the history begins')
const asOf = z.string().optional().describe('candles as they were known at this time, such as 2025-01-31')
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
  const old =
    reply.age === undefined ? '' : `\nNot up to date: the last candle ended ${formatAge(reply.age)} ago.`
  if (reply.status === 200) return text(format(reply.body as Body) + old)
  if (reply.status === 202) return text('The candles are being fetched. Ask again in a few seconds.', true)
  return text((reply.body as { readonly error?: string }).error ?? `Status ${reply.status}`, true)
}

const queryString = (fields: Readonly<Record<string, unknown>>): string =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString()

/** A server of the Model Context Protocol whose tools send their requests by `send`. */
export function createMcpServer(send: Send): McpServer {
  const server = new McpServer(
    { name: 'candela', version },
    { instructions: 'Technical-analysis indicators over market data. Find an indicator, then compute it.' },
  )
  /** Adds a tool, which reads only. */
  const addTool: AddTool = (name, description, inputSchema, run) =>
    server.registerTool(name, { description, inputSchema, annotations: { readOnlyHint: true } }, run as never)
  addCatalogue(addTool)
  addComputation(addTool, send)
  addMarkets(addTool, send)
  return server
}

type Answer = ReturnType<typeof text>
type AddTool = <Shape extends z.ZodRawShape>(
  name: string,
  description: string,
  inputSchema: Shape,
  run: (input: z.output<z.ZodObject<Shape>>) => Answer | Promise<Answer>,
) => void

function addCatalogue(addTool: AddTool): void {
  addTool(
    'find_indicators',
    'Finds indicators by words of their names or categories. One line each.',
    { words: z.string().default('').describe('empty for the categories') },
    ({ words }) => text(findText(words)),
  )
  addTool(
    'describe_indicator',
    'The parameters and outputs of one indicator.',
    { indicator: z.string().describe('such as rsi') },
    ({ indicator }) => {
      const described = describeText(indicator)
      return described === undefined
        ? text(`Unknown indicator: ${indicator}. Use find_indicators.`, true)
        : text(described)
    },
  )
}

function addComputation(addTool: AddTool, send: Send): void {
  const indicator = z.string()
  const params = z
    .record(z.string(), z.union([z.number(), z.string(), z.boolean()]))
    .default({})
    .describe('parameters of the indicator that differ from their defaults')
  const expression = z
    .string()
    .describe(
      'such as rsi(14) < 30 and close > ema(200), macd.valueMACDHist[1], rsi(14)@4h, or close / close{ETHUSDT} with another market',
    )
  addTool(
    'compute_indicator',
    'Computes an indicator over the candles of an exchange. Answers CSV, oldest row first.',
    { indicator, ...market, params, chart, settled, asOf, rows: rows(5) },
    ({ indicator, params: given, rows: results, ...asked }) => {
      const query = queryString({ ...given, ...asked, results })
      return ask(send, `/indicator/${encodeURIComponent(indicator)}?${query}`, resultText)
    },
  )
  addTool(
    'compute_expression',
    'Computes an expression of indicators, prices and numbers. Answers CSV, oldest row first: a number, or true or false.',
    { expression, ...market, chart, settled, asOf, rows: rows(5) },
    ({ rows: results, ...asked }) =>
      ask(send, `/expression?${queryString({ ...asked, results })}`, resultText),
  )
  addTool(
    'check_expression',
    'What an expression needs and when it settles, without computing it.',
    { expression, timeframe: market.timeframe.optional(), chart },
    asked => ask(send, '/expression/check', JSON.stringify, asked),
  )
  addTool(
    'compute_on_candles',
    'Computes an indicator over up to 500 candles that you supply. Answers CSV, oldest row first.',
    { indicator, candles: z.array(candle).min(1).max(500), params, chart, settled, rows: rows(5) },
    ({ indicator, candles, params: given, chart, settled, rows: results }) =>
      ask(send, `/indicator/${encodeURIComponent(indicator)}`, resultText, {
        ...given,
        chart,
        settled,
        results,
        candles,
      }),
  )
}

function addMarkets(addTool: AddTool, send: Send): void {
  addTool(
    'get_candles',
    'The newest candles of a market as CSV, oldest row first. The last one may still be forming.',
    { ...market, chart, asOf, rows: rows(20) },
    ({ rows: results, ...asked }) => ask(send, `/candles?${queryString({ ...asked, results })}`, candlesText),
  )
  addTool(
    'find_markets',
    'Lists exchanges, or the symbols of one exchange.',
    {
      exchange: z.string().optional().describe('without it, the exchanges are listed'),
      contains: z.string().default('').describe('part of the name'),
    },
    ({ exchange, contains }) => {
      const path =
        exchange === undefined ? '/exchanges' : `/exchanges/${encodeURIComponent(exchange)}/symbols`
      return ask(send, path, (body: Parameters<typeof listText>[0]) => listText(body, contains))
    },
  )
}
