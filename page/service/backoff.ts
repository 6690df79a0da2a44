const firstMs = 500
const maxMs = 30_000

/**
 * Milliseconds to wait before an attempt, the first one being 0: twice as long after each failure, spread by a random
 * share so that the pages of many people do not return in the same moment.
 */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  const longest = Math.min(maxMs, firstMs * 2 ** attempt)
  return Math.round(longest * (0.5 + random() / 2))
}
