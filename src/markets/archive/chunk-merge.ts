import { type Candle, inOrder } from '../../candles/candle.js'
import type { Factors } from '../../candles/rescale.js'
import { countAfterTrim } from '../../candles/series.js'
import type { KeyValueStore } from '../../contract/storage/stores.js'
import { afterChunk, chunkKey, chunkRange, timeOfChunk } from './archive-keys.js'
import {
  type ChunkChange,
  checkChunk,
  chunkSize,
  countOf,
  cutIntoChunks,
  decodeChunk,
  headerBytes,
  lastTimeOf,
  packedSize,
} from './chunk-codec.js'
import { type Correction, correctionsOf } from './corrections.js'
import type { SeriesHead } from './series-head.js'

/** Packed chunks with more candles do not grow when candles are appended. */
const maxGrowing = 3 * chunkSize

/** Changes of the chunks of a series by a write, and the head after it. */
export interface SeriesChange {
  readonly changes: readonly ChunkChange[]
  readonly head: SeriesHead
  /** Previous states of known candles that the write changes. */
  readonly corrections?: readonly Correction[]
  /** All candles have changed, as after a change of scale. */
  readonly isAnew?: boolean
}

interface Merge {
  readonly chunks: KeyValueStore
  readonly key: string
  readonly head: SeriesHead
  /** Closed candles, ascending, at least one. */
  readonly fresh: readonly Candle[]
  /** Minimum number of candles to store. More than a quarter above this number, the oldest are dropped. */
  readonly depth: number
  /** The stored candles are newer: known candles keep their stored state. */
  readonly storedIsNewer: boolean
  /** Arrival time of a candle, in Unix seconds. */
  readonly arrivedAt: (candle: Candle) => number
  /** Called for an unreadable chunk, which the change replaces. */
  readonly onUnreadable: (chunk: string, error: unknown) => void
}

interface Touched {
  /** Key of the first affected chunk; chunks before this key are older. */
  readonly start: string
  /** Keys of all affected chunks. */
  readonly keys: ReadonlySet<string>
  /** Bytes of the readable chunks, by key. */
  readonly bytes: ReadonlyMap<string, Uint8Array>
  /** Candles of the readable chunks, ascending. */
  readonly candles: readonly Candle[]
  /** Some chunks could not be read. */
  readonly isIncomplete: boolean
  /** The head does not count exactly these candles, because some could not be read or two had the same time. */
  readonly isMiscounted: boolean
}

/** Merges closed candles into a stored series: appends newer ones, replaces known ones, inserts older ones. */
export function mergeIntoChunks(merge: Merge): SeriesChange {
  const { key, head, fresh, depth } = merge
  const { timestamp: newest } = fresh.at(-1) as Candle
  const touched = readTouched(merge)
  const merged = merge.storedIsNewer
    ? mergeCandles(fresh, touched.candles)
    : mergeCandles(touched.candles, fresh)
  const countBefore = touched.isMiscounted
    ? countCandles(merge.chunks, key, touched.keys) + touched.candles.length
    : head.count
  const appended = fresh.filter(({ timestamp }) => timestamp > head.last).length
  const total = countBefore - touched.candles.length + merged.length
  // Trims as the series in memory does, which receives the candles one by one.
  let count = total - appended
  for (let i = 0; i < appended; i++) count = countAfterTrim(count, depth) + 1

  const dropped = dropOldest(merge, touched.start, total - count)
  const rest = merged.slice(dropped.missing)
  const isNewest = (rest.at(-1)?.timestamp ?? 0) >= head.last
  const written = new Map(cutIntoChunks(key, rest, isNewest))
  const changes = [...dropped.changes]
  for (const chunk of touched.keys) if (!written.has(chunk)) changes.push([chunk, undefined])
  for (const [chunk, bytes] of written) {
    const before = touched.bytes.get(chunk)
    if (!before || Buffer.compare(before, bytes) !== 0) changes.push([chunk, bytes])
  }
  const last = head.count === 0 ? newest : Math.max(newest, head.last)
  const first = dropped.oldest ?? (rest[0] as Candle).timestamp
  const lost = touched.isIncomplete ? { isIncomplete: true, wholeFrom: Number.POSITIVE_INFINITY } : {}
  const corrections = head.count === 0 ? [] : correctionsOf(touched.candles, fresh, head, merge.arrivedAt)
  return {
    changes,
    head: { ...head, count, first, last, ...lost },
    corrections,
    isAnew: touched.isIncomplete,
  }
}

