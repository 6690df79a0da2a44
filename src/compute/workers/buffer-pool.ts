/** Bytes of a page: many numbers, yet little is wasted by an answer that ends early on it. */
const pageSize = 262_144
/** Bytes of shared memory that a thread keeps for what it writes: the answers that several callers are reading. */
const keptSize = 16 * 1024 * 1024
/** The first word of a page says whether someone reads it; the text begins behind it. */
const textAt = 8
const inUse = { no: 0, yes: 1 } as const

const stateOf = (memory: ArrayBufferLike) => new Int32Array(memory, 0, 1)

/**
 * Memory that one thread writes text into and another one hands to a socket. Pages of shared memory go back to where
 * they came from when they were read, so that answers of megabytes leave no garbage behind, on either thread: V8 does
 * not see shared memory as a reason to collect, and sees other memory as too good a one. A thread whose pages are all
 * being read goes on with memory that is moved to the reader and then is garbage.
 */
export class BufferPool {
  readonly #most: number
  readonly #kept: SharedArrayBuffer[] = []
  #next = 0

  constructor(most = keptSize / pageSize) {
    this.#most = most
  }

  /** A page for nobody else. */
  take(): Buffer {
    return Buffer.from(this.#free() ?? this.#more(), textAt)
  }

  #free(): SharedArrayBuffer | undefined {
    for (let tried = 0; tried < this.#kept.length; tried++) {
      this.#next = (this.#next + 1) % this.#kept.length
      const memory = this.#kept[this.#next] as SharedArrayBuffer
      if (Atomics.compareExchange(stateOf(memory), 0, inUse.no, inUse.yes) === inUse.no) return memory
    }
    return undefined
  }

  #more(): ArrayBufferLike {
    if (this.#kept.length >= this.#most) return new ArrayBuffer(pageSize)
    const memory = new SharedArrayBuffer(pageSize)
    Atomics.store(stateOf(memory), 0, inUse.yes)
    this.#kept.push(memory)
    return memory
  }
}

/** JSON text in UTF-8, as fragments that follow one another. Whoever has written them to the socket releases them. */
export class BodyFragments {
  #isReleased = false

  constructor(readonly parts: readonly Uint8Array[]) {}

  /** Gives the memory back; the parts must not be read after that. */
  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    release(this.parts)
  }
}

/** Lets the thread that wrote these parts use their pages again. */
export function release(parts: readonly Uint8Array[]): void {
  for (const { buffer } of parts) {
    if (buffer instanceof SharedArrayBuffer) Atomics.store(stateOf(buffer), 0, inUse.no)
  }
}
