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
