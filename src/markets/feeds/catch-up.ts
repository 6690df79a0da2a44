import type { Candle } from '../../candles/candle.js'
import { candlesBetween, endOf, timeframes } from '../../candles/timeframe.js'
import { backoffMs } from '../../runtime/backoff.js'
import { pause } from '../../runtime/pause.js'
import type { FetchedCandles } from '../exchanges/source.js'
import { asFailure } from '../history/candle-fetcher.js'
import type { Reconciliation } from './reconciliation.js'
import {
  type FollowedMarket,
  maxBackoffMs,
  type SourceConnection,
  silentSeconds,
} from './source-connection.js'

interface Parts {
  readonly connection: SourceConnection
  readonly reconciliation: Reconciliation
  /**
   * Called after the merge of candles that were requested at `requestedAt`. `isNewer` means that the history was
   * newer than the series.
   */
  readonly onFetched: (isNewer: boolean, requestedAt: number) => void
}

/** Shortest time between two fetches that verify a closed candle, in seconds; it doubles with every fetch. */
const minVerifySeconds = 2
/** Retries, and milliseconds before each, while the REST answers of an exchange are behind its stream. */
const lateRetries = 3
const lateRetryMs = 700
/**
 * Seconds within which nodes share an answer: all follow the same stream, so they request the same candles at
 * almost the same time.
 */
const sharedSeconds = 1
/** Smallest request: the forming candle, and closed ones before it that may have been corrected. */
const minCandles = 5

/**
 * Fetches the newest candles of a market from the exchange's history and passes them to the reconciliation. Fetches
 * immediately if events wait for candles, otherwise on schedule. Without a stream, this polls the market.
 */
export class CatchUp {
  readonly #options: FollowedMarket & Parts
  #fetching: Promise<void> | undefined
  /** Time of the last request to the exchange, in Unix seconds. */
  #requestedAt: number
  /** End of the freshness of a polled series, in Unix seconds. */
  #freshUntil = 0
  /** The exchange has shown all that opened before this time (Unix seconds). */
  #shownUntil = Number.NEGATIVE_INFINITY
  /** Consecutive answers that ended before the successor of the candle to verify. */
  #unprovenAnswers = 0

  constructor(followed: FollowedMarket, parts: Parts) {
    this.#options = { ...followed, ...parts }
    this.#requestedAt = followed.clock()
  }

  get requestedAt(): number {
    return this.#requestedAt
  }

  isFreshAt(now: number): boolean {
    return now < this.#freshUntil
  }

  isSlowAt(now: number): boolean {
    return this.#fetching !== undefined && now - this.#requestedAt >= minVerifySeconds
  }

