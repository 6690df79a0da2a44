import type { Snapshot } from '../candles/columns.js'
import type { Calculator } from '../compute/calculator.js'
import { Stream } from '../compute/live-calculation.js'
import { keyOf, type Market } from '../contract/market.js'
import type { Asked } from '../contract/query.js'
import { exchangeNotFound, notEnoughCandles, type Refusal } from '../contract/refusals.js'
import type { Exchange } from '../exchanges/registry.js'
import type { Follower, Following, Live } from '../live/follower.js'
import { refusalOf } from '../history/source-refusal.js'
import { updateBeginning } from './protocol.js'

/** Sends a text to all who listen to a native topic of the server. */
export type Publish = (topic: string, text: string) => void

interface Options {
  readonly live: Live
  /** One of its own: the columns that it keeps are those that move. */
  readonly calculator: Calculator
  readonly exchanges: { find(name: string): Exchange | undefined }
  /** Told of a computation that ended with a bug; its topic runs its history again at the next candle. */
  readonly onBug: (error: unknown) => void
}

/** The same for the same question about the same market, however it was spelled. */
const questionKey = ({ indicator, params, source, source2 }: Asked): string =>
  JSON.stringify([indicator.name, Object.values(params), source, source2])

/** One live question, computed once however many listen. */
export class Topic {
  /** The server's own topics: every update, and those of closed candles only. */
  readonly all: string
  readonly closes: string
  readonly stream: Stream
  /** The values of the forming candle that were published last. */
  lastForming: string | undefined
  listeners = 0

  constructor(
    number: number,
    readonly feed: Feed,
    readonly key: string,
    readonly asked: Asked,
    calculator: Calculator,
  ) {
    this.all = `${number}`
    this.closes = `${number}c`
    this.stream = new Stream(calculator, asked)
    this.stream.advance(feed.seen)
  }

  /** The update that a new listener begins with, or why there is none yet. */
  current(candleClose: boolean): string | Refusal {
    const data = candleClose ? this.stream.closed : this.#newest()
    if (data !== undefined) return this.feed.update(data)
    const { indicator, params } = this.asked
    const { closed, count } = this.feed.seen
    return notEnoughCandles(indicator.name, indicator.lookback(params) + 1, candleClose ? closed : count)
  }

  /** Between two rounds of updates the forming candle may have moved on; REST would show it as it is. */
  #newest(): string | undefined {
    const { latest, seen } = this.feed
    if (latest === seen) return this.stream.current
    // Whoever hears this value must hear the next one, even where it is the one published last.
    this.lastForming = undefined
    return this.stream.glimpse(latest)
  }
}

/** A market that is followed, with all that is asked about it. */
class Feed implements Follower {
  readonly topics = new Map<string, Topic>()
  /** Subscriptions that wait for the candles. */
  waiting = 0
  following: Following | undefined
  readonly ready: Promise<Following>
  readonly #beginning: string
  readonly #changed: (feed: Feed) => void
  #seen: Snapshot | undefined

  constructor(
    readonly key: string,
    market: Market,
    follow: (follower: Follower) => Promise<Following>,
    changed: (feed: Feed) => void,
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

  changed(snapshot: Snapshot): void {
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
  readonly #feeds = new Map<string, Feed>()
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
  open(market: Market, asked: Asked): Topic | Refusal | Promise<Topic | Refusal> {
    const exchange = this.#options.exchanges.find(market.exchange)
    if (!exchange) return exchangeNotFound(market.exchange)
    const feed = this.#feedOf(market, exchange)
    if (feed.following) return this.#join(feed, asked)
    return this.#await(feed, market, exchange, asked)
  }

  /** Gives a topic back that `open` answered. */
  close(topic: Topic): void {
    topic.listeners--
    if (topic.listeners > 0) return
    topic.feed.topics.delete(topic.key)
    this.#leave(topic.feed)
  }

  async #await(feed: Feed, market: Market, exchange: Exchange, asked: Asked): Promise<Topic | Refusal> {
    feed.waiting++
    try {
      await feed.ready
    } catch (error) {
      if (this.#feeds.get(feed.key) === feed) this.#feeds.delete(feed.key)
      return refusalOf(error, exchange.id, market.symbol)
    } finally {
      feed.waiting--
    }
    return this.#join(feed, asked)
  }

  #join(feed: Feed, asked: Asked): Topic | Refusal {
    const key = questionKey(asked)
    let topic = feed.topics.get(key)
    if (!topic) {
      const needed = asked.indicator.lookback(asked.params) + 1
      const { count } = feed.seen
      if (count < needed) {
        this.#leave(feed)
        return notEnoughCandles(asked.indicator.name, needed, count)
      }
      topic = new Topic(++this.#topics, feed, key, asked, this.#options.calculator)
      feed.topics.set(key, topic)
    }
    topic.listeners++
    return topic
  }

  #feedOf(market: Market, exchange: Exchange): Feed {
    // By the exchange's name as the client says it: updates repeat it.
    const key = keyOf(market)
    let feed = this.#feeds.get(key)
    if (!feed) {
      const { live } = this.#options
      feed = new Feed(
        key,
        market,
        follower => live.follow({ ...market, exchange: exchange.id }, exchange.source, follower),
        changed => this.#spread(changed),
      )
      this.#feeds.set(key, feed)
    }
    return feed
  }

  #leave(feed: Feed): void {
    if (feed.topics.size > 0 || feed.waiting > 0 || !feed.following) return
    feed.following.release()
    this.#feeds.delete(feed.key)
  }

  /** Computes and publishes what a change of the candles means for each question about them. */
  #spread(feed: Feed): void {
    // Between the arrival of the first candles and the first question there is nothing to tell.
    if (!feed.following) return
    for (const topic of feed.topics.values()) {
      try {
        const { closed, forming } = topic.stream.advance(feed.seen)
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
