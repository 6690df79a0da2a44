import { createHash } from 'node:crypto'
import { NotShared } from '../../contract/storage/cluster.js'
import { type Changes, type KeyValueStore, StoreFailure } from '../../contract/storage/stores.js'
import type { Redis } from './redis.js'
import { createScript } from './redis-commands.js'

/** First byte (`@`) of the fields of a stored series that are no chunks. Keys of chunks never begin with it. */
const ownField = 0x40

/** Maximum number of waiting writes of a series. With more, the copy of this node replaces the stored series. */
const maxWaitingWrites = 200
/**
 * Milliseconds for which stored writes are remembered, because Redis may lose them in a failover or a restart. A series has at most
 * `maxRemembered` such writes.
 */
const rememberMs = 60_000
const maxRemembered = 20

type Entry = readonly [key: string, bytes: Uint8Array | undefined]

/** Data sent to Redis: the changed keys, or the whole series. */
export interface Sending {
  readonly entries: readonly Entry[]
  readonly isWhole: boolean
  readonly writes: number
}

/** Message of a node about a write: the revisions before and after the write, and the digest of the changes. */
export interface Written {
  readonly before: string
  readonly revision: string
  readonly digest: string
}

/** Reply of Redis: the whole stored series, or the changes of its last write. */
export interface Stored {
  readonly revision: string
  readonly isWhole: boolean
  readonly entries: readonly Entry[]
}

/**
 * Copy of the chunks of one series: the state in Redis plus the writes of this process that are not stored yet. Each write is a
 * function of the stored state. If another node has written in between, the writes are repeated on the new stored state.
 */
export class SeriesCopy {
  /** Last revision that was read or written; undefined before the first read. */
  revision: string | undefined
  /** Whether another node has written since that revision. */
  isOutdated = false
  bytes = 0
  /** Whether the set of all series is known to contain this series. */
  isIndexed = false
  /** Exchange with Redis in flight. */
  syncing: Promise<void> | undefined
  readonly #entries = new Map<string, Uint8Array>()
  #sorted: readonly string[] | undefined
  #writes: Changes[] = []
  #remembered: { readonly changes: Changes; readonly until: number }[] = []
  /** Stored values of the keys that the waiting writes have changed. */
  readonly #before = new Map<string, Uint8Array | undefined>()
  #isReplacing = false
  /** Last write of another node that this node has not read. */
  #written: Written | undefined

  constructor(
    readonly series: string,
    private readonly belongs: (key: string) => boolean,
  ) {}

  /** Whether the copy is up to date with Redis, as far as this process knows. */
  get isCurrent(): boolean {
    return this.revision !== undefined && !this.isOutdated
  }

  /** Whether the series was neither read nor written. */
  get isUnknown(): boolean {
    return this.revision === undefined && this.isStored
  }

  get isStored(): boolean {
    return this.#writes.length === 0 && !this.#isReplacing
  }

  get(key: string): Uint8Array | undefined {
    return this.#entries.get(key)
  }

  keys(): readonly string[] {
    this.#sorted ??= [...this.#entries.keys()].sort()
    return this.#sorted
  }

  /** Applies a write whose changes to this series are already computed. */
  write(changes: Changes, entries: readonly Entry[]): void {
    this.#apply(entries)
    this.#writes.push(changes)
    this.#compare()
    if (this.#writes.length <= maxWaitingWrites) return
    // The copy of this node is complete, and a store that is away for this long is away for all nodes.
    this.#isReplacing = true
    this.#writes = this.#writes.slice(-1)
  }

  /**
   * Notes that another node has written. If this node makes the same write, earlier or later, it need not read that write. Returns
   * whether that is possible.
   */
  hear(written: Written | undefined): boolean {
    this.isOutdated = true
    this.#written = written
    this.#compare()
    return !this.isOutdated || written?.before === this.revision
  }

  /** Marks the copy as outdated, because another node may have written. */
  expire(): void {
    if (this.revision !== undefined) this.hear(undefined)
  }

  /** Treats the waiting writes as stored if another node has stored exactly the same bytes. */
  #compare(): void {
    const written = this.#written
    if (!written || !this.isOutdated || this.isStored || written.before !== this.revision) return
    const sending = this.sending()
    if (sending.isWhole || digestOf(sending) !== written.digest) return
    this.confirm(written.revision, sending)
    this.isOutdated = false
  }

