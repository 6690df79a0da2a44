import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  InitializeRequestSchema,
  isJSONRPCRequest,
  type JSONRPCRequest,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  type ListToolsResult,
  PingRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { jsonText } from '../../contract/json-value.js'
import {
  expected,
  invalidValue,
  isRefusal,
  missingRequired,
  type Refusal,
  resourceNotFound,
  unknownTool,
} from '../../contract/refusals.js'
import { version } from '../../runtime/version.js'
import { alerts } from './alerts.js'
import { compute } from './compute.js'
import { evaluate } from './evaluate.js'
import { findIndicators } from './find-indicators.js'
import { markets } from './markets.js'
import { screen } from './screen.js'
import { call, listed, type Tool, type ToolAnswer, type ToolService } from './tool.js'

const reading: readonly Tool[] = [findIndicators, compute, screen, evaluate, markets]

const instructions =
  'Technical-analysis indicators over market data. Find an indicator, then compute it; screen looks at all markets of an exchange, evaluate at what followed a condition. Times are UTC. Values are of candles that have closed unless a row is marked.'

const resource = {
  uri: 'candela://expressions',
  name: 'expressions',
  title: 'The grammar of expressions',
  mimeType: 'text/markdown',
}

const text = (content: string) => [{ type: 'text' as const, text: content }]

const resultOf = (answered: ToolAnswer | Refusal): CallToolResult =>
  isRefusal(answered)
    ? failed(answered.error)
    : { content: text(answered.text), structuredContent: answered.structured }

/** List of a server's tools, and the function that calls them. */
export interface Offer {
  list(): ListToolsResult | Promise<ListToolsResult>
  call(name: string, given: unknown): Promise<CallToolResult>
}

/** Tools of a service for the account that calls them. */
export function offerOf(service: ToolService): Offer {
  const tools = service.hasAlerts ? [...reading, alerts] : reading
  return {
    list: () => ({ tools: tools.map(listed) }),
    async call(name, given) {
      const tool = tools.find(each => each.name === name)
      const names = tools.map(each => each.name)
      return resultOf(tool ? await call(tool, given, service) : unknownTool(name, names))
    },
  }
}

/** Tools that every service has. */
export const usualTools = (): ListToolsResult => ({ tools: reading.map(listed) })

/** Answer of a tool that could not be called. */
export const failed = (error: string): CallToolResult => ({ content: text(error), isError: true })

/** Shared, because each message over HTTP has a server of its own, which would create a validator that nothing uses. */
const jsonSchemaValidator = new AjvJsonSchemaValidator()

export function createMcpServer(offer: Offer): Server {
  const server = new Server(
    { name: 'candela', version },
    { instructions, capabilities: { tools: {}, resources: {} }, jsonSchemaValidator },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => offer.list())
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: given } }) =>
    offer.call(name, given),
  )
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [resource] }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    if (uri !== resource.uri)
      throw Object.assign(new Error(resourceNotFound(uri).error), { code: resourceNotFoundCode })
    return { contents: [{ uri, mimeType: resource.mimeType, text: grammar }] }
  })
  return server
}

/** Error code of the protocol for an unknown resource. */
const resourceNotFoundCode = -32_002

/** Requests that a server answers, by method. */
const requests: ReadonlyMap<string, typeof InitializeRequestSchema | typeof CallToolRequestSchema> = new Map(
  [
    InitializeRequestSchema,
    PingRequestSchema,
    ListToolsRequestSchema,
    CallToolRequestSchema,
    ListResourcesRequestSchema,
    ReadResourceRequestSchema,
  ].map(schema => [schema.shape.method.value, schema as typeof InitializeRequestSchema]),
)

/** Expected kinds of values, in the words of error texts. */
const expectedTexts: Readonly<Record<string, string>> = {
  string: expected.text,
  object: expected.object,
  record: expected.object,
}

