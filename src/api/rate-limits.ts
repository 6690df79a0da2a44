import type { Account } from '../store/store.js'

const windowMs = 15_000

/** What one request did to the window of its account. */
export interface WindowUse {
  readonly allowed: boolean
  /** Requests left in the window. */
  readonly remaining: number
  /** Seconds until the window ends, from 1 to 15. */
  readonly reset: number
  /** When the window ends, by the clock of the limits. */
  readonly ends: number
}

export interface RateLimits {
  /** Counts a request, unless the account has none left in its window; the first one opens the window. */
  take(account: Account): WindowUse
  /** Gives an allowed request back, for a reply that costs nothing; too late when its window has ended. */
  refund(account: Account, turn: WindowUse): WindowUse
  /** Windows in memory: those of the last 15 seconds, and ended ones until the next window opens. */
  readonly size: number
}

/**
 * Fixed windows of 15 seconds per account, in memory.
 * `clock` counts milliseconds from any moment and never goes back.
 */
export function createRateLimits(clock: () => number): RateLimits {
  /** By account id, in the order in which they end: a window that is opened again goes to the back. */
  const windows = new Map<string, { used: number; ends: number }>()

  const turn = (account: Account, allowed: boolean, used: number, ends: number, now: number): WindowUse => ({
    allowed,
    remaining: Math.max(0, account.requests - used),
    reset: Math.max(1, Math.ceil((ends - now) / 1000)),
    ends,
  })

  function openWindow(id: string, now: number) {
    for (const [other, window] of windows) {
      if (window.ends > now) break
      windows.delete(other)
    }
    const window = { used: 0, ends: now + windowMs }
    windows.set(id, window)
    return window
  }

  return {
    take(account) {
      const now = clock()
      let window = windows.get(account.id)
      if (window === undefined || window.ends <= now) window = openWindow(account.id, now)
      const allowed = window.used < account.requests
      if (allowed) window.used++
      return turn(account, allowed, window.used, window.ends, now)
    },

    refund(account, taken) {
      const window = windows.get(account.id)
      if (!taken.allowed || window === undefined || window.ends !== taken.ends) return taken
      if (window.used > 0) window.used--
      return turn(account, true, window.used, window.ends, clock())
    },

    get size() {
      return windows.size
    },
  }
}

const policies = new Map<number, string>()

function policyOf(requests: number): string {
  let policy = policies.get(requests)
  if (policy === undefined) {
    policy = `"window";q=${requests};w=15`
    policies.set(requests, policy)
  }
  return policy
}

/**
 * The headers that tell an account its limit and what is left of it.
 * Source: draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4.
 */
export const rateHeaders = (
  account: Account,
  { remaining, reset }: WindowUse,
): Readonly<Record<string, string>> => ({
  'RateLimit-Policy': policyOf(account.requests),
  RateLimit: `"window";r=${remaining};t=${reset}`,
})
