import { rateWindowSeconds } from '../contract/limits.js'
import type { Account } from '../store/store.js'

const windowMs = rateWindowSeconds * 1000

/** The window of an account after one request. */
export interface WindowUse {
  readonly allowed: boolean
  /** Requests left in the window. */
  readonly remaining: number
  /** Seconds until the window ends, at least 1. */
  readonly reset: number
  /** When the window ends, by the clock of the limits. */
  readonly ends: number
}

export interface RateLimits {
  /** Counts a request, unless the account has none left in its window. The first request opens the window. */
  take(account: Account): WindowUse
  /** The window of an account for a request that costs nothing. */
  peek(account: Account): WindowUse
  /** Takes an allowed request off the count, for a reply that costs nothing. Without effect once its window has ended. */
  refund(account: Account, use: WindowUse): WindowUse
  /** Windows in memory: the open ones, and ended ones until the next window opens. */
  readonly size: number
}

/**
 * Fixed windows per account, in memory.
 * `clock` counts milliseconds from any time and never goes back.
 */
export function createRateLimits(clock: () => number): RateLimits {
  /** By account id, in the order in which they end: a window that opens again moves to the end. */
  const windows = new Map<string, { used: number; ends: number }>()

  const useOf = (account: Account, allowed: boolean, used: number, ends: number, now: number): WindowUse => ({
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
      return useOf(account, allowed, window.used, window.ends, now)
    },

    peek(account) {
      const now = clock()
      const window = windows.get(account.id)
      const isOpen = window !== undefined && window.ends > now
      return useOf(account, true, isOpen ? window.used : 0, isOpen ? window.ends : now + windowMs, now)
    },

    refund(account, use) {
      const window = windows.get(account.id)
      if (!use.allowed || window === undefined || window.ends !== use.ends) return use
      if (window.used > 0) window.used--
      return useOf(account, true, window.used, window.ends, clock())
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
    policy = `"window";q=${requests};w=${rateWindowSeconds}`
    policies.set(requests, policy)
  }
  return policy
}

/**
 * The headers with the limit of an account and what remains of it.
 * Source: draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4.
 */
export const rateHeaders = (
  account: Account,
  { remaining, reset }: WindowUse,
): Readonly<Record<string, string>> => ({
  'RateLimit-Policy': policyOf(account.requests),
  RateLimit: `"window";r=${remaining};t=${reset}`,
})
