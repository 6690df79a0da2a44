import { areBarsAtHand, barsOf } from '../candles/charts/bars.js'
import type { Inputs, Snapshot } from '../candles/columns.js'
import { catchUp, type LiveThreads, liveWork } from '../compute/catch-up.js'
import { barsInSlices } from '../compute/executor.js'
import type { Calculator } from '../compute/kernels/calculator.js'
import { LiveCalculation } from '../compute/results/live-calculation.js'
import type { ResultCache } from '../compute/results/result-cache.js'
import type { Market } from '../contract/market.js'
import type { IndicatorSpec } from '../contract/query.js'
import { notEnoughCandles, notSettled, type Refusal } from '../contract/refusals.js'
import type { OnChange } from '../markets/feeds/feed.js'
import type { FollowedFeed } from '../markets/feeds/feed-registry.js'
import { pause } from '../runtime/pause.js'
import type { Scheduler } from '../runtime/scheduler.js'
import { updateHead, updatePrefix } from './protocol.js'

/** Approximate cost of an update without its computation, in nanoseconds: its text, and its delivery to a few clients. */
const updateNs = 10_000
/** Delay before a thread is requested again after a refusal, in milliseconds. */
const retryMs = 1000

/** Sends a text to all connections that are subscribed to one of the server's channels. */
export type Publish = (channel: string, text: string) => void

/** Parts with which topics compute and publish. */
export interface TopicParts {
  readonly calculator: Calculator
  readonly resultCache: ResultCache
  readonly scheduler: Scheduler
  /** Runs kernels over long histories. If undefined, they run on the event loop. */
  readonly threads?: LiveThreads | undefined
  /** Updates are dropped until the server has set it. */
  publish: Publish
  /** Called when a computation throws; its topic computes the whole history again at the next change. */
  readonly onBug: (error: unknown) => void
}

/** Subscriptions with the same id of their clients. They get the same texts. */
interface Audience {
  /** The server's channels: for all updates, and for those of closed candles only. */
  readonly channel: string
  readonly closedChannel: string
  /** Beginning of its texts, with the id. */
  readonly head: string
  /** Number of subscriptions to all updates, and number of subscriptions to closed candles only. */
  all: number
  closedOnly: number
}

/** One live query: an indicator over one market, computed once for all its subscriptions. */
export class Topic {
  /** Subscriptions by the id of their clients. */
  readonly #audiences = new Map<string, Audience>()
  readonly calculation: LiveCalculation
  readonly #closedPrefix: string
  readonly #formingPrefix: string
  /** Last published values of the forming candle. */
  #publishedForming: string | undefined
  subscriptions = 0
  /** Whether work continues in later time slices or on a thread. */
  #isBusy = false
  /** Aborts its tasks on worker threads. Undefined until the first task. */
  #ending: AbortController | undefined
  #isClosed = false
  readonly #waiting: { resolve(refusal: Refusal | undefined): void; reject(error: unknown): void }[] = []
  /** Candles that are computed. Undefined at first, and after a computation that threw. */
  #advanced: Snapshot | undefined
  #hasBegun = false

