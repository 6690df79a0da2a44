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

/** Something that may be evicted. */
export interface Droppable {
  /** Must be set on use; cleared when the item is inspected. */
  isUsed: boolean
}

interface Options<Item> {
  readonly maxBytes: number
  /** Bytes of the same memory used by something else. */
  readonly otherBytes?: () => number
  readonly onDrop: (item: Item) => void
}

/**
 * Items in a bounded memory with the second-chance algorithm. It evicts items that were not used since their last
 * inspection. So a use sets one field of the item.
 */
export class SecondChance<Item extends Droppable> {
  /** The bytes of each item, the next one to inspect first. A `Map` would slow down with each item that is deleted at its front. */
  readonly #sizes: LRUCache<Item, number>

  constructor(private readonly options: Options<Item>) {
    // Never reached, because items are dropped before.
    const maxSize = Number.MAX_SAFE_INTEGER
    this.#sizes = new LRUCache({ maxSize, sizeCalculation: bytes => bytes })
  }

  get size(): number {
    return this.#sizes.size
  }

  get bytes(): number {
    return this.#sizes.calculatedSize
  }

  /** Adds an item, or measures it again, and makes it the last one to inspect. An item larger than the limit is dropped. */
  set(item: Item, bytes: number): void {
    const { maxBytes, onDrop } = this.options
    // `LRUCache` keeps the size of a value that is set again.
    this.#sizes.delete(item)
    if (bytes > maxBytes) {
      onDrop(item)
      return
    }
    this.#sizes.set(item, bytes)
    this.#makeRoom()
  }

  /** Removes an item; returns whether it existed. */
  delete(item: Item): boolean {
    return this.#sizes.delete(item)
  }

  #makeRoom(): void {
    const { maxBytes, otherBytes, onDrop } = this.options
    while (this.bytes + (otherBytes?.() ?? 0) > maxBytes) {
      const [item] = this.#sizes.rkeys()
      if (item === undefined) return
      if (item.isUsed) {
        item.isUsed = false
        this.#sizes.get(item)
      } else {
        this.#sizes.delete(item)
        onDrop(item)
      }
    }
  }
}

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

  /** Whether a key of a group was already seen. Marks it as seen. */
  see(key: string, group = ''): boolean {
    // FNV-1a over UTF-16 units, with its high bits mixed into the low ones. Never 0, because 0 marks an empty slot.
    const mixed = mix(mix(0x811c_9dc5 ^ key.length, group), key)
    const hash = mixed ^ (mixed >>> 15) || 1
    const pair = (2 * hash) & (this.#hashes.length - 1)
    if (this.#hashes[pair] === hash || this.#hashes[pair + 1] === hash) return true
    // Evicts a random hash of the pair: otherwise three alternating keys of one pair would never be found again.
    this.#hashes[pair + (Math.random() < 0.5 ? 0 : 1)] = hash
    return false
  }
}

/** Approximate maximum number of hashed UTF-16 units per text. Longer texts are sampled evenly. */
const maxHashed = 2_048

/** Mixes a text into a hash. */
function mix(start: number, text: string): number {
  const step = Math.ceil(text.length / maxHashed)
  let mixed = start
  for (let i = 0; i < text.length; i += step) mixed = Math.imul(mixed ^ text.charCodeAt(i), 0x0100_0193)
  return mixed
}

interface TextOptions<Value> {
  /** Maximum memory of all values with their texts, in bytes. */
  readonly maxBytes: number
  /** Approximate memory of a value with its text, in bytes. */
  readonly bytesOf: (value: Value, text: string) => number
}

interface TextEntry<Value> extends Droppable {
  readonly text: string
  readonly group: string
  readonly value: Value
}

/** Texts that are remembered before their values are kept. */
const maxSeen = 8_192

/**
 * Cache of values that are parsed or compiled from recurring texts, by text. A value is kept from the second time on, because most texts
 * that are not repeated soon never are, and to keep and evict them costs as much time as to read them. Equal texts of two groups
 * are different texts.
 */
export class TextCache<Value extends object> {
  readonly #bytesOf: TextOptions<Value>['bytesOf']
  /** Entries by group and text. */
  readonly #groups = new Map<string, Map<string, TextEntry<Value>>>()
  readonly #bounded: SecondChance<TextEntry<Value>>
  readonly #seen = new SeenKeys(maxSeen)

  constructor({ maxBytes, bytesOf }: TextOptions<Value>) {
    this.#bytesOf = bytesOf
    this.#bounded = new SecondChance({ maxBytes, onDrop: entry => this.#drop(entry) })
  }

  get(text: string, group = ''): Value | undefined {
    const entry = this.#groups.get(group)?.get(text)
    if (entry === undefined) return undefined
    entry.isUsed = true
    return entry.value
  }

  /** Adds a value of a text that was added before, or replaces it. The first value of a text is not kept. */
  add(text: string, value: Value, group = ''): void {
    if (!this.#seen.see(text, group)) return
    const entries = this.#groups.get(group) ?? new Map<string, TextEntry<Value>>()
    const former = entries.get(text)
    if (former) this.#bounded.delete(former)
    const entry = { text, group, value, isUsed: false }
    this.#groups.set(group, entries.set(text, entry))
    this.#bounded.set(entry, this.#bytesOf(value, text))
  }

  #drop({ text, group }: TextEntry<Value>): void {
    const entries = this.#groups.get(group)
    if (entries?.delete(text) && entries.size === 0) this.#groups.delete(group)
  }
}
