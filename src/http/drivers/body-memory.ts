import type { Log } from '../../runtime/log.js'
import { RareWarning } from './rare-warning.js'

/** Bounds of the memory of request bodies, in bytes. */
export interface BodyBounds {
  /** All bodies together. */
  readonly total: number
  /** The bodies of one key. Those of requests without one count as those of one key. */
  readonly ofKey: number
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
