const firstMs = 500
const maxMs = 30_000

/**
 * Milliseconds to wait before an attempt, the first one being 0. The wait doubles after each failure and is spread by a
 * random share, so that many pages do not return at the same moment.
 */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  const longest = Math.min(maxMs, firstMs * 2 ** attempt)
  return Math.round(longest * (0.5 + random() / 2))
}
