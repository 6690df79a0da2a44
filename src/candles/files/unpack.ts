import { Decompress, decompress } from 'fzstd'

/** Maximum window of a frame. Usual files have smaller windows, and the program zstd refuses larger ones too. */
const maxWindowBytes = 2 ** 27

/** Largest header of a frame, with its magic number. */
const headerBytes = 18

/**
 * Unpacks the bytes of a zstd stream. Uses a library, because only Node.js 22.15 and later can unpack zstd. Throws RangeError if
 * the first frame announces a window above 128 MiB, which the library would allocate immediately.
 */
export async function* unpackZstd(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let found: Uint8Array[] = []
  const stream = new Decompress(chunk => found.push(chunk.slice()))
  const take = () => {
    const chunks = found
    found = []
    return chunks
  }
  let head: Uint8Array | undefined = new Uint8Array()
  for await (const chunk of bytes) {
    let next = chunk
    if (head) {
      head = next = Buffer.concat([head, chunk])
      if (head.byteLength < headerBytes) continue
      refuseWindow(head)
      head = undefined
    }
    stream.push(next)
    yield* take()
  }
  if (head) refuseWindow(Buffer.concat([head, new Uint8Array(headerBytes)]))
  stream.push(head ?? new Uint8Array(), true)
  yield* take()
}

function refuseWindow(frame: Uint8Array): void {
  const { contentBytes = 0, windowBytes = contentBytes } = announcedBy(frame)
  if (windowBytes > maxWindowBytes) throw new RangeError('its window is larger than 128 MiB')
}

/** Unpacks one zstd frame to `length` bytes. Throws RangeError if the frame has another length. */
export function unpackZstdFrame(frame: Uint8Array, length: number): Uint8Array {
  const { contentBytes, windowBytes } = announcedBy(frame)
  if ((contentBytes ?? length) !== length || (windowBytes ?? 0) > maxWindowBytes)
    throw new RangeError('a buffer has another length than it announces')
  const unpacked = contentBytes === undefined ? decompress(frame) : decompress(frame, new Uint8Array(length))
  if (unpacked.length !== length) throw new RangeError('a buffer has another length than it announces')
  return unpacked
}

/** Sizes announced in the header of a zstd frame (RFC 8878, 3.1.1.1): content, window, or both. */
function announcedBy(frame: Uint8Array): {
  readonly contentBytes: number | undefined
  readonly windowBytes: number | undefined
} {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  const flags = view.getUint8(4)
  const isSingle = (flags & 0x20) !== 0
  const window = isSingle ? undefined : view.getUint8(5)
  const at = (isSingle ? 5 : 6) + ([0, 1, 2, 4][flags & 3] as number)
  const readSize = [
    () => (isSingle ? view.getUint8(at) : undefined),
    () => view.getUint16(at, true) + 256,
    () => view.getUint32(at, true),
    () => Number(view.getBigUint64(at, true)),
  ][flags >> 6] as () => number | undefined
  const windowBytes = window === undefined ? undefined : 2 ** (10 + (window >> 3)) * (1 + (window & 7) / 8)
  return { contentBytes: readSize(), windowBytes }
}

const magic = 0x184d2204
/** Flags of a frame: the version of the format, and optional parts. */
const flags = { version: 0xc0, checksums: 0x10, size: 0x08, dictionary: 0x01 } as const
const firstVersion = 0x40
const uncompressed = 0x8000_0000
const shortestMatch = 4

/**
 * Unpacks an LZ4 frame (github.com/lz4/lz4, lz4_Frame_format.md and lz4_Block_format.md) to `length` bytes. Blocks may be linked.
 * Checksums are not verified. Throws RangeError if the bytes are no such frame, or if an offset lies outside of the packed or the
 * unpacked bytes.
 */
export function unpackLz4(frame: Uint8Array, length: number): Uint8Array {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  const own = view.getUint8(4)
  if (view.getUint32(0, true) !== magic || (own & flags.version) !== firstVersion || own & flags.dictionary)
    throw new RangeError('this is no frame of LZ4')
  const checksumBytes = own & flags.checksums ? 4 : 0
  const unpacked = new Uint8Array(length)
  let made = 0
  for (let at = 7 + (own & flags.size ? 8 : 0); ; ) {
    const header = view.getUint32(at, true)
    if (header === 0) break
    const start = at + 4
    const end = start + (header % uncompressed)
    if (end > frame.length) throw new RangeError('a block is too long')
    const block = frame.subarray(start, end)
    if (header < uncompressed) made = unpackBlock(block, unpacked, made)
    else {
      unpacked.set(block, made)
      made += block.length
    }
    at = end + checksumBytes
  }
  if (made !== length) throw new RangeError('a buffer has another length than it announces')
  return unpacked
}

/** Unpacks a block into `unpacked` from index `from` on. Returns the end index. */
function unpackBlock(block: Uint8Array, unpacked: Uint8Array, from: number): number {
  let [at, to] = [0, from]
  /** Reads a length. Its first part is in the token. If that is 15, further bytes follow, up to the first byte that is not 255. */
  const readLength = (first: number) => {
    let length = first
    for (let byte = first === 15 ? 255 : 0; byte === 255; length += byte) byte = block[at++] ?? 0
    return length
  }
  while (at < block.length) {
    const token = block[at++] as number
    const literals = readLength(token >> 4)
    if (at + literals > block.length) throw new RangeError('a block is not whole')
    // `set` throws if the unpacked bytes are longer than announced.
    unpacked.set(block.subarray(at, at + literals), to)
    at += literals
    to += literals
    if (at === block.length) return to
    const distance = (block[at] as number) | ((block[at + 1] ?? 0) << 8)
    at += 2
    const end = to + readLength(token & 15) + shortestMatch
    if (distance === 0 || distance > to || end > unpacked.length)
      throw new RangeError('a part of a block is out of place')
    // A match may overlap with the bytes that it writes.
    for (; to < end; to++) unpacked[to] = unpacked[to - distance] as number
  }
  throw new RangeError('a block is not whole')
}
