import { crc32 } from 'node:zlib'
import type { Candle } from '../../candles/candle.js'
import { Columns, columnNames } from '../../candles/columns.js'
import { pieceLength, type Resumable } from '../../runtime/scheduler.js'
import { chunkKey, timeOfChunk } from './archive-keys.js'
import { packColumns, unpackColumns } from './packed-columns.js'

/** Candles in a chunk of numbers: with its header and LMDB's own, 255 of them fill three pages of 4 KiB to the byte. */
export const chunkSize = 255
/** The most candles in a packed chunk: some ten pages, of which the last one is half empty on the average. */
export const packedSize = 4080
export const candleBytes = columnNames.length * 8
export const headerBytes = 32
const checksumAt = 28
const magic = 0x4b4e_4843
const asNumbers = 1
const packed = 2

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
 * The checksum is that of everything else. Version 1 has these columns: the chunk to which candles are appended. Version 2 has
 * them packed.
 */
export function encodeChunk(candles: readonly Candle[], shouldPack = false): Uint8Array {
  const count = candles.length
  const bytes = new Uint8Array(headerBytes + count * candleBytes)
  const columns = new Columns(count, bytes.buffer, headerBytes)
  for (let i = 0; i < count; i++) columns.write(i, candles[i] as Candle)
  if (!isAscending(columns)) throw new Error('candles are to be archived whose times are not ascending')
  const chunk = shouldPack ? Buffer.concat([bytes.subarray(0, headerBytes), packColumns(columns)]) : bytes
  const view = viewOf(chunk)
  view.setUint32(0, magic, true)
  view.setUint16(4, shouldPack ? packed : asNumbers, true)
  view.setUint16(6, count, true)
  view.setFloat64(8, columns.timestamp[0] as number, true)
  view.setFloat64(16, columns.timestamp[count - 1] as number, true)
  view.setUint32(checksumAt, checksum(chunk), true)
  return chunk
}

const versionOf = (bytes: Uint8Array): number => viewOf(bytes).getUint16(4, true)

const isPacked = (bytes: Uint8Array): boolean => versionOf(bytes) === packed

/** How many candles a chunk says that it has. */
export const countOf = (bytes: Uint8Array): number => viewOf(bytes).getUint16(6, true)

/** When the last candle of a chunk opens, as it says, in Unix seconds. */
export const lastTimeOf = (bytes: Uint8Array): number => viewOf(bytes).getFloat64(16, true)

/** How many candles the chunk stored under `chunk` has, after it was found to be what was written. Throws CorruptChunk. */
export function checkChunk(chunk: string, bytes: Uint8Array): number {
  if (bytes.byteLength < headerBytes) throw new CorruptChunk('it is cut short')
  const view = viewOf(bytes)
  if (view.getUint32(0, true) !== magic) throw new CorruptChunk('it is no chunk of candles')
  const version = versionOf(bytes)
  if (version !== asNumbers && version !== packed)
    throw new CorruptChunk(`its version ${version} is not known`)
  const count = countOf(bytes)
  if (version === asNumbers && bytes.byteLength !== headerBytes + count * candleBytes)
    throw new CorruptChunk('it is cut short')
  if (view.getUint32(checksumAt, true) !== checksum(bytes)) throw new CorruptChunk('its checksum is wrong')
  if (count === 0 || view.getFloat64(8, true) !== timeOfChunk(chunk))
    throw new CorruptChunk('it is not where it belongs')
  return count
}

/**
 * The columns of the chunk stored under `chunk`, as long as it, after everything about it was checked; with `closesOnly` only times
 * and closes are of use. Throws CorruptChunk.
 */
export function readChunk(chunk: string, bytes: Uint8Array, closesOnly = false): Columns {
  const columns = decodeColumns(bytes, checkChunk(chunk, bytes), closesOnly)
  const { timestamp, capacity } = columns
  const isWithin = timestamp[0] === timeOfChunk(chunk) && timestamp[capacity - 1] === lastTimeOf(bytes)
  if (!isWithin || !isAscending(columns)) throw new CorruptChunk('its times are not ascending')
  return columns
}

function decodeColumns(bytes: Uint8Array, count: number, closesOnly: boolean): Columns {
  // A copy, because f64 must lie at multiples of 8 (and `slice` of a Buffer does not copy).
  if (!isPacked(bytes)) return new Columns(count, new Uint8Array(bytes.subarray(headerBytes)).buffer)
  try {
    return unpackColumns(bytes.subarray(headerBytes), count, closesOnly)
  } catch (cause) {
    throw new CorruptChunk('it cannot be unpacked', { cause })
  }
}

/** Whether each time is later than the one before it. */
function isAscending({ timestamp, capacity }: Columns): boolean {
  for (let at = 1; at < capacity; at++)
    if (!((timestamp[at] as number) > (timestamp[at - 1] as number))) return false
  return true
}

/** The candles of the chunk stored under `chunk`. Throws CorruptChunk. */
export function decodeChunk(chunk: string, bytes: Uint8Array): Candle[] {
  const columns = readChunk(chunk, bytes)
  return Array.from({ length: columns.capacity }, (_, at) => columns.read(at))
}

/**
 * Ascending candles of a series cut into chunks. `isNewest` says that the last candle is the newest one of its series: the chunk
 * to which others will be appended is not packed.
 */
export function cutIntoChunks(
  key: string,
  candles: readonly Candle[],
  isNewest = true,
): [chunk: string, bytes: Uint8Array][] {
  const chunks: [string, Uint8Array][] = []
  const add = (part: readonly Candle[], isPackedPart: boolean) =>
    chunks.push([chunkKey(key, (part[0] as Candle).timestamp), encodeChunk(part, isPackedPart)])
  const end = candles.length
  const appended = isNewest ? ((end - 1) % chunkSize) + 1 : 0
  const packedEnd = end > 0 ? end - appended : 0
  for (let from = 0; from < packedEnd; from += packedSize)
    add(candles.slice(from, Math.min(from + packedSize, packedEnd)), true)
  for (let from = packedEnd; from < end; from += chunkSize) add(candles.slice(from, from + chunkSize), false)
  return chunks
}

/** All candles of a series cut into chunks in steps, as many whole chunks at a time as a piece of candles fills. */
export function* cutInSteps(key: string, candles: readonly Candle[]): Resumable<ChunkChange[]> {
  const chunks: ChunkChange[] = []
  const candlesPerStep = Math.floor(pieceLength / packedSize) * packedSize
  for (let from = 0; from < candles.length; from += candlesPerStep) {
    if (from > 0) yield
    const isNewest = from + candlesPerStep >= candles.length
    for (const chunk of cutIntoChunks(key, candles.slice(from, from + candlesPerStep), isNewest))
      chunks.push(chunk)
  }
  return chunks
}
