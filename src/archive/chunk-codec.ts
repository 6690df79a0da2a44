import { crc32 } from 'node:zlib'
import type { Candle } from '../candles/candle.js'
import { Columns, columnNames } from '../candles/columns.js'
import { pieceLength, type Steps } from '../runtime/pieces.js'
import { chunkKey, timeOfChunk } from './archive-keys.js'

/** Candles in a chunk: with its header and LMDB's own, 255 of them fill three pages of 4 KiB to the byte. */
export const chunkSize = 255
export const candleBytes = columnNames.length * 8
const headerBytes = 32
const checksumAt = 28
const version = 1
const magic = 0x4b4e_4843

/** Stored bytes that are not what was written; the message completes "the chunk was dropped: …". */
export class CorruptChunk extends Error {}

/** What a transaction does to the stored bytes: undefined removes the key. */
export type ChunkChange = readonly [chunk: string, bytes: Uint8Array | undefined]

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const checksum = (bytes: Uint8Array) =>
  crc32(bytes.subarray(headerBytes), crc32(bytes.subarray(0, checksumAt)))

/**
 * Candles as they are stored, little-endian:
 *
 *   ├─ magic u32 ─┼─ version u16 ─┼─ count u16 ─┼─ first f64 ─┼─ last f64 ─┼─ 0 u32 ─┼─ CRC-32 u32 ─┤
 *   ├─ timestamp ─┼─ open ─┼─ high ─┼─ low ─┼─ close ─┼─ volume ─┤   columns of `count` f64
 *
 * The checksum is that of everything else.
 */
export function encodeChunk(candles: readonly Candle[]): Uint8Array {
  const count = candles.length
  const bytes = new Uint8Array(headerBytes + count * candleBytes)
  const view = viewOf(bytes)
  const columns = new Columns(count, bytes.buffer, headerBytes)
  for (let i = 0; i < count; i++) columns.write(i, candles[i] as Candle)
  view.setUint32(0, magic, true)
  view.setUint16(4, version, true)
  view.setUint16(6, count, true)
  view.setFloat64(8, (candles[0] as Candle).timestamp, true)
  view.setFloat64(16, (candles[count - 1] as Candle).timestamp, true)
  if (!isAscending(view, count)) throw new Error('candles are to be archived whose times are not ascending')
  view.setUint32(checksumAt, checksum(bytes), true)
  return bytes
}

/** How many candles a chunk says that it has. */
export const countOf = (bytes: Uint8Array): number => viewOf(bytes).getUint16(6, true)

/** How many candles the chunk stored under `chunk` has, after everything about it was checked. Throws CorruptChunk. */
export function checkChunk(chunk: string, bytes: Uint8Array): number {
  if (bytes.byteLength < headerBytes) throw new CorruptChunk('it is cut short')
  const view = viewOf(bytes)
  if (view.getUint32(0, true) !== magic) throw new CorruptChunk('it is no chunk of candles')
  if (view.getUint16(4, true) !== version)
    throw new CorruptChunk(`its version ${view.getUint16(4, true)} is not known`)
  const count = countOf(bytes)
  if (bytes.byteLength !== headerBytes + count * candleBytes) throw new CorruptChunk('it is cut short')
  if (view.getUint32(checksumAt, true) !== checksum(bytes)) throw new CorruptChunk('its checksum is wrong')
  if (count === 0 || view.getFloat64(8, true) !== timeOfChunk(chunk))
    throw new CorruptChunk('it is not where it belongs')
  if (!isAscending(view, count)) throw new CorruptChunk('its times are not ascending')
  return count
}

/** Whether the times of a chunk are those that its header says, and each is later than the one before it. */
function isAscending(view: DataView, count: number): boolean {
  const timeAt = (at: number) => view.getFloat64(headerBytes + 8 * at, true)
  for (let at = 1; at < count; at++) if (!(timeAt(at) > timeAt(at - 1))) return false
  return timeAt(0) === view.getFloat64(8, true) && timeAt(count - 1) === view.getFloat64(16, true)
}

/** The candles of a chunk that was checked. */
export function decodeChunk(bytes: Uint8Array, count: number): Candle[] {
  const columns = columnsOf(bytes, count)
  return Array.from({ length: count }, (_, i) => columns.read(i))
}

/** The columns of the chunk stored under `chunk`, after everything about it was checked. Throws CorruptChunk. */
export const readChunk = (chunk: string, bytes: Uint8Array): Columns =>
  columnsOf(bytes, checkChunk(chunk, bytes))

function columnsOf(bytes: Uint8Array, count: number): Columns {
  // A copy, because f64 must lie at multiples of 8 (and `slice` of a Buffer does not copy).
  const copy = new Uint8Array(bytes.subarray(headerBytes))
  return new Columns(count, copy.buffer)
}

/** When the last candle of a chunk that was checked opens, in Unix seconds. */
export const lastTimeOf = (bytes: Uint8Array): number => viewOf(bytes).getFloat64(16, true)

/** Ascending candles of a series cut into chunks. */
export function cutIntoChunks(key: string, candles: readonly Candle[]): [chunk: string, bytes: Uint8Array][] {
  const chunks: [string, Uint8Array][] = []
  for (let from = 0; from < candles.length; from += chunkSize) {
    const part = candles.slice(from, from + chunkSize)
    chunks.push([chunkKey(key, (part[0] as Candle).timestamp), encodeChunk(part)])
  }
  return chunks
}

/** The same in steps, as many whole chunks at a time as a piece of candles fills. */
export function* cutInSteps(key: string, candles: readonly Candle[]): Steps<ChunkChange[]> {
  const chunks: ChunkChange[] = []
  const candlesPerStep = Math.ceil(pieceLength / chunkSize) * chunkSize
  for (let from = 0; from < candles.length; from += candlesPerStep) {
    if (from > 0) yield
    for (const chunk of cutIntoChunks(key, candles.slice(from, from + candlesPerStep))) chunks.push(chunk)
  }
  return chunks
}
