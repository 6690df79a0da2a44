import { type Candle, isSame } from '../../candles/candle.js'
import type { Inputs, Snapshot } from '../../candles/columns.js'
import type { Market } from '../../contract/market.js'
import { afterTurn } from '../../runtime/scheduler.js'
import { freshSecondsOf, type Source, SourceFailure } from '../exchanges/source.js'
import type { PinnedSeries } from '../history/history.js'
import { CatchUp } from './catch-up.js'
import { Reconciliation } from './reconciliation.js'
import { type FollowedMarket, SourceConnection } from './source-connection.js'

interface Options {
  readonly formingPerSecond: number
  readonly read: () => Snapshot
  readonly emit: (snapshot: Snapshot) => void
}

/** Whether two forming candles, or their absence, are equal. */
const isUnchanged = (one: Candle | undefined, other: Candle | undefined): boolean =>
  one === other ||
  (one !== undefined && other !== undefined && one.timestamp === other.timestamp && isSame(one, other))

/**
 * Emits a series when it has changed. New or corrected closed candles are emitted immediately. Changes of the
 * forming candle alone are emitted at most `formingPerSecond` times a second, and only the latest one.
 */
export class Throttle {
  readonly #intervalMs: number
  #emitted: Snapshot
  /** Runs while a change of the forming candle must wait. */
  #timer: NodeJS.Timeout | undefined
  #isChangeWaiting = false

  constructor(private readonly options: Options) {
    this.#intervalMs = 1000 / options.formingPerSecond
    this.#emitted = options.read()
  }

  /** Last emitted snapshot; at first the series at the creation of the throttle. */
  get emitted(): Snapshot {
    return this.#emitted
  }

  /** Emits the series unless it is unchanged or must wait. Must be called after every change. */
  update(): void {
    const snapshot = this.options.read()
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
    this.options.emit(snapshot)
  }

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

export interface FeedSettings {
  /** Maximum number of emitted changes of a forming candle per second. */
  readonly formingPerSecond: number
  /** Seconds between two fetches of a market without a stream, unless its source sets another number. */
  readonly pollSeconds: number
  /** Milliseconds before a lost stream is opened again. They double with every failure, up to a minute. */
  readonly backoffMs: number
  readonly clock: () => number
  /** Called with each failure, which is repaired, and with each error that a follower's callback throws. */
  readonly onFault: (error: unknown, market: Market) => void
}

/** Called with the candles after each change, in the order of the changes. */
export type OnChange = (inputs: Inputs) => void

/** Called if the source does not know a followed market, as after its delisting; perhaps several times. */
export type OnGone = (failure: SourceFailure) => void

interface Follower {
  /** Undefined until the turn of the event loop after the beginning. */
  onChange: OnChange | undefined
  readonly onGone: OnGone
}

/**
 * Seconds after its end from which a candle without a successor counts as closed. Exchanges push the first state of
 * the next candle up to two seconds late (Binance's klines come every 2000 ms). They finish their own candles late,
 * too.
 */
const graceSeconds = 3

/**
 * One followed market: keeps its series up to date and calls its followers with every change.
 *
 * The source's stream shows new candles (`SourceConnection`). The exchange's history is fetched for all that the
 * stream cannot prove (`CatchUp`), and both are merged (`Reconciliation`). The history is needed for candles before
 * the first event, holes, candles that end without a successor, and closed candles that the stream emits
 * differently. Without a stream, or while it is lost, the market is polled. The forming candle is emitted at a
 * bounded rate (`Throttle`).
 */
export class Feed {
  readonly #connection: SourceConnection
  readonly #reconciliation: Reconciliation
  readonly #catchUp: CatchUp
  readonly #throttle: Throttle
  readonly #followers = new Set<Follower>()
  readonly #ending = new AbortController()
  /** Resolves when the connection has ended. */
  readonly #running: Promise<void>

  /** Releases `series` when the feed is closed. */
  constructor(
    private readonly market: Market,
    source: Source,
    private readonly series: PinnedSeries,
    private readonly settings: FeedSettings,
  ) {
    const { clock, formingPerSecond, backoffMs } = settings
    const followed: FollowedMarket = {
      ...{ market, source, series, clock, backoffMs },
      // An answer of the source may have this age, so it cannot show the end of a candle sooner.
      grace: Math.max(graceSeconds, source.traits?.freshSeconds ?? 0),
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
    return this.series.snapshot()
  }

  age(): number | undefined {
    return this.series.age()
  }

  /** Adds a follower and returns the function that removes it. The first call comes in a later turn of the event loop. */
  follow(onChange: OnChange, onGone: OnGone = () => {}): () => void {
    const { emitted } = this.#throttle
    const follower: Follower = { onChange: undefined, onGone }
    this.#followers.add(follower)
    afterTurn(() => {
      if (!this.#followers.has(follower)) return
      follower.onChange = onChange
      if (this.#throttle.emitted !== emitted) this.#call(onChange, this.#throttle.emitted)
    })
    return () => this.#followers.delete(follower)
  }

  /** Does the work that is due by the clock. Must be called a few times a second. */
  tick(): void {
    if (this.#ending.signal.aborted) return
    const now = this.settings.clock()
    const connection = this.#connection
    const catchUp = this.#catchUp
    if (now < catchUp.requestedAt || now < connection.lastEventAt) {
      connection.resetTimes(now)
      catchUp.resetTimes()
      void this.series
        .beginAnew()
        .then(() => this.#throttle.update())
        .catch(error => this.settings.onFault(error, this.market))
    }
    // While an exchange is slow to answer, the series may not be current.
    if (!connection.isStreaming) this.series.isCurrent = catchUp.isFreshAt(now)
    else if (connection.isSilentAt(now) && catchUp.isSlowAt(now)) this.series.isCurrent = false
    connection.dropIfDead(now)
    catchUp.tick(now)
  }

  /** Ends the stream and releases the series. Followers are not called after this. */
  async close(): Promise<void> {
    this.#ending.abort()
    this.#followers.clear()
    this.#throttle.close()
    this.series.isCurrent = false
    this.series.release()
    await this.#running
  }

  /** Receives the events of the stream until the feed is closed. */
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
      this.series.isCurrent = false
      this.#catchUp.start()
    }
    if (outcome === 'merged') {
      this.series.isCurrent = true
      this.#throttle.update()
    }
  }

  /** Switches to polling, which also fetches the candles of waiting events. */
  #lose(): void {
    this.#reconciliation.reset()
    this.series.isCurrent = false
    this.#catchUp.expire()
  }

  #report(error: unknown): void {
    this.settings.onFault(error, this.market)
    if (!(error instanceof SourceFailure) || error.kind !== 'unknown-symbol') return
    for (const { onGone } of [...this.#followers]) onGone(error)
  }

  #emit(snapshot: Snapshot): void {
    for (const { onChange } of this.#followers) if (onChange) this.#call(onChange, snapshot)
  }

  #call(onChange: OnChange, snapshot: Snapshot): void {
    try {
      onChange([snapshot])
    } catch (error) {
      this.settings.onFault(error, this.market)
    }
  }
}
