import { type Chart, readChart } from '../candles/charts/chart.js'
import { allBefore, candleAt, type Snapshot, timestampAt } from '../candles/columns.js'
import { endOf, type Timeframe, timeframes } from '../candles/timeframe.js'
import {
  becomesTrue,
  type CompiledExpression,
  compileExpression,
  otherMarketsOf,
} from '../compute/expressions/compile.js'
import type { Calculator } from '../compute/kernels/calculator.js'
import { type Market, marketKey } from '../contract/market.js'
import { isRefusal } from '../contract/refusals.js'
import type { VoidFire } from '../contract/storage/alerts.js'
import type { FollowedFeed } from '../markets/feeds/feed-registry.js'
import { findExchange } from '../markets/history/market-data.js'
import { joinMarkets } from '../markets/history/multi-market-reading.js'
import { backoffMs } from '../runtime/backoff.js'
import { pause } from '../runtime/pause.js'
import { afterTurn, type Scheduler } from '../runtime/scheduler.js'
import { type Alert, hasSettled } from './alert.js'
import { Condition } from './condition.js'
import { maxBackoffMs, type RunnerOptions } from './runner-options.js'

type Host = Pick<RunnerOptions, 'feeds' | 'exchanges' | 'backoffMs' | 'onFault'>

/** The candles of a market that conditions are evaluated over. What fails is tried again until it is closed. */
export class MarketFeed {
  readonly #market: Market
  readonly #host: Host
  readonly #onChange: () => void
  readonly #ending = new AbortController()
  #feed: FollowedFeed | undefined
  #latest: Snapshot | undefined
  /** The newest candle that was seen while candles were old, and when, in milliseconds of `performance.now()`. */
  #seen: { readonly newest: number; readonly atMs: number } | undefined
  /** Whether candles have come as time goes on since the market is followed. */
  #isLive = false
  /** Why the market cannot be followed at present. */
  failure: unknown

  constructor(market: Market, host: Host, onChange: () => void) {
    this.#market = market
    this.#host = host
    this.#onChange = onChange
    void this.#follow()
  }

  /** The candles as they are; undefined before there are any that are not old. */
  get latest(): Snapshot | undefined {
    return this.#latest
  }

  close(): void {
    this.#ending.abort()
    this.#feed?.release()
  }

