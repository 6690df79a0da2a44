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

/** A packed chunk with more candles does not become greater when others are appended. */
const maxGrowing = 3 * chunkSize

/** What a write does to the chunks of a series, and what its head says afterwards. */
export interface SeriesChange {
  readonly changes: readonly ChunkChange[]
  readonly head: SeriesHead
  /** The known candles that are other ones then. */
  readonly corrections?: readonly Correction[]
  /** All candles are others, as in another scale. */
  readonly isAnew?: boolean
}

interface Merge {
  readonly chunks: KeyValueStore
  readonly key: string
  readonly head: SeriesHead
  /** Closed candles, ascending, at least one. */
  readonly fresh: readonly Candle[]
  /** Candles to store at least; beyond a quarter more than that the oldest are dropped. */
  readonly depth: number
  /** What is stored is newer: of known candles, the stored ones stay. */
  readonly storedIsNewer: boolean
  /** When a candle arrived, in Unix seconds. */
  readonly arrivedAt: (candle: Candle) => number
  /** Called for a chunk that cannot be read; it is replaced by the change. */
  readonly onUnreadable: (chunk: string, error: unknown) => void
}

/** The chunks that a write of candles concerns. */
interface Touched {
  /** The chunks before this key are older. */
  readonly start: string
  /** All keys of them. */
  readonly keys: ReadonlySet<string>
  /** The bytes of those that can be read. */
  readonly bytes: ReadonlyMap<string, Uint8Array>
  /** The candles in them, ascending. */
  readonly candles: readonly Candle[]
  /** Some could not be read. */
  readonly isIncomplete: boolean
  /** The head counts others than these, because some could not be read or two had the same time. */
  readonly isMiscounted: boolean
}

/** How closed candles change a stored series: newer ones are appended, known ones replaced, older ones inserted. */
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
  // Trimmed as the series in memory is, which gets one candle after the other.
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

/** Reads the chunks in which candles are to be written. */
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
  // Without this every candle that is inserted could leave one more small chunk.
  const rest = (candles.length + fresh.length) % packedSize
  if (rest > 0 && next !== undefined && (countIn(chunks, next) ?? 0) + rest <= packedSize) take(next)
  const ordered = inOrder(candles)
  const isMiscounted = isIncomplete || ordered !== candles
  return { start, keys, bytes, candles: ordered, isIncomplete, isMiscounted }
}

/**
 * The first chunk that a write concerns where candles are appended beyond the newest chunk, which is packed then: the packed chunk
 * before it becomes greater, up to a thousand candles, because many small ones take more pages.
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
  // One that is still to be multiplied cannot have candles of the new scale beside its own.
  if (previous === undefined || timeOfChunk(previous) < head.scaledFrom) return newest
  return countOf(chunks.get(previous) as Uint8Array) <= maxGrowing ? previous : newest
}

/** Drops the oldest `count` candles of the chunks before `start`, where the touched ones begin. */
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
    /** How many of the candles are in the touched chunks. */
    missing,
    /** When the oldest candle before the touched chunks opens, where one is left. */
    oldest,
  }
}

/** Removes the candles of a series that open at a time or later, in `removed` number. */
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

/** Both lists as one, ascending; where they have the same time, the fresh candle counts. */
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

/** How many candles a chunk has, or undefined where it cannot be read. */
export function countIn(chunks: KeyValueStore, chunk: string): number | undefined {
  const bytes = chunks.get(chunk)
  try {
    return bytes && checkChunk(chunk, bytes)
  } catch {
    return undefined
  }
}

/** The candles in all chunks of a series but those given. */
function countCandles(chunks: KeyValueStore, key: string, except: ReadonlySet<string>): number {
  let count = 0
  for (const chunk of chunks.keys(...chunkRange(key)))
    if (!except.has(chunk)) count += countIn(chunks, chunk) ?? 0
  return count
}

/** The first of the items, or undefined where there are none. */
export const firstOf = <Item>(items: Iterable<Item>): Item | undefined => {
  for (const item of items) return item
  return undefined
}

/** How candles replace those of a series. */
export interface Replacement {
  /** The most candles that the exchange was asked for, where they are everything that it has. */
  readonly requestedDepth?: number
  /** The same candles in their order, as they are stored, where a caller has prepared them. */
  readonly chunks?: readonly ChunkChange[]
  /** By what older candles are multiplied that stay. */
  readonly scale?: Factors
}

/**
 * What a series is after its candles were replaced by others, ascending. Of a series that has more than memory holds, older
 * ones stay: in the scale of the new ones, or else with others missing between.
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
  // What takes the place of candles that were still to be multiplied has its scale.
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
