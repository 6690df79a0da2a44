import type { Account } from '../../contract/account.js'
import { rateWindowMs } from '../../contract/limits.js'
import type { RateWindows, WindowUse } from '../../contract/storage/stores.js'

/** What an account has used in a window, as replies show it. `ends` and `now` are milliseconds of one clock. */
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

/** The windows of this process, which answer at once. */
export type MemoryRateWindows = ReturnType<typeof createMemoryRateWindows>

/**
 * Fixed windows per account, in memory.
 * `clock` counts milliseconds from any time and never goes back.
 */
export function createMemoryRateWindows(clock: () => number) {
  /** By account id, in the order in which they end: a window that opens again moves to the end. */
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

    /** Windows in memory: the open ones, and ended ones until the next window opens. */
    get size() {
      return windows.size
    },
  } satisfies RateWindows & { readonly size: number }
}
