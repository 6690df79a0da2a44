import type { Subscription } from '../service/streaming.js'
import { type Market, marketKey, type Parameters } from '../view/view.js'

export interface Calculation {
  readonly indicator: string
  readonly params: Parameters
  /** Equal for equal calculations. */
  readonly key: string
}

/** One subscription for each different calculation, unchanged while it is needed. */
export class SubscriptionPlan {
  #byKey = new Map<string, Subscription & { readonly key: string }>()
  #count = 0

  /** The subscriptions for exactly these calculations. */
  follow(market: Market, calculations: readonly Calculation[]): readonly Subscription[] {
    const before = this.#byKey
    this.#byKey = new Map()
    for (const calculation of calculations) {
      const key = `${marketKey(market)} ${calculation.key}`
      if (this.#byKey.has(key)) continue
      const known = before.get(key)
      this.#byKey.set(key, known ?? { ...calculation, market, id: `s${++this.#count}` })
    }
    return [...this.#byKey.values()]
  }

  /** The key of a subscription's calculation. */
  keyOf(id: string): string | undefined {
    for (const subscription of this.#byKey.values()) if (subscription.id === id) return subscription.key
    return undefined
  }
}
