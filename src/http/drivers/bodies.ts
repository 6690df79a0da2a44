import { bodyTooLarge, type Refusal, tooManyBodies } from '../../contract/refusals.js'
import { BufferPool } from '../../runtime/buffer-pool.js'
import { scheduler } from '../../runtime/scheduler.js'
import { RareWarning } from './rare-warning.js'
import type { ReceivedBody, RequestContext } from './request-context.js'
import type { BodyBounds, ServeOptions } from './server.js'

/** Maximum bytes of bodies in shared memory. */
const maxPooledBytes = 32 * 1024 * 1024
/** Maximum ratio of a buffer's size to the bytes that have arrived. An announced length alone reserves nothing. */
const growthFactor = 8
/** `Retry-After` of a body that was refused because of other bodies, in seconds. */
const retrySeconds = 1

/**
 * Receives the bodies of requests into recycled memory, and counts this memory from the first byte to the reply. Above a
 * bound, the oldest incomplete body is refused: of the key itself, or of the key with the most bytes. Complete bodies are
 * not refused, because their answers are being computed.
 */
export class BodyReceiver {
  readonly #pool = new BufferPool(maxPooledBytes)
  readonly #bounds: BodyBounds
  readonly #warning: RareWarning
  /** Bodies with memory, oldest first. */
  readonly #held = new Set<ReceivedBody>()
  readonly #bytesByKey = new Map<string, number>()
  #bytes = 0

  constructor({ maxBodies, log }: Pick<ServeOptions, 'maxBodies' | 'log'>) {
    this.#bounds = maxBodies
    this.#warning = new RareWarning(log)
  }

  /**
   * Receives the body of a request. Refuses a body that is too large, or that was incomplete when bodies used too much
   * memory. If many bodies arrive together, they wait for later turns of the event loop. The promise does not settle if
   * the request ends first.
   */
  receive(request: RequestContext, maxBytes: number): Promise<Uint8Array | Refusal> {
    const { contentLength, authorization } = request
    if (contentLength > maxBytes) return Promise.resolve(bodyTooLarge(maxBytes))
    const expected = contentLength > 0 ? contentLength : maxBytes
    let size = 0
    return new Promise(resolve => {
      const refuse = (refusal: Refusal) => {
        this.release(request, true)
        resolve(refusal)
      }
      const body: ReceivedBody = {
        ...{ authorization, buffer: noBytes, bytes: 0, isComplete: false },
        refuse: () => refuse(tooManyBodies(retrySeconds)),
      }
      request.received = body
      request.response.onData((chunk, isLast) => {
        // A refused body is released.
        if (request.isOver || !request.received) return
        const end = size + chunk.byteLength
        if (end > maxBytes) return refuse(bodyTooLarge(maxBytes))
        const reserved = Math.max(end, Math.min(growthFactor * end, expected))
        if (end > body.buffer.byteLength && !this.#grow(body, size, reserved)) return
        // The chunk is copied because uWebSockets.js reuses its memory after this call.
        body.buffer.set(chunk instanceof ArrayBuffer ? new Uint8Array(chunk) : chunk, size)
        size = end
        if (!isLast) return
        body.isComplete = true
        const bytes = body.buffer.subarray(0, size)
        resolve(scheduler.hasTime('requests') ? bytes : scheduler.next('requests').then(() => bytes))
      })
    })
  }

  /** Releases the body of a request that is over, or refused. A complete one belongs to the handler until `isAnswered`. */
  release(request: RequestContext, isAnswered: boolean): void {
    const { received: body } = request
    if (!body || (body.isComplete && !isAnswered)) return
    request.received = undefined
    BufferPool.release(body.buffer)
    this.#held.delete(body)
    this.#count(body, 0)
  }

  /** Moves the first `size` bytes of a body into a buffer of `bytes` bytes. Returns false if the body was refused instead. */
  #grow(body: ReceivedBody, size: number, bytes: number): boolean {
    this.#held.add(body)
    this.#count(body, bytes)
    const { authorization: key } = body
    const { ofKey, total } = this.#bounds
    while (this.#held.has(body) && (this.#bytesByKey.get(key) as number) > ofKey) this.#refuseOldest(key)
    while (this.#held.has(body) && this.#bytes > total) this.#refuseOldest(this.#largestKey())
    if (!this.#held.has(body)) return false
    const larger = this.#pool.take(bytes)
    larger.set(body.buffer.subarray(0, size))
    BufferPool.release(body.buffer)
    body.buffer = larger
    return true
  }

  #refuseOldest(key: string): void {
    for (const body of this.#held) {
      if (body.isComplete || body.authorization !== key) continue
      this.#warning.warn(
        { bytes: this.#bytes, ofKey: this.#bytesByKey.get(key) },
        'request bodies were refused: more were being received than HTTP_MAX_BODIES allows',
      )
      body.refuse()
      return
    }
  }

  /** Key with the most bytes among the keys of incomplete bodies. */
  #largestKey(): string {
    let largest = ''
    let most = 0
    for (const { authorization: key, isComplete } of this.#held) {
      const bytes = this.#bytesByKey.get(key) as number
      if (!isComplete && bytes > most) [largest, most] = [key, bytes]
    }
    return largest
  }

  /** Sets the number of bytes that a body occupies. */
  #count(body: ReceivedBody, bytes: number): void {
    const { authorization: key } = body
    const ofKey = (this.#bytesByKey.get(key) ?? 0) + bytes - body.bytes
    this.#bytes += bytes - body.bytes
    body.bytes = bytes
    if (ofKey === 0) this.#bytesByKey.delete(key)
    else this.#bytesByKey.set(key, ofKey)
  }
}

const noBytes = new Uint8Array(0)
