/** A vector of a FlatBuffers message: the number of its items, and the byte offset of the first item. */
export interface FlatVector {
  readonly count: number
  readonly at: number
}

/**
 * A table of a FlatBuffers message (flatbuffers.dev/internals), with values by field number. Throws RangeError if an offset, or an
 * item of a vector, lies outside of the message. Announced sizes are never trusted.
 */
export class FlatTable {
  readonly #view: DataView
  readonly #at: number
  readonly #vtable: number

  constructor(view: DataView, at: number) {
    this.#view = view
    this.#at = at
    this.#vtable = at - view.getInt32(at, true)
  }

  static root(bytes: Uint8Array): FlatTable {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return new FlatTable(view, view.getUint32(0, true))
  }

  byte(field: number, missing = 0): number {
    const at = this.#place(field)
    return at === undefined ? missing : this.#view.getUint8(at)
  }

  short(field: number, missing = 0): number {
    const at = this.#place(field)
    return at === undefined ? missing : this.#view.getInt16(at, true)
  }

  int(field: number, missing = 0): number {
    const at = this.#place(field)
    return at === undefined ? missing : this.#view.getInt32(at, true)
  }

  /** Reads a count, for example of bytes or rows. Throws RangeError if it is negative or too large. */
  count(field: number): number {
    const at = this.#place(field)
    return at === undefined ? 0 : this.countAt(at)
  }

  /** Reads a count at a byte offset, for example in a struct of a vector. */
  countAt(at: number): number {
    const count = Number(this.#view.getBigInt64(at, true))
    if (count < 0 || !Number.isSafeInteger(count)) throw new RangeError('a count is out of range')
    return count
  }

  table(field: number): FlatTable | undefined {
    const at = this.#place(field)
    return at === undefined ? undefined : new FlatTable(this.#view, this.#target(at))
  }

  /** Reads at most `maxBytes` of the text of a field. */
  text(field: number, maxBytes: number): string {
    const { count, at } = this.vector(field, 1)
    const { buffer, byteOffset } = this.#view
    return Buffer.from(buffer, byteOffset + at, Math.min(count, maxBytes)).toString()
  }

  /** Reads a vector with items of `itemBytes` bytes. A missing vector is empty. */
  vector(field: number, itemBytes: number): FlatVector {
    const place = this.#place(field)
    if (place === undefined) return { count: 0, at: 0 }
    const at = this.#target(place)
    const count = this.#view.getUint32(at, true)
    if (at + 4 + count * itemBytes > this.#view.byteLength) throw new RangeError('a vector is too long')
    return { count, at: at + 4 }
  }

  item({ at }: FlatVector, k: number): FlatTable {
    return new FlatTable(this.#view, this.#target(at + 4 * k))
  }

  #target(at: number): number {
    return at + this.#view.getUint32(at, true)
  }

  /** Byte offset of the value of a field; undefined if the field is missing. */
  #place(field: number): number | undefined {
    const entry = 4 + 2 * field
    if (entry >= this.#view.getUint16(this.#vtable, true)) return undefined
    const offset = this.#view.getUint16(this.#vtable + entry, true)
    return offset === 0 ? undefined : this.#at + offset
  }
}