function readTouched({ chunks, key, head, fresh, onUnreadable }: Merge): Touched {
  const [begin, end] = chunkRange(key)
  const oldest = afterChunk(key, (fresh[0] as Candle).timestamp)
  const newest = afterChunk(key, (fresh.at(-1) as Candle).timestamp)
  const found = firstOf(chunks.keys(begin, oldest, true)) ?? begin
  const start = startOfPacked(chunks, begin, found, fresh, head)
  const keys = new Set<string>()
  const bytes = new Map<string, Uint8Array>()
  const candles: Candle[] = []
  let isIncomplete = false
  const take = (chunk: string) => {
    const stored = chunks.get(chunk)
    if (!stored) return
    keys.add(chunk)
    try {
      for (const candle of decodeChunk(chunk, stored)) candles.push(candle)
      bytes.set(chunk, stored)
    } catch (error) {
      onUnreadable(chunk, error)
      isIncomplete = true
    }
  }
  const next = firstOf(chunks.keys(newest, end))
  for (const chunk of [...chunks.keys(start, newest)]) take(chunk)
  // Without this, every inserted candle could leave one more small chunk.
  const rest = (candles.length + fresh.length) % packedSize
  if (rest > 0 && next !== undefined && (countIn(chunks, next) ?? 0) + rest <= packedSize) take(next)
  const ordered = inOrder(candles)
  const isMiscounted = isIncomplete || ordered !== candles
  return { start, keys, bytes, candles: ordered, isIncomplete, isMiscounted }
}

/**
 * First chunk affected by a write. An append beyond the newest chunk packs this chunk. Then the packed chunk before
 * it grows as well, up to a thousand candles, because many small chunks need more pages.
 */
function startOfPacked(
  chunks: KeyValueStore,
  begin: string,
  newest: string,
  fresh: readonly Candle[],
  head: SeriesHead,
): string {
  const stored = newest === begin ? undefined : chunks.get(newest)
  const appended = fresh.filter(({ timestamp }) => timestamp > head.last).length
  if (!stored || appended === 0 || countOf(stored) + appended <= chunkSize) return newest
  const previous = firstOf(chunks.keys(begin, newest, true))
  // A chunk that is still to be multiplied cannot also hold candles of the new scale.
  if (previous === undefined || timeOfChunk(previous) < head.scaledFrom) return newest
  return countOf(chunks.get(previous) as Uint8Array) <= maxGrowing ? previous : newest
}

/** Drops the oldest `count` candles of the chunks before `start`, the first affected chunk. */
function dropOldest({ chunks, key }: Merge, start: string, count: number) {
  const changes: ChunkChange[] = []
  let missing = count
  let oldest: number | undefined
  const [begin] = chunkRange(key)
  for (const chunk of chunks.keys(begin, start)) {
    if (missing === 0) {
      oldest ??= timeOfChunk(chunk)
      break
    }
    const bytes = chunks.get(chunk) as Uint8Array
    const stored = countIn(chunks, chunk) ?? 0
    changes.push([chunk, undefined])
    if (stored > missing) {
      const rest = decodeChunk(chunk, bytes).slice(missing)
      changes.push(...cutIntoChunks(key, rest, false))
      oldest = rest[0]?.timestamp
    }
    missing -= Math.min(missing, stored)
  }
  return {
    changes,
    /** Number of the dropped candles that are in the affected chunks. */
    missing,
    /** Open time of the oldest remaining candle before the affected chunks, if one remains. */
    oldest,
  }
}

