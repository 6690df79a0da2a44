import { BufferPool } from '../../runtime/buffer-pool.js'

/** Smaller pieces are joined, in bytes: each is written to the socket on its own. */
const minPieceBytes = 128 * 1024

/** Collects what is written in pieces that are long enough. Long buffers are not copied, others are released. */
export class PieceSink {
  readonly pieces: Uint8Array[] = []
  #short: Uint8Array[] = []
  #shortBytes = 0

  write(bytes: Uint8Array): void {
    if (bytes.byteLength >= minPieceBytes) {
      this.finish()
      this.pieces.push(bytes)
      return
    }
    this.#short.push(bytes)
    this.#shortBytes += bytes.byteLength
    if (this.#shortBytes >= minPieceBytes) this.finish()
  }

  pad(bytes: number): void {
    this.write(new Uint8Array(bytes))
  }

  finish(): null {
    if (this.#short.length > 0) this.pieces.push(Buffer.concat(this.#short))
    for (const bytes of this.#short) BufferPool.release(bytes)
    this.#short = []
    this.#shortBytes = 0
    return null
  }
}
