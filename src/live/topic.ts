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

/** The cost of a step beside that of the kernel, with its text, in nanoseconds, about. */
const stepNs = 1_000

/** Sends a text to all connections that are subscribed to one of the server's channels. */
export type Publish = (channel: string, text: string) => void

/** What topics compute and publish with. */
export interface TopicParts {
  readonly calculator: Calculator
  readonly resultCache: ResultCache
  readonly publish: Publish
}

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
  /** Nanoseconds that a candle takes at most, about: its step with its text, and the kernel alone. */
  readonly nsPerCandle: number
  readonly kernelNsPerCandle: number
  /** Whether it waits for a turn of the event loop, or a thread runs its kernel. */
  work: 'none' | 'waits' | 'in a thread' = 'none'
  readonly #publish: Publish
  /** Ends its tasks in threads; undefined while it has had none. */
  #ending: AbortController | undefined
  #isClosed = false
  readonly #waiting: { resolve(refusal: Refusal | undefined): void; reject(error: unknown): void }[] = []
  /** The candles that it has computed; undefined at first, and after a computation that threw. */
  #advanced: Snapshot | undefined
  #hasBegun = false

  /** `id` is unique among all topics, `key` among those of the group. Threads compute for the account `accountId`. */
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

  /** The caller of its tasks in threads; the signal is aborted when the topic is closed. */
  get caller(): Required<Caller> {
    this.#ending ??= new AbortController()
    return { accountId: this.accountId, signal: this.#ending.signal }
  }

  /** The candles that it computes, or the bars of its chart. */
  get computed(): Snapshot {
    return barsOf(this.spec.chart, this.group.computed)
  }

  /** Whether a snapshot is still one of what it computes. Bars that were not made after a correction are others. */
  isOver({ columns }: Snapshot): boolean {
    const { chart } = this.spec
    return areBarsAtHand(chart, this.group.computed) && this.computed.columns === columns
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Whether it has computed the present candles of its group. */
  get isCurrent(): boolean {
    return this.#advanced === this.group.computed
  }

  /** Resolves when it has computed the present candles, with a refusal where it cannot at present. */
  whenCurrent(): Promise<Refusal | undefined> {
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  /** Tells all who wait for its values that they are there, or a refusal. */
  settle(refusal: Refusal | undefined): void {
    for (const { resolve } of this.#waiting.splice(0)) resolve(refusal)
  }

  /** Rejects the promises of all that wait for its values; where there are none, the error is reported by `onBug`. */
  fail(error: unknown, onBug: (error: unknown) => void): void {
    const waiting = this.#waiting.splice(0)
    for (const { reject } of waiting) reject(error)
    if (waiting.length === 0) onBug(error)
  }

  /** Ends its computations; to be called once, when there are no subscribers any more. */
  close(): void {
    this.#isClosed = true
    this.#ending?.abort()
    this.calculation.close()
    this.settle(undefined)
  }

  /** The update that a new subscription begins with, or why there is none yet. */
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
   * Computes what a change of the candles means, and publishes it: closed candles first, then the forming one. At first
   * nothing is published.
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

  /** Computes so many of the closed candles that are left, and publishes those that are new. */
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

  /** The forming candle's values; where it moved since they were published, as REST would show them. */
  #newestForming(): string | undefined {
    const { latest, computed } = this.group
    if (latest === computed) return this.calculation.forming
    // A client that gets these values must get the next ones too, even where they equal those published last.
    this.#publishedForming = undefined
    return this.calculation.preview(barsOf(this.spec.chart, latest))
  }

  #closedUpdate(values: string): string {
    return `${this.#closedPrefix}${values}}`
  }

  #formingUpdate(values: string): string {
    return `${this.#formingPrefix}${values}}`
  }

  /** An update that says how old the newest candle is, where that is old. */
  #withAge(update: string): string {
    const age = this.group.age()
    return age === undefined ? update : `${update.slice(0, -1)},"age":${age}}`
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

  /** Of old candles: seconds since the end of the newest one. */
  age(): number | undefined {
    return this.#feed?.age()
  }

  /** Follows the market no longer. */
  release(): void {
    this.#feed?.release()
  }
}
