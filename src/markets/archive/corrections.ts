import { crc32 } from 'node:zlib'
import { type Candle, isSame } from '../../candles/candle.js'
import type { KeyValueStore } from '../../contract/storage/stores.js'
import { correctionKey, correctionRange, timeOfCorrection } from './archive-keys.js'
import { type ChunkChange, viewOf } from './chunk-codec.js'

/** What was known of a closed candle until another state of it arrived. */
export interface Correction {
  /** When the other state arrived, in Unix seconds. */
  readonly at: number
  readonly timestamp: number
  /** Undefined where there was no candle of this time. */
  readonly before: Candle | undefined
}

/** More candles that change in one write are another series, as after a split, and are not stored one by one. */
const maxPerWrite = 1000
/** Writes with corrections that are stored of one series. */
const maxStored = 2000

const headerBytes = 8
const columns = ['timestamp', 'open', 'high', 'low', 'close', 'volume'] as const
const recordBytes = columns.length * 8

/**
 * Corrections that arrived at the same time, little-endian. One without a candle before has NaN in the place of its numbers:
 *
 *   ├─ CRC-32 of what follows u32 ─┼─ 0 u32 ─┼─ timestamp f64 ─┼─ open … volume, five f64 ─┼─ timestamp f64 ─┤ …
 */
function encode(corrections: readonly Correction[]): Uint8Array {
  const bytes = new Uint8Array(headerBytes + corrections.length * recordBytes)
  const view = viewOf(bytes)
  for (const [at, { timestamp, before }] of corrections.entries())
    for (const [k, column] of columns.entries()) {
      const value = column === 'timestamp' ? timestamp : (before?.[column] ?? Number.NaN)
      view.setFloat64(headerBytes + at * recordBytes + 8 * k, value, true)
    }
  view.setUint32(0, crc32(bytes.subarray(headerBytes)), true)
  return bytes
}

/** The corrections under a key; undefined where they are damaged. */
function decode(key: string, bytes: Uint8Array | undefined): Correction[] | undefined {
  if (bytes === undefined) return []
  const count = (bytes.byteLength - headerBytes) / recordBytes
  if (!Number.isInteger(count) || count < 0) return undefined
  const view = viewOf(bytes)
  if (view.getUint32(0, true) !== crc32(bytes.subarray(headerBytes))) return undefined
  const at = timeOfCorrection(key)
  return Array.from({ length: count }, (_, place) => {
    const values = columns.map((column, k) => [
      column,
      view.getFloat64(headerBytes + place * recordBytes + 8 * k, true),
    ])
    const candle = Object.fromEntries(values) as Candle
    return { at, timestamp: candle.timestamp, before: Number.isNaN(candle.open) ? undefined : candle }
  })
}

/** What a write changes of candles that were known: `old` and `fresh` are ascending, and the series goes from `first` to `last`. */
export function correctionsOf(
  old: readonly Candle[],
  fresh: readonly Candle[],
  { first, last }: { readonly first: number; readonly last: number },
  arrivedAt: (candle: Candle) => number,
): Correction[] {
  // What is older than all candles makes a longer history, and changes none. Most writes only append.
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
 * What is stored of corrections at a time `now`: the changes, and since when all corrections are known then. Those from before
 * `oldest` are dropped. Both are Unix seconds.
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
 * The candles of a series as they were known at a time (Unix seconds), by their open times, where they are others now; undefined
 * stands for one that was not known. Nothing is answered where a correction cannot be read.
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
