import type { Caller, ResponseBody } from '../compute/compute-dispatcher.js'
import { isRefusal, type Refusal } from '../contract/refusals.js'
import type { BodyFragments } from '../runtime/buffer-pool.js'

export type { BodyFragments, Caller, ResponseBody }

/** An HTTP response, independent of sockets. */
export interface Reply {
  readonly status: number
  readonly body: ResponseBody
  /** A body is `application/json` unless they say otherwise. */
  readonly headers?: Readonly<Record<string, string>>
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
  /**
   * Another header field by its name in lower case, empty where it was not sent. To be called before the request's
   * handler returns: after that the fields are gone.
   */
  header(name: string): string
}

/** The request is admitted, and its body must be read before it can be answered. */
export interface NeedsBody {
  /** Larger bodies are refused with 413. */
  readonly maxBytes: number
  /** Answers the request. `body` is reused after the reply. */
  read(body: Uint8Array, caller: Caller): Reply | Promise<Reply>
  /** The reply to a request whose body is too large to be read; the plain refusal where this is absent. */
  refuse?(refusal: Refusal): Reply | Promise<Reply>
  /**
   * Where it is not certain yet that the request is admitted: the reply that refuses it, which need not wait for the body.
   * Undefined once it is admitted. `read` gives the same reply.
   */
  readonly refused?: Promise<Reply | undefined>
}

export const needsBody = (result: Reply | NeedsBody): result is NeedsBody => 'read' in result

export const ok = (body: ResponseBody, headers?: Readonly<Record<string, string>>): Reply =>
  headers ? { status: 200, body, headers } : { status: 200, body }

/** The statuses of refusals by which a caller does not lose a request. */
const freeStatuses: readonly number[] = [400, 404, 405, 415, 429]

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
export const replyOf = (result: ResponseBody | Refusal, headers?: Readonly<Record<string, string>>): Reply =>
  isRefusal(result) ? refused(result) : ok(result, headers)

/** The same reply with more header fields. */
export const withHeaders = (
  { status, body, headers: own, isFree = false }: Reply,
  headers: Readonly<Record<string, string>>,
): Reply => ({
  status,
  body,
  headers: own ? { ...headers, ...own } : headers,
  isFree,
})
