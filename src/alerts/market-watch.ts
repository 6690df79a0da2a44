import { type Chart, readChart } from '../candles/charts/chart.js'
import { allBefore, candleAt, type Inputs, type Snapshot, timestampAt } from '../candles/columns.js'
import { endOf, type Timeframe, timeframes } from '../candles/timeframe.js'
import {
  becomesTrue,
  type CompiledExpression,
  compileExpression,
  marketsOf,
} from '../compute/expressions/compile.js'
import { type Market, marketKey } from '../contract/market.js'
import type { PreparedQuestion } from '../contract/query.js'
import { isRefusal } from '../contract/refusals.js'
import type { VoidFire } from '../contract/storage/alerts.js'
import type { FollowedFeed } from '../markets/feeds/feed-registry.js'
import { findExchange } from '../markets/history/market-data.js'
import { joinMarkets } from '../markets/history/multi-market-reading.js'
import { backoffMs } from '../runtime/backoff.js'
import { pause } from '../runtime/pause.js'
import { afterTurn } from '../runtime/scheduler.js'
import { type Alert, hasSettled } from './alert.js'
import { Condition, type OnValue } from './condition.js'
import { maxBackoffMs, type RunnerOptions } from './runner-options.js'

type Host = Pick<RunnerOptions, 'feeds' | 'exchanges' | 'backoffMs' | 'onFault'>

/** Live candles of a market for conditions. Retries failures until closed. */
export class MarketFeed {
  readonly #ending = new AbortController()
  #feed: FollowedFeed | undefined
  #latest: Snapshot | undefined
  /**
   * Newest candle seen while candles were old, and the time when it was seen, in milliseconds of `performance.now()`.
   */
  #seen: { readonly newest: number; readonly atMs: number } | undefined
  /** Whether current candles have arrived since the market is followed. */
  #isLive = false
  /** Error that keeps the market from being followed at present. */
  failure: unknown

  constructor(
    readonly market: Market,
    private readonly host: Host,
    private readonly onChange: () => void,
  ) {
    void this.#follow()
  }

  /** Current candles; undefined until the first candles that are not old. */
  get latest(): Snapshot | undefined {
    return this.#latest
  }

  close(): void {
    this.#ending.abort()
    this.#feed?.release()
  }

  async #follow(): Promise<void> {
    const { feeds, exchanges, onFault } = this.host
    const { signal } = this.#ending
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        const exchange = findExchange(exchanges, this.market.exchange)
        if (isRefusal(exchange)) throw new Error(exchange.error)
        const market = { ...this.market, exchange: exchange.id }
        const feed = await feeds.follow(market, exchange.source, ([snapshot]) => this.#change(snapshot))
        if (signal.aborted) return feed.release()
        this.#feed = feed
        this.failure = undefined
        return this.#change(feed.inputs()[0])
      } catch (error) {
        if (signal.aborted) return
        this.failure = error
        onFault(error, this.market)
        await pause(backoffMs(failures, this.host.backoffMs, maxBackoffMs), signal)
      }
    }
  }

  /** Ignores old candles, such as those of a delisted market or of an unreachable exchange. */
  #change(snapshot: Snapshot): void {
    this.#isLive ||= this.#feed?.age() === undefined || this.#hasMoved(snapshot)
    if (!this.#isLive) return
    this.#latest = snapshot
    this.onChange()
  }

  /**
   * Whether the newest candle advances with real time, so that candles look old only because the clock is ahead. A
   * fetch of missed candles advances it by more at once.
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

/** Compiled expressions of alerts, one per expression and timeframe. Each is kept while an alert uses it. */
export class Plans {
  readonly #compiled = new Map<string, WeakRef<CompiledExpression>>()