  /** `id` is unique among all topics. Threads compute for the account `accountId`. */
  constructor(
    readonly id: number,
    readonly group: TopicGroup,
    readonly spec: IndicatorSpec,
    readonly accountId: string,
    private readonly parts: TopicParts,
  ) {
    this.#closedPrefix = updatePrefix(group.market, spec, true)
    this.#formingPrefix = updatePrefix(group.market, spec, false)
    this.calculation = new LiveCalculation(parts.calculator, spec, parts.resultCache)
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /**
   * Computes the current candles of its group and publishes new values. Returns false if this takes more than the
   * present time slice; then `whenCurrent` resolves later. Throws the errors of the computation.
   */
  update(): boolean {
    if (this.#isBusy) return false
    const candles = this.#candles
    const work = candles && liveWork(this.calculation, candles)
    if (work?.isShort && this.parts.scheduler.hasTime('topics', work.ns + updateNs)) {
      this.#advance(candles as Inputs)
      return true
    }
    void this.#catchUp()
    return false
  }

  /** Resolves when the current candles are computed, or with a refusal if they cannot be computed at present. */
  whenCurrent(): Promise<Refusal | undefined> {
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  /**
   * Adds a subscription with an id that its client has chosen, to all updates or to those of closed candles only. Returns
   * the server's channel that brings them. `leave` must be called with the same arguments.
   */
  join(id: string, candleClose: boolean): string {
    let audience = this.#audiences.get(id)
    if (!audience) {
      const channel = `${this.id} ${id} `
      audience = { channel, closedChannel: `${channel}c`, head: updateHead(id), all: 0, closedOnly: 0 }
      this.#audiences.set(id, audience)
    }
    audience[candleClose ? 'closedOnly' : 'all']++
    return candleClose ? audience.closedChannel : audience.channel
  }

  leave(id: string, candleClose: boolean): void {
    const audience = this.#audiences.get(id) as Audience
    audience[candleClose ? 'closedOnly' : 'all']--
    if (audience.all + audience.closedOnly === 0) this.#audiences.delete(id)
  }

  /** Ends the computations. Must be called once, when no subscriber is left. */
  close(): void {
    this.#isClosed = true
    this.#ending?.abort()
    this.calculation.close()
    this.#settle(undefined)
  }

  /** First update of a new subscription with an id, or the reason why there is none yet. */
  current(id: string, candleClose: boolean): string | Refusal {
    const forming = candleClose ? undefined : this.#newestForming()
    if (forming !== undefined) return updateHead(id) + this.#withAge(this.#formingUpdate(forming))
    const values = this.calculation.closed
    if (values !== undefined) return updateHead(id) + this.#withAge(this.#closedUpdate(values))
    const { indicator, params, settled } = this.spec
    const [{ closed, count, isFull = false }] = barsOf(this.spec.chart, this.group.computed)
    const available = candleClose ? closed : count
    const warmup = indicator.warmup(params)
    return settled && settled.first > warmup
      ? notSettled(indicator.name, settled.digits, settled.first + 1, available, isFull)
      : notEnoughCandles(indicator.name, warmup + 1, available)
  }

  /** Candles that the topic computes, or the bars of its chart. Undefined if the bars must be computed first. */
  get #candles(): Inputs | undefined {
    const { chart } = this.spec
    const { computed } = this.group
    return areBarsAtHand(chart, computed) ? barsOf(chart, computed) : undefined
  }

  /**
   * Computes the current candles in later time slices, or on a worker thread and then in a time slice. Until then, the
   * topic publishes nothing. Candles that close in that time are computed afterwards, oldest first.
   */
  async #catchUp(): Promise<void> {
    this.#isBusy = true
    this.#ending ??= new AbortController()
    const { signal } = this.#ending
    const work = {
      live: this.calculation,
      inputs: () => (this.#isClosed ? undefined : this.#candles),
      caller: { accountId: this.accountId, signal },
      visit: (closed: readonly string[]) => this.#publishClosed(closed),
    }
    try {
      while (!this.#isClosed) {
        await barsInSlices(this.spec.chart, this.group.computed)
        const refusal = await catchUp(this.parts, work)
        const candles = work.inputs()
        if (refusal) {
          this.#settle(refusal)
          await pause(retryMs, signal)
        } else if (candles) {
          this.#advance(candles)
          this.#settle(undefined)
          break
        }
      }
    } catch (error) {
      if (!this.#isClosed) this.#fail(error)
    } finally {
      this.#isBusy = false
    }
  }

  /** Resolves the promises of `whenCurrent`: with undefined if the values are current, else with a refusal. */
  #settle(refusal: Refusal | undefined): void {
    for (const { resolve } of this.#waiting.splice(0)) resolve(refusal)
  }

  /** Rejects the promises of `whenCurrent`. Without any, the error is reported. */
  #fail(error: unknown): void {
    const waiting = this.#waiting.splice(0)
    for (const { reject } of waiting) reject(error)
    if (waiting.length === 0) this.parts.onBug(error)
  }

  /**
   * Computes a change of the candles and publishes it: closed candles first, then the forming candle. The first call
   * publishes nothing.
   */
  #advance(candles: Inputs): void {
    const [computed] = this.group.computed
    if (this.#advanced === computed) return
    this.#advanced = undefined
    const { closed, forming } = this.calculation.advance(candles)
    this.#publishClosed(closed)
    if (this.#hasBegun && forming !== undefined && forming !== this.#publishedForming)
      this.#publish(this.#formingUpdate(forming), false)
    if (this.#hasBegun) this.#publishedForming = forming
    this.#hasBegun = true
    this.#advanced = computed
  }

  #publishClosed(closed: readonly string[]): void {
    for (const values of closed) this.#publish(this.#withAge(this.#closedUpdate(values)), true)
  }

  #publish(update: string, isClosed: boolean): void {
    for (const { channel, closedChannel, head, all, closedOnly } of this.#audiences.values()) {
      if (all > 0) this.parts.publish(channel, head + update)
      if (isClosed && closedOnly > 0) this.parts.publish(closedChannel, head + update)
    }
  }

  /** Current values of the forming candle, as REST returns them, even if the candle has moved since the last update. */
  #newestForming(): string | undefined {
    const { latest, computed } = this.group
    if (latest[0] === computed[0]) return this.calculation.forming
    // A client that gets these values must get the next update too, even if it equals the last one.
    this.#publishedForming = undefined
    return this.calculation.preview(barsOf(this.spec.chart, latest))
  }

  #closedUpdate(values: string): string {
    return `${this.#closedPrefix}${values}}`
  }

