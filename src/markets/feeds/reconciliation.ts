import { type Candle, isEarlier, isSame } from '../../candles/candle.js'
import { closedAt, type Snapshot } from '../../candles/columns.js'
import { endOf as candleEnd } from '../../candles/timeframe.js'
import type { FollowedMarket } from './source-connection.js'

/** What became of an event; with `needs history` it is merged after the exchange's history was fetched. */
export type EventOutcome = 'merged' | 'needs history' | 'unchanged'

type Options = Pick<FollowedMarket, 'market' | 'series' | 'grace'>

/** Candles that wait for the history at most; older ones come with it. */
const maxPending = 1000

/** The open time of the newest closed candle, and of the newest one of all. */
function endOf({ columns, closed, forming }: Snapshot): { closedEnd: number; newest: number } {
  const closedEnd = closed === 0 ? Number.NEGATIVE_INFINITY : (columns.timestamp[closed - 1] as number)
  return { closedEnd, newest: forming?.timestamp ?? closedEnd }
}

/**
 * Merges two views of one market into its series: the events of the stream, which are new but prove nothing about
 * what was missed, and the exchange's history, which is complete but may be older. Events that would leave a hole in
 * the series, or close a candle whose last state is not known, wait until the history was fetched. It makes no requests
 * and reads no clock itself.
 */
export class Reconciliation {
  readonly #options: Options
  /** Candles that the stream emitted and the series does not have yet, the latest state of each. */
  readonly #pending = new Map<number, Candle>()
  /** Whether what happened before the stream was opened is in the series. */
  #isCaughtUp = false
  #needsHistory = false
  /**
   * The state of the forming candle is not what the stream emitted last: it was fetched, or the stream emitted an older
   * one after it. If the stream goes on with the next candle, the last state has to be fetched.
   */
  #isFormingUnverified = false
  /** The open time of the oldest closed candle that the stream emitted differently; Infinity where there is none. */
  #unverified = Number.POSITIVE_INFINITY

  constructor(options: Options) {
    this.#options = options
  }

  /** Whether events wait until the exchange's history was fetched. */
  get needsHistory(): boolean {
    return this.#needsHistory
  }

  get hasUnverified(): boolean {
    return this.#unverified < Number.POSITIVE_INFINITY
  }

