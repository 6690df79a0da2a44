import type { NeedsBody, Reply, RequestHead } from './reply.js'

type Handle = (head: RequestHead) => Reply | Promise<Reply> | NeedsBody

/** The origins whose pages may read replies: `*` for all. */
export type Origins = '*' | readonly string[]

/** The header fields that a page may send. */
const sentHeaders = 'Authorization, Content-Type, If-None-Match, Prefer, X-Request-Id'
/** The header fields of replies that a page may read. */
const readHeaders = [
  'ETag',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Warning',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ')
/** How long a browser may remember what it asked before a request, in seconds. */
const rememberedSeconds = 7200

/** The header fields by which a browser shows a reply to the page that requested it; undefined where it must not. */
export function corsHeaders(
  origins: Origins,
  head: RequestHead,
): Readonly<Record<string, string>> | undefined {
  if (origins === '*')
    return { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': readHeaders }
  if (origins.length === 0) return undefined
  const origin = head.header('origin')
  // A cache must not give a reply without these fields to a page that may read it.
  if (!origins.includes(origin)) return { Vary: 'Origin' }
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': readHeaders,
    Vary: 'Origin',
  }
}

/** The same as `handle`, except that it answers what a browser asks before it sends a page's request. */
export function answerPreflights(handle: Handle, origins: Origins): Handle {
  if (origins.length === 0) return handle
  return head => (head.method === 'options' && isPreflight(origins, head) ? preflightReply : handle(head))
}

function isPreflight(origins: Origins, head: RequestHead): boolean {
  const origin = head.header('origin')
  const isAllowed = origins === '*' ? origin !== '' : origins.includes(origin)
  return isAllowed && head.header('access-control-request-method') !== ''
}

const preflightReply: Reply = {
  status: 204,
  body: '',
  headers: {
    'Access-Control-Allow-Methods': 'GET, POST, DELETE',
    'Access-Control-Allow-Headers': sentHeaders,
    'Access-Control-Max-Age': String(rememberedSeconds),
  },
}
