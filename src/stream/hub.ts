import type { Snapshot } from '../candles/columns.js'
import type { Calculator } from '../compute/calculator.js'
import { LiveCalculation } from '../compute/live-calculation.js'
import { keyOf, type Market } from '../contract/market.js'
import type { IndicatorSpec } from '../contract/query.js'
import { isRefusal, notEnoughCandles, type Refusal } from '../contract/refusals.js'
import type { Exchange } from '../exchanges/registry.js'
import { findExchange } from '../history/market-data.js'
import { sourceRefusal } from '../history/source-refusal.js'
import type { FollowedMarket, Follower, LiveMarkets } from '../live/follower.js'
import { updateBeginning } from './protocol.js'

/** Sends a text to all who listen to a native topic of the server. */
export type Publish = (topic: string, text: string) => void

interface Options {
  readonly live: LiveMarkets
  /** One of its own: the columns that it keeps are those that move. */
  readonly calculator: Calculator
  readonly exchanges: { find(name: string): Exchange | undefined }
  /** Told of a computation that ended with a bug; its topic runs its history again at the next candle. */
  readonly onBug: (error: unknown) => void
}

/** The same for the same question about the same market, however it was spelled. */
const specKey = ({ indicator, params, source, source2 }: IndicatorSpec): string =>
  JSON.stringify([indicator.name, Object.values(params), source, source2])

/** One live question, computed once however many listen. */
export class Topic {
  /** The server's own topics: every update, and those of closed candles only. */
  readonly all: string
  readonly closes: string
  readonly calculation: LiveCalculation
  /** The values of the forming candle that were published last. */
  lastForming: string | undefined
  listeners = 0

  constructor(
    number: number,
    readonly market: MarketTopics,
    readonly key: string,
    readonly spec: IndicatorSpec,
    calculator: Calculator,
  ) {
    this.all = `${number}`
    this.closes = `${number}c`
    this.calculation = new LiveCalculation(calculator, spec)
    this.calculation.advance(market.seen)
  }

  /** The update that a new listener begins with, or why there is none yet. */
  current(candleClose: boolean): string | Refusal {
    const data = candleClose ? this.calculation.closed : this.#newest()
    if (data !== undefined) return this.market.update(data)
    const { indicator, params } = this.spec
    const { closed, count } = this.market.seen
    return notEnoughCandles(indicator.name, indicator.lookback(params) + 1, candleClose ? closed : count)
  }

  /** Between two rounds of updates the forming candle may have moved on; REST would show it as it is. */
  #newest(): string | undefined {
    const { latest, seen } = this.market
    if (latest === seen) return this.calculation.current
    // Whoever hears this value must hear the next one, even where it is the one published last.
    this.lastForming = undefined
    return this.calculation.preview(latest)
  }
}

/** A market that is followed, with all that is spec about it. */
class MarketTopics implements Follower {
  readonly topics = new Map<string, Topic>()
  /** Subscriptions that wait for the candles. */
  waiting = 0
  following: FollowedMarket | undefined
  readonly ready: Promise<FollowedMarket>
  readonly #beginning: string
  readonly #changed: (feed: MarketTopics) => void
  #seen: Snapshot | undefined

  constructor(
    readonly key: string,
    market: Market,
    follow: (follower: Follower) => Promise<FollowedMarket>,
    changed: (feed: MarketTopics) => void,
  ) {
    this.#beginning = updateBeginning(market)
    this.#changed = changed
    this.ready = follow(this).then(following => {
      this.following = following
      return following
    })
  }

  /** The candles as the topics have seen them. */
  get seen(): Snapshot {
    this.#seen ??= this.latest
    return this.#seen
  }

  get latest(): Snapshot {
    if (!this.following) throw new Error('a feed was read before it had candles')
    return this.following.snapshot()
  }

  onChange(snapshot: Snapshot): void {
    this.#seen = snapshot
    this.#changed(this)
  }

  update(data: string): string {
    return `${this.#beginning}${data}}`
  }
}

/**
 * Keeps every question that somebody listens to up to date: one computation per question and candle, one text, and
 * the server's own publishing to all who listen.
 */
export class Hub {
  readonly #options: Options
  readonly #feeds = new Map<string, MarketTopics>()
  #publish: Publish = () => {}
  #topics = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** Where updates go; nobody hears those before. */
  publishTo(publish: Publish): void {
    this.#publish = publish
  }

  /**
   * The topic of a question, held for one listener more: at once where it is computed already, after a fetch where
   * nobody follows the market.
   */
  open(market: Market, spec: IndicatorSpec): Topic | Refusal | Promise<Topic | Refusal> {
    const exchange = findExchange(this.#options.exchanges, market.exchange)
    if (isRefusal(exchange)) return exchange
    const feed = this.#feedOf(market, exchange)
    if (feed.following) return this.#join(feed, spec)
    return this.#await(feed, market, exchange, spec)
  }

  /** Gives a topic back that `open` answered. */
  close(topic: Topic): void {
    topic.listeners--
    if (topic.listeners > 0) return
    topic.market.topics.delete(topic.key)
    this.#leave(topic.market)
  }

  async #await(
    feed: MarketTopics,
    market: Market,
    exchange: Exchange,
    spec: IndicatorSpec,
  ): Promise<Topic | Refusal> {
    feed.waiting++
    try {
      await feed.ready
    } catch (error) {
      if (this.#feeds.get(feed.key) === feed) this.#feeds.delete(feed.key)
      return sourceRefusal(error, exchange.id, market.symbol)
    } finally {
      feed.waiting--
    }
    return this.#join(feed, spec)
  }

  #join(feed: MarketTopics, spec: IndicatorSpec): Topic | Refusal {
    const key = specKey(spec)
    let topic = feed.topics.get(key)
    if (!topic) {
      const needed = spec.indicator.lookback(spec.params) + 1
      const { count } = feed.seen
      if (count < needed) {
        this.#leave(feed)
        return notEnoughCandles(spec.indicator.name, needed, count)
      }
      topic = new Topic(++this.#topics, feed, key, spec, this.#options.calculator)
      feed.topics.set(key, topic)
    }
    topic.listeners++
    return topic
  }

  #feedOf(market: Market, exchange: Exchange): MarketTopics {
    // By the exchange's name as the client says it: updates repeat it.
    const key = keyOf(market)
    let feed = this.#feeds.get(key)
    if (!feed) {
      const { live } = this.#options
      feed = new MarketTopics(
        key,
        market,
        follower => live.follow({ ...market, exchange: exchange.id }, exchange.source, follower),
        changed => this.#spread(changed),
      )
      this.#feeds.set(key, feed)
    }
    return feed
  }

  #leave(feed: MarketTopics): void {
    if (feed.topics.size > 0 || feed.waiting > 0 || !feed.following) return
    feed.following.release()
    this.#feeds.delete(feed.key)
  }

  /** Computes and publishes what a change of the candles means for each question about them. */
  #spread(feed: MarketTopics): void {
    // Between the arrival of the first candles and the first question there is nothing to tell.
    if (!feed.following) return
    for (const topic of feed.topics.values()) {
      try {
        const { closed, forming } = topic.calculation.advance(feed.seen)
        for (const data of closed) {
          const text = feed.update(data)
          this.#publish(topic.all, text)
          this.#publish(topic.closes, text)
        }
        if (forming !== undefined && forming !== topic.lastForming)
          this.#publish(topic.all, feed.update(forming))
        topic.lastForming = forming
      } catch (error) {
        this.#options.onBug(error)
      }
    }
  }
}
