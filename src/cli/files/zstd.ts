/** A longer window is that of no usual file: the program zstd refuses it, too. */
const maxWindowBytes = 2 ** 27

/** Largest header of a frame, with its magic number. */
const headerBytes = 18

/**
 * Unpacks the bytes of a stream. Node.js does so from version 22.15 on only; the library does so everywhere. Throws RangeError if the
 * first frame announces a window above 128 MiB, which the library would allocate at once.
 */
export async function* unpackZstd(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { Decompress } = await import('fzstd')
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

/** Resolves with what unpacks one frame to so many bytes, and throws RangeError where it has others. */
export async function loadBufferUnpacker(): Promise<(frame: Uint8Array, length: number) => Uint8Array> {
  const { decompress } = await import('fzstd')
  return (frame, length) => {
    const { contentBytes, windowBytes } = announcedBy(frame)
    if ((contentBytes ?? length) !== length || (windowBytes ?? 0) > maxWindowBytes)
      throw new RangeError('a buffer has another length than it announces')
    const unpacked =
      contentBytes === undefined ? decompress(frame) : decompress(frame, new Uint8Array(length))
    if (unpacked.length !== length) throw new RangeError('a buffer has another length than it announces')
    return unpacked
  }
}

/** What the header of a frame announces (RFC 8878, 3.1.1.1): the bytes of its content, of its window, or of both. */
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
