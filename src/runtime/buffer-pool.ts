/** Smaller buffers are not pooled: they are cheap to allocate, and to copy to another thread. In bytes. */
const minPooledBytes = 16_384
/** Bytes before the usable part of a pooled buffer; the first word of them holds its state. */
const headerBytes = 8
const free = 0
const inUse = 1

const stateOf = (memory: ArrayBufferLike) => new Int32Array(memory, 0, 1)

/** The buffers of pools that are not shared. */
const unshared = new WeakSet<ArrayBufferLike>()

interface PooledBuffer {
  readonly memory: ArrayBufferLike
  readonly state: Int32Array
  readonly size: number
}

/**
 * Recycled buffers of memory: one thread takes and fills them, any thread may read and release them. So bodies and replies
 * of megabytes leave no garbage. V8 does not count shared memory when it decides whether to collect, so that a new buffer
 * for each request would pile up. Unshared memory makes it collect far too often. When the pool is full, buffers are
 * ordinary memory, which is copied or moved to another thread.
 *
 *   ├─ state (4) ─┼─ unused (4) ─┼─ usable: a power of two ─┤
 */
export class BufferPool {
  readonly #isShared: boolean
  /** Smallest first. */
  readonly #buffers: PooledBuffer[] = []
  #bytes = 0

  /**
   * A pool of at most `maxBytes` usable bytes in all its buffers. A pool for one thread need not be shared: V8 copies into
   * unshared memory more than twice as fast.
   */
  constructor(
    private readonly maxBytes: number,
    { isShared = true }: { readonly isShared?: boolean } = {},
  ) {
    this.#isShared = isShared
  }

  /** A buffer of at least `bytes` bytes, with any content, for the caller alone until it is released. */
  take(bytes: number): Buffer {
    const memory = bytes < minPooledBytes ? undefined : (this.#reuse(bytes) ?? this.#create(bytes))
    return memory ? Buffer.from(memory, headerBytes) : Buffer.alloc(bytes)
  }

  /** Returns a buffer to its pool, from any thread. Must be called once; the bytes must not be read after that. */
  static release({ buffer }: Uint8Array): void {
    if (buffer instanceof SharedArrayBuffer || unshared.has(buffer)) Atomics.store(stateOf(buffer), 0, free)
  }

  #reuse(bytes: number): ArrayBufferLike | undefined {
    for (const { memory, state, size } of this.#buffers) {
      if (size >= bytes && Atomics.compareExchange(state, 0, free, inUse) === free) return memory
    }
    return undefined
  }

  #create(bytes: number): ArrayBufferLike | undefined {
    const size = 2 ** Math.ceil(Math.log2(bytes))
    if (this.#bytes + size > this.maxBytes) return undefined
    this.#bytes += size
    // The header comes on top, so that a body of exactly 4 MiB does not need a buffer of 8 MiB.
    const memory = this.#isShared
      ? new SharedArrayBuffer(headerBytes + size)
      : new ArrayBuffer(headerBytes + size)
    if (!this.#isShared) unshared.add(memory)
    const state = stateOf(memory)
    Atomics.store(state, 0, inUse)
    const larger = this.#buffers.findIndex(other => other.size > size)
    this.#buffers.splice(larger < 0 ? this.#buffers.length : larger, 0, { memory, state, size })
    return memory
  }
}

/** JSON text in UTF-8, as consecutive buffers. Must be released after it was written to the socket. */
export class BodyFragments {
  readonly byteLength: number
  /** Memory held until they are written, in bytes. */
  readonly heldBytes: number
  #isReleased = false

  /** `heldBytes` is given if the buffers are kept anyway. */
  constructor(
    readonly buffers: readonly Uint8Array[],
    heldBytes?: number,
  ) {
    this.byteLength = buffers.reduce((sum, { byteLength }) => sum + byteLength, 0)
    this.heldBytes = heldBytes ?? this.byteLength
  }

  /** The whole body as text; releases the buffers. */
  takeText(): string {
    const text = Buffer.concat(this.buffers).toString()
    this.release()
    return text
  }

  /** Returns the buffers to their pools; they must not be read after that. Further calls have no effect. */
  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    for (const buffer of this.buffers) BufferPool.release(buffer)
  }
}