  /** The open time of the newest closed candle in the series; -Infinity where there is none. */
  get closedEnd(): number {
    return endOf(this.#options.series.snapshot()).closedEnd
  }

  /** The open time of the newest pending candle; -Infinity where there is none. */
  get newestPending(): number {
    return Math.max(Number.NEGATIVE_INFINITY, ...this.#pending.keys())
  }

  /** Takes the unverified candle out, because a fetch will show it: its open time, or Infinity. */
  takeUnverified(): number {
    const unverified = this.#unverified
    this.#unverified = Number.POSITIVE_INFINITY
    return unverified
  }

  /** Notes that the history has to show the closed candle that opens at `timestamp`. */
  addUnverified(timestamp: number): void {
    this.#unverified = Math.min(this.#unverified, timestamp)
  }

  /** Takes in what the stream emitted. */
  addEvent(candles: readonly Candle[]): EventOutcome {
    for (const candle of candles) {
      const known = this.#pending.get(candle.timestamp)
      if (known && isEarlier(candle, known)) this.#isFormingUnverified = true
      else this.#pending.set(candle.timestamp, candle)
    }
    return this.#needsHistory ? 'unchanged' : this.#mergePending(false)
  }

  /**
   * Takes in what the exchange's history showed at `requestedAt` (Unix seconds), and after it the events that
   * wait. Answers whether the history had anything newer than the series.
   */
  addHistory(candles: readonly Candle[], requestedAt: number): boolean {
    const isNewer = this.#mergeHistory(candles, requestedAt)
    if (this.#needsHistory) {
      this.#needsHistory = false
      this.#isCaughtUp = true
      this.#mergePending(true)
    }
    return isNewer
  }

  /** The stream is lost: what it emitted and the series does not have has to be fetched. */
  reset(): void {
    this.#isCaughtUp = false
    this.#needsHistory = false
    this.#pending.clear()
  }

  /** Merges the pending candles. With `isFetched`, the history was fetched just now: a hole is one of the market. */
  #mergePending(isFetched: boolean): EventOutcome {
    const { market, series } = this.#options
    const snapshot = series.snapshot()
    const { forming } = snapshot
    const { closedEnd, newest } = endOf(snapshot)
    const added: Candle[] = []
    let end = newest
    let isMissing = !this.#isCaughtUp
    for (const candle of [...this.#pending.values()].sort((a, b) => a.timestamp - b.timestamp)) {
      const { timestamp } = candle
      if (timestamp < newest || timestamp === closedEnd) {
        this.#compare(candle, snapshot, isFetched)
      } else if (timestamp === newest && forming && isEarlier(candle, forming)) {
        this.#isFormingUnverified = true
      } else {
        if (timestamp === newest) this.#isFormingUnverified = false
        isMissing ||=
          timestamp > candleEnd(market.timeframe, end) || (this.#isFormingUnverified && timestamp > newest)
        end = timestamp
        added.push(candle)
      }
    }
    this.#pending.clear()
    if (isMissing && !isFetched) {
      for (const candle of added.slice(-maxPending)) this.#pending.set(candle.timestamp, candle)
      this.#needsHistory = true
      return 'needs history'
    }
    if (added.length === 0) return 'unchanged'
    if (end > newest) this.#isFormingUnverified = false
    series.merge(added, end)
    return 'merged'
  }

  /**
   * Compares a candle of the stream with the closed one in the series. Events carry no time, so a different candle may
   * be a correction as well as a late copy of an earlier state; the exchange's history has to decide.
   */
  #compare(candle: Candle, snapshot: Snapshot, isFetched: boolean): void {
    const { columns, count } = snapshot
    if (count === 0 || candle.timestamp < (columns.timestamp[0] as number)) return
    const known = closedAt(snapshot, candle.timestamp)
    if (known && isSame(candle, known)) return
    if (isFetched && known && isEarlier(candle, known)) return
    this.addUnverified(candle.timestamp)
  }

  /** The stream has emitted candles of the future that the history contradicts: they were sent by mistake. */
  #dropFuture(now: number): void {
    for (const timestamp of this.#pending.keys()) if (timestamp > now) this.#pending.delete(timestamp)
    this.#isFormingUnverified = false
  }

  #mergeHistory(candles: readonly Candle[], requestedAt: number): boolean {
    const last = candles.at(-1)
    if (!last) return false
    const { market, series, grace } = this.#options
    const snapshot = series.snapshot()
    const { forming } = snapshot
    const { closedEnd, newest } = endOf(snapshot)
    if (newest > requestedAt && newest > last.timestamp) {
      this.#dropFuture(requestedAt)
      series.merge(candles, requestedAt)
      return false
    }
    const lastEnd = candleEnd(market.timeframe, last.timestamp)
    const isOver = requestedAt >= lastEnd + grace
    const isForming = last.timestamp === forming?.timestamp
    // All but the last candle are final. The last one may be older than what the stream has emitted.
    const isBehind = isForming ? isEarlier(last, forming) : last.timestamp <= newest && !isOver
    const isLastClosed = isBehind && !isForming && last.timestamp === closedEnd
    const known = isForming ? forming : isLastClosed ? closedAt(snapshot, closedEnd) : undefined
    const merged = isBehind && known ? [...candles.slice(0, -1), known] : candles
    let end = Math.max(newest, isOver ? lastEnd : last.timestamp)
    if (isBehind) end = isLastClosed ? lastEnd : newest
    const isNewer = last.timestamp > newest || (isForming && isEarlier(forming, last))
    if (isNewer && !isOver) this.#isFormingUnverified = true
    else if (end > newest) this.#isFormingUnverified = false
    series.merge(merged, end)
    return isNewer
  }
}
