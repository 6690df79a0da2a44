import { type Candle, isSame } from '../../candles/candle.js'
import type { Snapshot } from '../../candles/columns.js'
import type { Market } from '../../contract/market.js'
import { afterTurn } from '../../runtime/scheduler.js'
import { freshSecondsOf, type Source, SourceFailure } from '../exchanges/source.js'
import type { PinnedSeries } from '../history/history.js'
import { CatchUp } from './catch-up.js'
import { Reconciliation } from './reconciliation.js'
import type { FollowedMarket } from './source-connection.js'
import { SourceConnection } from './source-connection.js'

interface Options {
  /** How many changes of the forming candle are emitted in a second at most. */
  readonly formingPerSecond: number
  /** The series as it is now. */
  readonly read: () => Snapshot
  readonly emit: (snapshot: Snapshot) => void
}

/** Whether two forming candles, or their absence, are equal. */
const isUnchanged = (one: Candle | undefined, other: Candle | undefined): boolean =>
  one === other ||
  (one !== undefined && other !== undefined && one.timestamp === other.timestamp && isSame(one, other))

/**
 * Emits a series when it has changed: at once where closed candles are new or corrected, at most `formingPerSecond`
 * times a second where only the forming candle moved. Of the changes in between the latest one is emitted.
 */
export class Throttle {
  readonly #options: Options
  readonly #intervalMs: number
  #emitted: Snapshot
  /** Runs while a change of the forming candle has to wait. */
  #timer: NodeJS.Timeout | undefined
  #isChangeWaiting = false

  constructor(options: Options) {
    this.#options = options
    this.#intervalMs = 1000 / options.formingPerSecond
    this.#emitted = options.read()
  }

  /** What was emitted last; at first the series as it was when the throttle was created. */
  get emitted(): Snapshot {
    return this.#emitted
  }

  /** Emits the series unless it is unchanged or has to wait. To be called after every change. */
  update(): void {
    const snapshot = this.#options.read()
    const { columns, closed, forming } = this.#emitted
    if (snapshot.columns === columns && snapshot.closed === closed) {
      if (isUnchanged(snapshot.forming, forming)) return
      if (this.#timer) {
        this.#isChangeWaiting = true
        return
      }
    }
    this.#emitted = snapshot
    this.#startInterval()
    this.#options.emit(snapshot)
  }

  /** Emits nothing more. */
  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isChangeWaiting = false
  }

  #startInterval(): void {
    clearTimeout(this.#timer)
    this.#isChangeWaiting = false
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#isChangeWaiting) this.update()
    }, this.#intervalMs)
  }
}

/** Settings of every feed. */
export interface FeedSettings {
  /** Changes of a forming candle that are emitted in a second at most. */
  readonly formingPerSecond: number
  /** Seconds between two fetches of a market that has no stream, where its source does not say otherwise. */
  readonly pollSeconds: number
  /** Milliseconds before a lost stream is opened again; they double with every failure, up to a minute. */
  readonly backoffMs: number
  /** Unix seconds. */
  readonly clock: () => number
  /** Called with what went wrong and is being repaired, and with what a follower's callback throws. */
  readonly onFault: (error: unknown, market: Market) => void
}

/** Called with the series after each change, in the order of the changes. */
export type OnChange = (snapshot: Snapshot) => void

/** Called where the source does not know a followed market any longer, as after its delisting; perhaps several times. */
export type OnGone = (failure: SourceFailure) => void

/**
 * How long after its end, in seconds, a candle without a successor is taken as closed: exchanges push the first state
 * of the next one up to two seconds late (Binance's klines come every 2000 ms), and finish their own candles late too.
 */
const graceSeconds = 3

/**
 * One followed market: keeps its series up to date and calls its followers with every change. The source's stream says
 * what is new (`SourceConnection`); what it cannot prove is fetched from the exchange's history (`CatchUp`), and the two
 * are merged (`Reconciliation`): candles missed before the first event, holes, candles that end without a successor, and
 * closed candles that the stream emits differently. Without a stream, or while it is lost, the market is polled. The
 * forming candle is emitted at a bounded rate (`Throttle`).
 */
export class Feed {
  readonly #settings: FeedSettings
  readonly #market: Market
  readonly #series: PinnedSeries
  readonly #connection: SourceConnection
  readonly #reconciliation: Reconciliation
  readonly #catchUp: CatchUp
  readonly #throttle: Throttle
  readonly #followers = new Set<OnChange>()
  readonly #onGone = new Set<OnGone>()
  readonly #ending = new AbortController()
  /** Resolves when the connection has ended. */
  readonly #running: Promise<void>

