import { createHash } from 'node:crypto'
import { NotShared } from '../../contract/storage/cluster.js'
import { type Changes, type KeyValueStore, StoreFailure } from '../../contract/storage/stores.js'
import type { Redis } from './redis.js'
import { createScript } from './redis-commands.js'

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

/** The channel on which nodes say which series they have written. */
const written = 'written'
/** The set of the names of all series. */
const seriesIndex = 'series'

/**
 * KEYS: series. ARGV: the revision that is known, or `-`. The reply has the revision, and where it is another one,
 * everything that is stored, or only what the last write has changed.
 */
const readLua = `
local function read(key, known)
  local revision = redis.call('HGET', key, '@revision') or ''
  if revision == known then return {revision} end
  if known ~= '' and redis.call('HGET', key, '@before') == known then
    local reply = {revision, 'part'}
    for name in string.gmatch(redis.call('HGET', key, '@changed'), '[^\\n]+') do
      reply[#reply + 1] = name
      reply[#reply + 1] = redis.call('HGET', key, name)
    end
    return reply
  end
  local reply = redis.call('HGETALL', key)
  table.insert(reply, 1, 'all')
  table.insert(reply, 1, revision)
  return reply
end
`
const loadSeries = createScript(`${readLua} return read(KEYS[1], ARGV[1])`)

/**
 * KEYS: series. ARGV: the revision that is expected, the next one, channel, message, whether everything is replaced, then
 * the keys with `+` and their bytes, or `-` for those that are removed. Where the revision is another one, nothing is
 * written, and the reply is that of reading. A series that was removed keeps its revision for a day, so that it is not
 * taken for one that Redis has lost.
 */
const writeSeries = createScript(`${readLua}
local key = KEYS[1]
local before = redis.call('HGET', key, '@revision') or ''
if before ~= ARGV[1] then return read(key, ARGV[1]) end
if ARGV[5] == '1' then
  redis.call('DEL', key)
  -- Everything has changed, so no node may read only a part.
  before = '!'
end
local changed = {}
for at = 6, #ARGV, 2 do
  changed[#changed + 1] = ARGV[at]
  local value = ARGV[at + 1]
  if string.sub(value, 1, 1) == '+' then redis.call('HSET', key, ARGV[at], string.sub(value, 2))
  else redis.call('HDEL', key, ARGV[at]) end
end
redis.call('HSET', key, '@revision', ARGV[2], '@before', before, '@changed', table.concat(changed, '\\n'))
if redis.call('HLEN', key) == 3 then redis.call('PEXPIRE', key, 86400000) else redis.call('PERSIST', key) end
redis.call('PUBLISH', ARGV[3], ARGV[4])
return {ARGV[2]}`)

interface Options {
  readonly redis: Redis
  /** Bytes of the series that are held in memory. Those that are on their way to Redis may exceed it for a moment. */
  readonly maxBytes: number
  /** Whether this node is the one that brings the candles of a series; the others leave writing them to it for a while. */
  readonly isHolder?: (series: string) => boolean
  /** Milliseconds for which they do, and for which they do not read what they may be about to write themselves. */
  readonly followerDelayMs?: number
}

/** Milliseconds before a write is repeated that Redis has refused, or this node has, such as for lack of memory. */
const retryMs = 1000
/** Series whose heads are read at once. */
const headBatch = 500

/** Copies in memory, however small they are. */
const maxCopies = 50_000

/** The series of a key: `head/<series>`, `candles/<series>/<time>`. */
const seriesOf = (key: string): string => key.split('/')[1] ?? ''

/**
 * Chunks in Redis, with a copy of the series that are in use on this node: it is read once, and what other nodes write is
 * read when they say so, unless this node writes the same bytes, as all do that follow the series. Reading and writing use the copy, so they take no time; a write is sent to Redis in the
 * background, with the revision that it is based on. A series that was not prepared shows nothing of what is stored, but
 * can be written all the same.
 */
export class RedisKeyValueStore implements KeyValueStore {
  readonly #options: Options
  /** By series, the one that was used last at the end. */
  readonly #copies = new Map<string, SeriesCopy>()
  /** The heads of all series as they were read last. */
  #heads = new Map<string, Uint8Array>()
  /** The keys of all heads, sorted; undefined after one came or went. */
  #headKeys: readonly string[] | undefined
  readonly #timers = new Map<SeriesCopy, NodeJS.Timeout>()
  #revisions = 0
  #bytes = 0
  /** Until when it is not tried again to make room. */
  #fullUntil = Number.NEGATIVE_INFINITY
  #failure: Error | undefined

