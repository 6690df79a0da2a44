import type { Snapshot } from '../candles/columns.js'
import type { Calculator } from '../compute/calculator.js'
import { LiveCalculation } from '../compute/live-calculation.js'
import type { ResultCache } from '../compute/results/result-cache.js'
import type { Market } from '../contract/market.js'
import type { IndicatorSpec } from '../contract/query.js'
import { notEnoughCandles, type Refusal } from '../contract/refusals.js'
import type { OnChange } from '../live/feed.js'
import type { FollowedFeed } from '../live/feed-registry.js'
import { updatePrefix } from './protocol.js'

/** Sends a text to all connections that are subscribed to one of the server's channels. */
export type Publish = (channel: string, text: string) => void

/** One live query: an indicator over one market, computed once however many subscriptions it has. */
export class Topic {
  /** The server's channel with every update, and the one with those of closed candles only. */
  readonly all: string
  readonly closedOnly: string
  readonly calculation: LiveCalculation
  readonly #closedPrefix: string
  readonly #formingPrefix: string
  /** The values of the forming candle that were published last. */
  #publishedForming: string | undefined
  subscriptions = 0

  /** `id` is unique among all topics, `key` among those of the group. Throws what the calculation throws. */
  constructor(
    id: number,
    readonly group: TopicGroup,
    readonly key: string,
    readonly spec: IndicatorSpec,
    calculator: Calculator,
    resultCache: ResultCache,
  ) {
    this.all = `${id}`
    this.closedOnly = `${id}c`
    this.#closedPrefix = updatePrefix(group.market, spec, true)
    this.#formingPrefix = updatePrefix(group.market, spec, false)
    this.calculation = new LiveCalculation(calculator, spec, resultCache)
    try {
      this.calculation.advance(group.computed)
    } catch (error) {
      this.calculation.close()
      throw error
    }
  }

  /** The update that a new subscription begins with, or why there is none yet. */
  current(candleClose: boolean): string | Refusal {
    const forming = candleClose ? undefined : this.#newestForming()
    if (forming !== undefined) return this.#formingUpdate(forming)
    const values = this.calculation.closed
    if (values !== undefined) return this.#closedUpdate(values)
    const { indicator, params } = this.spec
    const { closed, count } = this.group.computed
    return notEnoughCandles(indicator.name, indicator.warmup(params) + 1, candleClose ? closed : count)
  }

  /** Computes what a change of the candles means, and publishes it: closed candles first, then the forming one. */
  advance(publish: Publish): void {
    const { closed, forming } = this.calculation.advance(this.group.computed)
    for (const values of closed) {
      const text = this.#closedUpdate(values)
      publish(this.all, text)
      publish(this.closedOnly, text)
    }
    if (forming !== undefined && forming !== this.#publishedForming)
      publish(this.all, this.#formingUpdate(forming))
    this.#publishedForming = forming
  }

  /** The forming candle's values; where it moved since they were published, as REST would show them. */
  #newestForming(): string | undefined {
    const { latest, computed } = this.group
    if (latest === computed) return this.calculation.forming
    // A client that gets these values must get the next ones too, even where they equal those published last.
    this.#publishedForming = undefined
    return this.calculation.preview(latest)
  }

  #closedUpdate(values: string): string {
    return `${this.#closedPrefix}${values}}`
  }

  #formingUpdate(values: string): string {
    return `${this.#formingPrefix}${values}}`
  }
}

/** The topics of one market, as clients name it, with the feed that they share. */
export class TopicGroup {
  /** By the key of their specification. */
  readonly topics = new Map<string, Topic>()
  /** Subscriptions that wait for the feed. */
  waiting = 0
  /** Resolves when there is a feed; rejects with a SourceFailure. */
  readonly ready: Promise<void>
  #feed: FollowedFeed | undefined
  #computed: Snapshot | undefined

  /** `onChange` is called when the candles have changed, before any topic has computed them. */
  constructor(
    readonly key: string,
    readonly market: Market,
    follow: (onChange: OnChange) => Promise<FollowedFeed>,
    onChange: (group: TopicGroup) => void,
  ) {
    const followed = follow(snapshot => {
      this.#computed = snapshot
      onChange(this)
    })
    this.ready = followed.then(feed => {
      this.#feed = feed
    })
  }

  get isFollowed(): boolean {
    return this.#feed !== undefined
  }

  /** The candles that the topics compute. */
  get computed(): Snapshot {
    this.#computed ??= this.latest
    return this.#computed
  }

  /** The candles as they are now: newer than `computed` while a change of the forming candle has to wait. */
  get latest(): Snapshot {
    if (!this.#feed) throw new Error('the candles of a market were read before it was followed')
    return this.#feed.snapshot()
  }

  /** Follows the market no longer. */
  release(): void {
    this.#feed?.release()
  }
}
