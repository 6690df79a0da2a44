import { crc32 } from 'node:zlib'
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
  /** What its chunks take in the file, about; where that was not stored, what they would take as numbers. */
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
/** Bytes in the file for a candle that is stored as numbers, free pages included. */
const numbersBytes = 62

/** The fields of each version, in their order. */
const earlierFields = ['count', 'first', 'last', 'depth', 'requestedDepth', 'revision'] as const
const fields = [
  ...earlierFields,
  'bytes',
  'wholeFrom',
  'scaledFrom',
  'priceScale',
  'volumeScale',
  'knownSince',
] as const
const fieldsOf = (version: number) => (version === 1 ? earlierFields : version === 2 ? fields : undefined)
const writtenHourAt = (version: number) => fieldsAt + 8 * (fieldsOf(version)?.length ?? 0)

const checksum = (bytes: Uint8Array) => crc32(bytes.subarray(0, -4))

/**
 * A head as it is stored, little-endian; the checksum is that of everything else:
 *
 *   ├─ magic u32 ─┼─ version u16 ─┼─ flags u16 ─┼─ its fields f64 ─┼─ written hour u32 ─┼─ CRC-32 u32 ─┤
 *
 * Of the flags, 1 stands for `isIncomplete`. Version 1, that of earlier releases, has the first six fields.
 */
export function encodeHead(head: SeriesHead, writtenHour: number, version: 1 | 2 = 2): Uint8Array {
  const names = version === 1 ? earlierFields : fields
  const hourAt = writtenHourAt(version)
  const bytes = new Uint8Array(hourAt + 8)
  const view = viewOf(bytes)
  view.setUint32(0, magic, true)
  view.setUint16(4, version, true)
  view.setUint16(6, head.isIncomplete ? incompleteFlag : 0, true)
  for (const [k, field] of names.entries()) view.setFloat64(fieldsAt + 8 * k, head[field], true)
  view.setUint32(hourAt, writtenHour, true)
  view.setUint32(hourAt + 4, checksum(bytes), true)
  return bytes
}

/** The head in stored bytes, or undefined where they are no such thing. */
export function decodeHead(bytes: Uint8Array | undefined): SeriesHead | undefined {
  if (bytes === undefined || bytes.byteLength < fieldsAt) return undefined
  const view = viewOf(bytes)
  const version = view.getUint16(4, true)
  const names = fieldsOf(version)
  if (view.getUint32(0, true) !== magic || names === undefined) return undefined
  const hourAt = writtenHourAt(version)
  if (bytes.byteLength !== hourAt + 8 || view.getUint32(hourAt + 4, true) !== checksum(bytes))
    return undefined
  const values = Object.fromEntries(names.map((field, k) => [field, view.getFloat64(fieldsAt + 8 * k, true)]))
  const head = { ...emptyHead, ...values, isIncomplete: (view.getUint16(6, true) & incompleteFlag) !== 0 }
  if (version === 2) return head
  const wholeFrom = head.isIncomplete ? Number.POSITIVE_INFINITY : head.wholeFrom
  return { ...head, bytes: head.count * numbersBytes, wholeFrom }
}

/** Hours since the epoch at the last change of a series, out of its head's stored bytes; 0 where it was not stored. */
export const writtenHourOf = (bytes: Uint8Array): number =>
  viewOf(bytes).getUint32(bytes.byteLength - 8, true)

/** Whether two heads say the same. */
export const isSameHead = (one: SeriesHead, other: SeriesHead): boolean =>
  one.isIncomplete === other.isIncomplete && fields.every(field => one[field] === other[field])
