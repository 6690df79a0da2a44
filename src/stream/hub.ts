import { refuseShort } from '../compute/answer.js'
import type { Calculator } from '../compute/calculator.js'
import type { ResultCache } from '../compute/results/result-cache.js'
import { keyOf, type Market } from '../contract/market.js'
import { type IndicatorSpec, specKey } from '../contract/query.js'
import { isRefusal, type Refusal } from '../contract/refusals.js'
import type { Exchange, ExchangeLookup } from '../exchanges/registry.js'
import { findExchange } from '../history/market-data.js'
import { sourceRefusal } from '../history/source-refusal.js'
import type { Feeds } from '../live/feed-registry.js'
import { type Publish, Topic, TopicGroup } from './topic.js'

interface Options {
  readonly feeds: Feeds
  /** Used by the hub alone, because a calculator keeps the columns of the series that it saw last. */
  readonly calculator: Calculator
  readonly resultCache: ResultCache
  readonly exchanges: Pick<ExchangeLookup, 'find' | 'ids'>
  /** Called when a computation throws; its topic computes the whole history again at the next change. */
  readonly onBug: (error: unknown) => void
}

/**
 * The topics that clients are subscribed to. Each change of a market is computed once per topic, written as JSON once,
 * and published by the server to all connections.
 */
export class Hub {
  readonly #options: Options
  /** By the key of the market as clients name it. */
  readonly #groups = new Map<string, TopicGroup>()
  #publish: Publish = () => {}
  #lastId = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** Where updates are published from now on; those before are dropped. */
  publishTo(publish: Publish): void {
    this.#publish = publish
  }

  /**
   * The topic of a specification, for one subscription more: at once where the market is followed, after a fetch where
   * it is not. Throws, or rejects with, what its computation throws.
   */
  acquire(market: Market, spec: IndicatorSpec): Topic | Refusal | Promise<Topic | Refusal> {
    const exchange = findExchange(this.#options.exchanges, market.exchange)
    if (isRefusal(exchange)) return exchange
    const group = this.#groupOf(market, exchange)
    if (group.isFollowed) return this.#join(group, spec)
    return this.#joinWhenReady(group, market, exchange, spec)
  }

  /** Ends one subscription to a topic that `acquire` returned. */
  release(topic: Topic): void {
    topic.subscriptions--
    if (topic.subscriptions > 0) return
    topic.group.topics.delete(topic.key)
    topic.calculation.close()
    this.#releaseUnused(topic.group)
  }

  async #joinWhenReady(
    group: TopicGroup,
    market: Market,
    exchange: Exchange,
    spec: IndicatorSpec,
  ): Promise<Topic | Refusal> {
    group.waiting++
    try {
      await group.ready
    } catch (error) {
      if (this.#groups.get(group.key) === group) this.#groups.delete(group.key)
      return sourceRefusal(error, exchange.id, market.symbol)
    } finally {
      group.waiting--
    }
    return this.#join(group, spec)
  }

  #join(group: TopicGroup, spec: IndicatorSpec): Topic | Refusal {
    const key = specKey(spec)
    const topic = group.topics.get(key) ?? this.#createTopic(group, key, spec)
    if (!isRefusal(topic)) topic.subscriptions++
    return topic
  }

  #createTopic(group: TopicGroup, key: string, spec: IndicatorSpec): Topic | Refusal {
    const { calculator, resultCache } = this.#options
    try {
      const tooShort = refuseShort({ ...spec, results: 1, backtrack: 0 }, group.computed)
      if (tooShort) return tooShort
      const topic = new Topic(++this.#lastId, group, key, spec, calculator, resultCache)
      group.topics.set(key, topic)
      return topic
    } finally {
      // Without its topic nothing may be left that uses the market.
      this.#releaseUnused(group)
    }
  }

  #groupOf(market: Market, exchange: Exchange): TopicGroup {
    // By the exchange's name as the client wrote it, because updates repeat it.
    const key = keyOf(market)
    let group = this.#groups.get(key)
    if (!group) {
      const { feeds } = this.#options
      group = new TopicGroup(
        key,
        market,
        onChange => feeds.follow({ ...market, exchange: exchange.id }, exchange.source, onChange),
        changed => this.#advance(changed),
      )
      this.#groups.set(key, group)
    }
    return group
  }

  /** Follows a market no longer when nothing uses it. */
  #releaseUnused(group: TopicGroup): void {
    if (group.topics.size > 0 || group.waiting > 0 || !group.isFollowed) return
    group.release()
    this.#groups.delete(group.key)
  }

  /** Computes and publishes what a change of the candles means for each topic. */
  #advance(group: TopicGroup): void {
    for (const topic of group.topics.values()) {
      try {
        topic.advance(this.#publish)
      } catch (error) {
        this.#options.onBug(error)
      }
    }
  }
}
