import { promisify } from 'node:util'
import { brotliDecompress, gunzip, gunzipSync, inflate, inflateRawSync } from 'node:zlib'
import { Sequence } from '../../runtime/sequence.js'

/**
 * Maximum bytes of a response, checked before and after decompression. The longest market list has about 20 MiB. A
 * page of a thousand candles has a few hundred KiB.
 */
export const maxBodyBytes = 32 * 2 ** 20

export class BodyTooLong extends Error {
  constructor() {
    super(`the response is longer than ${maxBodyBytes} bytes`)
    this.name = 'BodyTooLong'
  }
}

/**
 * Reads the chunks of a response into one buffer. Rejects with BodyTooLong after the chunk that exceeds
 * `maxBodyBytes`.
 */
export async function readBody(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const read: Uint8Array[] = []
  let length = 0
  // Leaving the loop ends the response and its connection.
  for await (const chunk of chunks) {
    length += chunk.byteLength
    if (length > maxBodyBytes) throw new BodyTooLong()
    read.push(chunk)
  }
  return Buffer.concat(read, length)
}

const decompressors = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
])

/** Bytes per output buffer of the decompression. The default of 16 KiB is slower and fragments the memory more. */
const chunkSize = 64 * 1024

/**
 * Decompresses the bodies of one exchange, one after the other. The allocator does not return the memory of the
 * buffers of a very long body. Bodies that arrive together must therefore not use such memory at the same time.
 */
export class Decompressor {
  readonly #bodies = new Sequence()

  /**
   * Decompresses a body by its `Content-Encoding`. Returns a body with an unknown encoding unchanged. Rejects with
   * BodyTooLong if the result exceeds `maxBodyBytes`.
   */
  async decompress(body: Buffer, encoding: string | undefined): Promise<Buffer> {
    const decompressor = decompressors.get(encoding ?? '')
    if (decompressor === undefined || body.byteLength === 0) return body
    try {
      return await this.#bodies.run(() => decompressor(body, { chunkSize, maxOutputLength: maxBodyBytes }))
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? new BodyTooLong() : error
    }
  }
}

/**
 * Decompresses the text of a message, synchronously to keep the order of messages. Throws if the message is not
 * valid, or if the text exceeds `maxBytes`.
 */
export const decompressMessage = (message: Buffer, encoding: 'gzip' | 'deflate', maxBytes: number): string =>
  (encoding === 'gzip' ? gunzipSync : inflateRawSync)(message, { maxOutputLength: maxBytes }).toString()
