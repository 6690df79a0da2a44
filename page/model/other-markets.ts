import type { Subscription, Update } from '../service/streaming.js'
import { type Market, marketKey } from '../view/view.js'
import type { Loader } from './loader.js'
import { OtherMarket } from './other-market.js'
import { candleIndicator } from './requests.js'

interface Options {
  readonly loader: Loader
  /** Prefix of the ids of its subscriptions. */
  readonly prefix: string
  /** Called when the candles of a market have changed; `isLive` if only the newest one did. */
  readonly onChange: (other: OtherMarket, isLive: boolean) => void
  readonly onFollow: () => void
}

/** The candles of several markets in addition to that of the chart. */
export class OtherMarkets {
  readonly #options: Options
  readonly #shown = new Map<string, { readonly id: string; readonly other: OtherMarket }>()
  #count = 0

  constructor(options: Options) {
    this.#options = options
  }

  get all(): readonly OtherMarket[] {
    return [...this.#shown.values()].map(({ other }) => other)
  }

  /** Follows exactly these markets; loads `count` candles of each new one. */
  show(markets: readonly Market[], count: number): void {
    const { loader, prefix, onChange, onFollow } = this.#options
    const wanted = new Map(markets.map(market => [marketKey(market), market]))
    for (const [key, { other }] of this.#shown)
      if (!wanted.has(key)) {
        other.end()
        this.#shown.delete(key)
      }
    for (const [key, market] of wanted)
      if (!this.#shown.has(key)) {
        const other: OtherMarket = new OtherMarket({
          loader,
          market,
          count,
          onChange: isLive => onChange(other, isLive),
        })
        this.#shown.set(key, { id: `${prefix}${++this.#count}`, other })
      }
    onFollow()
  }

  get subscriptions(): readonly Subscription[] {
    return [...this.#shown.values()].map(({ id, other: { market } }) => ({
      id,
      market,
      indicator: candleIndicator,
      params: {},
    }))
  }

  receive(update: Update): void {
    if (update.indicator !== candleIndicator) return
    for (const { other } of this.#shown.values()) other.receive(update)
  }

  reconnected(): void {
    for (const { other } of this.#shown.values()) other.reconnected()
  }

  refuseSubscription(id: string, error: string): void {
    for (const shown of this.#shown.values()) if (shown.id === id) shown.other.refuse(`Not live: ${error}`)
  }
}
