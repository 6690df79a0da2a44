import { crc32 } from 'node:zlib'
import type { Candle } from '../../candles/candle.js'
import { Columns, columnNames } from '../../candles/columns.js'
import { pieceLength, type Resumable } from '../../runtime/scheduler.js'
import { chunkKey, timeOfChunk } from './archive-keys.js'
import { packColumns, unpackColumns } from './packed-columns.js'

/** Candles in an unpacked chunk. With its header and that of LMDB, 255 candles fill three pages of 4 KiB exactly. */
export const chunkSize = 255
/** Maximum number of candles in a packed chunk: about ten pages, the last one half empty on average. */
export const packedSize = 4080
export const candleBytes = columnNames.length * 8
export const headerBytes = 32
const checksumAt = 28
const magic = 0x4b4e_4843
const asNumbers = 1
const packed = 2

/** Stored bytes are damaged; the message completes "the chunk was dropped: …". */
export class CorruptChunk extends Error {}

/** Change of stored bytes in a transaction; undefined removes the key. */
export type ChunkChange = readonly [chunk: string, bytes: Uint8Array | undefined]

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const checksum = (bytes: Uint8Array) =>
  crc32(bytes.subarray(headerBytes), crc32(bytes.subarray(0, checksumAt)))

/**
 * Encodes candles, little-endian:
 *
 *   ├─ magic u32 ─┼─ version u16 ─┼─ count u16 ─┼─ first f64 ─┼─ last f64 ─┼─ 0 u32 ─┼─ CRC-32 u32 ─┤
 *   ├─ timestamp ─┼─ open ─┼─ high ─┼─ low ─┼─ close ─┼─ volume ─┤   columns of `count` f64
 *
 * The checksum covers all other bytes. Version 1 has these columns; it is used for the chunk to which candles are
 * appended. Version 2 has packed columns.
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

/** Number of candles of a chunk, from its header. */
export const countOf = (bytes: Uint8Array): number => viewOf(bytes).getUint16(6, true)

/** Open time of the last candle of a chunk, from its header, in Unix seconds. */
export const lastTimeOf = (bytes: Uint8Array): number => viewOf(bytes).getFloat64(16, true)

/** Verifies the chunk stored under `chunk` and returns its number of candles. Throws CorruptChunk. */
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
 * Verifies the chunk stored under `chunk` and returns its columns, which are all filled. With `closesOnly` only
 * times and closes are valid. Throws CorruptChunk.
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

function isAscending({ timestamp, capacity }: Columns): boolean {
  for (let at = 1; at < capacity; at++)
    if (!((timestamp[at] as number) > (timestamp[at - 1] as number))) return false
  return true
}

/** Candles of the chunk stored under `chunk`. Throws CorruptChunk. */
export function decodeChunk(chunk: string, bytes: Uint8Array): Candle[] {
  const columns = readChunk(chunk, bytes)
  return Array.from({ length: columns.capacity }, (_, at) => columns.read(at))
}

/**
 * Cuts ascending candles of a series into chunks. `isNewest` means that the last candle is the newest of its
 * series. Then the last chunk is not packed, because candles will be appended to it.
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

/** Cuts all candles of a series into chunks in steps. A step has the number of whole chunks that a piece of candles fills. */
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
