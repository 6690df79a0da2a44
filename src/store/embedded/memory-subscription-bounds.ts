import { NewSubscriptions } from '../new-subscriptions.js'
import type { Account, SubscriptionBounds, SubscriptionLimit } from '../store.js'

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
