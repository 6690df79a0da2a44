/** Enough doublings for any wait, and few enough that the product stays finite. */
const maxDoublings = 30

/**
 * Milliseconds to wait before the retry after failure number `attempt` (0 is the first): `baseMs`, doubled with every
 * failure, at most `maxMs`. Half of it is random, so that several clients that failed together do not return together.
 */
export function backoffMs(attempt: number, baseMs: number, maxMs = Number.POSITIVE_INFINITY): number {
  const full = Math.min(maxMs, baseMs * 2 ** Math.min(attempt, maxDoublings))
  return Math.ceil(full * (1 - Math.random() / 2))
}
