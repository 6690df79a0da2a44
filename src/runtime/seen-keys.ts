/**
 * Approximate set of the newest keys in a fixed memory. It may forget a key early. One in a billion keys is confused
 * with another one, and long keys that differ little more often. So it may decide only what is worth keeping.
 */
export class SeenKeys {
  /** Pairs of hashes. The hashes of a pair have the same low bits. */
  readonly #hashes: Int32Array

  /** `capacity` is a power of two: the maximum number of remembered keys. */
  constructor(capacity: number) {
    this.#hashes = new Int32Array(capacity)
  }

  /** Whether a key was already seen. Marks it as seen. */
  see(key: string): boolean {
    const hash = hashOf(key)
    const pair = (2 * hash) & (this.#hashes.length - 1)
    if (this.#hashes[pair] === hash || this.#hashes[pair + 1] === hash) return true
    // Evicts a random hash of the pair: otherwise three alternating keys of one pair would never be found again.
    this.#hashes[pair + (Math.random() < 0.5 ? 0 : 1)] = hash
    return false
  }
}

/** Approximate maximum number of hashed UTF-16 units per key. Longer keys are sampled evenly. */
const maxHashed = 2_048

/**
 * FNV-1a over UTF-16 units, with its high bits mixed into the low ones. Never 0, because 0 marks an empty slot.
 */
function hashOf(key: string): number {
  const step = Math.ceil(key.length / maxHashed)
  let hash = 0x811c_9dc5 ^ key.length
  for (let i = 0; i < key.length; i += step) hash = Math.imul(hash ^ key.charCodeAt(i), 0x0100_0193)
  return hash ^ (hash >>> 15) || 1
}
