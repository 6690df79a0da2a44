/** Bytes that a key takes beside its characters, about. */
const bytesPerKey = 60
/** Keys of one series that are remembered. */
const maxKeys = 500

/** The keys of calculations over one series that were asked for once. */
export interface AskedKeys {
  readonly keys: Set<string>
  /** Bytes of memory that they take, about. */
  bytes: number
}

export const noAskedKeys = (): AskedKeys => ({ keys: new Set(), bytes: 0 })

/**
 * Remembers which calculations were asked for once, for all series. When they take more than `maxBytes`, those of the
 * series that was asked about first are forgotten.
 */
export class AskedOnce {
  readonly #maxBytes: number
  readonly #filled = new Set<AskedKeys>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Bytes of memory that all keys take, about. */
  get bytes(): number {
    return this.#bytes
  }

  add(asked: AskedKeys, key: string): void {
    if (asked.keys.has(key)) return
    if (asked.keys.size >= maxKeys) this.forget(asked)
    asked.keys.add(key)
    this.#filled.add(asked)
    this.#count(asked, bytesOf(key))
    while (this.#bytes > this.#maxBytes) this.forget(this.#filled.values().next().value as AskedKeys)
  }

  /** Whether a calculation was asked for once; it is forgotten then. */
  take(asked: AskedKeys, key: string): boolean {
    if (!asked.keys.delete(key)) return false
    this.#count(asked, -bytesOf(key))
    if (asked.keys.size === 0) this.#filled.delete(asked)
    return true
  }

  /** Forgets those of one series. */
  forget(asked: AskedKeys): void {
    asked.keys.clear()
    this.#count(asked, -asked.bytes)
    this.#filled.delete(asked)
  }

  #count(asked: AskedKeys, bytes: number): void {
    asked.bytes += bytes
    this.#bytes += bytes
  }
}

const bytesOf = (key: string): number => key.length + bytesPerKey
