import { Columns, columnNames } from '../../candles/columns.js'
import { capacityFor } from '../../candles/series.js'
import type { KeyValueStore } from '../../contract/storage/stores.js'
import { chunkRange, timeOfChunk } from './archive-keys.js'
import { CorruptChunk, lastTimeOf } from './chunk-codec.js'
import { readScaled } from './scale.js'
import type { SeriesHead } from './series-head.js'

/** Closed candles read from the archive: the first `closed` of the columns, ascending. */
export interface ArchivedCandles {
  readonly columns: Columns
  readonly closed: number
  /** Some candles could not be read. These are the ones after them, without a hole; the others have to be fetched. */
  readonly isIncomplete: boolean
}

/** The newest candles of a series: the first `closed` of the columns, ascending. */
interface NewestCandles {
  readonly columns: Columns
  readonly closed: number
  /** Chunks that cannot be read; what is older than the newest readable candle and one of them was not read. */
  readonly unreadable: readonly string[]
}

/** Reads the newest `count` candles of a series, or all, without a hole. `onUnreadable` gets what is wrong with a chunk. */
export function readNewest(
  chunks: KeyValueStore,
  key: string,
  head: SeriesHead,
  count: number,
  onUnreadable: (chunk: string, error: unknown) => void,
): NewestCandles {
  const parts: Columns[] = []
  const unreadable: string[] = []
  let found = 0
  let oldest = Number.POSITIVE_INFINITY
  for (const chunk of chunks.keys(...chunkRange(key), true)) {
    if (found >= count) break
    const bytes = chunks.get(chunk)
    if (!bytes) continue
    try {
      const part = readScaled(head, chunk, bytes)
      if (lastTimeOf(bytes) >= oldest) throw new CorruptChunk('its times are also in the next one')
      oldest = timeOfChunk(chunk)
      parts.push(part)
      found += part.capacity
    } catch (error) {
      onUnreadable(chunk, error)
      unreadable.push(chunk)
      // Older chunks would leave a hole in the middle. Where no newer one was read they leave it at the end, which
      // is fetched anyway.
      if (found > 0) break
    }
  }
  const closed = Math.min(found, count)
  const columns = new Columns(capacityFor(closed))
  let end = closed
  for (const part of parts) {
    const used = Math.min(part.capacity, end)
    for (const name of columnNames) columns[name].set(part[name].subarray(part.capacity - used), end - used)
    end -= used
  }
  return { columns, closed, unreadable }
}
