import type { Candle } from '../../candles/candle.js'
import type { Market } from '../../contract/market.js'
import { backoffMs } from '../../runtime/backoff.js'
import { pause } from '../../runtime/pause.js'
import { type Source, SourceFailure } from '../exchanges/source.js'
import type { PinnedSeries } from '../history/history.js'

/** State and settings of a followed market, shared by the parts of its feed. */
export interface FollowedMarket {
  readonly market: Market
  readonly source: Source
  readonly series: PinnedSeries
  /** Seconds after the end of a candle without a successor from which the exchange's history shows it as closed. */
  readonly grace: number
  /** Seconds between two fetches while there is no stream. */
  readonly pollSeconds: number
  /** Milliseconds before a retry. They double with every failure, up to a minute. */
  readonly backoffMs: number
  readonly clock: () => number
  /** Aborted when the feed is closed. */
  readonly ended: AbortSignal
  /** Called with every failure, which is repaired. */
  readonly onFault: (error: unknown) => void
}

export const maxBackoffMs = 60_000

/** Seconds without events after which a stream is silent: its market is quiet, or its connection is dead. */
export const silentSeconds = 30
/** Maximum delay of a stream behind REST, in seconds. After a longer delay its connection is dead. */
const maxLagSeconds = 5
/** A failure of a stream that lasted longer than this counts as the first one. */
const stableMs = 30_000
/**
 * Pause before a source without a stream for a market is asked again: ccxt's sources refuse a market for one hour
 * after its exchange did. Half of the pause is random, so the next attempt is after one to two hours.
 */
const noStreamRetryMs = 2 * 3_600_000

/** Stream of one market from its source: reopened when it is lost, dropped when it is dead. */
export class SourceConnection {
  /** Seconds of normal silence of a stream that emits only bars that have ended; otherwise 0. */
  readonly #barSeconds: number
  /** Aborts the stream that is open or being opened. */
  #stream: AbortController | undefined
  #isStreaming = false
  #lastEventAt = 0
  /** Time since which the silent stream is known to lack candles that the exchange has. */
  #missingSince: number | undefined

  constructor(private readonly followed: FollowedMarket) {
    this.#barSeconds = followed.source.traits?.barSeconds ?? 0
    followed.ended.addEventListener('abort', () => this.#stream?.abort())
  }

  /** Whether the stream is open and has emitted candles. */
  get isStreaming(): boolean {
    return this.#isStreaming
  }

  /** Time of the last candles from the stream, in Unix seconds. */
  get lastEventAt(): number {
    return this.#lastEventAt
  }

  isSilentAt(now: number): boolean {
    return now - this.#lastEventAt >= silentSeconds + this.#barSeconds
  }

  /**
   * Events of the stream in order: the candles of each event, and `lost` after the end of a stream that had emitted
   * some. The stream is reopened until the feed ends. Yields nothing if the source never has a stream.
   */
  async *events(): AsyncGenerator<readonly Candle[] | 'lost', void, void> {
    const { source, ended } = this.followed
    if (!source.watch) return
    let failures = 0
    while (!ended.aborted) {
      const openedAt = performance.now()
      const outcome = yield* this.#read()
      if (ended.aborted) return
      if (outcome === 'no stream') {
        failures = 0
        await pause(backoffMs(0, noStreamRetryMs), ended)
        continue
      }
      if (this.#isStreaming) {
        this.#isStreaming = false
        this.#missingSince = undefined
        yield 'lost'
      }
      if (performance.now() - openedAt > stableMs) failures = 0
      await pause(backoffMs(failures++, this.followed.backoffMs, maxBackoffMs), ended)
    }
  }

  /** Notes that the exchange's history, requested at `requestedAt`, has candles that the stream did not emit. */
  reportMissing(requestedAt: number): void {
    if (this.#isStreaming && this.isSilentAt(requestedAt)) this.#missingSince ??= this.followed.clock()
  }

  /** Drops a stream that has not emitted in time the candles of the exchange's history; another one is opened. */
  dropIfDead(now: number): void {
    if (this.#missingSince === undefined || now - this.#missingSince < maxLagSeconds + this.#barSeconds)
      return
    this.#missingSince = undefined
    const { exchange, symbol } = this.followed.market
    this.drop(new SourceFailure('unavailable', `the stream of ${symbol} on ${exchange} went silent`))
  }

  /** Drops the stream because of an error; another one is opened. */
  drop(error: unknown): void {
    this.followed.onFault(error)
    this.#stream?.abort(error)
  }

  /** Corrects the noted times after the clock was set back to `now`. */
  resetTimes(now: number): void {
    this.#lastEventAt = Math.min(this.#lastEventAt, now)
    this.#missingSince = undefined
  }

  /** Opens one stream and reads it to its end. */
  async *#read(): AsyncGenerator<readonly Candle[], 'lost' | 'no stream', void> {
    const { market, source, onFault, clock } = this.followed
    const opened = new AbortController()
    this.#stream = opened
    try {
      const stream = await this.#untilEnded(source.watch?.(market.symbol, market.timeframe, opened.signal))
      if (stream === undefined) return 'no stream'
      for await (const candles of stream) {
        if (opened.signal.aborted) break
        this.#lastEventAt = clock()
        this.#isStreaming = true
        this.#missingSince = undefined
        yield candles
      }
      if (!opened.signal.aborted) throw new SourceFailure('unavailable', 'the stream ended')
    } catch (error) {
      if (!opened.signal.aborted) onFault(error)
    } finally {
      opened.abort()
    }
    return 'lost'
  }

  /** Result of a promise, or undefined if `ended` aborts first. */
  #untilEnded<Result>(promise: Result | Promise<Result>): Promise<Result | undefined> {
    const { ended } = this.followed
    return new Promise((resolve, reject) => {
      const end = () => resolve(undefined)
      ended.addEventListener('abort', end)
      void Promise.resolve(promise)
        .then(resolve, reject)
        .finally(() => ended.removeEventListener('abort', end))
    })
  }
}
