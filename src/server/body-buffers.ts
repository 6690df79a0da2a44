/** From this size on a body is read into memory that a worker may read, too. */
const sharedFrom = 16_384
/** Bytes of shared memory that are kept for bodies. */
const keptSize = 32 * 1024 * 1024

/**
 * Memory that request bodies are read into, used again and again: V8 does not see shared memory as a reason to collect
 * garbage, so that bodies of megabytes would pile up. When all of it is taken, or for small bodies, there is memory
 * that is not shared, which costs a copy on its way to a worker.
 */
export class Rooms {
  readonly #most: number
  /** Rooms nobody is in, the smallest first. */
  readonly #free: SharedArrayBuffer[] = []
  #size = 0

  constructor(most = keptSize) {
    this.#most = most
  }

  /** Memory for so many bytes or more, until it is given back. */
  take(length: number): Uint8Array {
    if (length < sharedFrom) return new Uint8Array(length)
    const at = this.#free.findIndex(({ byteLength }) => byteLength >= length)
    if (at >= 0) return new Uint8Array(this.#free.splice(at, 1)[0] as SharedArrayBuffer)
    const size = 2 ** Math.ceil(Math.log2(length))
    if (this.#size + size > this.#most) return new Uint8Array(length)
    this.#size += size
    return new Uint8Array(new SharedArrayBuffer(size))
  }

  /** Gives back what was taken; nobody may read it after that. */
  giveBack({ buffer }: Uint8Array): void {
    if (!(buffer instanceof SharedArrayBuffer)) return
    const at = this.#free.findIndex(({ byteLength }) => byteLength >= buffer.byteLength)
    this.#free.splice(at < 0 ? this.#free.length : at, 0, buffer)
  }
}
