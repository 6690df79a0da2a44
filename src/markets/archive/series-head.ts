import { crc32 } from 'node:zlib'
import type { KeyValueStore } from '../../contract/storage/stores.js'
import { headKey, headRange, seriesOfHead } from './archive-keys.js'
import { viewOf } from './chunk-codec.js'

/** What is stored about a series as a whole. */
export interface SeriesHead {
  readonly count: number
  /** Open times of the oldest and the newest candle, Unix seconds. */
  readonly first: number
  readonly last: number
  /** The least number of candles to store, where an operator has set it for this series; otherwise 0. */
  readonly depth: number
  /** The most candles that the exchange was asked for at once; fewer in the archive are all that it has. */
  readonly requestedDepth: number
  /** Different after every change. */
  readonly revision: number
  /** Bytes that its chunks take in the file, about. */
  readonly bytes: number
  /** From this time on no candles between others were lost. */
  readonly wholeFrom: number
  /** Candles that open before this time are still to be multiplied: prices by one number, volumes by another one. */
  readonly scaledFrom: number
  readonly priceScale: number
  readonly volumeScale: number
  /** From this time on all corrections are stored: Infinity where none are yet. */
  readonly knownSince: number
  /** Candles between others were lost, and the exchange has not been asked for all of them since. */
  readonly isIncomplete: boolean
}

/** What is known about a series without reading its candles. */
export interface SeriesInfo {
  /** `exchange:SYMBOL:timeframe`. */
  readonly key: string
  readonly count: number
  /** Open times of the oldest and the newest candle, Unix seconds. */
  readonly first: number
  readonly last: number
  /** Candles to store at least. */
  readonly depth: number
  /** From this time on no candles between others were lost; -Infinity where none were. */
  readonly wholeFrom: number
}

/** The head of a series that is not stored. */
export const emptyHead: SeriesHead = {
  count: 0,
  first: 0,
  last: 0,
  depth: 0,
  requestedDepth: 0,
  revision: 0,
  bytes: 0,
  wholeFrom: Number.NEGATIVE_INFINITY,
  scaledFrom: Number.NEGATIVE_INFINITY,
  priceScale: 1,
  volumeScale: 1,
  knownSince: Number.POSITIVE_INFINITY,
  isIncomplete: false,
}

const magic = 0x4441_4548
const fieldsAt = 8
const incompleteFlag = 1
const version = 2
const fields = [
  ...(['count', 'first', 'last', 'depth', 'requestedDepth', 'revision', 'bytes'] as const),
  ...(['wholeFrom', 'scaledFrom', 'priceScale', 'volumeScale', 'knownSince'] as const),
] as const
const writtenHourAt = fieldsAt + 8 * fields.length
const headBytes = writtenHourAt + 8

const checksum = (bytes: Uint8Array) => crc32(bytes.subarray(0, -4))

/**
 * A head as it is stored, little-endian; the checksum is that of everything else:
 *
 *   ├─ magic u32 ─┼─ version u16 ─┼─ flags u16 ─┼─ its fields f64 ─┼─ written hour u32 ─┼─ CRC-32 u32 ─┤
 *
 * Of the flags, 1 stands for `isIncomplete`.
 */
export function encodeHead(head: SeriesHead, writtenHour: number): Uint8Array {
  const bytes = new Uint8Array(headBytes)
  const view = viewOf(bytes)
  view.setUint32(0, magic, true)
  view.setUint16(4, version, true)
  view.setUint16(6, head.isIncomplete ? incompleteFlag : 0, true)
  for (const [k, field] of fields.entries()) view.setFloat64(fieldsAt + 8 * k, head[field], true)
  view.setUint32(writtenHourAt, writtenHour, true)
  view.setUint32(writtenHourAt + 4, checksum(bytes), true)
  return bytes
}

/** The head in stored bytes, or undefined where they are no such thing. */
export function decodeHead(bytes: Uint8Array | undefined): SeriesHead | undefined {
  if (bytes?.byteLength !== headBytes) return undefined
  const view = viewOf(bytes)
  if (view.getUint32(0, true) !== magic || view.getUint16(4, true) !== version) return undefined
  if (view.getUint32(writtenHourAt + 4, true) !== checksum(bytes)) return undefined
  const values = fields.map((field, k) => [field, view.getFloat64(fieldsAt + 8 * k, true)])
  const isIncomplete = (view.getUint16(6, true) & incompleteFlag) !== 0
  return { ...emptyHead, ...Object.fromEntries(values), isIncomplete }
}

/** Hours since the epoch at the last change of a series, from the stored bytes of its head. */
export const writtenHourOf = (bytes: Uint8Array): number =>
  viewOf(bytes).getUint32(bytes.byteLength - 8, true)

/** Whether two heads say the same. */
export const isSameHead = (one: SeriesHead, other: SeriesHead): boolean =>
  one.isIncomplete === other.isIncomplete && fields.every(field => one[field] === other[field])

/** What a series takes on the disk, and what decides whether it may be dropped. */
export interface SeriesUsage {
  readonly key: string
  /** Roughly, with what the store itself needs for it. */
  readonly bytes: number
  /** When it was last changed, in hours since the epoch. */
  readonly writtenHour: number
  /** An operator has set its depth, by a backfill or an import. */
  readonly isRequested: boolean
}

/** Bytes that LMDB needs for a head, free pages included. */
const storedHeadBytes = 512
const pageBytes = 4096
const pageHeaderBytes = 16

/** Bytes that LMDB needs for a chunk, which has pages of its own. */
export const bytesOf = (chunk: Uint8Array | undefined): number =>
  chunk ? Math.ceil((chunk.byteLength + pageHeaderBytes) / pageBytes) * pageBytes : 0

/** What series take: `count` of them from the one after `previous` on, in the order of their keys. */
export function readUsage(
  chunks: KeyValueStore,
  count: number,
  previous: string | undefined,
): readonly SeriesUsage[] {
  const [begin, end] = headRange
  const usages: SeriesUsage[] = []
  for (const stored of chunks.keys(previous === undefined ? begin : headKey(previous), end)) {
    const key = seriesOfHead(stored)
    if (key === previous) continue
    if (usages.length === count) break
    const bytes = chunks.get(stored)
    const head = decodeHead(bytes) ?? emptyHead
    usages.push({
      key,
      bytes: head.bytes + storedHeadBytes,
      writtenHour: bytes ? writtenHourOf(bytes) : 0,
      isRequested: head.depth > 0,
    })
  }
  return usages
}
