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
