import { createHash } from 'node:crypto'
import type { Changes } from '../../contract/storage/stores.js'

/** The fields of a stored series that are no chunks begin with this; the keys of chunks never do. */
const ownField = 0x40

/** The writes of a series that may wait while they cannot be stored; with more, what is stored is replaced instead. */
const maxWaitingWrites = 200
/**
 * Writes that were stored are remembered for so many milliseconds, so many of a series at most: Redis that fails over
 * or starts again may have lost them.
 */
const rememberMs = 60_000
const maxRemembered = 20

type Entry = readonly [key: string, bytes: Uint8Array | undefined]

/** What is sent to Redis: the keys that have changed, or everything. */
export interface Sending {
  readonly entries: readonly Entry[]
  readonly isWhole: boolean
  readonly writes: number
}

/** What another node says that it has written: from which revision to which one, and the digest of what has changed. */
export interface Written {
  readonly before: string
  readonly revision: string
  readonly digest: string
}

/** What Redis has answered: everything that is stored of a series, or what the last write has changed. */
export interface Stored {
  readonly revision: string
  readonly isWhole: boolean
  readonly entries: readonly Entry[]
}

/**
 * The chunks of one series as they are stored in Redis, and the writes of this process that are not stored yet. The
 * copy shows both: each write is a function of what is stored, so where another node has written meanwhile, the writes
 * are made once more, on what is stored now.
 */
export class SeriesCopy {
  /** The revision that was read or written last; undefined while nothing was read. */
  revision: string | undefined
  /** Another node has written since. */
  isOutdated = false
  bytes = 0
  /** It is known to be among the names of all series. */
  isIndexed = false
  /** The exchange with Redis that is under way. */
  syncing: Promise<void> | undefined
  readonly #entries = new Map<string, Uint8Array>()
  #sorted: readonly string[] | undefined
  #writes: Changes[] = []
  #remembered: { readonly changes: Changes; readonly until: number }[] = []
  /** What was stored under the keys that the writes have changed. */
  readonly #before = new Map<string, Uint8Array | undefined>()
  #isReplacing = false
  /** What another node has written last, while it was not read. */
  #written: Written | undefined

  constructor(
    readonly series: string,
    private readonly belongs: (key: string) => boolean,
  ) {}

  /** Whether it shows what is stored, as far as this process knows. */
  get isCurrent(): boolean {
    return this.revision !== undefined && !this.isOutdated
  }

  /** Whether nothing was read, nor written. */
  get isUnknown(): boolean {
    return this.revision === undefined && this.isStored
  }

  get isStored(): boolean {
    return this.#writes.length === 0 && !this.#isReplacing
  }

  get(key: string): Uint8Array | undefined {
    return this.#entries.get(key)
  }

  /** All keys, sorted. */
  keys(): readonly string[] {
    this.#sorted ??= [...this.#entries.keys()].sort()
    return this.#sorted
  }

  /** Makes a write whose changes to this series are known. */
  write(changes: Changes, entries: readonly Entry[]): void {
    this.#apply(entries)
    this.#writes.push(changes)
    this.#compare()
    if (this.#writes.length <= maxWaitingWrites) return
    // What this node has is complete, and a store that is away for so long is away for the others too.
    this.#isReplacing = true
    this.#writes = this.#writes.slice(-1)
  }

  /**
   * Another node has written. Where this node writes the same, before this or later, it need not be read. Answers whether that is
   * possible.
   */
  hear(written: Written | undefined): boolean {
    this.isOutdated = true
    this.#written = written
    this.#compare()
    return !this.isOutdated || written?.before === this.revision
  }

  /** Another node may have written anything. */
  expire(): void {
    if (this.revision !== undefined) this.hear(undefined)
  }

  /** Takes its own writes for stored where another node has stored the very same bytes. */
  #compare(): void {
    const written = this.#written
    if (!written || !this.isOutdated || this.isStored || written.before !== this.revision) return
    const sending = this.sending()
    if (sending.isWhole || digestOf(sending) !== written.digest) return
    this.confirm(written.revision, sending)
    this.isOutdated = false
  }