  #formingUpdate(values: string): string {
    return `${this.#formingPrefix}${values}}`
  }

  /** Adds the age of the newest candle to an update, if that candle is old. */
  #withAge(update: string): string {
    const age = this.group.age()
    return age === undefined ? update : `${update.slice(0, -1)},"age":${age}}`
  }
}

/** The topics of one market, as clients name it, with the feed that they share. */
export class TopicGroup {
  /** Topics by the key of their specification. */
  readonly topics = new Map<string, Topic>()
  waiting = 0
  /** Resolves when the feed is open; rejects with a SourceFailure. */
  readonly ready: Promise<void>
  #feed: FollowedFeed | undefined
  #computed: Inputs | undefined

  /** `onBug` is called with the error of a topic's computation. The other topics are computed. */
  constructor(
    readonly key: string,
    readonly market: Market,
    follow: (onChange: OnChange) => Promise<FollowedFeed>,
    onBug: (error: unknown) => void,
  ) {
    const followed = follow(inputs => {
      this.#computed = inputs
      for (const topic of this.topics.values()) {
        try {
          topic.update()
        } catch (error) {
          onBug(error)
        }
      }
    })
    this.ready = followed.then(feed => {
      this.#feed = feed
    })
  }

  get isFollowed(): boolean {
    return this.#feed !== undefined
  }

  /** The candles that the topics compute. */
  get computed(): Inputs {
    this.#computed ??= this.latest
    return this.#computed
  }

  /** Current candles. Newer than `computed` while a change of the forming candle waits. */
  get latest(): Inputs {
    if (!this.#feed) throw new Error('the candles of a market were read before it was followed')
    return this.#feed.inputs()
  }

  /** Seconds since the end of the newest candle; undefined unless the candles are old. */
  age(): number | undefined {
    return this.#feed?.age()
  }

  /** Stops following the market. */
  release(): void {
    this.#feed?.release()
  }
}
