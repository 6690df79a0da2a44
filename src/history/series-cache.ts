import { LRUCache } from 'lru-cache'
import type { CacheEntry } from './cache-entry.js'

/**
 * The series in memory. The least recently used ones are dropped when their candles take more than `maxBytes`; those
 * that a feed has pinned stay, and do not count.
 */
export class SeriesCache {
  readonly #unpinned: LRUCache<string, CacheEntry>
  readonly #pinned = new Map<string, CacheEntry>()

  constructor(maxBytes: number) {
    this.#unpinned = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ series }) => series.bytes })
  }

  /** Series in memory. */
  get size(): number {
    return this.#unpinned.size + this.#pinned.size
  }

  /** Bytes of memory that their candles take. */
  get bytes(): number {
    let bytes = this.#unpinned.calculatedSize
    for (const { series } of this.#pinned.values()) bytes += series.bytes
    return bytes
  }

  get(key: string): CacheEntry | undefined {
    return this.#pinned.get(key) ?? this.#unpinned.get(key)
  }

  /** Whether a series is in memory; asking does not count as use. */
  has(key: string): boolean {
    return this.#pinned.has(key) || this.#unpinned.has(key)
  }

  /** Adds a series, or measures its size again; it is the most recently used one then. */
  put(entry: CacheEntry): void {
    if (!this.#pinned.has(entry.key)) this.#measure(entry)
  }

  /** Measures the size of a series again, unless it was dropped meanwhile. */
  resize(entry: CacheEntry): void {
    if (this.#unpinned.peek(entry.key) === entry) this.#measure(entry)
  }

  /** Keeps a series in memory until it is unpinned as often as it was pinned. */
  pin(entry: CacheEntry): void {
    this.#unpinned.delete(entry.key)
    this.#pinned.set(entry.key, entry)
    entry.pins++
  }

  unpin(entry: CacheEntry): void {
    if (--entry.pins > 0) return
    entry.isCurrent = false
    // The next refresh finds out what scale it has.
    entry.rescaling?.abort()
    this.#pinned.delete(entry.key)
    this.#unpinned.set(entry.key, entry)
  }

  #measure(entry: CacheEntry): void {
    // The size of a value that is set again is taken to be what it was.
    this.#unpinned.delete(entry.key)
    this.#unpinned.set(entry.key, entry)
  }
}