  /** Data that are not stored yet. */
  sending(): Sending {
    const isWhole = this.#isReplacing
    const keys = isWhole ? this.#entries.keys() : this.#before.keys()
    return {
      entries: [...keys].map((key): Entry => [key, this.#entries.get(key)]),
      isWhole,
      writes: this.#writes.length,
    }
  }

  /** Marks sent data as stored under a revision. Later writes keep waiting. */
  confirm(revision: string, { writes, entries, isWhole }: Sending): void {
    this.revision = revision
    for (const [key, bytes] of entries) {
      if (this.#entries.get(key) === bytes) this.#before.delete(key)
      else this.#before.set(key, bytes)
    }
    // More than `maxWaitingWrites` writes arrived during the exchange, so the whole series must be stored.
    if (this.#isReplacing && !isWhole) return
    this.#isReplacing = false
    const now = performance.now()
    const stored = this.#writes.splice(0, writes).map(changes => ({ changes, until: now + rememberMs }))
    this.#remembered = [...this.#remembered, ...stored]
      .filter(({ until }) => until > now)
      .slice(-maxRemembered)
    if (this.#writes.length === 0) this.#before.clear()
  }

  /** Adopts the stored state, and repeats the waiting writes on it. */
  adopt({ revision, isWhole, entries }: Stored, storedIsNewer: boolean): void {
    // A removed series keeps its revision. Redis has lost a series without one.
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
    // The stored state may not descend from the known revision.
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

/** Digest of keys and their bytes. It is the same on every node. */
export function digestOf({ entries }: Pick<Sending, 'entries'>): string {
  const hash = createHash('sha256')
  for (const [key, bytes] of [...entries].sort(([one], [other]) => (one < other ? -1 : 1))) {
    hash.update(`${key}\n${bytes?.byteLength ?? '-'}\n`)
    if (bytes) hash.update(bytes)
  }
  return hash.digest('base64url')
}

/** Reads a reply of Redis: the revision, and keys with their bytes; undefined if nothing has changed. */
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

/** Channel on which nodes announce written series. */
const written = 'written'
/** Key of the set of all series names. */
const seriesIndex = 'series'

/**
 * KEYS: series. ARGV: the known revision, or `-`. The reply has the stored revision. If it differs, the reply also has the whole
 * series, or only the changes of the last write if that write followed the known revision.
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
 * KEYS: series. ARGV: expected revision, next revision, channel, message, whether the whole series is replaced, then keys, each
 * with `+` and its bytes, or with `-` if it is removed.
 *
 * If the stored revision differs from the expected one, nothing is written, and the reply is that of a read. A removed series keeps
 * its revision for a day, so that it is not treated as lost by Redis.
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
  /** Maximum bytes of the copies in memory. Copies that are being sent to Redis may exceed the limit for a moment. */
  readonly maxBytes: number
  /** Whether this node holds the stream of a series. Other nodes delay their writes, because the holder writes first. */
  readonly isHolder?: (series: string) => boolean
  /** Milliseconds by which other nodes delay these writes, and also reads of candles that they are likely to write themselves. */
  readonly followerDelayMs?: number
}

/** Milliseconds before a refused write is retried, whether Redis or this node refused it, for example for lack of memory. */
const retryMs = 1000
/** Number of series whose heads are read concurrently. */
const headBatch = 500

/** Maximum number of copies in memory, however small they are. */
const maxCopies = 50_000

/** Series of a key: `head/<series>` or `candles/<series>/<time>`. */
const seriesOf = (key: string): string => key.split('/')[1] ?? ''

/**
 * Chunks in Redis, with in-memory copies of the series in use on this node. A copy is read once. Writes of other nodes are read
 * when these nodes announce them, unless this node writes the same bytes, as all followers of a series do.
 *
 * Reads and writes use the copy, so they never wait. A write is sent to Redis in the background, with the revision on which it is
 * based. A series that was not prepared shows no stored chunks, but it can be written.
 */
export class RedisKeyValueStore implements KeyValueStore {
  /** Copies by series, least recently used first. */
  readonly #copies = new Map<string, SeriesCopy>()
  /** Heads of all series at the last read. */
  #heads = new Map<string, Uint8Array>()
  /** Sorted keys of all heads; undefined after a head was added or removed. */
  #headKeys: readonly string[] | undefined
  readonly #timers = new Map<SeriesCopy, NodeJS.Timeout>()
  #revisions = 0
  #bytes = 0
  /** Time of the next attempt to make room. */
  #fullUntil = Number.NEGATIVE_INFINITY
  #failure: Error | undefined

  constructor(private readonly options: Options) {
    const { redis } = options
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

  /** Error of the last write; undefined if the write was stored. */
  get failure(): Error | undefined {
    return this.options.redis.isUp ? this.#failure : new NotShared()
  }

  /** Number and total size of the copies in memory. */
  get copies(): { readonly series: number; readonly bytes: number } {
    return { series: this.#copies.size, bytes: this.#bytes }
  }

  prepare(key: string): Promise<void> | undefined {
    const series = seriesOf(key)
    if (!this.#copies.has(series) && !this.options.redis.isUp)
      return Promise.reject(failureTo('read', new NotShared()))
    const copy = this.#copyOf(series)
    if (copy.isCurrent) return undefined
    return this.#sync(copy).catch(cause => {
      throw failureTo('read', cause)
    })
  }

  async prepareHeads(): Promise<void> {
    const { redis } = this.options
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

  /** Milliseconds by which this node delays reads and writes of a series if another node holds its stream. */
  #delayMsOf(series: string): number {
    const { isHolder, followerDelayMs = 0 } = this.options
    return isHolder && !isHolder(series) ? followerDelayMs : 0
  }

  /** Stores all waiting writes. Rejects if that is not possible now. */
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

  /** Sorted keys of several series. Caches the keys of heads, because there may be many and callers read a few at a time. */
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
        // When Redis is back, `#refreshAll` repeats failed reads and writes.
        if (!(error instanceof NotShared)) this.#schedule(copy, retryMs)
      })
    }, delayMs)
    this.#timers.set(copy, timer.unref())
  }

  #refreshAll(): void {
    for (const copy of this.#copies.values()) {
      // Redis may have lost the set of series.
      copy.isIndexed = false
      if (copy.isUnknown) continue
      copy.expire()
      this.#schedule(copy, 0)
    }
  }

  /** Reads and writes until the copy equals the stored series. */
  #sync(copy: SeriesCopy): Promise<void> {
    copy.syncing ??= this.#exchange(copy).finally(() => {
      copy.syncing = undefined
      // The series could not be read.
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
    // Cleared before the read, because another node may write during the read.
    copy.isOutdated = false
    try {
      const reply = await this.options.redis.transfers.runForBytes(
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
    const { redis } = this.options
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
    const { isHolder } = this.options
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
    return this.#bytes > this.options.maxBytes || this.#copies.size > maxCopies
  }

  /** Throws a StoreFailure if waiting writes use all the memory for copies, because it is unknown when they can be stored. */
  #makeRoom(): void {
    if (!this.#isFull || this.failure === undefined) return
    const now = performance.now()
    // The search for copies to evict is slow if there are many, so it runs at most once per `retryMs`.
    if (now >= this.#fullUntil) this.#evict()
    if (!this.#isFull) return
    if (now >= this.#fullUntil) this.#fullUntil = now + retryMs
    throw failureTo('write', new Error('too many wait for the shared store'))
  }

  /** Evicts the least recently used copies. */
  #evict(): void {
    for (const [series, copy] of this.#copies) {
      if (!this.#isFull) return
      if (!copy.isStored || copy.syncing) continue
      this.#copies.delete(series)
      this.#bytes -= copy.bytes
    }
  }
}

const headRange = ['head/', 'head0'] as const

const failureTo = (action: 'read' | 'write', cause: unknown): StoreFailure =>
  new StoreFailure(`Cannot ${action} candles: ${(cause as Error).message}`, { cause })

const seriesKey = (series: string) => `chunks:${series}`

const plus = Buffer.from('+')
const argumentsOf = ({ entries }: Sending): (string | Uint8Array)[] =>
  entries.flatMap(([key, bytes]) => [key, bytes ? Buffer.concat([plus, bytes]) : '-'])
