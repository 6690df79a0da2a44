import { promisify } from 'node:util'
import { brotliDecompress, gunzip, gunzipSync, inflate, inflateRawSync } from 'node:zlib'
import { Sequence } from '../../runtime/sequence.js'

/**
 * The most bytes of a response, counted before and after its decompression. The longest list of markets has some 20 MiB;
 * a page of a thousand candles has a few hundred KiB.
 */
export const maxBodyBytes = 32 * 2 ** 20

/** A response is longer than what is read of any response. */
export class BodyTooLong extends Error {
  constructor() {
    super(`the response is longer than ${maxBodyBytes} bytes`)
    this.name = 'BodyTooLong'
  }
}

/** The chunks of a response as one buffer. Rejects with BodyTooLong after the chunk that exceeds `maxBodyBytes`. */
export async function readBody(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const read: Uint8Array[] = []
  let length = 0
  // Leaving the loop ends the response, and with it its connection.
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

/** Bytes that are decompressed into one buffer. Those of 16 KiB that are the default take more time and leave more gaps. */
const chunkSize = 64 * 1024

/**
 * Decompresses the bodies of one exchange, one after the other. The allocator does not return the memory that the buffers of a
 * very long body took, so bodies that arrive together must not take it at the same time.
 */
export class Decompressor {
  readonly #bodies = new Sequence()

  /**
   * The bytes of a body with this `Content-Encoding`; a body in an unknown one stays as it is. Rejects with BodyTooLong
   * where they are more than `maxBodyBytes`.
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
 * The text of a message. At once, because messages have an order. Throws where it cannot be decompressed or has more than
 * `maxBytes` then.
 */
export const decompressMessage = (message: Buffer, encoding: 'gzip' | 'deflate', maxBytes: number): string =>
  (encoding === 'gzip' ? gunzipSync : inflateRawSync)(message, { maxOutputLength: maxBytes }).toString()
