import { isDeepStrictEqual } from 'node:util'
import { Candela, CandelaError } from '../../src/client/index.js'

/** A call of the client, and the part of the reply that it resolves with. */
interface Call {
  readonly send: (client: Candela) => Promise<unknown>
  // biome-ignore lint/suspicious/noExplicitAny: any JSON that the service sends
  readonly partOf?: (body: any) => unknown
}

interface Outcome {
  readonly value?: unknown
  readonly error?: unknown
}

const bearer = /^Bearer (\S+)$/

/** The client's method for a request, as far as path and body show; the client may still send another form. */
function callOf(path: string, body: string | undefined): Call | undefined {
  const [name = '', query] = path.split('?')
  const indicator = /^\/indicator\/(\w+)$/.exec(name)?.[1] as never
  if (body !== undefined) return postOf(name, indicator, body)
  const { exchange, symbol, timeframe, ...others } = Object.fromEntries(new URLSearchParams(query))
  const market = { exchange, symbol, timeframe } as never
  if (indicator) return { send: client => client.indicator(indicator, market, others) }
  if (name === '/candles') return { send: client => client.candles(market, others) }
  if (name === '/exchanges') return { send: client => client.exchanges(), partOf: each => each.exchanges }
  if (name === '/indicators') return { send: client => client.indicators(), partOf: each => each.indicators }
  const named = /^\/exchanges\/([\w-]+)\/symbols$/.exec(name)?.[1]
  if (named) return { send: client => client.symbols(named), partOf: each => each.symbols }
  return undefined
}

function postOf(name: string, indicator: never, text: string): Call | undefined {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return undefined
  }
  const { candles, constructs, verbose, ...others } = Object(body) as Readonly<Record<string, never>>
  if (name === '/screen') return { send: client => client.screen(Object(body), { waitSeconds: 0 }) }
  if (name === '/evaluate') return { send: client => client.evaluate(Object(body)) }
  if (indicator && candles) return { send: client => client.compute(indicator, candles, others as never) }
  if (!Array.isArray(constructs)) return undefined
  const options = verbose === undefined ? {} : { verbose }
  if (name === '/bulk') return { send: client => client.bulk(constructs, options) }
  if (name === '/bulk-candles') return { send: client => client.bulkCandles(constructs, options) }
  return undefined
}

/** A canonical form of a request: the same for requests that differ only in the order and the spelling of their fields. */
function meaningOf(url: string, { method = 'GET', headers, body }: RequestInit): unknown {
  const { pathname, searchParams } = new URL(url)
  const fields = [...new Headers(headers)].sort()
  const query = [...searchParams].sort()
  return { pathname, query, method, fields, body: typeof body === 'string' ? JSON.parse(body) : undefined }
}

/**
 * Sends a request by the method of the TypeScript client for it, and compares the method's result or error with the reply.
 * The method must send the same request; the service gets it with the order and the spelling that the test has chosen.
 * Requests that no method sends, such as those with a mistake in their JSON or with header fields of their own, are sent by
 * the `fetch` of the client.
 */
export async function fetchByClient(base: string, path: string, init: RequestInit): Promise<Response> {
  const { method = 'GET', body = undefined, headers } = init
  const key = bearer.exec(new Headers(headers).get('authorization') ?? '')?.[1]
  const isPost = method === 'POST' && typeof body === 'string'
  const call =
    key && (isPost || (method === 'GET' && body === undefined))
      ? callOf(path, isPost ? (body as string) : undefined)
      : undefined
  if (!call || !key) return new Candela({ url: base, key: '' }).fetch(path, init)

  let reply: Response | undefined
  let requests = 0
  const client = new Candela({
    url: base,
    key,
    waitSeconds: 0,
    fetch: async (url, sent = {}) => {
      const isSame = isDeepStrictEqual(meaningOf(String(url), sent), meaningOf(base + path, init))
      requests++
      if (!isSame || requests > 1) throw new Error('this is another request')
      reply = await fetch(base + path, init)
      return reply.clone()
    },
  })
  const outcome: Outcome = await call.send(client).then(
    value => ({ value }),
    error => ({ error }),
  )
  if (!reply) {
    const { cause } = Object(outcome.error) as { readonly cause?: Error }
    // A body that is nested too deeply has no JSON text, or cannot be compared, so that only a test can send it.
    const isTooDeep = outcome.error instanceof RangeError || cause instanceof RangeError
    const isNotSent = isTooDeep || cause?.message === 'this is another request'
    if (!isNotSent) throw outcome.error
    return new Candela({ url: base, key: '' }).fetch(path, init)
  }
  // If a plan allows fewer constructs, the client continues with several requests.
  if (requests === 1) await compare(outcome, reply.clone(), call)
  return reply
}

/** Throws unless the client's result or error agrees with the reply. */
async function compare({ value, error }: Outcome, reply: Response, { partOf }: Call): Promise<void> {
  const { status, headers } = reply
  const body = await reply.json()
  if (status === 200) {
    if (error) throw error
    if (isDeepStrictEqual(value, partOf ? partOf(body) : body)) return
    throw new Error(`the client made something else of ${JSON.stringify(body).slice(0, 500)}`)
  }
  if (!(error instanceof CandelaError)) throw new Error(`the client accepted a reply with status ${status}`)
  const after = headers.get('retry-after')
  const expected = [status, body.error ?? error.message, after === null ? undefined : Number(after)]
  const found = [error.status, error.message, error.retryAfter]
  if (!isDeepStrictEqual(found, expected)) throw new Error(`the client says ${found} instead of ${expected}`)
}
