import { areBarsAtHand, barsOf } from '../candles/charts/bars.js'
import type { Snapshot } from '../candles/columns.js'
import { refuseShort } from '../compute/answer.js'
import { otherCandles } from '../compute/costs.js'
import { barsInSlices, type Executor } from '../compute/executor.js'
import { otherMarketsOf } from '../compute/expressions/compile.js'
import type { Calculator } from '../compute/kernels/calculator.js'
import type { ResultCache } from '../compute/results/result-cache.js'
import { type Market, marketKey } from '../contract/market.js'
import { type LiveSpec, liveKey } from '../contract/query.js'
import { busy, isRefusal, type Refusal } from '../contract/refusals.js'
import type { Exchange, ExchangeLookup } from '../markets/exchanges/registry.js'
import type { SourceFailure } from '../markets/exchanges/source.js'
import type { OnChange } from '../markets/feeds/feed.js'
import type { Feeds } from '../markets/feeds/feed-registry.js'
import { followMarkets, MarketFailure } from '../markets/feeds/feed-registry.js'
import { sourceRefusal } from '../markets/history/candle-fetcher.js'
import { findExchange } from '../markets/history/market-data.js'
import { pause } from '../runtime/pause.js'
import { candlesPerSlice, type Scheduler, scheduler, sliceNs } from '../runtime/scheduler.js'
import { type Publish, Topic, TopicGroup } from './topic.js'

/** Result of a subscription that its client ended before the first update. It is never sent. */
const abandoned = busy(1)

/** The subscriber. Worker threads compute for the account `id`. The signal is aborted when the client leaves. */
interface Asker {
  readonly id: string
  readonly signal: AbortSignal
}

const unwatchedAsker: Asker = { id: '', signal: new AbortController().signal }

interface Options {
  readonly feeds: Feeds
  /** Used only by the hub, because a calculator keeps the columns of the series that it saw last. */
  readonly calculator: Calculator
  readonly resultCache: ResultCache
  /** Runs kernels over long histories. If undefined, they run on the event loop. */
  readonly threads?: Pick<Executor, 'build'>
  readonly exchanges: Pick<ExchangeLookup, 'find' | 'ids'>
  readonly scheduler?: Scheduler
  /** Called with the topics of a market that its exchange has removed, and with the reason. */
  readonly onGone?: (topics: ReadonlySet<Topic>, refusal: Refusal) => void
  /** Called when a computation throws; its topic computes the whole history again at the next change. */
  readonly onBug: (error: unknown) => void
}

/**
 * The topics that clients are subscribed to. Each change of a market is computed once per topic, written as JSON once,
 * and published by the server to all connections.
 */
export class Hub {
  readonly #options: Options
  /** Topic groups by market key, as clients name the market. */
  readonly #groups = new Map<string, TopicGroup>()
  readonly #queue: TopicQueue
  readonly #scheduler: Scheduler
  #publish: Publish = () => {}
  #lastId = 0