/** Removes the candles of a series that open at `time` or later. `removed` is their number. */
export function removeFrom(
  chunks: KeyValueStore,
  key: string,
  time: number,
): { readonly changes: ChunkChange[]; readonly removed: number } {
  const [begin, end] = chunkRange(key)
  const changes: ChunkChange[] = []
  let removed = 0
  const start = firstOf(chunks.keys(begin, chunkKey(key, time), true)) ?? begin
  for (const chunk of chunks.keys(start, end)) {
    const bytes = chunks.get(chunk) as Uint8Array
    if (timeOfChunk(chunk) >= time) {
      changes.push([chunk, undefined])
      removed += bytes.byteLength < headerBytes ? 0 : countOf(bytes)
    } else if (lastTimeOf(bytes) >= time) {
      const candles = decodeChunk(chunk, bytes)
      const older = candles.filter(({ timestamp }) => timestamp < time)
      changes.push(...cutIntoChunks(key, older, false))
      removed += candles.length - older.length
    }
  }
  return { changes, removed }
}

/** Merges both lists, ascending. If both have a candle of the same time, the fresh one wins. */
function mergeCandles(old: readonly Candle[], fresh: readonly Candle[]): Candle[] {
  const merged: Candle[] = []
  let i = 0
  for (const candle of fresh) {
    for (; i < old.length && (old[i] as Candle).timestamp < candle.timestamp; i++)
      merged.push(old[i] as Candle)
    if (i < old.length && (old[i] as Candle).timestamp === candle.timestamp) i++
    merged.push(candle)
  }
  for (; i < old.length; i++) merged.push(old[i] as Candle)
  return merged
}

/** Number of candles of a chunk, or undefined if it cannot be read. */
export function countIn(chunks: KeyValueStore, chunk: string): number | undefined {
  const bytes = chunks.get(chunk)
  try {
    return bytes && checkChunk(chunk, bytes)
  } catch {
    return undefined
  }
}

/** Number of candles in all chunks of a series except some. */
function countCandles(chunks: KeyValueStore, key: string, except: ReadonlySet<string>): number {
  let count = 0
  for (const chunk of chunks.keys(...chunkRange(key)))
    if (!except.has(chunk)) count += countIn(chunks, chunk) ?? 0
  return count
}

export const firstOf = <Item>(items: Iterable<Item>): Item | undefined => {
  for (const item of items) return item
  return undefined
}

export interface Replacement {
  /** Number of candles requested from the exchange, if the candles are all that it has. */
  readonly requestedDepth?: number
  /** The same candles as stored chunks in order, if the caller has prepared them. */
  readonly chunks?: readonly ChunkChange[]
  /** Factors by which the remaining older candles are multiplied. */
  readonly scale?: Factors
}

/**
 * Replaces the candles of a series by others, ascending. If the series has more candles than memory holds, older
 * ones stay: in the scale of the new ones, or without a scale with a hole after them.
 */
export function replaceCandles(
  chunks: KeyValueStore,
  { key, head, isDeep }: { readonly key: string; readonly head: SeriesHead; readonly isDeep: boolean },
  list: readonly Candle[],
  { requestedDepth = 0, chunks: prepared, scale }: Replacement,
): SeriesChange {
  const [first, last] = [list[0]?.timestamp ?? 0, list.at(-1)?.timestamp ?? 0]
  const staysFrom = isDeep && list.length > 0 && head.first < first ? first : Number.NEGATIVE_INFINITY
  const { changes, removed } = removeFrom(chunks, key, staysFrom)
  const older = staysFrom === first ? Math.max(0, head.count - removed) : 0
  // New candles that replace candles still to be multiplied already have the new scale.
  const scaledFrom = Math.min(head.scaledFrom, staysFrom)
  const replaced = {
    changes: [...changes, ...(prepared ?? cutIntoChunks(key, list))],
    head: { ...head, requestedDepth, count: older + list.length, first, last, scaledFrom },
    isAnew: true,
  }
  const wholeFrom = Number.NEGATIVE_INFINITY
  if (older === 0) return { ...replaced, head: { ...replaced.head, isIncomplete: false, wholeFrom } }
  const staying = { ...replaced.head, first: head.first }
  if (!scale) return { ...replaced, head: { ...staying, isIncomplete: true, wholeFrom: first } }
  const scales = { scaledFrom: first, priceScale: scale.price, volumeScale: scale.volume }
  return { ...replaced, head: { ...staying, ...scales } }
}
