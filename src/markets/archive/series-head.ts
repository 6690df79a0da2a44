import { crc32 } from 'node:zlib'
import type { KeyValueStore } from '../../contract/storage/stores.js'
import { headKey, headRange, seriesOfHead } from './archive-keys.js'
import { viewOf } from './chunk-codec.js'

export interface SeriesHead {
  readonly count: number
  /** Open times of the oldest and the newest candle, Unix seconds. */
  readonly first: number
  readonly last: number
  /** Minimum number of stored candles set by an operator for this series, or 0. */
  readonly depth: number
  /** Largest number of candles requested from the exchange at once. If fewer are stored, the exchange has no more. */
  readonly requestedDepth: number
  readonly revision: number
  /** Approximate bytes of its chunks in the file. */
  readonly bytes: number
  /** Time since which no candles between others were lost. */
  readonly wholeFrom: number
  /** Candles that open before this time are still to be multiplied: prices by one factor, volumes by another. */
  readonly scaledFrom: number
  readonly priceScale: number
  readonly volumeScale: number
  /** Time since which all corrections are stored; Infinity if none are yet. */
  readonly knownSince: number
  /** Candles between others were lost, and have not all been requested from the exchange since. */
  readonly isIncomplete: boolean
  /** The candles are made of shorter ones of the same own market. */
  readonly isDerived: boolean
}

/** Facts of a series that need no read of its candles. */
export interface SeriesInfo
  extends Pick<
    SeriesHead,
    | 'count'
    | 'first'
    | 'last'
    | 'depth'
    | 'requestedDepth'
    | 'revision'
    | 'wholeFrom'
    | 'isIncomplete'
    | 'isDerived'
  > {
  /** Candles are still to be brought to the scale of newer ones. */
  readonly isSplitPending: boolean
}

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
  isDerived: false,
}

const magic = 0x4441_4548
const fieldsAt = 8
const incompleteFlag = 1
const derivedFlag = 2
const version = 2
const fields = [
  ...(['count', 'first', 'last', 'depth', 'requestedDepth', 'revision', 'bytes'] as const),
  ...(['wholeFrom', 'scaledFrom', 'priceScale', 'volumeScale', 'knownSince'] as const),
] as const
const writtenHourAt = fieldsAt + 8 * fields.length
const headBytes = writtenHourAt + 8

const checksum = (bytes: Uint8Array) => crc32(bytes.subarray(0, -4))

/**
 * Encodes a head, little-endian. The checksum covers all other bytes:
 *
 *   ├─ magic u32 ─┼─ version u16 ─┼─ flags u16 ─┼─ its fields f64 ─┼─ written hour u32 ─┼─ CRC-32 u32 ─┤
 *
 * Flag 1 is `isIncomplete`, flag 2 `isDerived`.
 */
export function encodeHead(head: SeriesHead, writtenHour: number): Uint8Array {
  const bytes = new Uint8Array(headBytes)
  const view = viewOf(bytes)
  view.setUint32(0, magic, true)
  view.setUint16(4, version, true)
  view.setUint16(6, (head.isIncomplete ? incompleteFlag : 0) | (head.isDerived ? derivedFlag : 0), true)
  for (const [k, field] of fields.entries()) view.setFloat64(fieldsAt + 8 * k, head[field], true)
  view.setUint32(writtenHourAt, writtenHour, true)
  view.setUint32(writtenHourAt + 4, checksum(bytes), true)
  return bytes
}

export function decodeHead(bytes: Uint8Array | undefined): SeriesHead | undefined {
  if (bytes?.byteLength !== headBytes) return undefined
  const view = viewOf(bytes)
  if (view.getUint32(0, true) !== magic || view.getUint16(4, true) !== version) return undefined
  if (view.getUint32(writtenHourAt + 4, true) !== checksum(bytes)) return undefined
  const values = fields.map((field, k) => [field, view.getFloat64(fieldsAt + 8 * k, true)])
  const flags = view.getUint16(6, true)
  const isIncomplete = (flags & incompleteFlag) !== 0
  const isDerived = (flags & derivedFlag) !== 0
  return { ...emptyHead, ...Object.fromEntries(values), isIncomplete, isDerived }
}

/** Hours since the epoch at the last change of a series, from the stored bytes of its head. */
export const writtenHourOf = (bytes: Uint8Array): number =>
  viewOf(bytes).getUint32(bytes.byteLength - 8, true)

export const isSameHead = (one: SeriesHead, other: SeriesHead): boolean =>
  one.isIncomplete === other.isIncomplete &&
  one.isDerived === other.isDerived &&
  fields.every(field => one[field] === other[field])

/** Disk usage of a series, and the facts that decide whether it may be dropped. */
export interface SeriesUsage {
  readonly key: string
  /** Approximate, including the overhead of the store. */
  readonly bytes: number
  /** Last change, in hours since the epoch. */
  readonly writtenHour: number
  /** An operator has set the depth, by a backfill or an import. */
  readonly isRequested: boolean
}

/** Bytes of a head in LMDB, free pages included. */
const storedHeadBytes = 512
const pageBytes = 4096
const pageHeaderBytes = 16

/** Bytes of a chunk in LMDB, which gives each chunk its own pages. */
export const bytesOf = (chunk: Uint8Array | undefined): number =>
  chunk ? Math.ceil((chunk.byteLength + pageHeaderBytes) / pageBytes) * pageBytes : 0

/** Disk usage of `count` series after `previous`, in the order of their keys. */
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
