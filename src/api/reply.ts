import type { Caller, ResponseBody } from '../compute/bulk-dispatch.js'
import type { BodyFragments } from '../compute/workers/buffer-pool.js'
import type { Refusal } from '../contract/refusals.js'

export type { BodyFragments, Caller, ResponseBody }

/** An HTTP answer without a socket. */
export interface Reply {
  readonly status: number
  readonly body: ResponseBody
  readonly headers?: Readonly<Record<string, string>>
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
  readonly prefer: string
}

/** The request was admitted and its body is wanted. */
export interface NeedsBody {
  /** Answers the request; the bytes are the reader's until it has, but no longer. */
  read(body: Uint8Array, caller: Caller): Reply | Promise<Reply>
}

export const ok = (body: ResponseBody, headers?: Readonly<Record<string, string>>): Reply =>
  headers ? { status: 200, body, headers } : { status: 200, body }

export const refused = ({ status, error, headers }: Refusal): Reply => {
  const body = JSON.stringify({ error })
  return headers ? { status, body, headers } : { status, body }
}

/** The same reply with more header fields. */
export const withHeaders = (
  { status, body, headers: own }: Reply,
  headers: Readonly<Record<string, string>>,
): Reply => ({
  status,
  body,
  headers: own ? { ...headers, ...own } : headers,
})
