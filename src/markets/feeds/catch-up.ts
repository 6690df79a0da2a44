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
   * Called after candles that were requested at `requestedAt` were merged; `isNewer` says that the history had
   * something newer than the series.
   */
  readonly onFetched: (isNewer: boolean, requestedAt: number) => void
}

/** The shortest time between two fetches that verify a closed candle, in seconds; it doubles with every fetch. */
const minVerifySeconds = 2
/** How often, and after how many milliseconds, an exchange is asked again whose REST answers are behind its stream. */
const lateRetries = 3
const lateRetryMs = 700
/** Every node follows the same stream, so that they ask for the same candles at almost the same time. */
const sharedSeconds = 1
/** The smallest request: the forming candle, and closed ones before it that may have been corrected. */
const minCandles = 5

/**
 * Fetches the newest candles of a market from the exchange's history and gives them to the reconciliation: at once
 * where events wait for it, else when it is time to. Without a stream this is how the market is polled.
 */
export class CatchUp {
  readonly #options: FollowedMarket & Parts
  #fetching: Promise<void> | undefined
  /** When the exchange was asked last, in Unix seconds. */
  #requestedAt: number
  /** Until when a polled series counts as fresh, in Unix seconds. */
  #freshUntil = 0
  /** The exchange has shown what opened before this time (Unix seconds). */
  #shownUntil = Number.NEGATIVE_INFINITY
  /** Answers in a row that ended before the candle that they were to verify had a successor. */
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

  /** Whether the exchange takes long to answer. */
  isSlowAt(now: number): boolean {
    return this.#fetching !== undefined && now - this.#requestedAt >= minVerifySeconds
  }

  /** Fetches now, unless a fetch is under way. */
  start(): void {
    this.#fetching ??= this.#fetchUntilMerged()
      .catch(this.#options.onFault)
      .finally(() => {
        this.#fetching = undefined
      })
  }

  /** Fetches if it is time to. */
  tick(now: number): void {
    if (!this.#fetching && this.#isDue(now)) this.start()
  }

  /** The stream is lost: the next tick fetches. */
  expire(): void {
    this.#freshUntil = 0
    this.#requestedAt = Number.NEGATIVE_INFINITY
  }

  /** The clock was set back, so the times noted before are of no use. */
  resetTimes(): void {
    this.expire()
    this.#shownUntil = Number.NEGATIVE_INFINITY
  }

  #isDue(now: number): boolean {
    const { market, series, connection, reconciliation, grace, pollSeconds } = this.#options
    const elapsed = now - this.#requestedAt
    const { forming } = series.snapshot()
    const end = forming ? endOf(market.timeframe, forming.timestamp) + grace : Number.POSITIVE_INFINITY
    const hasEndedSince = now >= end && this.#requestedAt < end
    if (!connection.isStreaming) return hasEndedSince || elapsed >= pollSeconds
    // The exchange may never show the candle, so it is asked for it more and more rarely.
    const isOverdue = now >= end && elapsed >= Math.max(pollSeconds, (now - end) / 4)
    const verifySeconds = Math.min(silentSeconds, minVerifySeconds * 2 ** this.#unprovenAnswers)
    const isUnverified = reconciliation.hasUnverified && elapsed >= verifySeconds
    const isNeeded = reconciliation.needsHistory && elapsed >= pollSeconds
    const isSilent = connection.isSilentAt(now) && elapsed >= silentSeconds
    return hasEndedSince || isOverdue || isUnverified || isNeeded || isSilent
  }

  /** Fetches until candles were merged; a failure ends it unless events wait for them. */
  async #fetchUntilMerged(): Promise<void> {
    const { series, reconciliation, pollSeconds, clock, ended, onFault } = this.#options
    for (let attempt = 0; !ended.aborted; attempt++) {
      let requestedAt = clock()
      this.#requestedAt = requestedAt
      const unverified = reconciliation.takeUnverified()
      let candles: FetchedCandles
      try {
        candles = await this.#fetch(requestedAt, unverified)
        // Another node may have asked the exchange before.
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

  /** The candles from the oldest one in question on: all that is new, and an unverified one. */
  async #fetch(now: number, unverified: number): Promise<FetchedCandles> {
    const { market, source, series, reconciliation } = this.#options
    const { symbol, timeframe } = market
    const { closedEnd, newestPending } = reconciliation
    // What is older than the series would be after it is not of use: the clock may have jumped by years.
    const countSince = (from: number, until: number) =>
      Math.max(
        minCandles,
        from > 0 ? Math.min(series.depth, Math.ceil(candlesBetween(timeframe, from, until)) + 2) : 0,
      )
    const until = Math.max(now, newestPending)
    // Where nothing was traded for long, what the exchange has shown since then is not requested again.
    const shown = Math.max(closedEnd, this.#shownUntil - 2 * timeframes[timeframe])
    const count = countSince(Math.min(shown, unverified), until)
    const since = this.#sinceOf(now, unverified)
    const candles = await source.candles(symbol, timeframe, count, { since })
    const oldest = candles[0]?.timestamp ?? Number.NEGATIVE_INFINITY
    // The clock of this machine may be behind that of the exchange.
    const newest = Math.max(until, candles.at(-1)?.timestamp ?? until)
    const whole = countSince(Math.min(closedEnd, unverified), newest)
    if (count >= whole || oldest <= Math.min(endOf(timeframe, closedEnd), unverified)) return candles
    return source.candles(symbol, timeframe, whole)
  }

  /** Since when an answer to another node may have been requested to do as well as one that is requested now. */
  #sinceOf(now: number, unverified: number): number {
    const { market, series, connection, grace, pollSeconds } = this.#options
    if (unverified < Number.POSITIVE_INFINITY) return now
    const { forming } = series.snapshot()
    const end = forming ? endOf(market.timeframe, forming.timestamp) + grace : Number.POSITIVE_INFINITY
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

  /** A candle is verified once an answer shows a newer one: the last candle of an answer may be unfinished. */
  #verify(unverified: number, last: number): void {
    const isProven = unverified === Number.POSITIVE_INFINITY || last > unverified
    this.#unprovenAnswers = isProven ? 0 : this.#unprovenAnswers + 1
    if (!isProven) this.#options.reconciliation.addUnverified(unverified)
  }

  /** When the answer to a request needs to be renewed: at the next poll, at the latest when the forming candle ends. */
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