  /**
   * Compiles an expression. Throws if this fails: the expression was checked when stored, but this version may have
   * another catalogue.
   */
  find(expression: string, timeframe: Timeframe): CompiledExpression {
    const key = `${timeframe} ${expression}`
    const known = this.#compiled.get(key)?.deref()
    if (known) return known
    const compiled = compileExpression(expression, { timeframe })
    if (isRefusal(compiled)) throw new Error(`${expression}: ${compiled.error}`)
    this.#compiled.set(key, new WeakRef(compiled))
    return compiled
  }

  /** Removes entries that no alert uses. Must be called regularly. */
  sweep(): void {
    for (const [key, compiled] of this.#compiled) if (!compiled.deref()) this.#compiled.delete(key)
  }
}

/** An alert whose condition was met at a candle. */
export interface Firing {
  readonly alert: Alert
  /** Open time of the candle, in Unix seconds. */
  readonly candle: number
  readonly isClosed: boolean
  /** Close of the candle, or its current price while it is forming. */
  readonly price: number
}

export interface Evaluation {
  readonly market: string
  /** Newest evaluated closed candle; undefined if unchanged. */
  readonly checkpoint: number | undefined
  readonly voidFires: readonly VoidFire[]
  readonly firings: readonly Firing[]
}

export interface WatchHost
  extends Pick<
    RunnerOptions,
    'executor' | 'feeds' | 'exchanges' | 'clock' | 'catchUpSeconds' | 'backoffMs' | 'onFault'
  > {
  readonly plans: Plans
  firedAt(alert: string): number | undefined
  /** Newest closed candle of a market at which its alerts were evaluated, by this process or an earlier one. */
  checkpointOf(market: string): number | undefined
  isActive(alert: Alert): boolean
  /** Stores an evaluation. Rejects if the store fails. */
  commit(evaluation: Evaluation): Promise<void>
}

/** Maximum time for creating an alert, in seconds. */
const graceSeconds = 10

/** Follows one market and evaluates the conditions of its alerts. */
export class MarketWatch {
  readonly #key: string
  /** Conditions by expression and chart. */
  readonly #conditions = new Map<string, Condition>()
  /** Conditions that were not evaluated yet, or whose last evaluation could not be stored. */
  readonly #behind = new Set<Condition>()
  readonly #ending = new AbortController()
  readonly #feed: MarketFeed
  readonly #others = new Map<Condition, readonly MarketFeed[]>()
  #isRunning = false
  #isDirty = false
  #failures = 0
  /** Newest candle of the last evaluated snapshot. */
  #newest = Number.NEGATIVE_INFINITY
  /** Error of the last evaluation, or of storing it. */
  #failure: unknown

  constructor(
    readonly market: Market,
    private readonly host: WatchHost,
  ) {
    this.#key = marketKey(market)
    this.#feed = new MarketFeed(market, host, () => this.#evaluateSoon())
  }

