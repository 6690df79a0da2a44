import type { Reply, RequestHead } from './reply.js'

type Headers = Readonly<Record<string, string>>

/** The origins whose pages may read replies: `*` for all. */
export type Origins = '*' | readonly string[]

/** Other ids are ignored, because the id is copied into a header field and into the log. */
const requestIdPattern = /^[\w.:/+=@-]{1,128}$/
/** The header fields that a page may send. */
const sentHeaders = [
  'Authorization',
  'Content-Type',
  'If-None-Match',
  'Last-Event-ID',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Protocol-Version',
  'Mcp-Session-Id',
  'Prefer',
  'X-Request-Id',
].join(', ')
/** The header fields of replies that a page may read. */
const readHeaders = [
  'Age',
  'ETag',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Settled-Candles',
  'Settled-Digits',
  'Warning',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ')
/** How long a browser may remember what it asked before a request, in seconds. */
const rememberedSeconds = 7200

/**
 * The header fields of every reply to a request: its `X-Request-Id`, and what `origins` allow the page that sent it.
 * Undefined where there are none, as for most requests. With `endsConnection` the client is asked to end its connection.
 */
export function commonHeaders(
  head: RequestHead,
  origins: Origins,
  endsConnection: boolean,
): Headers | undefined {
  const id = head.header('x-request-id')
  const cors = origins.length === 0 ? undefined : corsHeaders(head, origins)
  const headers = id === '' || !requestIdPattern.test(id) ? cors : { 'X-Request-Id': id, ...cors }
  return endsConnection ? { ...headers, Connection: 'close' } : headers
}

/** The header fields by which a browser shows a reply to the page that requested it, if it may. */
function corsHeaders(head: RequestHead, origins: Origins): Headers {
  const readable = { 'Access-Control-Expose-Headers': readHeaders }
  if (origins === '*') return { 'Access-Control-Allow-Origin': '*', ...readable }
  const origin = head.header('origin')
  // A cache must not give a reply without these fields to a page that may read it.
  if (!origins.includes(origin)) return { Vary: 'Origin' }
  return { 'Access-Control-Allow-Origin': origin, ...readable, Vary: 'Origin' }
}

/** The reply to what a browser asks before it sends a page's request (a preflight); undefined for other requests. */
export function preflightReply(head: RequestHead, origins: Origins): Reply | undefined {
  if (head.method !== 'options' || origins.length === 0) return undefined
  const origin = head.header('origin')
  const isAllowed = origins === '*' ? origin !== '' : origins.includes(origin)
  if (!isAllowed || head.header('access-control-request-method') === '') return undefined
  const headers = {
    'Access-Control-Allow-Methods': 'GET, POST, PATCH, DELETE',
    'Access-Control-Allow-Headers': sentHeaders,
    'Access-Control-Max-Age': String(rememberedSeconds),
  }
  return { status: 204, body: '', headers }
}
