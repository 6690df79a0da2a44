/** A vector of a FlatBuffers message: its number of items, and where the first one begins. */
export interface FlatVector {
  readonly count: number
  readonly at: number
}

/**
 * A table of a FlatBuffers message (flatbuffers.dev/internals): values by the number of their field. Throws RangeError where a place
 * lies outside of the message, also of a vector whose items would: nothing is read because it is announced.
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

  /** The root table of a message. */
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

  /** A number of bytes, rows or the like. Throws RangeError where it is negative. */
  count(field: number): number {
    const at = this.#place(field)
    return at === undefined ? 0 : this.countAt(at)
  }

  /** The same at a place, such as that of a struct in a vector. */
  countAt(at: number): number {
    const count = Number(this.#view.getBigInt64(at, true))
    if (count < 0 || !Number.isSafeInteger(count)) throw new RangeError('a count is out of range')
    return count
  }

  table(field: number): FlatTable | undefined {
    const at = this.#place(field)
    return at === undefined ? undefined : new FlatTable(this.#view, this.#target(at))
  }

  /** The text of a field, of which at most `maxBytes` are read. */
  text(field: number, maxBytes: number): string {
    const { count, at } = this.vector(field, 1)
    const { buffer, byteOffset } = this.#view
    return Buffer.from(buffer, byteOffset + at, Math.min(count, maxBytes)).toString()
  }

  /** A vector of items of so many bytes each, empty where it is missing. */
  vector(field: number, itemBytes: number): FlatVector {
    const place = this.#place(field)
    if (place === undefined) return { count: 0, at: 0 }
    const at = this.#target(place)
    const count = this.#view.getUint32(at, true)
    if (at + 4 + count * itemBytes > this.#view.byteLength) throw new RangeError('a vector is too long')
    return { count, at: at + 4 }
  }

  /** Item `k` of a vector of tables. */
  item({ at }: FlatVector, k: number): FlatTable {
    return new FlatTable(this.#view, this.#target(at + 4 * k))
  }

  #target(at: number): number {
    return at + this.#view.getUint32(at, true)
  }

  /** Where the value of a field is; undefined where it is missing. */
  #place(field: number): number | undefined {
    const entry = 4 + 2 * field
    if (entry >= this.#view.getUint16(this.#vtable, true)) return undefined
    const offset = this.#view.getUint16(this.#vtable + entry, true)
    return offset === 0 ? undefined : this.#at + offset
  }
}
