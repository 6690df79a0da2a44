import { corsHeaders, type Origins } from './cors.js'
import type { RequestHead } from './reply.js'

type Headers = Readonly<Record<string, string>>

/** Other ids are ignored, because the id is copied into a header field and into the log. */
const requestIdPattern = /^[\w.:/+=@-]{1,128}$/

/**
 * The header fields of every reply to a request: its `X-Request-Id`, and what `origins` allow the page that sent it.
 * Undefined where there are none, as for most requests. With `endsConnection` the client is told to end its connection.
 */
export function commonHeaders(
  head: RequestHead,
  origins: Origins,
  endsConnection: boolean,
): Headers | undefined {
  const id = head.header('x-request-id')
  const cors = origins.length === 0 ? undefined : corsHeaders(origins, head)
  const headers = id === '' || !requestIdPattern.test(id) ? cors : { 'X-Request-Id': id, ...cors }
  return endsConnection ? { ...headers, Connection: 'close' } : headers
}
