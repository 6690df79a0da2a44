import { type Candle, isEarlier, isSame } from '../../candles/candle.js'
import { closedAt, type Snapshot } from '../../candles/columns.js'
import { endOf as candleEnd } from '../../candles/timeframe.js'
import type { FollowedMarket } from './source-connection.js'

/** Result of an event. After `needs history` the event is merged once the exchange's history was fetched. */
export type EventOutcome = 'merged' | 'needs history' | 'unchanged'

type Options = Pick<FollowedMarket, 'market' | 'series' | 'grace'>

/** Maximum number of candles that wait for the history, which also has the older ones. */
const maxPending = 1000

/** Open time of the newest closed candle, and of the newest candle of all. */
function endOf({ columns, closed, forming }: Snapshot): { closedEnd: number; newest: number } {
  const closedEnd = closed === 0 ? Number.NEGATIVE_INFINITY : (columns.timestamp[closed - 1] as number)
  return { closedEnd, newest: forming?.timestamp ?? closedEnd }
}

/**
 * Merges two views of one market into its series. Events of the stream are new, but do not show which candles were
 * missed. The exchange's history is complete, but may be older.
 *
 * Some events would leave a hole in the series, or close a candle with an unknown last state. These events wait
 * until the history was fetched. This class makes no requests and reads no clock.
 */
export class Reconciliation {
  /** Candles from the stream that the series lacks, in their latest states. */
  readonly #pending = new Map<number, Candle>()
  /** Whether the series has all candles from before the stream was opened. */
  #isCaughtUp = false
  #needsHistory = false
  /**
   * The state of the forming candle is not the latest state from the stream: it was fetched, or the stream emitted
   * an older state after it. If the stream continues with the next candle, the last state must be fetched.
   */
  #isFormingUnverified = false
  /** Open time of the oldest closed candle that the stream emitted differently; Infinity if there is none. */
  #unverified = Number.POSITIVE_INFINITY

  constructor(private readonly options: Options) {}

  /** Whether events wait until the exchange's history was fetched. */
  get needsHistory(): boolean {
    return this.#needsHistory
  }

  get hasUnverified(): boolean {
    return this.#unverified < Number.POSITIVE_INFINITY
  }

  /** Open time of the newest closed candle in the series; -Infinity if there is none. */
  get closedEnd(): number {
    return endOf(this.options.series.snapshot()).closedEnd
  }

  /** Open time of the newest pending candle; -Infinity if there is none. */
  get newestPending(): number {
    return Math.max(Number.NEGATIVE_INFINITY, ...this.#pending.keys())
  }

  /** Removes and returns the open time of the unverified candle, because a fetch will show it; Infinity if there is none. */
  takeUnverified(): number {
    const unverified = this.#unverified
    this.#unverified = Number.POSITIVE_INFINITY
    return unverified
  }

  /** Notes that the history must show the closed candle that opens at `timestamp`. */
  addUnverified(timestamp: number): void {
    this.#unverified = Math.min(this.#unverified, timestamp)
  }

  addEvent(candles: readonly Candle[]): EventOutcome {
    for (const candle of candles) {
      const known = this.#pending.get(candle.timestamp)
      if (known && isEarlier(candle, known)) this.#isFormingUnverified = true
      else this.#pending.set(candle.timestamp, candle)
    }
    return this.#needsHistory ? 'unchanged' : this.#mergePending(false)
  }

  /**
   * Adds candles that the exchange's history showed at `requestedAt` (Unix seconds), then the waiting events.
   * Returns whether the history had anything newer than the series.
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

  /** Forgets the pending candles of a lost stream, which must be fetched. */
  reset(): void {
    this.#isCaughtUp = false
    this.#needsHistory = false
    this.#pending.clear()
  }

  /** Merges the pending candles. With `isFetched` the history was just fetched, so a hole is one of the market. */
  #mergePending(isFetched: boolean): EventOutcome {
    const { market, series } = this.options
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
   * Compares a candle of the stream with the closed one in the series. Events carry no time, so a different candle
   * may be a correction or a late copy of an earlier state. The exchange's history decides.
   */
  #compare(candle: Candle, snapshot: Snapshot, isFetched: boolean): void {
    const { columns, count } = snapshot
    if (count === 0 || candle.timestamp < (columns.timestamp[0] as number)) return
    const known = closedAt(snapshot, candle.timestamp)
    if (known && isSame(candle, known)) return
    if (isFetched && known && isEarlier(candle, known)) return
    this.addUnverified(candle.timestamp)
  }

  /** Drops candles of the future that the stream sent by mistake, because the history contradicts them. */
  #dropFuture(now: number): void {
    for (const timestamp of this.#pending.keys()) if (timestamp > now) this.#pending.delete(timestamp)
    this.#isFormingUnverified = false
  }

  #mergeHistory(candles: readonly Candle[], requestedAt: number): boolean {
    const last = candles.at(-1)
    if (!last) return false
    const { market, series, grace } = this.options
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
    // All but the last candle are final. The last one may be older than the state from the stream.
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