  constructor(options: Options) {
    const { redis } = options
    this.#options = options
    redis.channels.onReconnected(() => this.#refreshAll())
    redis.onReturn(() => this.#refreshAll())
    void redis.channels.listen(written, message => {
      const [nodeId, revision, series, before, digest] = message.toString().split(' ')
      if (!revision || series === undefined || before === undefined || !digest)
        throw new Error('a message about a written series is cut short')
      const copy = this.#copies.get(series)
      if (!copy || nodeId === redis.nodeId || copy.revision === revision) return
      const isExpected = copy.hear({ before, revision, digest })
      if (!copy.isCurrent) this.#schedule(copy, isExpected ? this.#delayMsOf(series) : 0)
    })
  }

  /** Why the last write could not be stored; undefined when it was. */
  get failure(): Error | undefined {
    return this.#options.redis.isUp ? this.#failure : new NotShared()
  }

  /** What the copies in memory are. */
  get copies(): { readonly series: number; readonly bytes: number } {
    return { series: this.#copies.size, bytes: this.#bytes }
  }

  prepare(key: string): Promise<void> | undefined {
    const series = seriesOf(key)
    if (!this.#copies.has(series) && !this.#options.redis.isUp)
      return Promise.reject(failureTo('read', new NotShared()))
    const copy = this.#copyOf(series)
    if (copy.isCurrent) return undefined
    return this.#sync(copy).catch(cause => {
      throw failureTo('read', cause)
    })
  }

  async prepareHeads(): Promise<void> {
    const { redis } = this.#options
    const heads = new Map<string, Uint8Array>()
    try {
      const all = (await redis.transfers.call(client => client.smembers(seriesIndex))).sort()
      for (let at = 0; at < all.length; at += headBatch) {
        const batch = all.slice(at, at + headBatch)
        const found = await redis.transfers.call(client =>
          Promise.all(batch.map(series => client.hgetBuffer(seriesKey(series), `head/${series}`))),
        )
        for (const [k, series] of batch.entries()) {
          const bytes = found[k]
          if (bytes) heads.set(`head/${series}`, bytes)
        }
      }
    } catch (cause) {
      throw failureTo('read', cause)
    }
    this.#heads = heads
    this.#headKeys = undefined
  }

  get(key: string): Uint8Array | undefined {
    const series = seriesOf(key)
    const copy = this.#copies.get(series)
    const bytes = copy && !copy.isUnknown ? copy.get(key) : this.#heads.get(key)
    return bytes && new Uint8Array(bytes)
  }

  keys(from: string, to: string, isReverse = false): Iterable<string> {
    const [kind, series] = from.split('/') as [string, string?]
    const isOne = series && from.startsWith(`${kind}/${series}/`) && to <= `${kind}/${series}0`
    const all = isOne ? this.#copies.get(series)?.keys() : this.#allKeys(from, to)
    const within = (all ?? []).filter(key => key >= from && key < to)
    return isReverse ? within.reverse() : within
  }

  write(changes: Changes): void {
    this.#makeRoom()
    const bySeries = new Map<string, [string, Uint8Array | undefined][]>()
    try {
      for (const [key, bytes] of changes()) {
        const series = seriesOf(key)
        const entries = bySeries.get(series) ?? []
        entries.push([key, bytes && new Uint8Array(bytes)])
        bySeries.set(series, entries)
      }
    } catch (cause) {
      throw failureTo('write', cause)
    }
    for (const [series, entries] of bySeries) {
      const copy = this.#copyOf(series)
      this.#account(copy, () => copy.write(changes, entries))
      this.#heads.delete(`head/${series}`)
      if (!copy.isCurrent || !copy.isStored) this.#schedule(copy, this.#delayMsOf(series))
    }
  }

  /** For how long reading and writing a series are left to the node that brings its candles. */
  #delayMsOf(series: string): number {
    const { isHolder, followerDelayMs = 0 } = this.#options
    return isHolder && !isHolder(series) ? followerDelayMs : 0
  }

  /** Stores what is not stored yet. Rejects where that is not possible now. */
  async flush(): Promise<void> {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
    const copies = [...this.#copies.values()].filter(copy => !copy.isStored)
    await Promise.all(copies.map(copy => this.#sync(copy))).catch(cause => {
      throw failureTo('write', cause)
    })
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }

  /** The sorted keys of several series. There may be many heads, of which a few are read at a time. */
  #allKeys(from: string, to: string): readonly string[] {
    const isOfHeads = from >= headRange[0] && to <= headRange[1]
    if (isOfHeads && this.#headKeys) return this.#headKeys
    const keys = new Set(this.#heads.keys())
    for (const copy of this.#copies.values())
      for (const key of copy.keys()) if (!isOfHeads || key.startsWith(headRange[0])) keys.add(key)
    const sorted = [...keys].sort()
    if (isOfHeads) this.#headKeys = sorted
    return sorted
  }

  #copyOf(series: string): SeriesCopy {
    const copy = this.#copies.get(series) ?? new SeriesCopy(series, key => seriesOf(key) === series)
    this.#copies.delete(series)
    this.#copies.set(series, copy)
    return copy
  }

  #schedule(copy: SeriesCopy, delayMs: number): void {
    if (this.#timers.has(copy)) return
    const timer = setTimeout(() => {
      this.#timers.delete(copy)
      this.#sync(copy).catch(error => {
        this.#failure = error as Error
        // When Redis is back, everything is read and written that was not.
        if (!(error instanceof NotShared)) this.#schedule(copy, retryMs)
      })
    }, delayMs)
    this.#timers.set(copy, timer.unref())
  }

  #refreshAll(): void {
    for (const copy of this.#copies.values()) {
      // Redis may have lost it.
      copy.isIndexed = false
      if (copy.isUnknown) continue
      copy.expire()
      this.#schedule(copy, 0)
    }
  }