  constructor(options: Options) {
    this.#options = options
    this.#scheduler = options.scheduler ?? scheduler
    this.#queue = new TopicQueue({
      threads: options.threads,
      onBug: options.onBug,
      scheduler: this.#scheduler,
    })
  }

  /** Sets the function that publishes updates. Updates are dropped until it is set. */
  publishTo(publish: Publish): void {
    this.#publish = publish
  }

  /**
   * Returns the topic of a specification and counts one more subscription to it. The result is a promise unless the
   * market is followed and the computation fits into this turn. If the asker leaves while it waits, nothing more is
   * computed, and the subscription need not be ended. Errors of the computation are thrown, or reject the promise.
   */
  acquire(
    market: Market,
    spec: LiveSpec,
    asker: Asker = unwatchedAsker,
  ): Topic | Refusal | Promise<Topic | Refusal> {
    const exchange = findExchange(this.#options.exchanges, market.exchange)
    if (isRefusal(exchange)) return exchange
    const others = otherMarketsOf(spec.indicator, market)
    for (const other of others) {
      const found = findExchange(this.#options.exchanges, other.exchange)
      if (isRefusal(found)) return found
    }
    const group = this.#groupOf(market, others)
    if (group.isFollowed && areBarsAtHand(spec.chart, group.computed)) return this.#join(group, spec, asker)
    return this.#joinWhenReady(group, spec, asker)
  }

  /** Ends one subscription to a topic that `acquire` returned. */
  release(topic: Topic): void {
    topic.subscriptions--
    // Unused topics are closed by the scheduler, because many clients may leave together.
    if (topic.subscriptions === 0) void this.#scheduler.run('closing topics', () => this.#closeUnused(topic))
  }

  #closeUnused(topic: Topic): void {
    // Since `release`, the topic may have got another subscription, and may have lost that one, too.
    if (topic.subscriptions > 0 || topic.isClosed) return
    try {
      this.#close(topic)
    } catch (error) {
      this.#options.onBug(error)
    }
  }

  #close(topic: Topic): void {
    topic.group.topics.delete(topic.key)
    this.#releaseUnused(topic.group)
    topic.close()
  }

  async #joinWhenReady(group: TopicGroup, spec: LiveSpec, asker: Asker): Promise<Topic | Refusal> {
    group.waiting++
    try {
      await group.ready
      await barsInSlices(spec.chart, group.computed)
    } catch (error) {
      if (this.#groups.get(group.key) === group) this.#groups.delete(group.key)
      const { market, cause } =
        error instanceof MarketFailure ? error : { market: group.market, cause: error }
      const { id } = findExchange(this.#options.exchanges, market.exchange) as Exchange
      return sourceRefusal(cause, id, market.symbol)
    } finally {
      group.waiting--
    }
    if (!asker.signal.aborted) return this.#join(group, spec, asker)
    this.#releaseUnused(group)
    return abandoned
  }

  #join(group: TopicGroup, spec: LiveSpec, asker: Asker): Topic | Refusal | Promise<Topic | Refusal> {
    const topic = this.#topicOf(group, spec, asker.id)
    if (isRefusal(topic)) return topic
    topic.subscriptions++
    try {
      return this.#queue.advance(topic) ? topic : this.#whenCurrent(topic, asker.signal)
    } catch (error) {
      this.release(topic)
      throw error
    }
  }

  /** Resolves with the topic once its values are current. A refusal or an error ends its subscription. */
  async #whenCurrent(topic: Topic, signal: AbortSignal): Promise<Topic | Refusal> {
    let isReleased = false
    const release = () => {
      if (!isReleased) this.release(topic)
      isReleased = true
    }
    signal.addEventListener('abort', release, { once: true })
    try {
      const refusal = await topic.whenCurrent()
      if (refusal) release()
      return refusal ?? (isReleased ? abandoned : topic)
    } catch (error) {
      release()
      throw error
    } finally {
      signal.removeEventListener('abort', release)
    }
  }

  #topicOf(group: TopicGroup, spec: LiveSpec, accountId: string): Topic | Refusal {
    const key = liveKey(spec)
    const known = group.topics.get(key)
    if (known) return known
    const tooShort = refuseShort({ ...spec, results: 1, backtrack: 0 }, barsOf(spec.chart, group.computed))
    if (tooShort) {
      // The market may be unused without this topic.
      this.#releaseUnused(group)
      return tooShort
    }
    const { calculator, resultCache } = this.#options
    const parts = {
      calculator,
      resultCache,
      publish: (channel: string, text: string) => this.#publish(channel, text),
    }
    const topic = new Topic(++this.#lastId, group, key, spec, accountId, parts)
    group.topics.set(key, topic)
    return topic
  }

  /** Group of a market, or of a market with the other markets that an expression names. */
  #groupOf(market: Market, others: readonly Market[]): TopicGroup {
    // The key has the exchange's name as the client wrote it, because updates repeat that name.
    const key = [market, ...others].map(marketKey).join()
    let group = this.#groups.get(key)
    if (!group) {
      const { feeds, exchanges } = this.#options
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
          others.length > 0 ? followMarkets(follow, market, others, onChange) : follow(market, onChange),
        changed => this.#advance(changed),
      )
      this.#groups.set(key, group)
    }
    return group
  }

  /** Calls `onGone` with the topics of a group whose market its exchange has removed. */
  #reportGone(key: string, refusal: Refusal): void {
    const topics = new Set(this.#groups.get(key)?.topics.values())
    if (topics.size > 0) this.#options.onGone?.(topics, refusal)
  }

  /** Stops following a market that nothing uses. */
  #releaseUnused(group: TopicGroup): void {
    if (group.topics.size > 0 || group.waiting > 0 || !group.isFollowed) return
    group.release()
    this.#groups.delete(group.key)
  }

  /** Computes the topics of a group after a change of its candles, and publishes the new values. */
  #advance(group: TopicGroup): void {
    for (const topic of group.topics.values()) {
      try {
        this.#queue.advance(topic)
      } catch (error) {
        this.#options.onBug(error)
      }
    }
  }
}

/** Delay before a thread is requested again after a refusal, in milliseconds. */
const retryMs = 1000