  /** Fetches now, unless a fetch is running. */
  start(): void {
    this.#fetching ??= this.#fetchUntilMerged()
      .catch(this.#options.onFault)
      .finally(() => {
        this.#fetching = undefined
      })
  }

  tick(now: number): void {
    if (!this.#fetching && this.#isDue(now)) this.start()
  }

  /** Makes the next tick fetch, after the loss of the stream. */
  expire(): void {
    this.#freshUntil = 0
    this.#requestedAt = Number.NEGATIVE_INFINITY
  }

  /** Forgets the noted times, which are invalid after the clock was set back. */
  resetTimes(): void {
    this.expire()
    this.#shownUntil = Number.NEGATIVE_INFINITY
  }

  /** Time from which the exchange's history shows the forming candle as closed. */
  get #formingEnd(): number {
    const { market, series, grace } = this.#options
    const { forming } = series.snapshot()
    return forming ? endOf(market.timeframe, forming.timestamp) + grace : Number.POSITIVE_INFINITY
  }

  #isDue(now: number): boolean {
    const { connection, reconciliation, pollSeconds } = this.#options
    const elapsed = now - this.#requestedAt
    const end = this.#formingEnd
    const hasEndedSince = now >= end && this.#requestedAt < end
    if (!connection.isStreaming) return hasEndedSince || elapsed >= pollSeconds
    // The exchange may never show the candle, so it is requested less and less often.
    const isOverdue = now >= end && elapsed >= Math.max(pollSeconds, (now - end) / 4)
    const verifySeconds = Math.min(silentSeconds, minVerifySeconds * 2 ** this.#unprovenAnswers)
    const isUnverified = reconciliation.hasUnverified && elapsed >= verifySeconds
    const isNeeded = reconciliation.needsHistory && elapsed >= pollSeconds
    const isSilent = connection.isSilentAt(now) && elapsed >= silentSeconds
    return hasEndedSince || isOverdue || isUnverified || isNeeded || isSilent
  }

  /** Fetches until candles were merged. A failure ends this, unless events wait for the candles. */
  async #fetchUntilMerged(): Promise<void> {
    const { series, reconciliation, pollSeconds, clock, ended, onFault } = this.#options
    for (let attempt = 0; !ended.aborted; attempt++) {
      let requestedAt = clock()
      this.#requestedAt = requestedAt
      const unverified = reconciliation.takeUnverified()
      let candles: FetchedCandles
      try {
        candles = await this.#fetch(requestedAt, unverified)
        // Another node may have requested the candles earlier.
        requestedAt = candles.requestedAt ?? requestedAt
        this.#requestedAt = requestedAt
      } catch (error) {
        if (ended.aborted) return
        reconciliation.addUnverified(unverified)
        series.isCurrent = false
        onFault(asFailure(error))
        if (!reconciliation.needsHistory) return
        const wait = backoffMs(attempt, this.#options.backoffMs, maxBackoffMs)
        await pause(Math.min(wait, pollSeconds * 1000), ended)
        continue
      }
      if (ended.aborted) return
      const last = candles.at(-1)?.timestamp ?? Number.NEGATIVE_INFINITY
      const isBehind = reconciliation.needsHistory && reconciliation.newestPending > last
      if (isBehind && attempt < lateRetries) {
        reconciliation.addUnverified(unverified)
        await pause(lateRetryMs, ended)
        continue
      }
      this.#merge(candles, requestedAt)
      this.#verify(unverified, last)
      // The last candle of an answer that is behind the stream may have been unfinished.
      if (isBehind) reconciliation.addUnverified(last)
      else this.#shownUntil = requestedAt
      return
    }
  }

  /** Fetches the candles from the oldest one in question on: all new ones, and an unverified one. */
  async #fetch(now: number, unverified: number): Promise<FetchedCandles> {
    const { market, source, series, reconciliation } = this.#options
    const { symbol, timeframe } = market
    const { closedEnd, newestPending } = reconciliation
    // Candles beyond the depth of the series are not needed: the clock may have jumped by years.
    const countSince = (from: number, until: number) =>
      Math.max(
        minCandles,
        from > 0 ? Math.min(series.depth, Math.ceil(candlesBetween(timeframe, from, until)) + 2) : 0,
      )
    const until = Math.max(now, newestPending)
    // After a long time without trades, candles that the exchange has shown since then are not requested again.
    const shown = Math.max(closedEnd, this.#shownUntil - 2 * timeframes[timeframe])
    const count = countSince(Math.min(shown, unverified), until)
    const since = this.#sinceOf(now, unverified)
    const candles = await source.candles(symbol, timeframe, count, { since })
    const oldest = candles[0]?.timestamp ?? Number.NEGATIVE_INFINITY
    // The clock of this machine may be behind the exchange's clock.
    const newest = Math.max(until, candles.at(-1)?.timestamp ?? until)
    const whole = countSince(Math.min(closedEnd, unverified), newest)
    if (count >= whole || oldest <= Math.min(endOf(timeframe, closedEnd), unverified)) return candles
    return source.candles(symbol, timeframe, whole)
  }

  /** Earliest request time of another node's answer that is as good as a new request. */
  #sinceOf(now: number, unverified: number): number {
    const { connection, pollSeconds } = this.#options
    if (unverified < Number.POSITIVE_INFINITY) return now
    const end = this.#formingEnd
    const since = now - (connection.isStreaming ? sharedSeconds : pollSeconds)
    return now >= end ? Math.max(since, end) : since
  }

  #merge(candles: readonly Candle[], requestedAt: number): void {
    const { series, reconciliation, onFetched } = this.#options
    const isNewer = reconciliation.addHistory(candles, requestedAt)
    series.isCurrent = true
    this.#freshUntil = this.#nextRequest(requestedAt, candles.at(-1))
    onFetched(isNewer, requestedAt)
  }

  /** Verifies a candle if the answer has a newer one, because the last candle of an answer may be unfinished. */
  #verify(unverified: number, last: number): void {
    const isProven = unverified === Number.POSITIVE_INFINITY || last > unverified
    this.#unprovenAnswers = isProven ? 0 : this.#unprovenAnswers + 1
    if (!isProven) this.#options.reconciliation.addUnverified(unverified)
  }

  /** Time at which an answer must be renewed: at the next poll, at the latest when the forming candle ends. */
  #nextRequest(requestedAt: number, last: Candle | undefined): number {
    const {
      market: { timeframe },
      pollSeconds,
    } = this.#options
    const due = requestedAt + pollSeconds * 2
    if (!last) return due
    const length = timeframes[timeframe]
    const passed = Math.floor((requestedAt - last.timestamp) / length)
    return Math.min(due, endOf(timeframe, last.timestamp + passed * length))
  }
}
