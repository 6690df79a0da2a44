import type { Draw } from './draw.js'
import { expression } from './expressions.js'
import type { Interface } from './interface.js'
import type { FuzzRequest } from './requests.js'
import { anyValue, marketFields } from './values.js'

const tools = ['find_indicators', 'compute', 'screen', 'evaluate', 'markets', 'compute_indicator', '']
const methods = [
  'tools/call',
  'tools/call',
  'tools/call',
  'tools/list',
  'initialize',
  'resources/read',
  'ping',
  'x',
]
const times = ['2024-01-31', '1735689600', 1_735_689_600, '2024', null, -1, '9'.repeat(400)]

/**
 * The arguments of a tool. Some are null, of another type or for another tool. No alert is created, because it would
 * stay.
 */
function argumentsOf(draw: Draw, { indicators }: Interface): unknown {
  if (draw.chance(0.05)) return anyValue(draw)
  const { symbol, ...market } = marketFields(draw)
  const text = () => expression(draw, indicators)
  const fields = {
    ...market,
    ...draw.pick([{ symbols: [symbol] }, { symbol }, { symbols: null }]),
    ...draw.pick([
      {
        indicator: draw.pick(indicators).id,
        params: draw.pick([null, {}, { period: draw.below(60) }, anyValue(draw)]),
      },
      { expression: text() },
      { where: text(), select: draw.pick([null, { a: text() }]), orderBy: draw.pick([null, text()]) },
      { entry: text(), exit: draw.pick([null, text()]) },
      { words: draw.text(40), limit: draw.pick([null, 1, 1e9]) },
    ]),
    ...(draw.chance(0.3) && { [draw.pick(['from', 'to', 'at', 'asOf'])]: draw.pick(times) }),
  }
  return draw.chance(0.05) ? { ...fields, [draw.text(6)]: anyValue(draw) } : fields
}

/** A message of the Model Context Protocol, as a model, a client or an attacker may send it. */
export function createMessage(draw: Draw, served: Interface, key: string): FuzzRequest {
  const method = draw.pick(methods)
  const params = draw.chance(0.05)
    ? anyValue(draw)
    : { name: draw.pick(tools), arguments: argumentsOf(draw, served), uri: 'candela://expressions' }
  const message = draw.chance(0.04) ? anyValue(draw) : { jsonrpc: '2.0', id: draw.below(9), method, params }
  const body = Buffer.from(JSON.stringify(message) ?? '')
  return {
    method: 'POST',
    path: '/mcp',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(draw.chance(0.1) && { 'mcp-protocol-version': draw.pick(['2025-06-18', '1999-01-01', 'x']) }),
      ...(draw.chance(0.05) && { origin: draw.pick(['null', 'https://attacker.example']) }),
    },
    body: draw.chance(0.1) ? draw.damage(body) : body,
  }
}

/** Fault of a reply that does not match the protocol and the document; undefined for a correct reply. */
export function faultOfMessage({
  status,
  body,
}: {
  readonly status: number
  readonly body: string
}): string | undefined {
  if (status === 202) return undefined
  if (![200, 400, 403].includes(status))
    return `the status ${status} is not documented for /mcp: ${body.slice(0, 200)}`
  const { result, error } = JSON.parse(body) as { readonly result?: unknown; readonly error?: unknown }
  const text = typeof error === 'string' ? error : (error as { message?: unknown } | undefined)?.message
  if (status === 200 && result !== undefined) return undefined
  if (typeof text !== 'string' || text.trimStart().startsWith('['))
    return `no sentence: ${body.slice(0, 200)}`
  return (error as { code?: number }).code === -32_603
    ? `an internal error: ${body.slice(0, 200)}`
    : undefined
}
