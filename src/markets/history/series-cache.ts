import { SecondChance } from '../../runtime/caches.js'
import type { CacheEntry } from './cache-entry.js'

/**
 * Series in memory. Drops the least recently used ones if their candles need more than `maxBytes`. Series pinned by
 * a feed stay, and do not count.
 */
export class SeriesCache {
  readonly #entries = new Map<string, CacheEntry>()
  readonly #unpinned: SecondChance<CacheEntry>
  readonly #pinned = new Set<CacheEntry>()

  constructor(maxBytes: number) {
    this.#unpinned = new SecondChance({ maxBytes, onDrop: entry => this.#forget(entry) })
  }

  /** Number of series in memory. */
  get size(): number {
    return this.#entries.size
  }

  /** Bytes of memory used by their candles. */
  get bytes(): number {
    let { bytes } = this.#unpinned
    for (const { series } of this.#pinned) bytes += series.bytes
    return bytes
  }

  get(key: string): CacheEntry | undefined {
    const entry = this.#entries.get(key)
    if (entry) entry.isUsed = true
    return entry
  }

  /** Whether a series is in memory. Does not count as use. */
  has(key: string): boolean {
    return this.#entries.has(key)
  }

  /** Adds a series, or measures its size again. It becomes the most recently used one. */
  put(entry: CacheEntry): void {
    const other = this.#entries.get(entry.key)
    if (other !== entry) {
      if (other && this.#pinned.has(other)) return
      if (other) this.#remove(other)
      this.#add(entry)
    }
    this.#measure(entry)
  }

  /** Measures the size of a series again, unless it was dropped. */
  resize(entry: CacheEntry): void {
    if (this.#entries.get(entry.key) === entry) this.#measure(entry)
  }

  /** Keeps a series in memory until it is unpinned as often as it was pinned. */
  pin(entry: CacheEntry): void {
    this.#unpinned.delete(entry)
    this.#pinned.add(entry)
    this.#add(entry)
    entry.pins++
  }

  unpin(entry: CacheEntry): void {
    if (--entry.pins > 0) return
    entry.isCurrent = false
    // The next refresh finds out the scale.
    entry.rescaling?.abort()
    this.#pinned.delete(entry)
    this.#measure(entry)
  }

  #add(entry: CacheEntry): void {
    this.#entries.set(entry.key, entry)
    entry.handle.entry = entry
  }

  #remove(entry: CacheEntry): void {
    this.#unpinned.delete(entry)
    this.#forget(entry)
  }

  #forget(entry: CacheEntry): void {
    this.#entries.delete(entry.key)
    entry.handle.entry = undefined
  }

  #measure(entry: CacheEntry): void {
    if (entry.pins === 0) this.#unpinned.set(entry, entry.series.bytes)
  }
}
