import { type NeedsBody, type RequestHead, refused } from '../api/reply.js'
import { bodyTooLarge } from '../contract/refusals.js'
import { BufferPool } from '../runtime/buffer-pool.js'
import { turnClock } from '../runtime/turn-clock.js'
import type { OpenRequests } from './open-requests.js'
import type { HttpResponse, RequestContext } from './request-context.js'

/** Bytes of bodies that may be in shared memory at a time. */
const maxPooledBytes = 32 * 1024 * 1024
/** The size of a buffer is at most this multiple of the bytes that have arrived: an announced length alone reserves nothing. */
const growthFactor = 8
const emptyBuffer = Buffer.alloc(0)

/** Receives the bodies of requests into recycled memory, and answers with what their readers reply. */
export class BodyReceiver<Response extends HttpResponse> {
  readonly #requests: OpenRequests<Response>
  readonly #pool = new BufferPool(maxPooledBytes)

  constructor(requests: OpenRequests<Response>) {
    this.#requests = requests
  }

  /** Receives the body of an open request. `length` is the announced one; 0 or NaN when none was announced. */
  receive(context: RequestContext<Response>, head: RequestHead, length: number, reader: NeedsBody): void {
    const { maxBytes } = reader
    // A failure of it is one of `read` or `refuse`, too.
    reader.refused?.then(reply => reply && this.#requests.send(context, reply)).catch(() => {})
    if (length > maxBytes) {
      this.#refuse(context, head, reader)
      return
    }
    const expected = length > 0 ? length : maxBytes
    context.buffer = emptyBuffer
    let size = 0
    let isTooLarge = false
    context.response.onData((chunk, isLast) => {
      if (context.isOver || isTooLarge) return
      const end = size + chunk.byteLength
      if (end > maxBytes) {
        isTooLarge = true
        this.#refuse(context, head, reader)
        return
      }
      const buffer = this.#reserve(context, size, end, expected)
      // The chunk is copied because uWebSockets.js reuses its memory after this call.
      buffer.set(chunk instanceof ArrayBuffer ? new Uint8Array(chunk) : chunk, size)
      size = end
      if (isLast) this.#answer(context, head, buffer.subarray(0, size), reader)
    })
  }

  #refuse(context: RequestContext<Response>, head: RequestHead, reader: NeedsBody): void {
    const { maxBytes, refuse = refused } = reader
    const reply = refuse(bodyTooLarge(maxBytes))
    if (!(reply instanceof Promise)) this.#requests.send(context, reply)
    else
      reply
        .then(arrived => this.#requests.send(context, arrived))
        .catch(error => this.#requests.fail(context, error, head))
  }

  /** The buffer of a request with space for `end` bytes; a larger one with the first `size` bytes where necessary. */
  #reserve(context: RequestContext<Response>, size: number, end: number, expected: number): Uint8Array {
    const buffer = context.buffer as Uint8Array
    if (end <= buffer.byteLength) return buffer
    const larger = this.#pool.take(Math.max(end, Math.min(growthFactor * end, expected)))
    larger.set(buffer.subarray(0, size))
    BufferPool.release(buffer)
    context.buffer = larger
    return larger
  }

  /**
   * The body belongs to its reader until the reply is there, even when the client disconnects before that. Where many arrive
   * together, it waits for its turn.
   */
  #answer(context: RequestContext<Response>, head: RequestHead, body: Uint8Array, reader: NeedsBody): void {
    context.buffer = undefined
    try {
      // A client that has disconnected while the body waited does not read its reply.
      const reply = turnClock.run(() => (context.isOver ? undefined : reader.read(body, context)))
      if (reply instanceof Promise) {
        reply
          .finally(() => BufferPool.release(body))
          .then(arrived => arrived && this.#requests.send(context, arrived))
          .catch(error => this.#requests.fail(context, error, head))
        return
      }
      if (reply) this.#requests.send(context, reply)
    } catch (error) {
      this.#requests.fail(context, error, head)
    }
    BufferPool.release(body)
  }
}
