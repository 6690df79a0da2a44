import { areBarsAtHand, barsOf } from '../candles/charts/bars.js'
import type { Snapshot } from '../candles/columns.js'
import { mostNsPerCandle } from '../compute/costs.js'
import type { Caller } from '../compute/executor.js'
import type { Calculator } from '../compute/kernels/calculator.js'
import { jsonUpdates, LiveCalculation } from '../compute/results/live-calculation.js'
import type { ResultCache } from '../compute/results/result-cache.js'
import type { Market } from '../contract/market.js'
import type { LiveSpec } from '../contract/query.js'
import { notEnoughCandles, notSettled, type Refusal } from '../contract/refusals.js'
import type { OnChange } from '../markets/feeds/feed.js'
import type { FollowedFeed } from '../markets/feeds/feed-registry.js'
import { updatePrefix } from './protocol.js'

/** Approximate cost of a step with its text, without the kernel, in nanoseconds. */
const stepNs = 1_000

/** Sends a text to all connections that are subscribed to one of the server's channels. */
export type Publish = (channel: string, text: string) => void

/** Parts with which topics compute and publish. */
export interface TopicParts {
  readonly calculator: Calculator
  readonly resultCache: ResultCache
  readonly publish: Publish
}

/** One live query: an indicator over one market, computed once for all its subscriptions. */
export class Topic {
  /** Channels of the server: all updates, and updates of closed candles only. */
  readonly all: string
  readonly closedOnly: string
  readonly calculation: LiveCalculation
  readonly #closedPrefix: string
  readonly #formingPrefix: string
  /** Last published values of the forming candle. */
  #publishedForming: string | undefined
  subscriptions = 0
  /** Approximate maximum cost of a candle in nanoseconds: kernel, step and text together, and the kernel alone. */
  readonly nsPerCandle: number
  readonly kernelNsPerCandle: number
  /** Pending work: `waits` for a turn of the event loop, or a kernel `in a thread`. */
  work: 'none' | 'waits' | 'in a thread' = 'none'
  readonly #publish: Publish
  /** Aborts its tasks on worker threads. Undefined until the first task. */
  #ending: AbortController | undefined
  #isClosed = false
  readonly #waiting: { resolve(refusal: Refusal | undefined): void; reject(error: unknown): void }[] = []
  /** Candles that are computed. Undefined at first, and after a computation that threw. */
  #advanced: Snapshot | undefined
  #hasBegun = false

  /** `id` is unique among all topics, `key` among the topics of the group. Threads compute for the account `accountId`. */
  constructor(
    id: number,
    readonly group: TopicGroup,
    readonly key: string,
    readonly spec: LiveSpec,
    readonly accountId: string,
    { calculator, resultCache, publish }: TopicParts,
  ) {
    this.#publish = publish
    this.kernelNsPerCandle = mostNsPerCandle(spec)
    this.nsPerCandle = stepNs + this.kernelNsPerCandle
    this.all = `${id}`
    this.closedOnly = `${id}c`
    this.#closedPrefix = updatePrefix(group.market, spec, true)
    this.#formingPrefix = updatePrefix(group.market, spec, false)
    this.calculation = new LiveCalculation(calculator, spec, jsonUpdates(spec), resultCache)
  }

  /** Caller of its tasks on worker threads. The signal is aborted when the topic is closed. */
  get caller(): Required<Caller> {
    this.#ending ??= new AbortController()
    return { accountId: this.accountId, signal: this.#ending.signal }
  }

  /** Candles that the topic computes, or the bars of its chart. */
  get computed(): Snapshot {
    return barsOf(this.spec.chart, this.group.computed)
  }

  /** Whether the topic computes the columns of this snapshot. False while the bars are not recomputed after a correction. */
  isOver({ columns }: Snapshot): boolean {
    const { chart } = this.spec
    return areBarsAtHand(chart, this.group.computed) && this.computed.columns === columns
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Whether the current candles of the group are computed. */
  get isCurrent(): boolean {
    return this.#advanced === this.group.computed
  }

  /** Resolves when the current candles are computed, or with a refusal if they cannot be computed at present. */
  whenCurrent(): Promise<Refusal | undefined> {
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  /** Resolves the promises of `whenCurrent`: with undefined if the values are current, else with a refusal. */
  settle(refusal: Refusal | undefined): void {
    for (const { resolve } of this.#waiting.splice(0)) resolve(refusal)
  }

  /** Rejects the promises of `whenCurrent`. Without any, the error is passed to `onBug`. */
  fail(error: unknown, onBug: (error: unknown) => void): void {
    const waiting = this.#waiting.splice(0)
    for (const { reject } of waiting) reject(error)
    if (waiting.length === 0) onBug(error)
  }

  /** Ends the computations. Must be called once, when no subscriber is left. */
  close(): void {
    this.#isClosed = true
    this.#ending?.abort()
    this.calculation.close()
    this.settle(undefined)
  }

  /** First update of a new subscription, or the reason why there is none yet. */
  current(candleClose: boolean): string | Refusal {
    const forming = candleClose ? undefined : this.#newestForming()
    if (forming !== undefined) return this.#withAge(this.#formingUpdate(forming))
    const values = this.calculation.closed
    if (values !== undefined) return this.#withAge(this.#closedUpdate(values))
    const { indicator, params, settled } = this.spec
    const { closed, count, isFull = false } = this.computed
    const available = candleClose ? closed : count
    const warmup = indicator.warmup(params)
    return settled && settled.first > warmup
      ? notSettled(indicator.name, settled.digits, settled.first + 1, available, isFull)
      : notEnoughCandles(indicator.name, warmup + 1, available)
  }

  /**
   * Computes a change of the candles and publishes it: closed candles first, then the forming candle. The first call
   * publishes nothing.
   */
  advance(): void {
    const { computed } = this.group
    this.#advanced = undefined
    const { closed, forming } = this.calculation.advance(this.computed)
    this.#publishClosed(closed)
    if (this.#hasBegun && forming !== undefined && forming !== this.#publishedForming)
      this.#publish(this.all, this.#formingUpdate(forming))
    if (this.#hasBegun) this.#publishedForming = forming
    this.#hasBegun = true
    this.#advanced = computed
  }

  /** Computes the next `candles` closed candles, and publishes the new ones. */
  advancePart(candles: number): void {
    this.#advanced = undefined
    this.#publishClosed(this.calculation.advancePart(this.computed, candles))
  }

  #publishClosed(closed: readonly string[]): void {
    for (const values of closed) {
      const text = this.#withAge(this.#closedUpdate(values))
      this.#publish(this.all, text)
      this.#publish(this.closedOnly, text)
    }
  }

  /** Current values of the forming candle, as REST returns them, even if the candle has moved since the last update. */
  #newestForming(): string | undefined {
    const { latest, computed } = this.group
    if (latest === computed) return this.calculation.forming
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
  /** Subscriptions that wait for the feed. */
  waiting = 0
  /** Resolves when the feed is open; rejects with a SourceFailure. */
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

  /** Current candles. Newer than `computed` while a change of the forming candle waits. */
  get latest(): Snapshot {
    if (!this.#feed) throw new Error('the candles of a market were read before it was followed')
    return this.#feed.snapshot()
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
