import { promisify } from 'node:util'
import { brotliDecompress, gunzip, gunzipSync, inflate, inflateRawSync } from 'node:zlib'
import { Sequence } from '../../../runtime/sequence.js'
import { BodyTooLong, maxBodyBytes } from '../response-body.js'

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
