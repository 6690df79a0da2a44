import type { IncomingMessage, ServerResponse } from 'node:http'
import { scheduler } from '../../runtime/scheduler.js'
import type { BodyFragments } from '../reply.js'
import type { HttpResponse, RequestContext } from './request-context.js'

/** The time in which a client must read something of an answer, in milliseconds; then it is disconnected. */
const unreadMs = 10_000

/** The response of `node:http` in the form in which replies are written. */
export class NodeResponse implements HttpResponse {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #expectsContinue: boolean
  #status = 200
  #reason = 'OK'
  readonly #headers: string[] = []

  /** `expectsContinue` says that the client waits for status 100 before it sends the body. */
  constructor(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) {
    this.#request = request
    this.#response = response
    this.#expectsContinue = expectsContinue
  }

  writeStatus(head: string): void {
    const [status = '', ...fields] = head.split('\r\n')
    this.#status = Number(status.slice(0, 3))
    this.#reason = status.slice(4)
    for (const field of fields) {
      const at = field.indexOf(': ')
      this.#headers.push(field.slice(0, at), field.slice(at + 2))
    }
  }

  end(body: string | Uint8Array = '', closesConnection = false): void {
    // To a request with HEAD the body is left out, and its length is not that of the answer to GET.
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
    this.writeHead(this.#request.method === 'HEAD' ? undefined : length, closesConnection)
    this.#response.end(body)
  }

  endWithoutBody(): void {
    this.writeHead(undefined)
    this.#response.end()
  }

  close(): void {
    this.#request.socket.destroy()
  }

  onAborted(listener: () => void): void {
    this.#response.once('close', () => {
      if (!this.#response.writableFinished) listener()
    })
  }

  onData(listener: (chunk: Uint8Array, isLast: boolean) => void): void {
    if (this.#expectsContinue) this.#response.writeContinue()
    this.#request.on('data', (chunk: Buffer) => listener(chunk, false))
    this.#request.once('end', () => listener(new Uint8Array(0), true))
  }

  cork(write: () => void): void {
    write()
  }

  /** Writes the head of a body of so many bytes. */
  writeHead(length: number | undefined, closesConnection = false): void {
    if (length !== undefined) this.#headers.push('Content-Length', String(length))
    if (closesConnection) this.#headers.push('Connection', 'close')
    this.#request.socket.setTimeout(unreadMs)
    this.#response.writeHead(this.#status, this.#reason, this.#headers)
  }

  /** Writes a part of the body; `onTaken` is called when the system has taken it, unless the connection closes. */
  write(fragment: Uint8Array, onTaken: () => void): void {
    this.#response.write(fragment, error => {
      if (!error) onTaken()
    })
  }

  /** Ends the body. */
  finish(): void {
    this.#response.end()
  }
}

/**
 * Writes one fragment after the other, each when the system has taken the one before. A fragment is read until then, so
 * its memory must be kept.
 */
export function writeNodeFragments(
  context: Pick<RequestContext<NodeResponse>, 'response' | 'fragments'>,
  { buffers, byteLength }: BodyFragments,
  onDone: () => void,
): void {
  const { response } = context
  let at = 0
  const next = () => {
    // They are unset when the client has disconnected in the meantime.
    if (!context.fragments) return
    const fragment = buffers[at++]
    if (fragment) response.write(fragment, () => void scheduler.next('answers').then(next))
    else {
      response.finish()
      onDone()
    }
  }
  response.writeHead(byteLength)
  next()
}
