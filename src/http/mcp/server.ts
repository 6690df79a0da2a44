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
import { grammar } from './grammar.js'
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

/** What a server offers: the list of its tools, and their calls. */
export interface Offer {
  list(): ListToolsResult | Promise<ListToolsResult>
  call(name: string, given: unknown): Promise<CallToolResult>
}

/** What a service offers to the account that asks. */
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

/** The tools that every service has. */
export const usualTools = (): ListToolsResult => ({ tools: reading.map(listed) })

/** The answer of a tool that could not be called. */
export const failed = (error: string): CallToolResult => ({ content: text(error), isError: true })

/** A server of the Model Context Protocol. */
export function createMcpServer(offer: Offer): Server {
  const server = new Server(
    { name: 'candela', version },
    { instructions, capabilities: { tools: {}, resources: {} } },
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

/** The code of the protocol for a resource that it does not have. */
const resourceNotFoundCode = -32_002

/** The requests that a server answers, by method. */
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

/** What the protocol expects of a value, as an error says it. */
const expectedTexts: Readonly<Record<string, string>> = {
  string: expected.text,
  object: expected.object,
  record: expected.object,
}

/** The refusal of a request whose params are not those of its method; undefined where they are. */
function refuseParams(request: JSONRPCRequest): Refusal | undefined {
  const [issue] = requests.get(request.method)?.safeParse(request).error?.issues ?? []
  if (!issue) return undefined
  const name = issue.path.join('.')
  const value = issue.path.reduce<unknown>((inner, key) => Object(inner)[key], request)
  if (value === undefined) return missingRequired([name])
  const wanted = issue.code === 'invalid_type' ? issue.expected : 'value of the protocol'
  return invalidValue(name, jsonText(value), expectedTexts[wanted] ?? wanted)
}

/** Connects a server. Wrong params are answered with a sentence, where the server would send the list of its validator. */
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