  /**
   * Error that keeps this market or another market of its conditions from being followed, or the error of the last
   * evaluation.
   */
  get failure(): unknown {
    for (const { failure } of [this.#feed, ...[...this.#others.values()].flat()])
      if (failure !== undefined) return failure
    return this.#failure
  }

  get conditions(): number {
    return this.#conditions.size
  }

  set(alert: Alert): void {
    let condition = this.#conditions.get(conditionKey(alert))
    if (!condition) {
      const question = this.#questionOf(alert)
      condition = new Condition(question, this.host.executor, this.#ending.signal)
      this.#conditions.set(conditionKey(alert), condition)
      const [, ...others] = question.markets
      this.#others.set(
        condition,
        others.map(each => new MarketFeed(each, this.host, () => this.#evaluateSoon())),
      )
    }
    condition.alerts.set(alert.id, alert)
    // Candles may have closed since the request that created it.
    this.#behind.add(condition)
    this.#evaluateSoon()
  }

  #questionOf(alert: Alert): PreparedQuestion {
    const { spec } = this.host.plans.find(alert.expression, this.market.timeframe)
    const query = { ...spec, chart: chartOf(alert), results: 1, backtrack: 0 }
    return { query, markets: marketsOf(spec.indicator, this.market) }
  }

  remove(alert: Alert): void {
    const condition = this.#conditions.get(conditionKey(alert))
    if (!condition?.alerts.delete(alert.id) || condition.alerts.size > 0) return
    this.#conditions.delete(conditionKey(alert))
    this.#behind.delete(condition)
    this.#close(condition)
  }

  close(): void {
    this.#ending.abort()
    this.#feed.close()
    for (const condition of this.#conditions.values()) this.#close(condition)
  }

  #close(condition: Condition): void {
    for (const feed of this.#others.get(condition) ?? []) feed.close()
    this.#others.delete(condition)
  }

  /** Candles for a condition, joined with those of its other markets. Undefined until all of them have arrived. */
  #candlesOf(condition: Condition, own: Snapshot): Inputs | undefined {
    const feeds = this.#others.get(condition) ?? []
    const snapshots = feeds.flatMap(({ latest }) => latest ?? [])
    if (snapshots.length < feeds.length) return undefined
    return joinMarkets(condition.question.markets, [own, ...snapshots])
  }

  #evaluateSoon(): void {
    this.#isDirty = true
    if (this.#isRunning) return
    this.#isRunning = true
    afterTurn(() => void this.#run())
  }

  /** Evaluates and stores until nothing has changed. Changes during a round are evaluated in the next one. */
  async #run(): Promise<void> {
    const { signal } = this.#ending
    while (this.#isDirty && this.#feed.latest && !signal.aborted) {
      this.#isDirty = false
      try {
        const snapshot = this.#feed.latest
        const correction = this.#correct(snapshot)
        if (correction) await this.host.commit(correction)
        const evaluation = await this.#evaluate(snapshot)
        if (signal.aborted) break
        if (evaluation) await this.host.commit(evaluation)
        this.#failures = 0
        this.#failure = undefined
      } catch (error) {
        if (signal.aborted) break
        // Nothing is lost: the checkpoint is unchanged, so all later candles are evaluated again.
        for (const condition of this.#conditions.values()) this.#behind.add(condition)
        this.#failure = error
        this.host.onFault(error, this.market)
        this.#isDirty = true
        await pause(backoffMs(this.#failures++, this.host.backoffMs, maxBackoffMs), signal)
      }
    }
    this.#isRunning = false
  }

  /**
   * Corrects fires and the checkpoint of candles that do not exist or are not closed. They were shown while a clock was
   * ahead, or by mistake. The candles that replace them are evaluated. Undefined if nothing must be corrected.
   */
  #correct(snapshot: Snapshot): Evaluation | undefined {
    const { count, closed } = snapshot
    if (closed === 0) return undefined
    const newest = timestampAt(snapshot, count - 1)
    const newestClosed = timestampAt(snapshot, closed - 1)
    const checkpoint = this.host.checkpointOf(this.#key)
    const isBack = checkpoint !== undefined && newestClosed < checkpoint
    // The candles have vanished since the last snapshot, or before this process started.
    const conditions = newest < this.#newest ? this.#conditions.values() : this.#behind
    const voidFires = [...conditions].flatMap(({ alerts }) =>
      [...alerts.values()].flatMap(({ id, on }) => {
        const candle = this.host.firedAt(id) ?? Number.NEGATIVE_INFINITY
        // A candle that is missing here may have been read by another process, unless it is in the future.
        if (candle <= newest || candle <= this.host.clock()) return []
        // The alert may have fired at the forming candle already.
        return [{ alert: id, candle, after: on === 'update' ? newest : newestClosed }]
      }),
    )
    this.#newest = newest
    if (!isBack && voidFires.length === 0) return undefined
    return { market: this.#key, checkpoint: isBack ? newestClosed : undefined, voidFires, firings: [] }
  }

  /** Evaluates all conditions; undefined if there is nothing to store. */
  async #evaluate(snapshot: Snapshot): Promise<Evaluation | undefined> {
    const firings: Firing[] = []
    const checkpoint = this.host.checkpointOf(this.#key)
    // Another market may have no candles yet, or lag behind the newest closed candle.
    let closed = snapshot.closed
    for (const condition of this.#conditions.values()) {
      const candles = this.#candlesOf(condition, snapshot)
      closed = Math.min(closed, candles?.[0].closed ?? 0)
      if (!candles) continue
      const collect = this.#collector(condition, candles[0], checkpoint, firings)
      // Cleared first: an alert that is added during the evaluation adds the condition to `#behind` again.
      const isBehind = this.#behind.delete(condition)
      await condition.evaluate(candles, isBehind ? this.#from(condition, candles[0]) : undefined, collect)
    }
    const newest = closed > 0 ? timestampAt(snapshot, closed - 1) : undefined
    // Alerts may have been paused or deleted during the evaluation.
    const active = firings.filter(({ alert }) => this.host.isActive(alert))
    // Fires of older candles are delivered first, across conditions.
    active.sort((a, b) => a.candle - b.candle)
    const isNew = newest !== undefined && (checkpoint === undefined || newest > checkpoint)
    if (!isNew && active.length === 0) return undefined
    return { market: this.#key, checkpoint: isNew ? newest : undefined, voidFires: [], firings: active }
  }

  /** Candle after which a condition is evaluated again. `#collector` checks the bounds of each alert. */
  #from(condition: Condition, snapshot: Snapshot): number {
    let since = Number.POSITIVE_INFINITY
    for (const alert of condition.alerts.values()) since = Math.min(since, alert.since)
    return Math.max(since - timeframes[this.market.timeframe], this.#oldest(snapshot))
  }

  /** Whether an alert was already evaluated at a candle, or did not exist when the candle closed. */
  #isPast({ id, since }: Alert, timestamp: number, checkpoint: number | undefined): boolean {
    if (endOf(this.market.timeframe, timestamp) <= since) return true
    if (timestamp <= (this.host.firedAt(id) ?? Number.NEGATIVE_INFINITY)) return true
    // A checkpoint that was set while the alert was being created did not include the alert.
    return (
      checkpoint !== undefined &&
      timestamp <= checkpoint &&
      endOf(this.market.timeframe, checkpoint) > since + graceSeconds
    )
  }

  /**
   * Open time up to which candles fire nothing. If the clock is ahead, the newest candle counts as the current time.
   */
  #oldest(snapshot: Snapshot): number {
    const { clock, catchUpSeconds } = this.host
    const newest = snapshot.count > 0 ? timestampAt(snapshot, snapshot.count - 1) : Number.POSITIVE_INFINITY
    const { timeframe } = this.market
    return Math.min(clock(), endOf(timeframe, newest)) - catchUpSeconds - timeframes[timeframe]
  }

  /** Adds the alerts of a condition that fire at a candle to `firings`. */
  #collector(
    { alerts }: Condition,
    snapshot: Snapshot,
    checkpoint: number | undefined,
    firings: Firing[],
  ): OnValue {
    return (timestamp, value, before) => {
      if (value !== 1 || timestamp <= this.#oldest(snapshot)) return
      const isClosed = timestamp !== snapshot.forming?.timestamp
      const at = allBefore(snapshot, timestamp)
      for (const alert of alerts.values()) {
        if (!isClosed && alert.on !== 'update') continue
        if (!hasSettled(alert, at)) continue
        if (alert.trigger === 'edge' && !becomesTrue(value, before)) continue
        if (this.#isPast(alert, timestamp, checkpoint)) continue
        // Several bars of one candle fire only once.
        if (firings.some(firing => firing.alert === alert && firing.candle === timestamp)) continue
        if (!this.host.isActive(alert)) continue
        firings.push({ alert, candle: timestamp, isClosed, price: priceAt(snapshot, timestamp) })
      }
    }
  }
}

const conditionKey = ({ expression, chart = '' }: Alert): string => `${chart} ${expression}`

/**
 * Reads the chart of an alert. Throws for an unknown name: the alert was checked when stored, but this version may have
 * other charts.
 */
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