/** Approximate cost of an update without its computation, in nanoseconds: its text, and its delivery to a few clients. */
const updateNs = 10_000

interface QueueOptions {
  /** Runs kernels over whole histories. If undefined, they run on the event loop. */
  readonly threads: Pick<Executor, 'build'> | undefined
  /** Called when a computation throws; its topic computes the whole history again at the next change. */
  readonly onBug: (error: unknown) => void
  readonly scheduler: Scheduler
}

/**
 * Computes topics. Work that fits into the current turn of the event loop runs at once; the rest runs in pieces in
 * later turns. A kernel over a long history runs on a worker thread, and the topic then continues from the final state
 * of the kernel. While the thread runs, the topic publishes nothing. Candles that close in that time are computed
 * afterwards, oldest first. If the history gets other columns, the computation restarts.
 */
class TopicQueue {
  readonly #options: QueueOptions

  constructor(options: QueueOptions) {
    this.#options = options
  }

  /**
   * Computes the current candles of a topic's group. Returns false if work is left; then `topic.whenCurrent` resolves
   * later. Throws the errors of the computation.
   */
  advance(topic: Topic): boolean {
    return topic.work === 'none' && this.#hasBars(topic) && this.#step(topic)
  }

  /**
   * Whether the bars of a topic's chart are in memory. If not, the topic continues when they are computed. A correction
   * of candles recomputes all bars.
   */
  #hasBars(topic: Topic): boolean {
    const bars = barsInSlices(topic.spec.chart, topic.group.computed)
    if ('columns' in bars) return true
    topic.work = 'waits'
    void bars.then(() => this.#goOn(topic))
    return false
  }

  /** Continues a topic in a turn that has time for `ns` nanoseconds of work. Always returns false. */
  #wait(topic: Topic, ns: number): false {
    topic.work = 'waits'
    void this.#options.scheduler.next('topics', ns).then(() => this.#goOn(topic))
    return false
  }

  #goOn(topic: Topic): void {
    topic.work = 'none'
    if (topic.isClosed) return
    try {
      if (this.#hasBars(topic) && this.#step(topic, true)) topic.settle(undefined)
    } catch (error) {
      topic.fail(error, this.#options.onBug)
    }
  }

  /**
   * Runs one step of a topic if this turn has time for it. `hasTime` means that the time was already reserved. Returns
   * whether no work is left.
   */
  #step(topic: Topic, hasTime = false): boolean {
    const { calculation, nsPerCandle, kernelNsPerCandle } = topic
    const { scheduler, threads } = this.#options
    const snapshot = topic.computed
    const hasTimeFor = (ns: number) => hasTime || scheduler.hasTime('topics', ns)
    // The caller may still read the value of the newest forming candle, which costs one candle.
    if (topic.isCurrent) return hasTimeFor(nsPerCandle) || this.#wait(topic, nsPerCandle)
    const candles = calculation.candlesToRun(snapshot)
    // A run from the first candle writes only the newest values.
    const isAnew = candles === snapshot.closed
    const all = isAnew ? candles + otherCandles(topic.spec, snapshot) : candles
    const ns = nsPerCandle + all * (isAnew ? kernelNsPerCandle : nsPerCandle)
    if (candles === 0 || ns <= sliceNs) {
      if (!hasTimeFor(ns + updateNs)) return this.#wait(topic, ns + updateNs)
      topic.advance()
      return true
    }
    if (isAnew && threads) {
      topic.work = 'in a thread'
      void this.#build(topic, snapshot, threads)
      return false
    }
    const part = Math.min(candles, candlesPerSlice(nsPerCandle))
    if (hasTimeFor(part * nsPerCandle)) topic.advancePart(part)
    return this.#wait(topic, part * nsPerCandle)
  }

  /** Runs the kernel over the closed candles of a snapshot on a worker thread. */
  async #build(topic: Topic, snapshot: Snapshot, threads: Pick<Executor, 'build'>): Promise<void> {
    const { calculation, spec, caller } = topic
    try {
      const values = calculation.valuesToBuild(snapshot)
      const packed = await threads.build(spec, snapshot, values, caller)
      if (isRefusal(packed)) {
        topic.settle(packed)
        await pause(retryMs, caller.signal)
      } else if (topic.isOver(snapshot)) calculation.adopt(snapshot, packed)
      if (!topic.isClosed) this.#wait(topic, topic.nsPerCandle + updateNs)
    } catch (error) {
      topic.work = 'none'
      if (!topic.isClosed) topic.fail(error, this.#options.onBug)
    }
  }
}
