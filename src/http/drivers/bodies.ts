import { bodyTooLarge, type Refusal, tooManyBodies } from '../../contract/refusals.js'
import { BufferPool } from '../../runtime/buffer-pool.js'
import type { Log } from '../../runtime/log.js'
import { scheduler } from '../../runtime/scheduler.js'
import { RareWarning } from './rare-warning.js'
import type { RequestContext } from './request-context.js'
import type { BodyBounds, ServeOptions } from './server.js'

/** Maximum bytes of bodies in shared memory. */
const maxPooledBytes = 32 * 1024 * 1024
/** Maximum ratio of a buffer's size to the bytes that have arrived. An announced length alone reserves nothing. */
const growthFactor = 8
/** `Retry-After` of a body that was refused because of other bodies, in seconds. */
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
   * Receives the body of a request. Refuses a body that is too large, or that was incomplete when bodies used too much
   * memory. If many bodies arrive together, they wait for later turns of the event loop. The promise does not settle if
   * the request ends first.
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
        // A refused body has no memory left.
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

  /** Releases the received part of a body that will not be read. A body that is being read stays. */
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
   * Returns a buffer with space for `end` bytes: the current one, or a larger copy of its first `size` bytes. Undefined
   * if the body was refused because of its size.
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

/** A body that is in memory, or that requests memory. */
export interface HeldBody {
  /** Value of the request's `Authorization` field, used as its key. */
  readonly authorization: string
  /** Refuses the body. Its memory is released afterwards. */
  readonly refuse: () => void
}

/** State of a held body. */
interface Holding {
  bytes: number
  isComplete: boolean
}

/**
 * Counts the memory of request bodies from their first byte to the reply. Above a bound, the oldest incomplete body is
 * refused: of the key itself, or of the key with the most bytes. Complete bodies are not refused, because their answers
 * are being computed.
 */
export class BodyMemory {
  readonly #bounds: BodyBounds
  readonly #warning: RareWarning
  /** Held bodies, oldest first. */
  readonly #held = new Map<HeldBody, Holding>()
  readonly #byKey = new Map<string, number>()
  #bytes = 0

  constructor(bounds: BodyBounds, log: Log) {
    this.#bounds = bounds
    this.#warning = new RareWarning(log)
  }

  /** Total bytes of all held bodies. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Sets the size of a body to `bytes`, and refuses bodies above the bounds. Returns false if this body was refused:
   * then it must not use memory.
   */
  hold(body: HeldBody, bytes: number): boolean {
    const holding = this.#held.get(body) ?? { bytes: 0, isComplete: false }
    this.#held.set(body, holding)
    this.#add(body, bytes - holding.bytes)
    holding.bytes = bytes
    const { authorization: key } = body
    while (this.#bytesOf(key) > this.#bounds.ofKey && this.#held.has(body)) this.#refuseOldest(key)
    while (this.#bytes > this.#bounds.total && this.#held.has(body)) this.#refuseOldest(this.#largestKey())
    return this.#held.has(body)
  }

  /** Marks a body as complete, so that it is not refused. */
  complete(body: HeldBody): void {
    const holding = this.#held.get(body)
    if (holding) holding.isComplete = true
  }

  /** Removes a body that has released its memory. Further calls have no effect. */
  release(body: HeldBody): void {
    const holding = this.#held.get(body)
    if (!holding) return
    this.#held.delete(body)
    this.#add(body, -holding.bytes)
  }

  #refuseOldest(key: string): void {
    for (const [body, { isComplete }] of this.#held) {
      if (isComplete || body.authorization !== key) continue
      this.#warning.warn(
        { bytes: this.#bytes, ofKey: this.#bytesOf(key) },
        'request bodies were refused: more were being received than HTTP_MAX_BODIES allows',
      )
      this.release(body)
      body.refuse()
      return
    }
  }

  /** Key with the most bytes among the keys of incomplete bodies. */
  #largestKey(): string {
    let largest: string | undefined
    for (const [{ authorization: key }, { isComplete }] of this.#held)
      if (!isComplete && (largest === undefined || this.#bytesOf(key) > this.#bytesOf(largest))) largest = key
    return largest as string
  }

  #bytesOf(key: string): number {
    return this.#byKey.get(key) ?? 0
  }

  #add({ authorization: key }: HeldBody, bytes: number): void {
    this.#bytes += bytes
    const ofKey = this.#bytesOf(key) + bytes
    if (ofKey === 0) this.#byKey.delete(key)
    else this.#byKey.set(key, ofKey)
  }
}
