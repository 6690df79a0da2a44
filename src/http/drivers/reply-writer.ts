import type { BodyFragments, Reply } from '../reply.js'
import type { HttpResponse, RequestContext } from './request-context.js'

/** What is written of a reply depends on the request. */
type Target = Pick<RequestContext, 'response' | 'isHead' | 'closesConnection' | 'headers'>

/** Writes a body of fragments behind its head; `onDone` is called when its last byte was passed to the socket. */
export type WriteFragments<Response extends HttpResponse> = (
  context: RequestContext<Response>,
  fragments: BodyFragments,
  onDone: () => void,
) => void

const statusLines: Readonly<Record<number, string>> = {
  200: '200 OK',
  202: '202 Accepted',
  204: '204 No Content',
  304: '304 Not Modified',
  308: '308 Permanent Redirect',
  400: '400 Bad Request',
  401: '401 Unauthorized',
  403: '403 Forbidden',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  408: '408 Request Timeout',
  413: '413 Content Too Large',
  415: '415 Unsupported Media Type',
  426: '426 Upgrade Required',
  429: '429 Too Many Requests',
  431: '431 Request Header Fields Too Large',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
}

/** The status code with its reason, as in the first line of a response. */
export const statusLineOf = (status: number): string => statusLines[status] ?? String(status)

/**
 * Writes status and header fields as one text: with uWebSockets.js, each call takes a GET several percent of its time. The values
 * of fields have no ends of lines.
 */
export function writeHead({ response, headers: common }: Target, { status, headers }: Reply): void {
  let head = status === 200 ? '200 OK' : statusLineOf(status)
  if (status !== 204 && status !== 304 && headers?.['Content-Type'] === undefined)
    head += '\r\nContent-Type: application/json'
  for (const name in headers) head += `\r\n${name}: ${headers[name]}`
  // The reply's own fields come before those of all replies to the request.
  for (const name in common) if (!headers?.[name]) head += `\r\n${name}: ${common[name]}`
  response.writeStatus(head)
}

/** Writes a reply at once, without waiting until the client reads it. For short bodies and replies to HEAD. */
export function writeReply(target: Target, reply: Reply): void {
  const { response, isHead, closesConnection } = target
  const { status, body } = reply
  writeHead(target, reply)
  // These have no body, not even an empty one.
  if ((status === 204 || status === 304) && !closesConnection) {
    response.endWithoutBody()
    return
  }
  // A reply to HEAD ends after its headers; `endWithoutBody` with a length ends the process in this release.
  const content = isHead ? undefined : typeof body === 'string' ? body : Buffer.concat(body.buffers)
  if (closesConnection) response.end(content, true)
  else response.end(content)
}
