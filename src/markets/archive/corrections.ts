import { crc32 } from 'node:zlib'
import { type Candle, candlesFromBytes, candlesToBytes, isSame } from '../../candles/candle.js'
import type { KeyValueStore } from '../../contract/storage/stores.js'
import { correctionKey, correctionRange, timeOfCorrection } from './archive-keys.js'
import { type ChunkChange, viewOf } from './chunk-codec.js'

/** State of a closed candle until another state of it arrived. */
export interface Correction {
  /** Arrival time of the other state, in Unix seconds. */
  readonly at: number
  readonly timestamp: number
  /** Undefined if there was no candle of this time. */
  readonly before: Candle | undefined
}

/** Maximum number of stored corrections of one write. A write with more is another series, as after a split. */
const maxPerWrite = 1000
/** Maximum number of stored writes with corrections of one series. */
const maxStored = 2000

const headerBytes = 8

/** Numbers of a candle that did not exist. */
const none = { open: Number.NaN, high: Number.NaN, low: Number.NaN, close: Number.NaN, volume: Number.NaN }

/**
 * Encodes corrections that arrived at the same time, little-endian. If there was no candle before, its numbers are
 * NaN:
 *
 *   ├─ CRC-32 of what follows u32 ─┼─ 0 u32 ─┼─ timestamp f64 ─┼─ open … volume, five f64 ─┼─ timestamp f64 ─┤ …
 */
function encode(corrections: readonly Correction[]): Uint8Array {
  const candles = candlesToBytes(
    corrections.map(({ timestamp, before = none }) => ({ ...before, timestamp })),
  )
  const header = Buffer.alloc(headerBytes)
  header.writeUInt32LE(crc32(candles))
  return Buffer.concat([header, candles])
}

/** Corrections stored under a key; undefined if they are damaged. */
function decode(key: string, bytes: Uint8Array | undefined): Correction[] | undefined {
  if (bytes === undefined) return []
  const candles = bytes.subarray(headerBytes)
  if (bytes.byteLength < headerBytes || viewOf(bytes).getUint32(0, true) !== crc32(candles)) return undefined
  const at = timeOfCorrection(key)
  return candlesFromBytes(candles).map(candle => ({
    at,
    timestamp: candle.timestamp,
    before: Number.isNaN(candle.open) ? undefined : candle,
  }))
}

/**
 * Corrections that a write makes to known candles. `old` and `fresh` are ascending. The series ranges from `first`
 * to `last`.
 */
export function correctionsOf(
  old: readonly Candle[],
  fresh: readonly Candle[],
  { first, last }: { readonly first: number; readonly last: number },
  arrivedAt: (candle: Candle) => number,
): Correction[] {
  // Candles older than the series extend its history and correct nothing. Most writes only append.
  const within = fresh.filter(({ timestamp }) => timestamp >= first && timestamp <= last)
  if (within.length === 0) return []
  const known = new Map(old.map(candle => [candle.timestamp, candle]))
  const found: Correction[] = []
  for (const candle of within) {
    const { timestamp } = candle
    const before = known.get(timestamp)
    if (before === undefined || !isSame(before, candle))
      found.push({ at: arrivedAt(candle), timestamp, before })
  }
  return found
}

/**
 * Changes that store corrections at the time `now`, and the time since which all corrections are then known.
 * Corrections from before `oldest` are dropped. All times are Unix seconds.
 */
export function storeCorrections(
  chunks: KeyValueStore,
  key: string,
  corrections: readonly Correction[],
  { isWanted, now, oldest }: { readonly isWanted: boolean; readonly now: number; readonly oldest: number },
): { readonly changes: readonly ChunkChange[]; readonly knownSince: number } {
  if (corrections.length === 0) return { changes: [], knownSince: Number.NEGATIVE_INFINITY }
  if (!isWanted || corrections.length > maxPerWrite) return { changes: [], knownSince: now }
  const changes: ChunkChange[] = []
  let knownSince = Number.NEGATIVE_INFINITY
  const stored = [...chunks.keys(...correctionRange(key))]
  const excess = stored.length - maxStored
  for (const [place, old] of stored.entries()) {
    if (place >= excess && timeOfCorrection(old) >= oldest) break
    changes.push([old, undefined])
    knownSince = timeOfCorrection(old)
  }
  const byKey = new Map<string, Correction[]>()
  for (const correction of corrections) {
    const name = correctionKey(key, correction.at)
    const known = byKey.get(name) ?? decode(name, chunks.get(name)) ?? []
    byKey.set(name, [...known, correction])
  }
  for (const [name, some] of byKey) changes.push([name, encode(some)])
  return { changes, knownSince }
}

/**
 * Candles of a series as they were known at a time (Unix seconds), by open time, if their state differs today. A
 * candle that was not known is undefined. Returns undefined if a correction cannot be read.
 */
export function candlesAsOf(
  chunks: KeyValueStore,
  key: string,
  time: number,
): ReadonlyMap<number, Candle | undefined> | undefined {
  const known = new Map<number, Candle | undefined>()
  const [, end] = correctionRange(key)
  for (const name of chunks.keys(correctionKey(key, time), end)) {
    const corrections = decode(name, chunks.get(name))
    if (corrections === undefined) return undefined
    for (const { at, timestamp, before } of corrections)
      if (at > time && !known.has(timestamp)) known.set(timestamp, before)
  }
  return known
}
