import { bodyTooLarge, type Refusal, tooManyBodies } from '../../contract/refusals.js'
import { BufferPool } from '../../runtime/buffer-pool.js'
import type { Log } from '../../runtime/log.js'
import { scheduler } from '../../runtime/scheduler.js'
import { RareWarning } from './rare-warning.js'
import type { RequestContext } from './request-context.js'
import type { BodyBounds, ServeOptions } from './server.js'

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

/** A body that is in memory, or that memory is wanted for. */
export interface HeldBody {
  /** What the request has for a key: its field `Authorization`. */
  readonly authorization: string
  /** Refuses the body, whose memory is released then. */
  readonly refuse: () => void
}

/** What is known of a body that is held. */
interface Holding {
  bytes: number
  isComplete: boolean
}

/**
 * Counts the memory of request bodies from their first byte to the reply. Where there is more than the bounds allow, the oldest body
 * that is not complete is refused: of the key itself, or of the key that has the most. Complete bodies are not refused, because
 * their answers are being computed.
 */
export class BodyMemory {
  readonly #bounds: BodyBounds
  readonly #warning: RareWarning
  /** The oldest first. */
  readonly #held = new Map<HeldBody, Holding>()
  readonly #byKey = new Map<string, number>()
  #bytes = 0

  constructor(bounds: BodyBounds, log: Log) {
    this.#bounds = bounds
    this.#warning = new RareWarning(log)
  }

  /** All bytes that are held. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Counts a body as so many bytes, and refuses bodies where these are too many. False where this one was refused: then it must
   * have no memory.
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

  /** The body has arrived as a whole: it is not refused any more. */
  complete(body: HeldBody): void {
    const holding = this.#held.get(body)
    if (holding) holding.isComplete = true
  }

  /** The body has no memory any more. Further calls have no effect. */
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

  /** The key with the most bytes among those of bodies that are not complete. */
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
