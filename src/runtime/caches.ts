import { LRUCache } from 'lru-cache'

/** Entries of a cache that evicts the least recently used ones. */
export type RecentEntries<Value extends NonNullable<unknown>> = LRUCache<string, Value>

/**
 * A cache of at most `most` entries, each with the given TTL. The bound is on sizes and not on a number, for which
 * `LRUCache` would allocate memory for all entries at once: 0.9 MB for 50,000.
 */
export const recentEntries = <Value extends NonNullable<unknown>>(
  most: number,
  ttl = 0,
): RecentEntries<Value> => new LRUCache({ maxSize: most, sizeCalculation: () => 1, ttl })

/** Approximate maximum number of hashed UTF-16 units per text. Longer texts are sampled evenly. */
const maxHashed = 2_048

/** Hash of a text and its owner, never 0: FNV-1a over UTF-16 units, with its high bits mixed into the low ones. */
function hashOf(text: string, owner = ''): number {
  const step = Math.ceil(text.length / maxHashed)
  let mixed = (owner === '' ? 0x811c_9dc5 : hashOf(owner)) ^ text.length
  for (let i = 0; i < text.length; i += step) mixed = Math.imul(mixed ^ text.charCodeAt(i), 0x0100_0193)
  return mixed ^ (mixed >>> 15) || 1
}

/**
 * Approximate set of the newest keys in a fixed memory. It may forget a key early. One in a billion keys is confused
 * with another one, and long keys that differ little more often. So it may decide only what is worth keeping.
 */
export class SeenKeys {
  /** Pairs of hashes, 0 if there is none. The hashes of a pair have the same low bits. */
  readonly #hashes: Int32Array

  /** `capacity` is a power of two: the maximum number of remembered keys. */
  constructor(capacity: number) {
    this.#hashes = new Int32Array(capacity)
  }

  /** Whether a key was already seen. Marks it as seen. */
  see(key: string, hash = hashOf(key)): boolean {
    const pair = (2 * hash) & (this.#hashes.length - 1)
    if (this.#hashes[pair] === hash || this.#hashes[pair + 1] === hash) return true
    // Evicts a random hash of the pair: otherwise three alternating keys of one pair would never be found again.
    this.#hashes[pair + (Math.random() < 0.5 ? 0 : 1)] = hash
    return false
  }
}

interface TextOptions<Value> {
  /** Maximum memory of all values with their texts, in bytes. */
  readonly maxBytes: number
  /** Approximate memory of a value with its text, in bytes. */
  readonly bytesOf: (value: Value, text: string) => number
}

/** A text with its value. It replaces another text with the same hash. */
interface CacheEntry<Value> {
  readonly text: string
  readonly owner: string
  readonly value: Value
}

/** Texts that are remembered before their values are kept. */
const maxSeen = 8_192

/**
 * Cache of values that are parsed or compiled from recurring texts, by text. A value is kept from the second time on, because most texts
 * that are not repeated soon never are, and to keep and evict them costs as much time as to read them.
 */
export class TextCache<Value extends object> {
  /**
   * Values by the hashes of their texts: a `Map` compares keys that are texts in their own memory, which is seldom in the cache of
   * the processor. A text of which the hash leaves out a part is its own key.
   */
  readonly #entries: LRUCache<number | string, CacheEntry<Value>>
  readonly #seen = new SeenKeys(maxSeen)

  constructor({ maxBytes, bytesOf }: TextOptions<Value>) {
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ value, text }) => bytesOf(value, text),
    })
  }

  /** Value of a text. `owner` is what the text is about, if equal texts of others have other values. */
  get(text: string, owner = ''): Value | undefined {
    const entry = this.#entries.get(text.length > maxHashed ? text : hashOf(text, owner))
    return entry?.text === text && entry.owner === owner ? entry.value : undefined
  }

  /** Adds a value of a text that was added before, or replaces it. The first value of a text is not kept. */
  add(text: string, value: Value, owner = ''): void {
    const hash = hashOf(text, owner)
    if (this.#seen.see(text, hash))
      this.#entries.set(text.length > maxHashed ? text : hash, { text, owner, value })
  }
}
