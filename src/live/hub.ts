import { areBarsAtHand, barsOf } from '../candles/charts/bars.js'
import { refuseShort } from '../compute/answer.js'
import { barsInSlices, type Caller } from '../compute/executor.js'
import { type Market, type Markets, marketKey } from '../contract/market.js'
import { liveKey, type PreparedQuestion, type Query } from '../contract/query.js'
import { busy, isRefusal, type Refusal } from '../contract/refusals.js'
import type { Exchange, ExchangeLookup } from '../markets/exchanges/registry.js'
import type { SourceFailure } from '../markets/exchanges/source.js'
import type { OnChange } from '../markets/feeds/feed.js'
import { type Feeds, followMarkets, MarketFailure } from '../markets/feeds/feed-registry.js'
import { sourceRefusal } from '../markets/history/candle-fetcher.js'
import { findExchange } from '../markets/history/market-data.js'
import { scheduler } from '../runtime/scheduler.js'
import { type Publish, Topic, TopicGroup, type TopicParts } from './topic.js'

/** Result of a subscription that its client ended before the first update. It is never sent. */
const abandoned = busy(1)

/** The calculator is used only by the hub, because a calculator keeps the columns of the series that it saw last. */
interface Options extends Omit<TopicParts, 'publish' | 'scheduler'>, Partial<Pick<TopicParts, 'scheduler'>> {
  readonly feeds: Feeds
  readonly exchanges: Pick<ExchangeLookup, 'find' | 'ids'>
  /** Called with the topics of a market that its exchange has removed, and with the reason. */
  readonly onGone?: (topics: ReadonlySet<Topic>, refusal: Refusal) => void
}

/**
 * The topics that clients are subscribed to. Each change of a market is computed once per topic, written as JSON once,
 * and published by the server to all connections.
 */
export class Hub {
  /** Topic groups by market key, as clients name the market. */
  readonly #groups = new Map<string, TopicGroup>()
  readonly #parts: TopicParts
  #lastId = 0

  constructor(private readonly options: Options) {
    this.#parts = { scheduler, ...options, publish() {} }
  }

  /** Sets the function that publishes updates. */
  publishTo(publish: Publish): void {
    this.#parts.publish = publish
  }

  /**
   * Returns the topic of a question and counts one more subscription to it. The result is a promise unless the
   * market is followed and the computation fits into this turn. If the caller leaves while it waits, nothing more is
   * computed, and the subscription need not be ended. Errors of the computation are thrown, or reject the promise.
   */
  acquire({ query, markets }: PreparedQuestion, caller: Caller): Topic | Refusal | Promise<Topic | Refusal> {
    for (const each of markets) {
      const found = findExchange(this.options.exchanges, each.exchange)
      if (isRefusal(found)) return found
    }
    const group = this.#groupOf(markets)
    if (group.isFollowed && areBarsAtHand(query.chart, group.computed))
      return this.#join(group, query, caller)
    return this.#joinWhenReady(group, query, caller)
  }

  /** Ends one subscription to a topic that `acquire` returned. */
  release(topic: Topic): void {
    topic.subscriptions--
    // Unused topics are closed by the scheduler, because many clients may leave together.
    if (topic.subscriptions === 0)
      void this.#parts.scheduler.run('closing topics', () => this.#closeUnused(topic))
  }

  #closeUnused(topic: Topic): void {
    // Since `release`, the topic may have got another subscription, and may have lost that one, too.
    if (topic.subscriptions > 0 || topic.isClosed) return
    try {
      this.#close(topic)
    } catch (error) {
      this.options.onBug(error)
    }
  }

  #close(topic: Topic): void {
    topic.group.topics.delete(liveKey(topic.spec))
    this.#releaseUnused(topic.group)
    topic.close()
  }

  async #joinWhenReady(group: TopicGroup, query: Query, caller: Caller): Promise<Topic | Refusal> {
    group.waiting++
    try {
      await group.ready
      await barsInSlices(query.chart, group.computed)
    } catch (error) {
      if (this.#groups.get(group.key) === group) this.#groups.delete(group.key)
      const { market, cause } =
        error instanceof MarketFailure ? error : { market: group.market, cause: error }
      const { id } = findExchange(this.options.exchanges, market.exchange) as Exchange
      return sourceRefusal(cause, id, market.symbol)
    } finally {
      group.waiting--
    }
    if (!caller.signal?.aborted) return this.#join(group, query, caller)
    this.#releaseUnused(group)
    return abandoned
  }

  #join(
    group: TopicGroup,
    query: Query,
    { accountId, signal }: Caller,
  ): Topic | Refusal | Promise<Topic | Refusal> {
    const topic = this.#topicOf(group, query, accountId)
    if (isRefusal(topic)) return topic
    topic.subscriptions++
    try {
      return topic.update() ? topic : this.#whenCurrent(topic, signal)
    } catch (error) {
      this.release(topic)
      throw error
    }
  }

  /** Resolves with the topic once its values are current. A refusal or an error ends its subscription. */
  async #whenCurrent(topic: Topic, signal: Caller['signal']): Promise<Topic | Refusal> {
    let isReleased = false
    const release = () => {
      if (!isReleased) this.release(topic)
      isReleased = true
    }
    signal?.addEventListener('abort', release, { once: true })
    try {
      const refusal = await topic.whenCurrent()
      if (refusal) release()
      return refusal ?? (isReleased ? abandoned : topic)
    } catch (error) {
      release()
      throw error
    } finally {
      signal?.removeEventListener('abort', release)
    }
  }

  #topicOf(group: TopicGroup, query: Query, accountId: string): Topic | Refusal {
    const key = liveKey(query)
    const known = group.topics.get(key)
    if (known) return known
    const tooShort = refuseShort(query, barsOf(query.chart, group.computed))
    if (tooShort) {
      // The market may be unused without this topic.
      this.#releaseUnused(group)
      return tooShort
    }
    const topic = new Topic(++this.#lastId, group, query, accountId, this.#parts)
    group.topics.set(key, topic)
    return topic
  }

  /** Group of a market, or of a market with the other markets that an expression names. */
  #groupOf(markets: Markets): TopicGroup {
    const [market] = markets
    // The key has the exchange's name as the client wrote it, because updates repeat that name.
    const key = markets.map(marketKey).join()
    let group = this.#groups.get(key)
    if (!group) {
      const { feeds, exchanges } = this.options
      const follow = (each: Market, onChange: OnChange) => {
        const { id, source } = findExchange(exchanges, each.exchange) as Exchange
        const gone = (failure: SourceFailure) =>
          this.#reportGone(key, sourceRefusal(failure, id, each.symbol))
        return feeds.follow({ ...each, exchange: id }, source, onChange, gone)
      }
      group = new TopicGroup(
        key,
        market,
        onChange =>
          markets.length > 1 ? followMarkets(follow, markets, onChange) : follow(market, onChange),
        this.options.onBug,
      )
      this.#groups.set(key, group)
    }
    return group
  }

  /** Calls `onGone` with the topics of a group whose market its exchange has removed. */
  #reportGone(key: string, refusal: Refusal): void {
    const topics = new Set(this.#groups.get(key)?.topics.values())
    if (topics.size > 0) this.options.onGone?.(topics, refusal)
  }

  /** Stops following a market that nothing uses. */
  #releaseUnused(group: TopicGroup): void {
    if (group.topics.size > 0 || group.waiting > 0 || !group.isFollowed) return
    group.release()
    this.#groups.delete(group.key)
  }
}