  /** Reads and writes until the copy is what is stored. */
  #sync(copy: SeriesCopy): Promise<void> {
    copy.syncing ??= this.#exchange(copy).finally(() => {
      copy.syncing = undefined
      // It could not be read.
      if (copy.isUnknown && this.#copies.get(copy.series) === copy) this.#copies.delete(copy.series)
    })
    return copy.syncing
  }

  async #exchange(copy: SeriesCopy): Promise<void> {
    while (!copy.isCurrent || !copy.isStored) {
      if (copy.isCurrent) await this.#send(copy)
      else await this.#read(copy)
    }
    this.#failure = undefined
    this.#evict()
  }

  async #read(copy: SeriesCopy): Promise<void> {
    const known = copy.revision ?? '-'
    // Another node may write again while this reads.
    copy.isOutdated = false
    try {
      const reply = await this.#options.redis.transfers.runForBytes(
        loadSeries,
        [seriesKey(copy.series)],
        [known],
      )
      this.#adopt(copy, reply)
    } catch (error) {
      copy.expire()
      throw error
    }
  }

  async #send(copy: SeriesCopy): Promise<void> {
    const { redis } = this.#options
    const { series, revision } = copy
    const sending = copy.sending()
    const next = `${redis.nodeId}.${++this.#revisions}`
    if (!copy.isIndexed) await redis.transfers.call(client => client.sadd(seriesIndex, series))
    copy.isIndexed = true
    if (copy.revision !== revision || copy.isOutdated) return
    const digest = sending.isWhole ? '-' : digestOf(sending)
    const message = `${redis.nodeId} ${next} ${series} ${revision} ${digest}`
    const args = [revision ?? '', next, redis.channels.nameOf(written), message, sending.isWhole ? 1 : 0]
    const allArgs = [...args, ...argumentsOf(sending)]
    const reply = (await redis.transfers.runForBytes(writeSeries, [seriesKey(series)], allArgs)) as [Buffer]
    if (reply.length === 1 && reply[0].toString() === next) copy.confirm(next, sending)
    else this.#adopt(copy, reply)
  }

  #adopt(copy: SeriesCopy, reply: unknown): void {
    const stored = readStored(reply as [Buffer])
    if (!stored) return
    const { isHolder } = this.#options
    this.#account(copy, () => copy.adopt(stored, !isHolder?.(copy.series)))
  }

  #account(copy: SeriesCopy, work: () => void): void {
    const { bytes } = copy
    const head = `${headRange[0]}${copy.series}`
    const hadHead = copy.get(head) !== undefined
    work()
    this.#bytes += copy.bytes - bytes
    if ((copy.get(head) !== undefined) !== hadHead) this.#headKeys = undefined
  }

  get #isFull(): boolean {
    return this.#bytes > this.#options.maxBytes || this.#copies.size > maxCopies
  }

  /** Throws a StoreFailure where what waits to be stored takes all the memory for copies: the time until it can be stored is not known. */
  #makeRoom(): void {
    if (!this.#isFull || this.failure === undefined) return
    const now = performance.now()
    // Looking for what can be dropped takes time where there is much.
    if (now >= this.#fullUntil) this.#evict()
    if (!this.#isFull) return
    if (now >= this.#fullUntil) this.#fullUntil = now + retryMs
    throw failureTo('write', new Error('too many wait for the shared store'))
  }

  /** Drops the copies that were not used for the longest time. */
  #evict(): void {
    for (const [series, copy] of this.#copies) {
      if (!this.#isFull) return
      if (!copy.isStored || copy.syncing) continue
      this.#copies.delete(series)
      this.#bytes -= copy.bytes
    }
  }
}

/** From the first key of a head to after the last one. */
const headRange = ['head/', 'head0'] as const

const failureTo = (action: 'read' | 'write', cause: unknown): StoreFailure =>
  new StoreFailure(`Cannot ${action} candles: ${(cause as Error).message}`, { cause })

const seriesKey = (series: string) => `chunks:${series}`

const plus = Buffer.from('+')
const argumentsOf = ({ entries }: Sending): (string | Uint8Array)[] =>
  entries.flatMap(([key, bytes]) => [key, bytes ? Buffer.concat([plus, bytes]) : '-'])
