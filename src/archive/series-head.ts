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
  /** Candles between others were lost, and the exchange has not been asked for all of them since. */
  readonly isIncomplete: boolean
}

/** The head of a series that is not stored. */
export const emptyHead: SeriesHead = {
  count: 0,
  first: 0,
  last: 0,
  depth: 0,
  requestedDepth: 0,
  revision: 0,
  isIncomplete: false,
}

const magic = 0x4441_4548
const version = 1
const fields = ['count', 'first', 'last', 'depth', 'requestedDepth', 'revision'] as const
const fieldsAt = 8
const incompleteFlag = 1
const writtenHourAt = fieldsAt + fields.length * 8
const checksumAt = writtenHourAt + 4
const byteLength = checksumAt + 4

const checksum = (bytes: Uint8Array) => crc32(bytes.subarray(0, checksumAt))

/**
 * A head as it is stored, little-endian; the checksum is that of everything else:
 *
 *   ├─ magic u32 ─┼─ version u16 ─┼─ flags u16 ─┼─ six fields f64 ─┼─ written hour u32 ─┼─ CRC-32 u32 ─┤
 *
 * Of the flags, 1 stands for `isIncomplete`.
 */
export function encodeHead(head: SeriesHead, writtenHour: number): Uint8Array {
  const bytes = new Uint8Array(byteLength)
  const view = viewOf(bytes)
  view.setUint32(0, magic, true)
  view.setUint16(4, version, true)
  view.setUint16(6, head.isIncomplete ? incompleteFlag : 0, true)
  for (const [k, field] of fields.entries()) view.setFloat64(fieldsAt + 8 * k, head[field], true)
  view.setUint32(writtenHourAt, writtenHour, true)
  view.setUint32(checksumAt, checksum(bytes), true)
  return bytes
}

/** The head in stored bytes, or undefined where they are no such thing. */
export function decodeHead(bytes: Uint8Array | undefined): SeriesHead | undefined {
  if (bytes?.byteLength !== byteLength) return undefined
  const view = viewOf(bytes)
  if (view.getUint32(0, true) !== magic || view.getUint16(4, true) !== version) return undefined
  if (view.getUint32(checksumAt, true) !== checksum(bytes)) return undefined
  const value = (k: number) => view.getFloat64(fieldsAt + 8 * k, true)
  return {
    count: value(0),
    first: value(1),
    last: value(2),
    depth: value(3),
    requestedDepth: value(4),
    revision: value(5),
    isIncomplete: (view.getUint16(6, true) & incompleteFlag) !== 0,
  }
}

/** Hours since the epoch at the last change of a series, out of its head's stored bytes; 0 where it was not stored. */
export const writtenHourOf = (bytes: Uint8Array): number => viewOf(bytes).getUint32(writtenHourAt, true)

/** Whether two heads say the same. */
export const isSameHead = (one: SeriesHead, other: SeriesHead): boolean =>
  one.isIncomplete === other.isIncomplete && fields.every(field => one[field] === other[field])
