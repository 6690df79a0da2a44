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
  /** Largest number of bytes of all items together. */
  readonly maxBytes: number
  /** Bytes of the same memory used by something else. */
  readonly otherBytes?: () => number
  /** Called with each evicted item. */
  readonly onDrop: (item: Item) => void
}

/**
 * Items in a bounded memory with the second-chance algorithm. It evicts items that were not used since their last
 * inspection. So a use sets one field of the item.
 */
export class SecondChance<Item extends Droppable> {
  readonly #options: Options<Item>
  /** The bytes of each item, the next one to inspect first. */
  readonly #sizes = new Map<Item, number>()
  #bytes = 0

  constructor(options: Options<Item>) {
    this.#options = options
  }

  /** The number of items. */
  get size(): number {
    return this.#sizes.size
  }

  /** Bytes of all items. */
  get bytes(): number {
    return this.#bytes
  }

  /** Adds an item, or measures it again, and makes it the last one to inspect. An item larger than the limit is dropped. */
  set(item: Item, bytes: number): void {
    const { maxBytes, onDrop } = this.#options
    this.delete(item)
    if (bytes > maxBytes) {
      onDrop(item)
      return
    }
    this.#sizes.set(item, bytes)
    this.#bytes += bytes
    this.#makeRoom()
  }

  /** Removes an item; returns whether it existed. */
  delete(item: Item): boolean {
    this.#bytes -= this.#sizes.get(item) ?? 0
    return this.#sizes.delete(item)
  }

  #makeRoom(): void {
    const { maxBytes, otherBytes, onDrop } = this.#options
    if (this.#bytes + (otherBytes?.() ?? 0) <= maxBytes) return
    // An item that is added again during the loop is its last one.
    for (const [item, bytes] of this.#sizes) {
      this.delete(item)
      if (item.isUsed) {
        item.isUsed = false
        this.#sizes.set(item, bytes)
        this.#bytes += bytes
      } else onDrop(item)
      if (this.#bytes + (otherBytes?.() ?? 0) <= maxBytes) return
    }
  }
}

interface TextOptions<Value> {
  /** Maximum memory of all values with their texts, in bytes. */
  readonly maxBytes: number
  /** Approximate memory of a value with its text, in bytes. */
  readonly bytesOf: (value: Value, text: string) => number
}

interface TextEntry<Value> extends Droppable {
  readonly text: string
  readonly value: Value
}

/** Cache of values that are parsed or compiled from recurring texts, by text. */
export class TextCache<Value extends object> {
  readonly #bytesOf: TextOptions<Value>['bytesOf']
  readonly #entries = new Map<string, TextEntry<Value>>()
  readonly #bounded: SecondChance<TextEntry<Value>>

  constructor({ maxBytes, bytesOf }: TextOptions<Value>) {
    this.#bytesOf = bytesOf
    this.#bounded = new SecondChance({ maxBytes, onDrop: ({ text }) => this.#entries.delete(text) })
  }

  get(text: string): Value | undefined {
    const entry = this.#entries.get(text)
    if (entry === undefined) return undefined
    entry.isUsed = true
    return entry.value
  }

  /** Adds a value, or replaces the value of its text. */
  add(text: string, value: Value): void {
    const former = this.#entries.get(text)
    if (former) this.#bounded.delete(former)
    const entry = { text, value, isUsed: false }
    this.#entries.set(text, entry)
    this.#bounded.set(entry, this.#bytesOf(value, text))
  }
}