  /** What there is to store. */
  sending(): Sending {
    const isWhole = this.#isReplacing
    const keys = isWhole ? this.#entries.keys() : this.#before.keys()
    return {
      entries: [...keys].map((key): Entry => [key, this.#entries.get(key)]),
      isWhole,
      writes: this.#writes.length,
    }
  }

  /** What was sent is stored under a revision; later writes are not. */
  confirm(revision: string, { writes, entries, isWhole }: Sending): void {
    this.revision = revision
    for (const [key, bytes] of entries) {
      if (this.#entries.get(key) === bytes) this.#before.delete(key)
      else this.#before.set(key, bytes)
    }
    // So many writes came meanwhile that everything is to be stored.
    if (this.#isReplacing && !isWhole) return
    this.#isReplacing = false
    const now = performance.now()
    const stored = this.#writes.splice(0, writes).map(changes => ({ changes, until: now + rememberMs }))
    this.#remembered = [...this.#remembered, ...stored]
      .filter(({ until }) => until > now)
      .slice(-maxRemembered)
    if (this.#writes.length === 0) this.#before.clear()
  }

  /** Takes over what is stored, and makes the writes once more that are not stored. */
  adopt({ revision, isWhole, entries }: Stored, storedIsNewer: boolean): void {
    // A series that was removed has a revision. One without has been lost by Redis.
    const isLost = revision === '' && Boolean(this.revision) && this.#entries.size > 0
    this.revision = revision
    this.#isReplacing ||= isLost
    if (this.#isReplacing) return
    if (isWhole) this.#clear()
    else this.#set(this.#before)
    this.#before.clear()
    this.#set(entries)
    const writes = this.#writes
    this.#writes = []
    // What is stored may not be what followed the revision that was known.
    if (isWhole && entries.length > 0) for (const { changes } of this.#remembered) this.#remake(changes, true)
    for (const changes of writes) this.#remake(changes, storedIsNewer)
  }

  #remake(changes: Changes, storedIsNewer: boolean): void {
    const made = [...changes(storedIsNewer)].filter(([key]) => this.belongs(key))
    if (made.length === 0) return
    this.#apply(made)
    this.#writes.push(changes)
  }

  #apply(entries: readonly Entry[]): void {
    for (const [key] of entries) if (!this.#before.has(key)) this.#before.set(key, this.#entries.get(key))
    this.#set(entries)
  }

  #clear(): void {
    this.#entries.clear()
    this.#sorted = undefined
    this.bytes = 0
  }

  #set(entries: Iterable<Entry>): void {
    for (const [key, bytes] of entries) {
      const before = this.#entries.get(key)
      this.bytes += (bytes?.byteLength ?? 0) - (before?.byteLength ?? 0)
      if (bytes === undefined) this.#entries.delete(key)
      else this.#entries.set(key, bytes)
      if ((bytes === undefined) !== (before === undefined)) this.#sorted = undefined
    }
  }
}

/** The same for the same bytes under the same keys, on every node. */
export function digestOf({ entries }: Pick<Sending, 'entries'>): string {
  const hash = createHash('sha256')
  for (const [key, bytes] of [...entries].sort(([one], [other]) => (one < other ? -1 : 1))) {
    hash.update(`${key}\n${bytes?.byteLength ?? '-'}\n`)
    if (bytes) hash.update(bytes)
  }
  return hash.digest('base64url')
}

/** What a reply of Redis says: a revision, and keys with their bytes; undefined where nothing has changed. */
export function readStored(reply: readonly [Buffer, Buffer?, ...(Buffer | null)[]]): Stored | undefined {
  const [revision, kind, ...pairs] = reply
  if (kind === undefined) return undefined
  const entries: Entry[] = []
  for (let at = 0; at < pairs.length; at += 2) {
    const key = pairs[at] as Buffer
    if (key[0] !== ownField) entries.push([key.toString('latin1'), pairs[at + 1] ?? undefined])
  }
  return { revision: revision.toString(), isWhole: kind.toString() === 'all', entries }
}
