import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

// The file of LMDB 1.0 as lmdb-js writes it, on machines of 64 bits, little-endian. A page begins with its number (u64),
// a transaction (u64), a u16, its flags (u16) and the ends of its free space (two u16), or the number of its pages (u32).

const pageHeader = 24
const pageFlags = { branch: 1, leaf: 2, overflow: 4 } as const
const nodeHeader = 8
/** Flag of a node whose value is in overflow pages. */
const bigDataFlag = 1
const magic = 0xbeefc0de
/** Byte offsets of the fields in a meta page. */
const metaFields = {
  magic: 24,
  pageSize: 48,
  freeRoot: 88,
  mainRoot: 136,
  lastPage: 144,
  transaction: 152,
} as const
const metaBytes = 160
/** Root of a tree without entries. */
const noPage = 2 ** 64

interface Meta {
  readonly pageSize: number
  readonly freeRoot: number
  readonly mainRoot: number
  readonly lastPage: number
  readonly transaction: number
}

/** An entry of the file; its value is undefined if it cannot be read. */
export interface Entry {
  readonly key: Buffer
  readonly value: Buffer | undefined
}

/** Marks an unknown number of unreadable entries at their position between the readable entries. */
export type LostEntries = 'lost'

const pageNumber = (bytes: Buffer, at: number) => Number(bytes.readBigUInt64LE(at))

/** A file of LMDB, read without LMDB, because LMDB crashes the process if the file is damaged. */
export class DatabaseFile {
  readonly #descriptor: number

  constructor(private readonly path: string) {
    this.#descriptor = openSync(path, 'r')
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  /** Throws an Error with the reason if LMDB could not use the file. An empty file is valid: LMDB will write it. */
  check(): void {
    if (this.#size === 0) return
    const first = this.#read(0, 4 + metaFields.magic)
    if (first?.readUInt32LE(metaFields.magic) !== magic) throw new Error(`"${this.path}" is not an LMDB file`)
    const [meta, other] = this.#metas()
    // LMDB reads both meta pages without a check that the file has them.
    if (!meta || !other) throw this.#damage()
    const { pageSize, lastPage } = meta
    if (this.#size >= (lastPage + 1) * pageSize) return
    // The file may be shorter if its last pages are unused. Only the pages of the trees show whether it is complete.
    for (const root of [meta.freeRoot, meta.mainRoot])
      for (const entry of this.#walk(meta, root, false, new Set()))
        if (entry === 'lost' || entry.value === undefined) throw this.#damage()
  }

  /** All readable entries in key order, with a marker at each position of lost entries. */
  *entries(): Generator<Entry | LostEntries> {
    if (this.#size === 0) return
    const [meta, other] = this.#metas()
    // The missing meta page may have been the newer one.
    if (!other) yield 'lost'
    if (meta) yield* this.#walk(meta, meta.mainRoot, true, new Set())
  }

  get #size(): number {
    return fstatSync(this.#descriptor).size
  }

  #damage(): Error {
    return new Error(`"${this.path}" is cut short or damaged; "candela repair" keeps what can be read of it`)
  }

  /** Bytes of the file, or undefined if the file is too short. */
  #read(at: number, length: number): Buffer | undefined {
    const bytes = Buffer.allocUnsafe(length)
    return readSync(this.#descriptor, bytes, 0, length, at) === length ? bytes : undefined
  }

  /** The readable meta pages, newest transaction first. A complete file has two. */
  #metas(): readonly Meta[] {
    const first = this.#metaAt(0)
    // Without the first meta page, the offset of the second one is uncertain: it is the page size of the system, one of these.
    const places = first ? [first.pageSize] : [4096, 16_384, 65_536]
    const found = [first, ...places.map(place => this.#metaAt(place))].filter(meta => meta !== undefined)
    return found.sort((a, b) => b.transaction - a.transaction)
  }

  #metaAt(place: number): Meta | undefined {
    const bytes = this.#read(place, metaBytes)
    if (bytes?.readUInt32LE(metaFields.magic) !== magic) return undefined
    const pageSize = bytes.readUInt32LE(metaFields.pageSize)
    if (pageSize < 512 || pageSize > 65_536 || (pageSize & (pageSize - 1)) !== 0) return undefined
    if (this.#size < place + pageSize) return undefined
    return {
      pageSize,
      freeRoot: pageNumber(bytes, metaFields.freeRoot),
      mainRoot: pageNumber(bytes, metaFields.mainRoot),
      lastPage: pageNumber(bytes, metaFields.lastPage),
      transaction: pageNumber(bytes, metaFields.transaction),
    }
  }

  /**
   * Entries of the tree below a page. Adds the page to `visited`. Without `isRead`, the values in overflow pages are checked but
   * not read.
   */
  *#walk(meta: Meta, page: number, isRead: boolean, visited: Set<number>): Generator<Entry | LostEntries> {
    if (page === noPage) return
    const { pageSize, lastPage } = meta
    const bytes = page <= lastPage && !visited.has(page) ? this.#read(page * pageSize, pageSize) : undefined
    const nodes = bytes && pageNumber(bytes, 0) === page ? nodesOf(bytes) : undefined
    if (!bytes || !nodes) {
      yield 'lost'
      return
    }
    visited.add(page)
    const isBranch = (bytes.readUInt16LE(18) & pageFlags.branch) !== 0
    for (const node of nodes) {
      const size = bytes.readUInt32LE(node)
      const flags = bytes.readUInt16LE(node + 4)
      if (isBranch) yield* this.#walk(meta, size + flags * 2 ** 32, isRead, visited)
      else {
        const end = node + nodeHeader + bytes.readUInt16LE(node + 6)
        const isBig = (flags & bigDataFlag) !== 0
        if (end + (isBig ? 8 : size) > pageSize) yield 'lost'
        else {
          const value = isBig
            ? this.#overflow(meta, pageNumber(bytes, end), size, isRead)
            : bytes.subarray(end, end + size)
          yield { key: bytes.subarray(node + nodeHeader, end), value }
        }
      }
    }
  }

  /** A value in overflow pages. Unless `isRead`, only the page header is read, and the value is empty. */
  #overflow({ pageSize, lastPage }: Meta, page: number, size: number, isRead: boolean): Buffer | undefined {
    const end = page * pageSize + pageHeader + size
    if (page > lastPage || end > this.#size) return undefined
    const bytes = this.#read(page * pageSize, isRead ? pageHeader + size : pageHeader)
    if (!bytes || pageNumber(bytes, 0) !== page) return undefined
    return (bytes.readUInt16LE(18) & pageFlags.overflow) === 0 ? undefined : bytes.subarray(pageHeader)
  }
}

/** Byte offsets of the nodes in a tree page; undefined if the bytes are no tree page. */
function nodesOf(bytes: Buffer): number[] | undefined {
  if ((bytes.readUInt16LE(18) & (pageFlags.branch | pageFlags.leaf)) === 0) return undefined
  const count = bytes.readUInt16LE(20) >> 1
  if (pageHeader + 2 * count > bytes.byteLength) return undefined
  const nodes = Array.from({ length: count }, (_, at) => pageHeader + bytes.readUInt16LE(pageHeader + 2 * at))
  return nodes.every(node => node + nodeHeader <= bytes.byteLength) ? nodes : undefined
}
