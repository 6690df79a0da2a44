import { bodyTooLarge, type Refusal } from '../contract/refusals.js'
import { BufferPool } from '../runtime/buffer-pool.js'
import { eventLoop } from '../runtime/event-loop.js'
import type { RequestContext } from './request-context.js'

/** Bytes of bodies that may be in shared memory at a time. */
const maxPooledBytes = 32 * 1024 * 1024
/** The size of a buffer is at most this multiple of the bytes that have arrived: an announced length alone reserves nothing. */
const growthFactor = 8

/** Receives the bodies of requests into recycled memory. */
export class BodyReceiver {
  readonly #pool = new BufferPool(maxPooledBytes)

  /**
   * The body of a request, or the refusal of one that is too large. Many that arrive together wait for their turns. It does
   * not settle where the request is over before.
   */
  receive(request: RequestContext, maxBytes: number): Promise<Uint8Array | Refusal> {
    const { contentLength } = request
    if (contentLength > maxBytes) return Promise.resolve(bodyTooLarge(maxBytes))
    const expected = contentLength > 0 ? contentLength : maxBytes
    request.incoming = new Uint8Array(0)
    let size = 0
    return new Promise(resolve => {
      request.response.onData((chunk, isLast) => {
        // A body that is too large has no more memory.
        if (request.isOver || !request.incoming) return
        const end = size + chunk.byteLength
        if (end > maxBytes) {
          this.release(request)
          resolve(bodyTooLarge(maxBytes))
          return
        }
        const buffer = this.#reserve(request, request.incoming, size, end, expected)
        // The chunk is copied because uWebSockets.js reuses its memory after this call.
        buffer.set(chunk instanceof ArrayBuffer ? new Uint8Array(chunk) : chunk, size)
        size = end
        if (!isLast) return
        const pass = () => {
          if (request.isOver) return
          request.received = request.incoming
          request.incoming = undefined
          resolve(buffer.subarray(0, size))
        }
        if (!eventLoop.hasTime('requests')) eventLoop.next('requests').then(pass)
        else pass()
      })
    })
  }

  release(request: RequestContext): void {
    if (request.incoming) BufferPool.release(request.incoming)
    request.incoming = undefined
  }

  /** A buffer with space for `end` bytes: the present one, or a larger one with its first `size` bytes. */
  #reserve(
    request: RequestContext,
    buffer: Uint8Array,
    size: number,
    end: number,
    expected: number,
  ): Uint8Array {
    if (end <= buffer.byteLength) return buffer
    const larger = this.#pool.take(Math.max(end, Math.min(growthFactor * end, expected)))
    larger.set(buffer.subarray(0, size))
    BufferPool.release(buffer)
    request.incoming = larger
    return larger
  }
}
