import type { Account } from '../contract/account.js'
import { rateWindowMs } from '../contract/limits.js'
import type { SubscriptionBounds, SubscriptionLimit } from '../contract/storage/stores.js'

interface Window {
  readonly ends: number
  /** What was subscribed to since the window began. */
  readonly topics: Set<string>
}

/**
 * In one window an account may subscribe to as many topics as its plan holds. A topic that it had in the window already,
 * as before a lost connection, is not new. Otherwise a client could read any number of values by ending each subscription
 * after its first update.
 */
export class NewSubscriptions {
  readonly #clock: () => number
  /** By account id, in the order in which they end. */
  readonly #windows = new Map<string, Window>()

  /** `clock` counts milliseconds from any time and never goes back. */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Windows in memory: the open ones, and ended ones until the next window opens. */
  get size(): number {
    return this.#windows.size
  }

  /** Counts a subscription to a topic; the seconds until the window ends where it is one too many. */
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

/** The subscriptions of this process, which are counted at once. */
export class MemorySubscriptionBounds implements SubscriptionBounds {
  readonly #newSubscriptions: NewSubscriptions
  /** Subscriptions by account id. */
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
