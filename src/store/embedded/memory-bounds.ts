import type { Account } from '../../contract/account.js'
import { rateWindowMs } from '../../contract/limits.js'
import type {
  FreeRetries,
  RateWindows,
  SubscriptionBounds,
  SubscriptionLimit,
  WindowUse,
} from '../../contract/storage/stores.js'

/** Milliseconds during which the retry of a pending request is free. */
export const repetitionMs = 60_000

/** Pending requests that may be retried for free in this process. */
export class MemoryFreeRetries implements FreeRetries {
  readonly #clock: () => number
  /** Time at which the free retry of a request ends; the oldest requests come first. */
  readonly #ends = new Map<string, number>()
  #lastEnd = 0

  /** `clock` counts milliseconds from any time and never goes back. */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Number of requests in memory. Expired requests count until the next request is pending. */
  get size(): number {
    return this.#ends.size
  }

  isEmpty(): boolean {
    if (this.#ends.size === 0) return true
    if (this.#lastEnd > this.#clock()) return false
    this.#ends.clear()
    return true
  }

  take(request: string): boolean {
    const ends = this.#ends.get(request)
    this.#ends.delete(request)
    return ends !== undefined && ends > this.#clock()
  }

  add(request: string): undefined {
    const now = this.#clock()
    for (const [other, ends] of this.#ends) {
      if (ends > now) break
      this.#ends.delete(other)
    }
    this.#ends.delete(request)
    this.#lastEnd = now + repetitionMs
    this.#ends.set(request, this.#lastEnd)
  }
}

interface Window {
  readonly ends: number
  /** Topics subscribed to since the window began. */
  readonly topics: Set<string>
}

/**
 * Limits the new subscriptions of an account per window to the number of subscriptions of its plan. Otherwise a client could read
 * any number of values by ending each subscription after its first update. A topic that the account already had in the window, for
 * example before a lost connection, is not new.
 */
export class NewSubscriptions {
  readonly #clock: () => number
  /** Windows by account id, in the order in which they end. */
  readonly #windows = new Map<string, Window>()

  /** `clock` counts milliseconds from any time and never goes back. */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Number of windows in memory. Ended windows count until the next window opens. */
  get size(): number {
    return this.#windows.size
  }

  /** Counts a subscription to a topic. Returns the seconds until the window ends if the subscription exceeds the limit. */
  take({ id, subscriptions }: Account, topic: string): number | undefined {
    const now = this.#clock()
    const open = this.#windows.get(id)
    const { topics, ends } = open && open.ends > now ? open : this.#openWindow(id, now)
    if (topics.size >= subscriptions && !topics.has(topic)) return Math.ceil((ends - now) / 1000)
    topics.add(topic)
    return undefined
  }

  #openWindow(id: string, now: number): Window {
    for (const [other, { ends }] of this.#windows) {
      if (ends > now) break
      this.#windows.delete(other)
    }
    const window = { ends: now + rateWindowMs, topics: new Set<string>() }
    this.#windows.set(id, window)
    return window
  }
}

/** Bounds of the subscriptions of this process, counted synchronously in memory. */
export class MemorySubscriptionBounds implements SubscriptionBounds {
  readonly #newSubscriptions: NewSubscriptions
  /** Number of subscriptions by account id. */
  readonly #held = new Map<string, number>()

  /** `clock` counts milliseconds from any time and never goes back. */
  constructor(clock: () => number) {
    this.#newSubscriptions = new NewSubscriptions(clock)
  }

  reserve(account: Account, topic: string): SubscriptionLimit {
    const held = this.#held.get(account.id) ?? 0
    if (held >= account.subscriptions) return 'plan'
    const seconds = this.#newSubscriptions.take(account, topic)
    if (seconds !== undefined) return { seconds }
    this.#held.set(account.id, held + 1)
    return undefined
  }

  release({ id }: Account): void {
    const left = (this.#held.get(id) ?? 0) - 1
    if (left > 0) this.#held.set(id, left)
    else this.#held.delete(id)
  }
}

/** Use of a window by an account, as shown in replies. `ends` and `now` are milliseconds of the same clock. */
export const windowUse = (
  { requests }: Pick<Account, 'requests'>,
  allowed: boolean,
  used: number,
  ends: number,
  now: number,
): WindowUse => ({
  allowed,
  remaining: Math.max(0, requests - used),
  reset: Math.max(1, Math.ceil((ends - now) / 1000)),
  ends,
})

/** Rate windows of this process, which answer synchronously. */
export type MemoryRateWindows = ReturnType<typeof createMemoryRateWindows>

/**
 * Creates fixed rate windows per account, in memory.
 * `clock` counts milliseconds from any time and never goes back.
 */
export function createMemoryRateWindows(clock: () => number) {
  /** Windows by account id, in the order in which they end. A window that opens again moves to the end. */
  const windows = new Map<string, { used: number; ends: number }>()

  function openWindow(id: string, now: number) {
    for (const [other, window] of windows) {
      if (window.ends > now) break
      windows.delete(other)
    }
    const window = { used: 0, ends: now + rateWindowMs }
    windows.set(id, window)
    return window
  }

  function take(account: Account, requests = 1) {
    const now = clock()
    let window = windows.get(account.id)
    if (window === undefined || window.ends <= now) window = openWindow(account.id, now)
    const allowed = window.used + requests <= account.requests
    if (allowed) window.used += requests
    return windowUse(account, allowed, window.used, window.ends, now)
  }

  return {
    take,
    takeNow: take,

    peek(account: Account) {
      const now = clock()
      const window = windows.get(account.id)
      const isOpen = window !== undefined && window.ends > now
      return windowUse(
        account,
        true,
        isOpen ? window.used : 0,
        isOpen ? window.ends : now + rateWindowMs,
        now,
      )
    },

    refund(account: Account, use: WindowUse) {
      const window = windows.get(account.id)
      if (!use.allowed || window === undefined || window.ends !== use.ends) return use
      if (window.used > 0) window.used--
      return windowUse(account, true, window.used, window.ends, clock())
    },

    /** Number of windows in memory. Ended windows count until the next window opens. */
    get size() {
      return windows.size
    },
  } satisfies RateWindows & { readonly size: number }
}
