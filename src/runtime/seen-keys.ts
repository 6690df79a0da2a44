/**
 * Whether keys were seen before, of the newest ones about and in a fixed memory. It may forget a key early, and takes one
 * in a billion for another (long ones that differ little more often), so it decides only what is worth keeping.
 */
export class SeenKeys {
  /** Pairs of hashes; all that belong to a pair have the same low bits. */
  readonly #hashes: Int32Array

  /** `capacity` is a power of two: so many keys are remembered at most. */
  constructor(capacity: number) {
    this.#hashes = new Int32Array(capacity)
  }

  /** Whether a key was seen before, in a group of keys; from now on it was. */
  see(key: string, group = ''): boolean {
    const hash = hashOf(key, group === '' ? 0 : hashOf(group))
    const pair = (2 * hash) & (this.#hashes.length - 1)
    if (this.#hashes[pair] === hash || this.#hashes[pair + 1] === hash) return true
    // A random one makes room: otherwise three keys of a pair that take turns would never be found again.
    this.#hashes[pair + (Math.random() < 0.5 ? 0 : 1)] = hash
    return false
  }
}

/** Of longer keys only about so many units are looked at, evenly spaced. */
const maxHashed = 2_048

/**
 * FNV-1a over UTF-16 units, with its high bits mixed into the low ones; never 0, which is the content of an empty place. `seed` is
 * the hash of what stands before them.
 */
function hashOf(key: string, seed = 0): number {
  const step = Math.ceil(key.length / maxHashed)
  let hash = 0x811c_9dc5 ^ key.length ^ seed
  for (let i = 0; i < key.length; i += step) hash = Math.imul(hash ^ key.charCodeAt(i), 0x0100_0193)
  return hash ^ (hash >>> 15) || 1
}