  async #follow(): Promise<void> {
    const { feeds, exchanges, onFault } = this.#host
    const { signal } = this.#ending
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        const exchange = findExchange(exchanges, this.#market.exchange)
        if (isRefusal(exchange)) throw new Error(exchange.error)
        const market = { ...this.#market, exchange: exchange.id }
        const feed = await feeds.follow(market, exchange.source, snapshot => this.#change(snapshot))
        if (signal.aborted) return feed.release()
        this.#feed = feed
        this.failure = undefined
        return this.#change(feed.snapshot())
      } catch (error) {
        if (signal.aborted) return
        this.failure = error
        onFault(error, this.#market)
        await pause(backoffMs(failures, this.#host.backoffMs, maxBackoffMs), signal)
      }
    }
  }

  /** Old candles are no news: those of a market that has ended, or whose exchange cannot be reached. */
  #change(snapshot: Snapshot): void {
    this.#isLive ||= this.#feed?.age() === undefined || this.#hasMoved(snapshot)
    if (!this.#isLive) return
    this.#latest = snapshot
    this.#onChange()
  }

  /**
   * Whether the newest candle goes on with the time, so that candles look old only because the clock is ahead. What is fetched of a
   * time before moves it further at once.
   */
  #hasMoved(snapshot: Snapshot): boolean {
    if (snapshot.count === 0) return false
    const newest = timestampAt(snapshot, snapshot.count - 1)
    const before = this.#seen
    if (before?.newest === newest) return false
    const atMs = performance.now()
    this.#seen = { newest, atMs }
    return before !== undefined && newest - before.newest <= (2 * (atMs - before.atMs)) / 1000
  }
}

/** What the expressions of alerts compile to: once for each timeframe, for as long as an alert has it. */
export class Plans {
  readonly #compiled = new Map<string, WeakRef<CompiledExpression>>()

  /** Throws where the expression cannot be compiled: it was checked before, but this version may have another catalogue. */
  find(expression: string, timeframe: Timeframe): CompiledExpression {
    const key = `${timeframe} ${expression}`
    const known = this.#compiled.get(key)?.deref()
    if (known) return known
    const compiled = compileExpression(expression, { timeframe })
    if (isRefusal(compiled)) throw new Error(`${expression}: ${compiled.error}`)
    this.#compiled.set(key, new WeakRef(compiled))
    return compiled
  }

  /** Forgets those that no alert has any more. To be called now and then. */
  sweep(): void {
    for (const [key, compiled] of this.#compiled) if (!compiled.deref()) this.#compiled.delete(key)
  }
}

/** An alert whose condition was met at a candle. */
export interface Firing {
  readonly alert: Alert
  /** The open time of the candle, in Unix seconds. */
  readonly candle: number
  readonly isClosed: boolean
  /** The price at which the candle closed, or has at present. */
  readonly price: number
}

/** What the candles of a market have brought. */
export interface Evaluation {
  readonly market: string
  /** The newest closed candle that was evaluated, where that has changed. */
  readonly checkpoint: number | undefined
  readonly voidFires: readonly VoidFire[]
  readonly firings: readonly Firing[]
}

export interface WatchHost
  extends Pick<
    RunnerOptions,
    'resultCache' | 'threads' | 'feeds' | 'exchanges' | 'clock' | 'catchUpSeconds' | 'backoffMs' | 'onFault'
  > {
  readonly plans: Plans
  readonly calculator: Calculator
  readonly scheduler: Scheduler
  /** The newest candle at which an alert has fired. */
  firedAt(alert: string): number | undefined
  /** The newest closed candle of a market at which its alerts were evaluated, by this process or one before. */
  checkpointOf(market: string): number | undefined
  /** Whether what an alert fires is wanted. */
  isActive(alert: Alert): boolean
  /** Stores what candles have brought. Rejects where it cannot be stored. */
  commit(evaluation: Evaluation): Promise<void>
}

/** How long the making of an alert may take. */
const graceSeconds = 10

/** Follows one market and evaluates the conditions of its alerts. */
export class MarketWatch {
  readonly market: Market
  readonly #host: WatchHost
  readonly #key: string
  /** By expression and chart. */
  readonly #conditions = new Map<string, Condition>()
  /** Conditions that were not evaluated yet, or whose last evaluation could not be stored. */
  readonly #behind = new Set<Condition>()
  readonly #ending = new AbortController()
  readonly #feed: MarketFeed
  /** The other markets of its conditions, by key. */
  readonly #others = new Map<string, MarketFeed>()
  #isRunning = false
  #isDirty = false
  #failures = 0
  /** The newest candle that was seen last. */
  #newest = Number.NEGATIVE_INFINITY
  /** Why what the market brings cannot be stored. */
  #failure: unknown

  constructor(market: Market, host: WatchHost) {
    this.market = market
    this.#host = host
    this.#key = marketKey(market)
    this.#feed = new MarketFeed(market, host, () => this.#evaluateSoon())
  }

  /** Why the market or another one of its conditions cannot be followed, or what they bring cannot be stored. */
  get failure(): unknown {
    for (const { failure } of [this.#feed, ...this.#others.values()])
      if (failure !== undefined) return failure
    return this.#failure
  }

  get isEmpty(): boolean {
    return this.#conditions.size === 0
  }

  get conditions(): number {
    return this.#conditions.size
  }

  /** Adds an alert, or changes it. */
  set(alert: Alert): void {
    let condition = this.#conditions.get(conditionKey(alert))
    if (!condition) {
      const { plans, calculator, resultCache, scheduler, threads } = this.#host
      const compiled = plans.find(alert.expression, this.market.timeframe)
      const parts = { calculator, resultCache, scheduler, threads, caller: this.#ending }
      condition = new Condition(parts, compiled, chartOf(alert))
      this.#conditions.set(conditionKey(alert), condition)
    }
    condition.alerts.set(alert.id, alert)
    // Candles may have closed since the request for it.
    this.#behind.add(condition)
    this.#evaluateSoon()
  }

  remove(alert: Alert): void {
    const condition = this.#conditions.get(conditionKey(alert))
    if (!condition?.alerts.delete(alert.id) || condition.alerts.size > 0) return
    condition.close()
    this.#conditions.delete(conditionKey(alert))
    this.#behind.delete(condition)
    this.#closeUnused()
  }

  close(): void {
    this.#ending.abort()
    for (const condition of this.#conditions.values()) condition.close()
    for (const feed of [this.#feed, ...this.#others.values()]) feed.close()
  }

  /** Follows other markets no longer that no condition names any more. */
  #closeUnused(): void {
    if (this.#others.size === 0) return
    const named = new Set([...this.#conditions.values()].flatMap(each => this.#othersOf(each).map(marketKey)))
    for (const [key, feed] of this.#others) {
      if (named.has(key)) continue
      feed.close()
      this.#others.delete(key)
    }
  }

  #othersOf({ indicator }: Condition): readonly Market[] {
    return otherMarketsOf(indicator, this.market)
  }

  /** The candles that a condition is evaluated over: with those of its other markets, undefined before all of these are there. */
  #candlesOf(condition: Condition, own: Snapshot): Snapshot | undefined {
    const others = this.#othersOf(condition)
    if (others.length === 0) return own
    const snapshots: Snapshot[] = []
    for (const market of others) {
      const key = marketKey(market)
      const feed = this.#others.get(key) ?? new MarketFeed(market, this.#host, () => this.#evaluateSoon())
      this.#others.set(key, feed)
      if (feed.latest) snapshots.push(feed.latest)
    }
    return snapshots.length === others.length ? joinMarkets(this.market, others, own, snapshots) : undefined
  }

  #evaluateSoon(): void {
    this.#isDirty = true
    if (this.#isRunning) return
    this.#isRunning = true
    afterTurn(() => void this.#run())
  }

  /** Evaluates and stores until nothing is new. What changes meanwhile is evaluated in the next round. */
  async #run(): Promise<void> {
    const { signal } = this.#ending
    while (this.#isDirty && this.#feed.latest && !signal.aborted) {
      this.#isDirty = false
      try {
        const snapshot = this.#feed.latest
        const correction = this.#correct(snapshot)
        if (correction) await this.#host.commit(correction)
        const evaluation = await this.#evaluate(snapshot)
        if (signal.aborted) break
        if (evaluation) await this.#host.commit(evaluation)
        this.#failures = 0
        this.#failure = undefined
      } catch (error) {
        if (signal.aborted) break
        // Nothing is lost: the checkpoint is where it was, and all candles after it are evaluated again.
        for (const condition of this.#conditions.values()) this.#behind.add(condition)
        this.#failure = error
        this.#host.onFault(error, this.market)
        this.#isDirty = true
        await pause(backoffMs(this.#failures++, this.#host.backoffMs, maxBackoffMs), signal)
      }
    }
    this.#isRunning = false
  }

  /**
   * What is known of candles that do not exist, or are not closed: they were shown while a clock was ahead, or by mistake.
   * Those that come in their place are evaluated. Undefined where there are none.
   */
  #correct(snapshot: Snapshot): Evaluation | undefined {
    const { count, closed } = snapshot
    if (closed === 0) return undefined
    const newest = timestampAt(snapshot, count - 1)
    const newestClosed = timestampAt(snapshot, closed - 1)
    const checkpoint = this.#host.checkpointOf(this.#key)
    const isBack = checkpoint !== undefined && newestClosed < checkpoint
    // They are gone since the last look, or since before this process began.
    const conditions = newest < this.#newest ? this.#conditions.values() : this.#behind
    const voidFires = [...conditions].flatMap(({ alerts }) =>
      [...alerts.values()].flatMap(({ id, on }) => {
        const candle = this.#host.firedAt(id) ?? Number.NEGATIVE_INFINITY
        // A candle that is not there yet may have been read before by another process, but not one of the future.
        if (candle <= newest || candle <= this.#host.clock()) return []
        // The forming candle may be one at which it had fired before.
        return [{ alert: id, candle, after: on === 'update' ? newest : newestClosed }]
      }),
    )
    this.#newest = newest
    if (!isBack && voidFires.length === 0) return undefined
    return { market: this.#key, checkpoint: isBack ? newestClosed : undefined, voidFires, firings: [] }
  }

  /** Undefined where there is nothing to be stored. */
  async #evaluate(snapshot: Snapshot): Promise<Evaluation | undefined> {
    const firings: Firing[] = []
    const checkpoint = this.#host.checkpointOf(this.#key)
    // Another market may not be there yet, or be behind at the newest closed candle.
    let closed = snapshot.closed
    for (const condition of this.#conditions.values()) {
      const candles = this.#candlesOf(condition, snapshot)
      closed = Math.min(closed, candles?.closed ?? 0)
      if (!candles) continue
      const onClosed = (timestamp: number, value: number, before: number) =>
        this.#collect(condition, candles, timestamp, value, before, checkpoint, firings)
      // An alert that is added meanwhile has it evaluated again.
      const isBehind = this.#behind.delete(condition)
      await condition.evaluate(candles, isBehind ? this.#from(condition, candles) : undefined, onClosed)
      if (condition.isOnUpdate) await condition.preview(candles, onClosed)
    }
    const newest = closed > 0 ? timestampAt(snapshot, closed - 1) : undefined
    // Some may have been paused or deleted while others were evaluated.
    const active = firings.filter(({ alert }) => this.#host.isActive(alert))
    // Those of an older candle are delivered first, whatever their conditions.
    active.sort((a, b) => a.candle - b.candle)
    const isNew = newest !== undefined && (checkpoint === undefined || newest > checkpoint)
    if (!isNew && active.length === 0) return undefined
    return { market: this.#key, checkpoint: isNew ? newest : undefined, voidFires: [], firings: active }
  }

  /** After which candle a condition is evaluated again; `#collect` knows the bounds of each alert. */
  #from(condition: Condition, snapshot: Snapshot): number {
    let since = Number.POSITIVE_INFINITY
    for (const alert of condition.alerts.values()) since = Math.min(since, alert.since)
    return Math.max(since - timeframes[this.market.timeframe], this.#oldest(snapshot))
  }

  /** Whether an alert was evaluated at a candle before, or did not exist yet. */
  #isPast({ id, since }: Alert, timestamp: number, checkpoint: number | undefined): boolean {
    if (endOf(this.market.timeframe, timestamp) <= since) return true
    if (timestamp <= (this.#host.firedAt(id) ?? Number.NEGATIVE_INFINITY)) return true
    // A checkpoint that was set while the alert was being made says nothing about it.
    return (
      checkpoint !== undefined &&
      timestamp <= checkpoint &&
      endOf(this.market.timeframe, checkpoint) > since + graceSeconds
    )
  }

  /** Candles that open before this time fire nothing. While the clock is ahead, it is the newest candle that says the time. */
  #oldest(snapshot: Snapshot): number {
    const { clock, catchUpSeconds } = this.#host
    const newest = snapshot.count > 0 ? timestampAt(snapshot, snapshot.count - 1) : Number.POSITIVE_INFINITY
    const { timeframe } = this.market
    return Math.min(clock(), endOf(timeframe, newest)) - catchUpSeconds - timeframes[timeframe]
  }

  #collect(
    condition: Condition,
    snapshot: Snapshot,
    timestamp: number,
    value: number,
    before: number,
    checkpoint: number | undefined,
    firings: Firing[],
  ): void {
    if (value !== 1 || timestamp <= this.#oldest(snapshot)) return
    const isClosed = timestamp !== snapshot.forming?.timestamp
    const at = allBefore(snapshot, timestamp)
    for (const alert of condition.alerts.values()) {
      if (!isClosed && alert.on !== 'update') continue
      if (!hasSettled(alert, at)) continue
      if (alert.trigger === 'edge' && !becomesTrue(value, before)) continue
      if (this.#isPast(alert, timestamp, checkpoint)) continue
      // Several bars of one candle fire once.
      if (firings.some(firing => firing.alert === alert && firing.candle === timestamp)) continue
      if (!this.#host.isActive(alert)) continue
      firings.push({ alert, candle: timestamp, isClosed, price: priceAt(snapshot, timestamp) })
    }
  }
}

const conditionKey = ({ expression, chart = '' }: Alert): string => `${chart} ${expression}`

/** Throws where it is none: it was checked before, but this version may have other charts. */
function chartOf({ chart: name = 'candles' }: Alert): Chart | undefined {
  const chart = readChart(name)
  if (chart === undefined) throw new Error(`${name}: an unknown chart`)
  return chart === 'candles' ? undefined : chart
}

function priceAt(snapshot: Snapshot, timestamp: number): number {
  for (let at = snapshot.count - 1; at >= 0; at--)
    if (timestampAt(snapshot, at) === timestamp) return candleAt(snapshot, at).close
  return Number.NaN
}