  /** `series` is released when the feed is closed. */
  constructor(market: Market, source: Source, series: PinnedSeries, settings: FeedSettings) {
    this.#settings = settings
    this.#market = market
    this.#series = series
    const { clock, formingPerSecond, backoffMs } = settings
    const followed: FollowedMarket = {
      ...{ market, source, series, clock, backoffMs },
      // An answer of the source may be that old, so it cannot show the end of a candle any sooner.
      grace: Math.max(graceSeconds, source.freshSeconds ?? 0),
      pollSeconds: Math.max(1, freshSecondsOf(source, market.symbol) ?? settings.pollSeconds),
      ended: this.#ending.signal,
      onFault: error => this.#report(error),
    }
    this.#throttle = new Throttle({
      formingPerSecond,
      read: () => series.snapshot(),
      emit: snapshot => this.#emit(snapshot),
    })
    this.#reconciliation = new Reconciliation(followed)
    this.#connection = new SourceConnection(followed)
    this.#catchUp = new CatchUp(followed, {
      connection: this.#connection,
      reconciliation: this.#reconciliation,
      onFetched: (isNewer, requestedAt) => {
        this.#throttle.update()
        if (isNewer) this.#connection.reportMissing(requestedAt)
      },
    })
    this.#running = this.#run()
  }

  snapshot(): Snapshot {
    return this.#series.snapshot()
  }

  age(): number | undefined {
    return this.#series.age()
  }

  /** Adds a follower and returns the function that removes it. The first call comes in a later turn of the event loop. */
  follow(onChange: OnChange, onGone: OnGone = () => {}): () => void {
    const { emitted } = this.#throttle
    const follower: OnChange = snapshot => onChange(snapshot)
    // The same function may follow twice.
    const gone: OnGone = failure => onGone(failure)
    this.#onGone.add(gone)
    let hasEnded = false
    afterTurn(() => {
      if (hasEnded || this.#ending.signal.aborted) return
      this.#followers.add(follower)
      if (this.#throttle.emitted !== emitted) this.#call(follower, this.#throttle.emitted)
    })
    return () => {
      hasEnded = true
      this.#followers.delete(follower)
      this.#onGone.delete(gone)
    }
  }

  /** Does what is due by the clock; to be called a few times a second. */
  tick(): void {
    if (this.#ending.signal.aborted) return
    const now = this.#settings.clock()
    const connection = this.#connection
    const catchUp = this.#catchUp
    if (now < catchUp.requestedAt || now < connection.lastEventAt) {
      connection.resetTimes(now)
      catchUp.resetTimes()
      void this.#series
        .beginAnew()
        .then(() => this.#throttle.update())
        .catch(error => this.#settings.onFault(error, this.#market))
    }
    // While an exchange takes long to answer, the series is not known to be current.
    if (!connection.isStreaming) this.#series.isCurrent = catchUp.isFreshAt(now)
    else if (connection.isSilentAt(now) && catchUp.isSlowAt(now)) this.#series.isCurrent = false
    connection.dropIfDead(now)
    catchUp.tick(now)
  }

  /** Ends the stream and releases the series. No follower is called any more. */
  async close(): Promise<void> {
    this.#ending.abort()
    this.#followers.clear()
    this.#onGone.clear()
    this.#throttle.close()
    this.#series.isCurrent = false
    this.#series.release()
    await this.#running
  }

  /** Takes what the stream emits, until the feed is closed. */
  async #run(): Promise<void> {
    for await (const event of this.#connection.events()) {
      if (this.#ending.signal.aborted) return
      try {
        if (event === 'lost') this.#lose()
        else this.#receive(event)
      } catch (error) {
        this.#connection.drop(error)
      }
    }
  }

  #receive(candles: readonly Candle[]): void {
    const outcome = this.#reconciliation.addEvent(candles)
    if (outcome === 'needs history') {
      this.#series.isCurrent = false
      this.#catchUp.start()
    }
    if (outcome === 'merged') {
      this.#series.isCurrent = true
      this.#throttle.update()
    }
  }

  /** From now on the market is polled, which also brings the events that waited. */
  #lose(): void {
    this.#reconciliation.reset()
    this.#series.isCurrent = false
    this.#catchUp.expire()
  }

  #report(error: unknown): void {
    this.#settings.onFault(error, this.#market)
    if (!(error instanceof SourceFailure) || error.kind !== 'unknown-symbol') return
    for (const gone of [...this.#onGone]) gone(error)
  }

  #emit(snapshot: Snapshot): void {
    for (const follower of this.#followers) this.#call(follower, snapshot)
  }

  #call(follower: OnChange, snapshot: Snapshot): void {
    try {
      follower(snapshot)
    } catch (error) {
      this.#settings.onFault(error, this.#market)
    }
  }
}
