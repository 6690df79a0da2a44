import { rateWindowMs } from '../rate-window.js'
import type { Account } from '../store.js'
import type { Redis } from './redis.js'
import { createSharedUse, type SharedUse } from './shared-use.js'
import { ownMs } from './window-script.js'

/** The windows of one account while this node counts them by itself. */
interface OwnedWindow {
  used: number
  /** When the open window ends, and until when this node may count, by the clock of this process. */
  endsHere: number
  readonly untilHere: number
  /** What the clock of Redis was ahead of the clock of this process. */
  readonly ahead: number
  /** Under which number of `Redis.trust` it was given. */
  readonly trust: number
}

/** What was counted of an account, by the clock of Redis. */
export interface Counted {
  readonly counted: number
  readonly countedEnds: number
}

/** Accounts of which windows are kept that have ended; more of them are forgotten when a window opens. */
const maxEnded = 50_000

/** The windows that no other node has asked for: they are counted here, at once, until one does. */
export class OwnedWindows {
  readonly #redis: Pick<Redis, 'isTrusted' | 'trust'>
  readonly #clock: () => number
  /** By account id, in the order in which they end: a window that opens again moves to the end. */
  readonly #windows = new Map<string, OwnedWindow>()

  constructor(redis: Pick<Redis, 'isTrusted' | 'trust'>, clock: () => number) {
    this.#redis = redis
    this.#clock = clock
  }

  /** Counts a request, also one that is refused; undefined where Redis has to be asked. */
  take(account: Account): SharedUse | undefined {
    const now = this.#now()
    const window = this.#find(account.id, now)
    if (window === undefined) return undefined
    if (window.endsHere <= now) this.#open(account.id, window, now)
    const allowed = window.used < account.requests
    if (allowed) window.used++
    return useOf(window, account, allowed, now)
  }

  /** The window of an account for a request that costs nothing; undefined where Redis has to be asked. */
  peek(account: Account): SharedUse | undefined {
    const now = this.#now()
    const window = this.#find(account.id, now)
    if (window === undefined) return undefined
    if (window.endsHere > now) return useOf(window, account, true, now)
    return createSharedUse(true, account.requests, rateWindowMs, now + rateWindowMs + window.ahead)
  }

  /** Takes a request off the count of the window that ends at `ends`. Answers whether this node counts that window. */
  refund({ id }: Account, ends: number): boolean {
    const window = this.#find(id, this.#now())
    if (window === undefined || window.endsHere + window.ahead !== ends) return false
    if (window.used > 0) window.used--
    return true
  }

  /**
   * Begins to count the windows of an account. `used` are the requests of the one that is open, which `ends` by the clock
   * of Redis; that showed `redisNow`, after it was asked under the number `trust`.
   */
  begin(id: string, used: number, ends: number, redisNow: number, trust: number): void {
    const now = this.#now()
    const ahead = redisNow - now
    const endsHere = used === 0 ? now : ends - ahead
    this.#windows.delete(id)
    this.#windows.set(id, { used, endsHere, untilHere: now + ownMs - rateWindowMs, ahead, trust })
  }

  ids(): readonly string[] {
    return [...this.#windows.keys()]
  }

  /** Ends counting: from now on Redis is asked, which receives what was counted. */
  end(id: string): Counted {
    const window = this.#windows.get(id)
    this.#windows.delete(id)
    return { counted: window?.used ?? 0, countedEnds: window ? window.endsHere + window.ahead : 0 }
  }

  /** Forgets what was counted, because Redis is away and may give it to others. */
  clear(): void {
    this.#windows.clear()
  }

  /** Redis counts whole milliseconds. */
  #now(): number {
    return Math.floor(this.#clock())
  }

  #find(id: string, now: number): OwnedWindow | undefined {
    const window = this.#windows.get(id)
    if (window === undefined || now >= window.untilHere) return undefined
    return this.#redis.isTrusted && this.#redis.trust === window.trust ? window : undefined
  }

  #open(id: string, window: OwnedWindow, now: number): void {
    if (this.#windows.size > maxEnded)
      for (const [other, { endsHere }] of this.#windows) {
        if (endsHere > now || this.#windows.size <= maxEnded) break
        this.#windows.delete(other)
      }
    window.used = 0
    window.endsHere = now + rateWindowMs
    this.#windows.delete(id)
    this.#windows.set(id, window)
  }
}

const useOf = (
  { used, endsHere, ahead }: OwnedWindow,
  { requests }: Account,
  allowed: boolean,
  now: number,
) => createSharedUse(allowed, Math.max(0, requests - used), endsHere - now, endsHere + ahead)
