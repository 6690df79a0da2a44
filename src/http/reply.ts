import type { AnswerWarnings } from '../compute/answer.js'
import type { Answer, ResponseBody } from '../compute/executor.js'
import type { Account } from '../contract/account.js'
import { type Fields, readQueryFields, readShape, type Shape, type ValuesOf } from '../contract/fields.js'
import { isRefusal, type Refusal } from '../contract/refusals.js'
import { StoreFailure } from '../contract/storage/stores.js'
import { type AnswerFormat, formatOfType, formatShape } from '../contract/table-format.js'

/** Options of a request about its answer. */
type AnswerOptions<S extends Shape> = Omit<ValuesOf<S>, 'format'> & { readonly format: AnswerFormat }

const namesTable = /csv|ndjson|arrow/i

/**
 * Format of the answer to a request. The format in the query string comes first, then the one that the `Accept` field
 * prefers (RFC 9110, section 12.5.1). JSON if the field names no table. Among equal weights the first format wins, but
 * named types come before wildcards.
 */
export function formatOf(named: AnswerFormat | undefined, head: Pick<QueryHead, 'header'>): AnswerFormat {
  if (named !== undefined) return named
  const accept = head.header('accept')
  if (accept === '' || accept === '*/*' || !namesTable.test(accept)) return 'json'
  let best: AnswerFormat = 'json'
  let bestWeight = 0
  for (const range of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map(text => text.trim())
    const format = formatOfType(type)
    if (format === undefined) continue
    const weight = Number(parameters.find(each => each.startsWith('q='))?.slice(2) ?? 1)
    const share = type.endsWith('*') ? weight * 0.999 : weight
    if (share > bestWeight) [best, bestWeight] = [format, share]
  }
  return best
}

/** Reads the query string of a POST, which may only have the fields of a shape. The refusal names `path`. */
export function readAnswerOptions<S extends ReturnType<typeof formatShape>>(
  head: QueryHead,
  shape: () => S,
  path: string,
): AnswerOptions<S> | Refusal {
  if (head.queryString === '') return { format: formatOf(undefined, head) } as AnswerOptions<S>
  const read = readQueryFields(head.queryString, `The query string of ${path}`, shape())
  return isRefusal(read)
    ? read
    : ({ ...read, format: formatOf(read.format, head) } as unknown as AnswerOptions<S>)
}

/** Reads the format in the fields of a query string; undefined if they have none. */
export function readNamedFormat(fields: Fields): { readonly format?: AnswerFormat | undefined } | Refusal {
  if (!fields.has('format')) return {}
  return readShape(formatShape(), { format: fields.get('format') }, undefined, 'text')
}

export { BodyFragments } from '../runtime/buffer-pool.js'
export type { ResponseBody }

/** The connection that waits for a reply. */
export interface Caller {
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal
}

/** Header fields of a reply, by name. */
export type Headers = Readonly<Record<string, string>>

/** Origins whose pages may read replies: `*` for all. */
export type Origins = '*' | readonly string[]

/** An HTTP response, independent of sockets. */
export interface Reply {
  readonly status: number
  readonly body: ResponseBody
  /** Header fields. Without a `Content-Type`, the body is `application/json`. */
  readonly headers?: Headers | undefined
  /** Whether the reply does not count as a request, because nothing was done for it. */
  readonly isFree?: boolean
}

/** The part of a request that arrives before its body. */
export interface RequestHead {
  /** Method in lower case. */
  readonly method: string
  readonly path: string
  /** Query string without the question mark; empty if there is none. */
  readonly queryString: string
  /** Header fields, empty if they were not sent. */
  readonly authorization: string
  readonly contentType: string
  /** Value of another header field by its name in lower case, empty if it was not sent. */
  header(name: string): string
}

/** Parts of a GET with parameters that its answer depends on. */
export type QueryHead = Pick<RequestHead, 'queryString' | 'header'>

export type Requester = Pick<Account, 'id' | 'plan'>

/** An HTTP request, independent of sockets. Its signal is aborted when the client disconnects. */
export interface HttpRequest extends RequestHead, Caller {
  /** Path of the route table that the request belongs to, or another metrics label with few values. Set by `Routes`. */
  route?: string
  /** Name of the request's account, or its id if it has no name. Set when the key was checked. */
  account?: string
  /**
   * Reads the body, or refuses one with more than `maxBytes` bytes. May be called once, and only before the handler
   * awaits anything, because earlier parts of the body are dropped. The bytes are reused after the reply. The promise
   * does not settle if the client disconnects before it has sent the whole body.
   */
  body(maxBytes: number): Promise<Uint8Array | Refusal>
}

/** The service, independent of sockets. A reply that is available immediately comes as a value (ADR 3). */
export type Handle = (request: HttpRequest) => Reply | Promise<Reply>

export const ok = (body: ResponseBody, headers?: Headers): Reply => ({ status: 200, body, headers })

/** Statuses of refusals that do not count as a request. */
const freeStatuses: readonly number[] = [400, 403, 404, 405, 409, 415, 429]

/** Reply with a refusal made without any work. A 429 here comes from the limits of the plan. */
export const refused = (refusal: Refusal): Reply => {
  const reply = refusedAfterWork(refusal)
  return freeStatuses.includes(reply.status) ? { ...reply, isFree: true } : reply
}

/** Reply with a refusal for which an exchange was contacted. */
export const refusedAfterWork = ({ status, error, headers }: Refusal): Reply => {
  const body = JSON.stringify({ error })
  return headers ? { status, body, headers } : { status, body }
}

/** Reply with a result, or with a refusal instead. `headers` belong to the result. */
export const replyOf = (result: ResponseBody | Refusal, headers?: Headers): Reply =>
  isRefusal(result) ? refused(result) : { status: 200, body: result, headers }

/** Reply with a result as JSON, or with a refusal instead. */
export const replyJson = (result: object, status = 200): Reply =>
  isRefusal(result) ? refused(result) : { status, body: JSON.stringify(result) }

/** Reply of `work`, or the refusal if a store fails. */
export async function replyWhileStored(
  work: () => Promise<Reply>,
  refuse: (error: StoreFailure) => Refusal,
): Promise<Reply> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error
    return refused(refuse(error))
  }
}

/** Reply with an answer and its warnings, or with a refusal instead. */
export const replyTo = (answered: Answer | Refusal): Reply =>
  isRefusal(answered)
    ? refused(answered)
    : { status: 200, body: answered.body, headers: answered.warnings && answerHeaders(answered.warnings) }

export const withHeaders = (
  { status, body, headers: own, isFree = false }: Reply,
  headers: Headers,
): Reply => ({
  status,
  body,
  headers: own ? { ...headers, ...own } : headers,
  isFree,
})

/**
 * Header field with a warning text. RFC 9111 has removed `Warning`, but programs read it. 199 is the code of RFC 7234
 * for warnings without a code of their own.
 */
const fewerWarning = (fewer: string) => ({ Warning: `199 - "${fewer}"` })

/** Header fields with the warnings about the values of a reply; undefined if there are none. */
export function answerHeaders({ settledDigits, fewer }: AnswerWarnings): Headers | undefined {
  if (settledDigits === undefined && fewer === undefined) return undefined
  return {
    ...(settledDigits !== undefined && { 'Settled-Digits': String(settledDigits) }),
    ...(fewer !== undefined && fewerWarning(fewer)),
  }
}
/** Text of a reply's body. Releases its buffers. */
export const bodyText = ({ body }: Reply): string => (typeof body === 'string' ? body : body.takeText())
