import { bodyTooLarge, type Refusal, tooManyBodies } from '../../contract/refusals.js'
import { BufferPool } from '../../runtime/buffer-pool.js'
import { scheduler } from '../../runtime/scheduler.js'
import { BodyMemory, type HeldBody } from './body-memory.js'
import type { RequestContext } from './request-context.js'
import type { ServeOptions } from './server.js'

/** Bytes of bodies that may be in shared memory at a time. */
const maxPooledBytes = 32 * 1024 * 1024
/** The size of a buffer is at most this multiple of the bytes that have arrived: an announced length alone reserves nothing. */
const growthFactor = 8
/** Seconds after which a client may send a body again that was refused because of others. */
const retrySeconds = 1

/** Receives the bodies of requests into recycled memory. */
export class BodyReceiver {
  readonly #pool = new BufferPool(maxPooledBytes)
  readonly #memory: BodyMemory
  readonly #held = new WeakMap<RequestContext, HeldBody>()

  constructor({ maxBodies, log }: Pick<ServeOptions, 'maxBodies' | 'log'>) {
    this.#memory = new BodyMemory(maxBodies, log)
  }

  /**
   * The body of a request, or the refusal of one that is too large, or that was not complete when bodies took too much memory. Many
   * that arrive together wait for their turns. It does not settle where the request is over before.
   */
  receive(request: RequestContext, maxBytes: number): Promise<Uint8Array | Refusal> {
    const { contentLength, authorization } = request
    if (contentLength > maxBytes) return Promise.resolve(bodyTooLarge(maxBytes))
    const expected = contentLength > 0 ? contentLength : maxBytes
    request.incoming = new Uint8Array(0)
    let size = 0
    return new Promise(resolve => {
      const refuse = (refusal: Refusal) => {
        this.release(request)
        resolve(refusal)
      }
      const held = { authorization, refuse: () => refuse(tooManyBodies(retrySeconds)) }
      this.#held.set(request, held)
      request.response.onData((chunk, isLast) => {
        // A body that was refused has no more memory.
        if (request.isOver || !request.incoming) return
        const end = size + chunk.byteLength
        if (end > maxBytes) return refuse(bodyTooLarge(maxBytes))
        const buffer = this.#reserve(request, held, { size, end, expected })
        if (!buffer) return
        // The chunk is copied because uWebSockets.js reuses its memory after this call.
        buffer.set(chunk instanceof ArrayBuffer ? new Uint8Array(chunk) : chunk, size)
        size = end
        if (!isLast) return
        this.#memory.complete(held)
        const pass = () => {
          if (request.isOver) return
          request.received = request.incoming
          request.incoming = undefined
          resolve(buffer.subarray(0, size))
        }
        if (!scheduler.hasTime('requests')) scheduler.next('requests').then(pass)
        else pass()
      })
    })
  }

  /** Releases what has arrived of a body that will not be read. One that is being read stays. */
  release(request: RequestContext): void {
    if (!request.incoming) return
    BufferPool.release(request.incoming)
    request.incoming = undefined
    this.#forget(request)
  }

  /** Releases a body that was read. */
  releaseRead(request: RequestContext): void {
    if (!request.received) return
    BufferPool.release(request.received)
    request.received = undefined
    this.#forget(request)
  }

  #forget(request: RequestContext): void {
    const held = this.#held.get(request)
    if (held) this.#memory.release(held)
  }

  /**
   * A buffer with space for `end` bytes: the present one, or a larger one with its first `size` bytes. Undefined where the body was
   * refused because of its size.
   */
  #reserve(
    request: RequestContext,
    held: HeldBody,
    { size, end, expected }: { readonly size: number; readonly end: number; readonly expected: number },
  ): Uint8Array | undefined {
    const buffer = request.incoming as Uint8Array
    if (end <= buffer.byteLength) return buffer
    const bytes = Math.max(end, Math.min(growthFactor * end, expected))
    if (!this.#memory.hold(held, bytes)) return undefined
    const larger = this.#pool.take(bytes)
    larger.set(buffer.subarray(0, size))
    BufferPool.release(buffer)
    request.incoming = larger
    return larger
  }
}
