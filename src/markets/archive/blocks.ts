import { type Columns, countBefore, countUntil } from '../../candles/columns.js'
import type { KeyValueStore } from '../../contract/storage/stores.js'
import { afterChunk, chunkKey, chunkRange, headKey, timeOfChunk } from './archive-keys.js'
import { checkChunk, countOf, lastTimeOf, readChunk } from './chunk-codec.js'
import { firstOf } from './chunk-merge.js'
import { readScaled } from './scale.js'
import { decodeHead } from './series-head.js'

/** Some candles of a series, one after the other: those of the columns from `from` on and before `to`, at least one. */
export interface Block {
  /** In memory of this thread alone, and of nothing else: it may be transferred to another thread. */
  readonly columns: Columns
  readonly from: number
  readonly to: number
}

/**
 * The stored candles of a series that open from `from` to `to` (Unix seconds, both included), in the order of time. One
 * block is in memory at a time, however long the series is. It needs nothing but the stored bytes, so a thread may use
 * it, over `openCandles`. The series may change between two blocks: each block is as the series is when it is read, and no
 * candle comes twice. A caller that needs one state compares the revision of the series before and after. With `closesOnly` only
 * times and closes are of use. Throws a
 * CorruptChunk where candles cannot be read; they stay as they are.
 */
export function* readBlocks(
  chunks: KeyValueStore,
  key: string,
  from = Number.NEGATIVE_INFINITY,
  to = Number.POSITIVE_INFINITY,
  closesOnly = false,
): Generator<Block> {
  const end = chunkRange(key)[1]
  const readHead = () => decodeHead(chunks.get(headKey(key)))
  let head = readHead()
  let first = from
  let chunk = chunkAt(chunks, key, first)
  while (chunk !== undefined && timeOfChunk(chunk) <= to) {
    const bytes = chunks.get(chunk)
    const block = bytes && within(readScaled(head, chunk, bytes, closesOnly), first, to)
    if (bytes && block) {
      first = lastTimeOf(bytes) + 1
      yield block
    }
    const now = readHead()
    // Chunks may have been put together, so that another one has what follows.
    const isChanged = now?.revision !== head?.revision && (block !== undefined || !bytes)
    chunk = isChanged ? chunkAt(chunks, key, first) : firstOf(chunks.keys(`${chunk}~`, end))
    head = now
  }
}

/**
 * When the oldest one of the newest `count` candles opens that open before `time`, in Unix seconds; with fewer candles,
 * that of the oldest one of all, and undefined where there is none. Throws a CorruptChunk as `readBlocks` does.
 */
export function openBefore(
  chunks: KeyValueStore,
  key: string,
  time: number,
  count: number,
): number | undefined {
  let missing = count
  let oldest: number | undefined
  for (const chunk of chunks.keys(chunkRange(key)[0], chunkKey(key, time), true)) {
    const bytes = chunks.get(chunk)
    if (!bytes) continue
    oldest = timeOfChunk(chunk)
    // What lies between is counted, and not decoded.
    if (lastTimeOf(bytes) < time && countOf(bytes) < missing) missing -= checkChunk(chunk, bytes)
    else {
      const columns = readChunk(chunk, bytes)
      const before = countBefore(columns, columns.capacity, time)
      if (before >= missing) return columns.timestamp[before - missing]
      missing -= before
    }
  }
  return oldest
}

/** The chunk that has the candle of a time, where there is one, or the next chunk after that time. */
const chunkAt = (chunks: KeyValueStore, key: string, time: number): string | undefined => {
  const [begin, end] = chunkRange(key)
  return firstOf(chunks.keys(begin, afterChunk(key, time), true)) ?? firstOf(chunks.keys(begin, end))
}

/** The candles of columns that are all filled which open from `from` to `to`, both included. */
function within(columns: Columns, from: number, to: number): Block | undefined {
  const begin = countBefore(columns, columns.capacity, from)
  const end = countUntil(columns, columns.capacity, to)
  return begin < end ? { columns, from: begin, to: end } : undefined
}