/** Refusal of a request whose params do not match its method; undefined if they match. */
function refuseParams(request: JSONRPCRequest): Refusal | undefined {
  const [issue] = requests.get(request.method)?.safeParse(request).error?.issues ?? []
  if (!issue) return undefined
  const name = issue.path.join('.')
  const value = issue.path.reduce<unknown>((inner, key) => Object(inner)[key], request)
  if (value === undefined) return missingRequired([name])
  const wanted = issue.code === 'invalid_type' ? issue.expected : 'value of the protocol'
  return invalidValue(name, jsonText(value), expectedTexts[wanted] ?? wanted)
}

/** Connects a server. Wrong params are answered with a sentence instead of the validator's list. */
export async function connect(server: Server, transport: Transport): Promise<void> {
  await server.connect(transport)
  const receive = transport.onmessage
  transport.onmessage = (message, extra) => {
    const refusal = isJSONRPCRequest(message) ? refuseParams(message) : undefined
    if (!refusal) receive?.(message, extra)
    else {
      const error = { code: ErrorCode.InvalidParams, message: refusal.error }
      void transport.send({ jsonrpc: '2.0', id: (message as JSONRPCRequest).id, error })
    }
  }
}

/** Grammar of expressions, as a resource: the content of `docs/expressions.md`, for a reader who knows other languages. */
export const grammar = `# Expressions

An expression has one value for each candle: a number, or true or false. It is undefined in the warm-up of an indicator.

## Values
- Numbers: 30, 0.5, 1e-3. Conditions: true, false.
- Prices: open, high, low, close, volume, hl2, hlc3, ohlc4.
- Indicators by their names (find_indicators): rsi, rsi(21), rsi(period=21). Parameters in their order or by name; those left out have their defaults.
- Outputs: macd.valueMACDHist, bbands(20).valueUpperBand. Where there are several, one must be named.
- Indicators of expressions: sma(rsi(14), 5), ema(high - low, 20), correl(close, volume, 20). Only what reads one or two columns of choice; not atr or adx.
- Pattern indicators are 0, 100, or -100 where bearish: engulfing == 100, doublebottom.value != 0.

## Operators, from the weakest to the strongest
or; and; not; < <= > >= == != (not chained: 30 < rsi(14) and rsi(14) < 70); + -; * / %; -x; .output [n] @timeframe {MARKET}
- x[n]: the value n candles ago, 0 to 500: (close - close[24]) / close[24] * 100
- x@4h: over candles of a longer timeframe, at the newest that has closed: rsi(14)@4h > 50 and rsi(14) < 40
- x{ETHUSDT}, x{binance:ETHUSDT}: over another market: close / close{ETHUSDT}
  A longer timeframe is made of the candles of the request, of which there are 1,000 by default: better ask in it.

## Functions
crossover(a, b), crossunder(a, b), cross(a, b), crossany(a, b): a rises above b at this candle, falls below it, either
rising(x, n), falling(x, n): each of the last n steps went up, or down
highest(x, n), lowest(x, n): of the last n candles. max(a, b), min(a, b): of several values
barssince(c): candles since c was last true. within(c, n): c was true in the last n. change(x, n): x - x[n]. sign(x)
valuewhen(c, x, k): x when c was true, k times before the newest. fixnan(x): the last defined x. round_to(x, step)
pivothigh(x, left, right), pivotlow(x, left, right): x right candles ago, if it is an extreme of these candles
vwap(x, anchor), vwapbands(x, anchor, k).upper: the mean by volume since the condition anchor, and k deviations from it
sum(x, n): the total of the last n. if(condition, a, b). nz(x, y): x, or y where x is undefined. na(x). pow(x, y)
abs(x), sqrt(x), ln(x), floor(x), round(x) and other mathematics are indicators.

## Often needed
- Within the last 7 candles: within(crossover(close, sma(200)), 7)
- Candles since it was last true: barssince(crossover(sma(50), sma(200)))
- Change in per cent since 24 candles: roc(close, 24)
- Breakout: close > highest(high, 20)[1]
- Twice the usual volume: volume > 2 * sma(volume, 20)
- Distance from the high of 365 candles in per cent: (close / highest(high, 365) - 1) * 100
- Strength against another market: close / close{ETHUSDT} > sma(close / close{ETHUSDT}, 50)
- Above the upper band: close > bbands(20).valueUpperBand
- Turnover: sma(close * volume, 30)
`
