import { type CandleBlock, Columns, columnNames, countBefore, countUntil } from '../../candles/columns.js'
import type { Factors } from '../../candles/rescale.js'
import { capacityFor } from '../../candles/series.js'
import type { KeyValueStore } from '../../contract/storage/stores.js'
import { afterChunk, chunkKey, chunkRange, headKey, timeOfChunk } from './archive-keys.js'
import { CorruptChunk, checkChunk, countOf, cutIntoChunks, lastTimeOf, readChunk } from './chunk-codec.js'
import { firstOf, type SeriesChange } from './chunk-merge.js'
import { decodeHead, emptyHead, type SeriesHead } from './series-head.js'

// After a split the newest candles are replaced, and the head stores the factors for the older candles. These are
// multiplied when read, until they are written in the new scale: one chunk per transaction, from the newest back.

const factorsOf = ({ priceScale, volumeScale }: SeriesHead): Factors => ({
  price: priceScale,
  volume: volumeScale,
})

/** Whether the candles of a chunk are still to be multiplied. */
export const isBeforeSplit = (head: SeriesHead | undefined, chunk: string): boolean =>
  head !== undefined && timeOfChunk(chunk) < head.scaledFrom

/** Columns of a chunk in the scale of its series, read as by `readChunk`. Throws CorruptChunk. */
export function readAdjusted(
  head: SeriesHead | undefined,
  chunk: string,
  bytes: Uint8Array,
  closesOnly = false,
): Columns {
  const columns = readChunk(chunk, bytes, closesOnly)
  if (head && isBeforeSplit(head, chunk)) multiply(columns, factorsOf(head))
  return columns
}

function multiply(columns: Columns, { price, volume }: Factors): void {
  for (const name of columnNames) {
    if (name === 'timestamp') continue
    const factor = name === 'volume' ? volume : price
    const column = columns[name]
    for (let at = 0; at < column.length; at++) column[at] = (column[at] as number) * factor
  }
}

/** Writes the newest chunk that is still to be multiplied in its new scale. An unreadable chunk stays unchanged. */
export function adjustNext(chunks: KeyValueStore, key: string, head: SeriesHead): SeriesChange {
  const chunk = firstOf(chunks.keys(chunkRange(key)[0], chunkKey(key, head.scaledFrom), true))
  const bytes = chunk === undefined ? undefined : chunks.get(chunk)
  if (chunk === undefined || !bytes) {
    const { scaledFrom, priceScale, volumeScale } = emptyHead
    return { changes: [], head: { ...head, scaledFrom, priceScale, volumeScale } }
  }
  const after = { ...head, scaledFrom: timeOfChunk(chunk) }
  try {
    const columns = readAdjusted(head, chunk, bytes)
    const candles = Array.from({ length: columns.capacity }, (_, at) => columns.read(at))
    return { changes: cutIntoChunks(key, candles, false), head: after }
  } catch (error) {
    if (error instanceof CorruptChunk) return { changes: [], head: after }
    throw error
  }
}

/**
 * Stored candles of a series that open from `from` to `to` (Unix seconds, both included), in the order of time. One
 * block is in memory at a time, however long the series is; it may be transferred to another thread. Needs only the stored bytes, so a thread may use it
 * over `openCandles`.
 *
 * The series may change between two blocks. Each block has the state at its read, and no candle comes twice. A
 * caller that needs a single state compares the revisions of the series at the start and the end.
 *
 * With `closesOnly` only times and closes are valid. Throws a CorruptChunk if candles cannot be read; their bytes
 * stay unchanged.
 */
export function* readBlocks(
  chunks: KeyValueStore,
  key: string,
  from = Number.NEGATIVE_INFINITY,
  to = Number.POSITIVE_INFINITY,
  closesOnly = false,
): Generator<CandleBlock> {
  const end = chunkRange(key)[1]
  const readHead = () => decodeHead(chunks.get(headKey(key)))
  let head = readHead()
  let first = from
  let chunk = chunkAt(chunks, key, first)
  while (chunk !== undefined && timeOfChunk(chunk) <= to) {
    const bytes = chunks.get(chunk)
    const block = bytes && within(readAdjusted(head, chunk, bytes, closesOnly), first, to)
    if (bytes && block) {
      first = lastTimeOf(bytes) + 1
      yield block
    }
    const now = readHead()
    // Chunks may have been merged, so that another chunk has the next candles.
    const isChanged = now?.revision !== head?.revision && (block !== undefined || !bytes)
    chunk = isChanged ? chunkAt(chunks, key, first) : firstOf(chunks.keys(`${chunk}~`, end))
    head = now
  }
}

/**
 * Open time of the oldest of the newest `count` candles, in Unix seconds. With fewer candles, the open time of the
 * oldest one; undefined if there is none. Throws a CorruptChunk as `readBlocks` does.
 */
export function oldestOf(chunks: KeyValueStore, key: string, count: number): number | undefined {
  let missing = count
  let oldest: number | undefined
  for (const chunk of chunks.keys(...chunkRange(key), true)) {
    const bytes = chunks.get(chunk)
    if (!bytes) continue
    if (countOf(bytes) >= missing) return readChunk(chunk, bytes).timestamp.at(-missing)
    // Newer chunks are counted without being decoded.
    missing -= checkChunk(chunk, bytes)
    oldest = timeOfChunk(chunk)
  }
  return oldest
}

/** Chunk with the candle of a time, if there is one, or the next chunk after that time. */
const chunkAt = (chunks: KeyValueStore, key: string, time: number): string | undefined => {
  const [begin, end] = chunkRange(key)
  return firstOf(chunks.keys(begin, afterChunk(key, time), true)) ?? firstOf(chunks.keys(begin, end))
}

/** Candles of full columns that open from `from` to `to`, both included. */
function within(columns: Columns, from: number, to: number): CandleBlock | undefined {
  const begin = countBefore(columns, columns.capacity, from)
  const end = countUntil(columns, columns.capacity, to)
  return begin < end ? { columns, from: begin, to: end } : undefined
}

/** Closed candles read from the archive: the first `closed` of the columns, ascending. */
export interface ArchivedCandles {
  readonly columns: Columns
  readonly closed: number
  /** Some candles could not be read. The result has the candles after them, without a hole; the others must be fetched. */
  readonly isIncomplete: boolean
}

/**
 * Reads the newest `count` candles of a series, or all, without a hole: the first `closed` of the columns, ascending.
 * Also returns the unreadable chunks, whose errors `onUnreadable` receives. Candles older than the newest readable
 * ones and an unreadable chunk are not read.
 */
export function readNewest(
  chunks: KeyValueStore,
  key: string,
  head: SeriesHead,
  count: number,
  onUnreadable: (chunk: string, error: unknown) => void,
) {
  const parts: Columns[] = []
  const unreadable: string[] = []
  let found = 0
  let oldest = Number.POSITIVE_INFINITY
  for (const chunk of chunks.keys(...chunkRange(key), true)) {
    if (found >= count) break
    const bytes = chunks.get(chunk)
    if (!bytes) continue
    try {
      const part = readAdjusted(head, chunk, bytes)
      if (lastTimeOf(bytes) >= oldest) throw new CorruptChunk('its times are also in the next one')
      oldest = timeOfChunk(chunk)
      parts.push(part)
      found += part.capacity
    } catch (error) {
      onUnreadable(chunk, error)
      unreadable.push(chunk)
      // Older chunks would leave a hole in the middle. If no newer one was read, the hole is at the end, which is
      // fetched anyway.
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
