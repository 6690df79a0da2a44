import { scheduler } from '../../runtime/scheduler.js'
import type { Archive } from './archive.js'
import type { SeriesUsage } from './series-head.js'

interface Options {
  readonly archive: Pick<Archive, 'usage' | 'remove' | 'prepareList'>
  readonly maxBytes: number
  /** Whether a series is in memory: it is in use, whenever it was last written. */
  readonly isInMemory: (key: string) => boolean
  /** Called with how many series were dropped. */
  readonly onDropped?: (count: number) => void
  /** Called when too little may be dropped, with what is left in bytes; once until it fits again. */
  readonly onExceeded?: (bytes: number) => void
  readonly onFailure?: (error: unknown) => void
  /** Runs a check on one of the nodes that share the archive; without it there is one node. */
  readonly onLeader?: (name: string, everyMs: number, check: () => Promise<void>) => Promise<void>
}

/** Once it is full, this share of the limit stays, so that not every new series has another one dropped. */
const shareAfterDropping = 0.95
/** Series that are looked at before other work has its turn: about a millisecond. */
const batchSize = 200
const minPauseMs = 60_000
/** How much longer the pause between two checks is than the check before it: 1 % of the time at most goes into them. */
const pausePerCheck = 100

/**
 * Keeps the archive below a number of bytes: the series that were not written for the longest time are dropped.
 *
 * The order of use is that of the hours in which series were last written, which their heads say, so it survives a
 * restart and costs no write of its own. A series that is read gets the candles that have closed since, so this hour is
 * behind the last use by one candle at most while its market is open. Series in memory are never dropped. Neither are
 * those whose depth an operator has set, by a backfill or an import: an exchange may not have their candles any more.
 * They count, so they may take the whole limit, or more than it; that is reported.
 */
export class ArchiveLimit {
  readonly #options: Options
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  #isExceeded = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Checks the archive a minute from now, and then again and again. */
  start(pauseMs = minPauseMs): void {
    this.#timer = setTimeout(async () => {
      const began = performance.now()
      try {
        const { onLeader } = this.#options
        await (onLeader ? onLeader('archive-limit', minPauseMs / 2, () => this.check()) : this.check())
      } catch (error) {
        this.#options.onFailure?.(error)
      }
      if (!this.#isClosed) this.start(Math.max(minPauseMs, pausePerCheck * (performance.now() - began)))
    }, pauseMs).unref()
  }

  /** Ends all checks, also one that is under way. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  /** Drops what is beyond the limit. */
  async check(): Promise<void> {
    const { maxBytes, onDropped, onExceeded } = this.#options
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

  /** The bytes of all series, and those that may be dropped. */
  async #measure(): Promise<{ readonly total: number; readonly droppable: SeriesUsage[] }> {
    const { archive, isInMemory } = this.#options
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

  /** Drops series, the longest unused first, until `excess` bytes are free. */
  async #drop(series: SeriesUsage[], excess: number): Promise<{ count: number; bytes: number }> {
    const { archive, isInMemory } = this.#options
    series.sort((a, b) => a.writtenHour - b.writtenHour)
    let count = 0
    let bytes = 0
    for (const { key, bytes: freed } of series) {
      if (bytes >= excess || this.#isClosed) break
      // A client may have asked for it since it was measured.
      if (isInMemory(key)) continue
      archive.remove(key)
      count++
      bytes += freed
      await scheduler.slice('archive')
    }
    return { count, bytes }
  }
}
