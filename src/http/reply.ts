import type { AnswerWarnings } from '../compute/answer.js'
import type { ResponseBody } from '../compute/executor.js'
import type { Account } from '../contract/account.js'
import { isRefusal, type Refusal } from '../contract/refusals.js'

export { BodyFragments } from '../runtime/buffer-pool.js'
export type { ResponseBody }

/** The connection that waits for a reply. */
export interface Caller {
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal
}

/** Header fields of a reply, by name. */
export type Headers = Readonly<Record<string, string>>

/** The origins whose pages may read replies: `*` for all. */
export type Origins = '*' | readonly string[]

/** An HTTP response, independent of sockets. */
export interface Reply {
  readonly status: number
  readonly body: ResponseBody
  /** A body is `application/json` unless they say otherwise. */
  readonly headers?: Headers
  /** Whether it does not count as a request, because nothing was done for it. */
  readonly isFree?: boolean
}

/** The part of a request that arrives before its body. */
export interface RequestHead {
  /** Lower case. */
  readonly method: string
  readonly path: string
  /** Without the question mark; empty where there is none. */
  readonly queryString: string
  /** Header fields, empty where they were not sent. */
  readonly authorization: string
  readonly contentType: string
  /** Another header field by its name in lower case, empty where it was not sent. */
  header(name: string): string
}

/** What a GET with parameters is answered from. */
export type QueryHead = Pick<RequestHead, 'queryString' | 'header'>

/** Who makes a request. */
export type Requester = Pick<Account, 'id' | 'plan'>

/** An HTTP request, independent of sockets. Its signal is aborted when the client disconnects. */
export interface HttpRequest extends RequestHead, Caller {
  /** The path of the route table that it belongs to, or another label of metrics with few values. Set by `Routes`. */
  route?: string
  /** The name of the account that it belongs to, or its id where it has none. Set once its key is known. */
  account?: string
  /**
   * The body, or the refusal of one with more bytes. Called once at most, and before the handler awaits anything: what arrives
   * of a body before that is dropped. The bytes are reused after the reply. Does not settle where the client disconnects
   * before it has sent all of it.
   */
  body(maxBytes: number): Promise<Uint8Array | Refusal>
}

/** The service, independent of sockets: a reply that is at hand comes as a value (ADR 3). */
export type Handle = (request: HttpRequest) => Reply | Promise<Reply>

export const ok = (body: ResponseBody, headers?: Headers): Reply =>
  headers ? { status: 200, body, headers } : { status: 200, body }

/** The statuses of refusals by which a caller does not lose a request. */
const freeStatuses: readonly number[] = [400, 403, 404, 405, 409, 415, 429]

/** The reply with a refusal that was made before any work; 429 is that of the plan. */
export const refused = (refusal: Refusal): Reply => {
  const reply = refusedAfterWork(refusal)
  return freeStatuses.includes(reply.status) ? { ...reply, isFree: true } : reply
}

/** The reply with a refusal for which an exchange was asked. */
export const refusedAfterWork = ({ status, error, headers }: Refusal): Reply => {
  const body = JSON.stringify({ error })
  return headers ? { status, body, headers } : { status, body }
}

/** The reply with a result, or with the refusal in its place; `headers` are those of the result. */
export const replyOf = (result: ResponseBody | Refusal, headers?: Headers): Reply =>
  isRefusal(result) ? refused(result) : ok(result, headers)

/** The same reply with more header fields. */
export const withHeaders = (
  { status, body, headers: own, isFree = false }: Reply,
  headers: Headers,
): Reply => ({
  status,
  body,
  headers: own ? { ...headers, ...own } : headers,
  isFree,
})

/** RFC 9111 has no `Warning` any more, but programs read it: 199 is the code of RFC 7234 for what has none of its own. */
const fewerWarning = (fewer: string) => ({ Warning: `199 - "${fewer}"` })

/** The header fields of a reply that says something about its values. */
export function answerHeaders({ settledDigits, fewer }: AnswerWarnings): Headers | undefined {
  if (settledDigits === undefined && fewer === undefined) return undefined
  return {
    ...(settledDigits !== undefined && { 'Settled-Digits': String(settledDigits) }),
    ...(fewer !== undefined && fewerWarning(fewer)),
  }
}
/** The text of a reply's body. Releases its buffers. */
export const bodyText = ({ body }: Reply): string => (typeof body === 'string' ? body : body.takeText())
