import { scheduler } from '../../runtime/scheduler.js'
import type { Archive } from './archive.js'
import type { SeriesUsage } from './series-head.js'

interface Options {
  readonly archive: Pick<Archive, 'usage' | 'remove' | 'prepareList'>
  readonly maxBytes: number
  /** Whether a series is in memory. Such a series is in use, whenever it was last written. */
  readonly isInMemory: (key: string) => boolean
  readonly onDropped?: (count: number) => void
  /** Called with the remaining bytes if too little may be dropped; once until the archive fits again. */
  readonly onExceeded?: (bytes: number) => void
  readonly onFailure?: (error: unknown) => void
  /** Runs a check on one of the nodes that share the archive. Without it there is one node. */
  readonly onLeader?: (name: string, everyMs: number, check: () => Promise<void>) => Promise<void>
}

/** Share of the limit to which a full archive is reduced, so that not every new series drops another one. */
const shareAfterDropping = 0.95
/** Series measured in one slice, about a millisecond. */
const batchSize = 200
const minPauseMs = 60_000
/** Ratio of a pause to the duration of the previous check, so that checks need at most 1 % of the time. */
const pausePerCheck = 100

/**
 * Keeps the archive below a number of bytes: drops the series that were not written for the longest time.
 *
 * The order of use is the order of the hours in which series were last written. Their heads store this hour, so the
 * order survives a restart and costs no write of its own. Reading a series fetches the candles that have closed
 * since its last write. While the market is open, the hour therefore lags behind the last use by at most one
 * candle.
 *
 * Series in memory are never dropped. Series whose depth an operator has set, by a backfill or an import, are not
 * dropped either, because their exchange may have deleted the candles. They count, so they may fill or exceed the
 * limit; an excess is reported.
 */
export class ArchiveLimit {
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  #isExceeded = false

  constructor(private readonly options: Options) {}

  /** Checks the archive in a minute, then repeatedly. */
  start(pauseMs = minPauseMs): void {
    this.#timer = setTimeout(async () => {
      const began = performance.now()
      try {
        const { onLeader } = this.options
        await (onLeader ? onLeader('archive-limit', minPauseMs / 2, () => this.check()) : this.check())
      } catch (error) {
        this.options.onFailure?.(error)
      }
      if (!this.#isClosed) this.start(Math.max(minPauseMs, pausePerCheck * (performance.now() - began)))
    }, pauseMs).unref()
  }

  /** Ends all checks, including a running one. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  async check(): Promise<void> {
    const { maxBytes, onDropped, onExceeded } = this.options
    const { total, droppable } = await this.#measure()
    if (total <= maxBytes) {
      this.#isExceeded = false
      return
    }
    const { count, bytes } = await this.#drop(droppable, total - maxBytes * shareAfterDropping)
    if (count > 0) onDropped?.(count)
    const left = total - bytes
    if (left > maxBytes && !this.#isExceeded && !this.#isClosed) onExceeded?.(left)
    this.#isExceeded = left > maxBytes
  }

  /** Total bytes of all series, and the series that may be dropped. */
  async #measure(): Promise<{ readonly total: number; readonly droppable: SeriesUsage[] }> {
    const { archive, isInMemory } = this.options
    const droppable: SeriesUsage[] = []
    await archive.prepareList()
    let total = 0
    let previous: string | undefined
    while (!this.#isClosed) {
      const usages = archive.usage(batchSize, previous)
      for (const usage of usages) {
        total += usage.bytes
        if (!usage.isRequested && !isInMemory(usage.key)) droppable.push(usage)
      }
      previous = usages.at(-1)?.key
      if (usages.length < batchSize) break
      await scheduler.slice('archive')
    }
    return { total, droppable }
  }

  async #drop(series: SeriesUsage[], excess: number): Promise<{ count: number; bytes: number }> {
    const { archive, isInMemory } = this.options
    series.sort((a, b) => a.writtenHour - b.writtenHour)
    let count = 0
    let bytes = 0
    for (const { key, bytes: freed } of series) {
      if (bytes >= excess || this.#isClosed) break
      // A client may have requested the series since it was measured.
      if (isInMemory(key)) continue
      archive.remove(key)
      count++
      bytes += freed
      await scheduler.slice('archive')
    }
    return { count, bytes }
  }
}
