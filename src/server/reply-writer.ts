import type { BodyFragments, Reply } from '../api/reply.js'
import type { RequestContext } from './request-context.js'

const statusLines: Readonly<Record<number, string>> = {
  200: '200 OK',
  202: '202 Accepted',
  204: '204 No Content',
  304: '304 Not Modified',
  308: '308 Permanent Redirect',
  400: '400 Bad Request',
  401: '401 Unauthorized',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  413: '413 Content Too Large',
  415: '415 Unsupported Media Type',
  426: '426 Upgrade Required',
  429: '429 Too Many Requests',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
}

/** Writes a reply; `onDone` is called when its last byte was passed to the socket. */
export function writeReply(
  context: RequestContext,
  { status, body, headers }: Reply,
  onDone?: () => void,
): void {
  const { response, isHead } = context
  if (status !== 200) response.writeStatus(statusLines[status] ?? String(status))
  const hasBody = status !== 204 && status !== 304
  if (hasBody && headers?.['Content-Type'] === undefined)
    response.writeHeader('Content-Type', 'application/json')
  if (headers) for (const name in headers) response.writeHeader(name, headers[name] as string)
  const { headers: common } = context
  // The reply's own fields come before those of all replies to the request.
  if (common)
    for (const name in common) if (!headers?.[name]) response.writeHeader(name, common[name] as string)
  // A reply to HEAD ends after its headers; `endWithoutBody` with a length aborts the process in this release.
  if (!hasBody) response.endWithoutBody()
  else if (isHead) response.end()
  else if (typeof body === 'string') response.end(body)
  else {
    writeFragments(context, body, onDone)
    return
  }
  onDone?.()
}

/**
 * Writes fragments as fast as the socket takes them. What it does not take at once stays here until the socket is
 * writable, instead of being copied into a buffer of the server. Only one fragment is written per turn of the event
 * loop, so that other requests are read in between: copying megabytes into sockets blocks it for milliseconds.
 */
function writeFragments(context: RequestContext, { buffers }: BodyFragments, onDone?: () => void): void {
  const { response } = context
  const total = buffers.reduce((sum, { byteLength }) => sum + byteLength, 0)
  let at = 0
  /** Where fragment `at` begins in the body. */
  let offset = 0
  const push = (): boolean => {
    const fragment = buffers[at] as Uint8Array
    const [isTaken, isDone] = response.tryEnd(fragment.subarray(response.getWriteOffset() - offset), total)
    if (isDone) onDone?.()
    if (isDone || !isTaken) return isDone
    offset += fragment.byteLength
    at++
    setImmediate(() => {
      // They are unset when the client has disconnected in the meantime.
      if (context.fragments) response.cork(push)
    })
    return true
  }
  response.onWritable(push)
  push()
}
