import { LRUCache } from 'lru-cache'

/** Entries of a cache, the least recently used of which make room for others. */
export type RecentEntries<Value extends NonNullable<unknown>> = LRUCache<string, Value>

/**
 * At most so many entries, each for `ttl` milliseconds where that is given. A bound on sizes and not on a number, for which `LRUCache` would
 * take memory for all entries at once: 0.9 MB for 50,000.
 */
export const recentEntries = <Value extends NonNullable<unknown>>(
  most: number,
  ttl = 0,
): RecentEntries<Value> => new LRUCache({ maxSize: most, sizeCalculation: () => 1, ttl })
