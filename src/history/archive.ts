import { crc32 } from 'node:zlib'
import type { Candle } from '../candles/candle.js'
import { Columns, columnNames } from '../candles/columns.js'
import { capacityFor, countAfterTrim } from '../candles/series.js'
import type { Chunks, Journal } from '../store/store.js'

/** The longest key of a series, in UTF-16 units: ten times what an exchange has. */
export const maxKeyLength = 200

/** The most candles that can be kept of one series. */
export const maxDepth = 50_000

/** Closed candles read from the archive: the first `closed` of the columns, ascending. */
export interface ArchivedCandles {
  readonly columns: Columns
  readonly closed: number
  /** Candles are missing, because some could not be read. What is here has no hole: only what follows the last one. */
  readonly isBroken: boolean
}

/** What is known about a series without reading its candles. */
export interface SeriesInfo {
  /** `exchange:SYMBOL:timeframe`. */
  readonly key: string
  readonly count: number
  /** Open times of the oldest and the newest candle, Unix seconds. */
  readonly first: number
  readonly last: number
  /** Candles to keep at least. */
  readonly depth: number
}

interface Options {
  /** Candles kept of every series; beyond a quarter more than that the oldest are dropped. */
  readonly depth: number
  /** Hears of candles that cannot be read. They are dropped, to be fetched again. */
  readonly onCorrupt?: (key: string, reason: string) => void
  /** Makes `note` cheap; without it everything is written at once. */
  readonly journal?: Journal
  /** Hears of noted candles that could not be written yet; it is tried again. */
  readonly onFailure?: (error: unknown) => void
}

/** Milliseconds for which noted candles may wait for others to be written with. */
const writeDelayMs = 1000
/** Series written in one transaction, and the milliseconds until the next one: nothing else is done meanwhile. */
const batch = { series: 20, pauseMs: 20 } as const

/** What is written about a series as a whole. */
interface Head {
  readonly count: number
  readonly first: number
  readonly last: number
  /** Kept beyond the depth of all; 0 where nothing was said. */
  readonly depth: number
  /** The most candles that the exchange was asked for; there may be fewer in the archive, because it has no more. */
  readonly reach: number
  /** Different after every change. */
  readonly revision: number
}

/** What a write does to the chunks of a series, and what its head says afterwards. */
interface Change {
  readonly changes: readonly (readonly [chunk: string, bytes: Uint8Array | undefined])[]
  readonly head: Head
}

const none: Head = { count: 0, first: 0, last: 0, depth: 0, reach: 0, revision: 0 }

/** Candles in a chunk: with its header and LMDB's own, 255 of them fill three pages of 4 KiB to the byte. */
const chunkSize = 255
const headerBytes = 32
const candleBytes = columnNames.length * 8
const version = 1
const chunkMark = 0x4b4e_4843
const headMark = 0x4441_4548
const headFields = ['count', 'first', 'last', 'depth', 'reach', 'revision'] as const
const headBytes = 8 + headFields.length * 8 + 8

/** Unix seconds as text in the order of time, also before 1970. */
const timeText = (seconds: number) => (seconds + 2 ** 40).toString(16).padStart(11, '0')
/** Symbols may be in any script, keys of chunks are ASCII. */
const toAscii = (key: string) =>
  key.replace(/[^!-~]|%/g, unit => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
const fromAscii = (text: string) =>
  text.replace(/%([0-9a-f]{4})/g, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)))
const headKey = (key: string) => `head/${toAscii(key)}`
const chunkKey = (key: string, first: number) => `candles/${toAscii(key)}/${timeText(first)}`
/** Before and behind all chunks of a series; the character after "/" is "0". */
const chunksOf = (key: string) => [`candles/${toAscii(key)}/`, `candles/${toAscii(key)}0`] as const
const timeOf = (chunk: string) => Number.parseInt(chunk.slice(-11), 16) - 2 ** 40

class Corrupt extends Error {}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** The checksum of everything but the checksum itself, which is the last four bytes of `header`. */
const checksum = (header: Uint8Array, body: Uint8Array) =>
  crc32(body, crc32(header.subarray(0, header.byteLength - 4)))

/**
 * Candles as they are stored, little-endian:
 *
 *   ├─ mark u32 ─┼─ version u16 ─┼─ count u16 ─┼─ first f64 ─┼─ last f64 ─┼─ 0 u32 ─┼─ CRC-32 u32 ─┤
 *   ├─ timestamp ─┼─ open ─┼─ high ─┼─ low ─┼─ close ─┼─ volume ─┤   columns of `count` f64
 */
function encode(candles: readonly Candle[]): Uint8Array {
  const count = candles.length
  const bytes = new Uint8Array(headerBytes + count * candleBytes)
  const view = viewOf(bytes)
  const columns = new Columns(count, bytes.buffer, headerBytes)
  for (let i = 0; i < count; i++) columns.write(i, candles[i] as Candle)
  view.setUint32(0, chunkMark, true)
  view.setUint16(4, version, true)
  view.setUint16(6, count, true)
  view.setFloat64(8, (candles[0] as Candle).timestamp, true)
  view.setFloat64(16, (candles[count - 1] as Candle).timestamp, true)
  view.setUint32(28, checksum(bytes.subarray(0, headerBytes), bytes.subarray(headerBytes)), true)
  return bytes
}

/** How many candles a chunk holds, after everything about it was checked. Throws Corrupt. */
function check(chunk: string, bytes: Uint8Array): number {
  if (bytes.byteLength < headerBytes) throw new Corrupt('it is cut short')
  const view = viewOf(bytes)
  if (view.getUint32(0, true) !== chunkMark) throw new Corrupt('it is no chunk of candles')
  if (view.getUint16(4, true) !== version)
    throw new Corrupt(`its version ${view.getUint16(4, true)} is not known`)
  const count = view.getUint16(6, true)
  if (bytes.byteLength !== headerBytes + count * candleBytes) throw new Corrupt('it is cut short')
  if (view.getUint32(28, true) !== checksum(bytes.subarray(0, headerBytes), bytes.subarray(headerBytes)))
    throw new Corrupt('its checksum is wrong')
  if (count === 0 || view.getFloat64(8, true) !== timeOf(chunk))
    throw new Corrupt('it is not where it belongs')
  return count
}

function decode(bytes: Uint8Array, count: number): Candle[] {
  // A copy, because f64 must lie at multiples of 8 (and `slice` of a Buffer does not copy).
  const own = new Uint8Array(bytes.subarray(headerBytes))
  const columns = new Columns(count, own.buffer)
  return Array.from({ length: count }, (_, i) => columns.read(i))
}

function encodeHead(head: Head): Uint8Array {
  const bytes = new Uint8Array(headBytes)
  const view = viewOf(bytes)
  view.setUint32(0, headMark, true)
  view.setUint16(4, version, true)
  for (const [k, field] of headFields.entries()) view.setFloat64(8 + 8 * k, head[field], true)
  view.setUint32(headBytes - 4, checksum(bytes, new Uint8Array(0)), true)
  return bytes
}

function decodeHead(bytes: Uint8Array): Head | undefined {
  if (bytes.byteLength !== headBytes) return undefined
  const view = viewOf(bytes)
  if (view.getUint32(0, true) !== headMark || view.getUint16(4, true) !== version) return undefined
  if (view.getUint32(headBytes - 4, true) !== checksum(bytes, new Uint8Array(0))) return undefined
  const value = (k: number) => view.getFloat64(8 + 8 * k, true)
  return {
    count: value(0),
    first: value(1),
    last: value(2),
    depth: value(3),
    reach: value(4),
    revision: value(5),
  }
}

/** Both lists as one, ascending; where they have the same time, the fresh candle counts. */
function mergeCandles(old: readonly Candle[], fresh: readonly Candle[]): Candle[] {
  const merged: Candle[] = []
  let i = 0
  for (const candle of fresh) {
    for (; i < old.length && (old[i] as Candle).timestamp < candle.timestamp; i++)
      merged.push(old[i] as Candle)
    if (i < old.length && (old[i] as Candle).timestamp === candle.timestamp) i++
    merged.push(candle)
  }
  for (; i < old.length; i++) merged.push(old[i] as Candle)
  return merged
}

function sorted(candles: readonly Candle[]): readonly Candle[] {
  const isAscending = candles.every(
    (candle, i) => i === 0 || candle.timestamp > (candles[i - 1] as Candle).timestamp,
  )
  if (isAscending) return candles
  const byTime = new Map(candles.map(candle => [candle.timestamp, candle]))
  return [...byTime.values()].sort((a, b) => a.timestamp - b.timestamp)
}

/**
 * The closed candles of every series, on the disk. A series is a row of checksummed chunks and a head that says how
 * much there is; every change of a series is one transaction. Keys are `exchange:SYMBOL:timeframe`. Several processes
 * may write at the same time.
 */
export class Archive {
  readonly #chunks: Chunks
  readonly #depth: number
  readonly #onCorrupt: (key: string, reason: string) => void
  readonly #journal: Journal | undefined
  readonly #onFailure: (error: unknown) => void
  /** Noted candles by series and time. */
  readonly #noted = new Map<string, Map<number, Candle>>()
  #timer: NodeJS.Timeout | undefined
  /** The revision of every series that this process has read or written, as long as nobody else has changed it since. */
  readonly #known = new Map<string, number>()

  constructor(chunks: Chunks, { depth, onCorrupt = () => {}, journal, onFailure = () => {} }: Options) {
    this.#chunks = chunks
    this.#depth = depth
    this.#onCorrupt = onCorrupt
    this.#journal = journal
    this.#onFailure = onFailure
  }

  /**
   * The newest `count` candles of a series, or all; undefined where there are none. A chunk that cannot be read is
   * reported and dropped, and nothing older than it is answered.
   */
  read(key: string, count = Number.POSITIVE_INFINITY): ArchivedCandles | undefined {
    this.#settle(key)
    this.#known.delete(key)
    let { revision } = this.#head(key)
    const chunks: { readonly bytes: Uint8Array; readonly count: number }[] = []
    const broken: string[] = []
    let found = 0
    for (const chunk of this.#chunks.keys(...chunksOf(key), true)) {
      if (found >= count) break
      const bytes = this.#chunks.get(chunk)
      if (!bytes) continue
      try {
        const here = check(chunk, bytes)
        chunks.push({ bytes, count: here })
        found += here
      } catch (error) {
        this.#report(key, chunk, error)
        broken.push(chunk)
        // Behind the newest candles a hole is filled at the end; between them it would be a hole.
        if (found > 0) break
      }
    }
    if (broken.length > 0) {
      this.#drop(key, broken)
      revision = this.#head(key).revision
    }
    if (found === 0) return undefined
    this.#known.set(key, revision)
    const closed = Math.min(found, count)
    const columns = new Columns(capacityFor(closed))
    const target = new Uint8Array(columns.buffer)
    let end = closed
    for (const { bytes, count: here } of chunks) {
      const used = Math.min(here, end)
      for (let column = 0; column < columnNames.length; column++) {
        const from = headerBytes + 8 * (column * here + here - used)
        target.set(bytes.subarray(from, from + 8 * used), 8 * (column * columns.capacity + end - used))
      }
      end -= used
    }
    return { columns, closed, isBroken: broken.length > 0 }
  }

  /**
   * Takes closed candles in: newer ones are appended, those of a known time replace it, older ones are inserted. What
   * lies beyond the depth is dropped. The candles survive a crash when this returns. Where the exchange was asked for
   * everything it has, `reach` says how many candles that would have been at most.
   */
  write(key: string, candles: readonly Candle[], reach = 0): void {
    this.#settle(key)
    if (candles.length === 0) return
    this.#change(key, head =>
      this.#merge(key, { ...head, reach: Math.max(head.reach, reach) }, sorted(candles)),
    )
  }

  /**
   * Takes closed candles in as `write` does, for a thousandth of its cost: they survive the end of the process at any
   * moment, but a loss of power only when they were written with others a second later.
   */
  enqueue(key: string, candles: readonly Candle[]): void {
    if (!this.#journal) {
      this.write(key, candles)
      return
    }
    this.#journal.append(encodeNote(key, candles))
    this.#gather(key, candles)
    this.#wake(writeDelayMs)
  }

  /** Writes what was noted, at once. */
  flush(): void {
    while (this.#noted.size > 0) this.#writeNoted(this.#batch())
  }

  /** Takes in what processes had noted that ended before they wrote it. */
  recover(): void {
    const forget = this.#journal?.recover(record => {
      const { key, candles } = decodeNote(record)
      const { count, first } = this.#head(key)
      // What has been dropped since does not come back.
      this.#gather(key, count === 0 ? candles : candles.filter(({ timestamp }) => timestamp >= first))
    })
    this.flush()
    forget?.()
  }

  /** Takes closed candles in the place of all that was there. */
  replace(key: string, candles: readonly Candle[], reach = 0): void {
    this.#settle(key)
    this.#change(key, head => {
      const changes = [...this.#chunks.keys(...chunksOf(key))].map((chunk): [string, undefined] => [
        chunk,
        undefined,
      ])
      const list = sorted(candles)
      return {
        changes: [...changes, ...cutIntoChunks(key, list)],
        head: {
          ...head,
          reach,
          count: list.length,
          first: list[0]?.timestamp ?? 0,
          last: list.at(-1)?.timestamp ?? 0,
        },
      }
    })
  }

  /** Every series there is, in the order of their keys. */
  *list(): Iterable<SeriesInfo> {
    this.flush()
    for (const stored of this.#chunks.keys('head/', 'head0')) {
      const key = fromAscii(stored.slice('head/'.length))
      const { count, first, last } = this.#head(key)
      if (count > 0) yield { key, count, first, last, depth: this.depth(key) }
    }
  }

  /** Candles to keep at least of a series. */
  depth(key: string): number {
    return Math.max(this.#depth, this.#head(key).depth)
  }

  /**
   * Asks for at least `depth` candles (at most 50,000) of a series to be kept, counted from the newest. It is never
   * lowered by this.
   */
  setDepth(key: string, depth: number): void {
    this.#change(key, head => ({
      changes: [],
      head: { ...head, depth: Math.min(maxDepth, Math.max(head.depth, depth)) },
    }))
  }

  /** The most candles that the exchange was asked for at once; where there are fewer here, it has no more. */
  requestedDepth(key: string): number {
    return this.#head(key).reach
  }

  /** A number that is another one after every change of a series, whoever makes it; 0 where there is nothing. */
  revision(key: string): number {
    return this.#head(key).revision
  }

  /** Whether another process has changed a series since this one has read it. */
  isChanged(key: string): boolean {
    return this.#head(key).revision !== this.#known.get(key)
  }

  /** Forgets a series, and the depth that was asked for it. */
  remove(key: string): void {
    this.#settle(key)
    this.#chunks.write(() =>
      [headKey(key), ...this.#chunks.keys(...chunksOf(key))].map((each): [string, undefined] => [
        each,
        undefined,
      ]),
    )
  }

  #head(key: string): Head {
    const bytes = this.#chunks.get(headKey(key))
    const head = bytes && decodeHead(bytes)
    if (head) return head
    if (!bytes && first(this.#chunks.keys(...chunksOf(key))) === undefined) return none
    this.#onCorrupt(key, 'its head was written anew, a depth asked for it is forgotten')
    this.#drop(key, [])
    const renewed = this.#chunks.get(headKey(key))
    return (renewed && decodeHead(renewed)) || none
  }

  #gather(key: string, candles: readonly Candle[]): void {
    const noted = this.#noted.get(key) ?? new Map<number, Candle>()
    for (const candle of candles) noted.set(candle.timestamp, candle)
    if (noted.size > 0) this.#noted.set(key, noted)
  }

  /** Writes what was noted of one series, so that it can be read. */
  #settle(key: string): void {
    if (this.#noted.has(key)) this.#writeNoted([key])
  }

  #batch(): string[] {
    return [...this.#noted.keys()].slice(0, batch.series)
  }

  #wake(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      try {
        this.#writeNoted(this.#batch())
        if (this.#noted.size > 0) this.#wake(batch.pauseMs)
      } catch (error) {
        this.#onFailure(error)
        this.#wake(writeDelayMs)
      }
    }, ms).unref()
  }

  /** Writes the noted candles of some series in one transaction. */
  #writeNoted(keys: readonly string[]): void {
    for (const key of keys) this.#head(key)
    const heads = new Map<string, readonly [before: Head, after: Head]>()
    this.#chunks.write(() =>
      keys.flatMap(key => {
        const candles = [...(this.#noted.get(key)?.values() ?? [])].sort((a, b) => a.timestamp - b.timestamp)
        return candles.length === 0
          ? []
          : this.#changesOf(key, head => this.#merge(key, head, candles), heads)
      }),
    )
    this.#note(heads)
    for (const key of keys) this.#noted.delete(key)
    if (this.#noted.size === 0) this.#journal?.clear()
  }

  /** Changes a series in one transaction. */
  #change(key: string, work: (head: Head) => Change): void {
    this.#head(key)
    const heads = new Map<string, readonly [before: Head, after: Head]>()
    this.#chunks.write(() => this.#changesOf(key, work, heads))
    this.#note(heads)
  }

  /** What a change of a series writes; within a transaction. */
  #changesOf(
    key: string,
    work: (head: Head) => Change,
    heads: Map<string, readonly [before: Head, after: Head]>,
  ): Change['changes'] {
    const bytes = this.#chunks.get(headKey(key))
    const before = (bytes && decodeHead(bytes)) || none
    const { changes, head } = work(before)
    const isSameHead = headFields.every(field => head[field] === before[field])
    if (changes.length === 0 && isSameHead) return []
    const after = { ...head, revision: before.revision + 1 }
    heads.set(key, [before, after])
    return [...changes, [headKey(key), encodeHead(after)]]
  }

  /** Remembers revisions that are this process's own, unless another one had changed the series before. */
  #note(heads: ReadonlyMap<string, readonly [before: Head, after: Head]>): void {
    for (const [key, [before, after]] of heads)
      if (before.revision === (this.#known.get(key) ?? 0)) this.#known.set(key, after.revision)
  }

  #merge(key: string, head: Head, fresh: readonly Candle[]): Change {
    const { timestamp: from } = fresh[0] as Candle
    const { timestamp: to } = fresh.at(-1) as Candle
    const [begin, end] = chunksOf(key)
    const floor = first(this.#chunks.keys(begin, `${chunkKey(key, from)}~`, true))
    const touched = [...this.#chunks.keys(floor ?? begin, `${chunkKey(key, to)}~`)]
    const next = first(this.#chunks.keys(`${chunkKey(key, to)}~`, end))

    const before = new Map<string, Uint8Array>()
    const old: Candle[] = []
    const removed = new Set<string>()
    const take = (chunk: string): void => {
      const bytes = this.#chunks.get(chunk)
      if (!bytes) return
      removed.add(chunk)
      try {
        const count = check(chunk, bytes)
        before.set(chunk, bytes)
        for (const candle of decode(bytes, count)) old.push(candle)
      } catch (error) {
        this.#report(key, chunk, error)
        isRecounted = true
      }
    }
    let isRecounted = false
    for (const chunk of touched) take(chunk)
    // A chunk that stays small for ever would be one more for every candle that is inserted.
    if (next !== undefined && (this.#countOf(next) ?? 0) + (old.length % chunkSize) <= chunkSize) take(next)

    let merged = mergeCandles(old, fresh)
    const counted = isRecounted ? this.#count(key, removed) + old.length : head.count
    const appended = head.count === 0 ? 0 : fresh.filter(({ timestamp }) => timestamp > head.last).length
    const total = counted - old.length + merged.length
    const depth = Math.max(this.#depth, head.depth)
    let count = total - appended
    for (let i = 0; i < appended; i++) count = countAfterTrim(count, depth) + 1

    const changes: [string, Uint8Array | undefined][] = []
    let drop = total - count
    let oldest: number | undefined
    for (const chunk of this.#chunks.keys(begin, end)) {
      if (removed.has(chunk)) break
      if (drop === 0) {
        oldest ??= timeOf(chunk)
        break
      }
      const bytes = this.#chunks.get(chunk) as Uint8Array
      const here = this.#countOf(chunk) ?? 0
      changes.push([chunk, undefined])
      if (here > drop) {
        const rest = decode(bytes, here).slice(drop)
        changes.push(...cutIntoChunks(key, rest))
        oldest = rest[0]?.timestamp
      }
      drop -= Math.min(drop, here)
    }
    merged = merged.slice(drop)

    const written = new Map(cutIntoChunks(key, merged))
    for (const chunk of removed) if (!written.has(chunk)) changes.push([chunk, undefined])
    for (const [chunk, bytes] of written) {
      const known = before.get(chunk)
      if (!known || Buffer.compare(known, bytes) !== 0) changes.push([chunk, bytes])
    }
    const last = head.count === 0 ? to : Math.max(to, head.last)
    return { changes, head: { ...head, count, first: oldest ?? (merged[0] as Candle).timestamp, last } }
  }

  /** How many candles a chunk holds, or undefined where it cannot be read. */
  #countOf(chunk: string): number | undefined {
    const bytes = this.#chunks.get(chunk)
    try {
      return bytes && check(chunk, bytes)
    } catch {
      return undefined
    }
  }

  /** The candles in all chunks of a series but those given. */
  #count(key: string, except: ReadonlySet<string>): number {
    let count = 0
    for (const chunk of this.#chunks.keys(...chunksOf(key)))
      if (!except.has(chunk)) count += this.#countOf(chunk) ?? 0
    return count
  }

  #report(key: string, chunk: string, error: unknown): void {
    if (!(error instanceof Corrupt)) throw error
    this.#onCorrupt(
      key,
      `its chunk from ${new Date(timeOf(chunk) * 1000).toISOString()} on was dropped: ${error.message}`,
    )
  }

  /** Removes chunks, and says in the head what is left. */
  #drop(key: string, broken: readonly string[]): void {
    this.#chunks.write(() => {
      const bytes = this.#chunks.get(headKey(key))
      const head = (bytes && decodeHead(bytes)) || none
      const gone = new Set(broken)
      const left = [...this.#chunks.keys(...chunksOf(key))].filter(chunk => !gone.has(chunk))
      let last = 0
      let count = 0
      for (const chunk of left) {
        const here = this.#countOf(chunk)
        if (here === undefined) continue
        count += here
        last = viewOf(this.#chunks.get(chunk) as Uint8Array).getFloat64(16, true)
      }
      const oldest = left[0] === undefined ? 0 : timeOf(left[0])
      // A revision at random, because the last one may be what was lost.
      const revision = Math.floor(Math.random() * 2 ** 40)
      return [
        ...broken.map((chunk): [string, undefined] => [chunk, undefined]),
        [headKey(key), encodeHead({ ...head, reach: 0, count, first: oldest, last, revision })],
      ]
    })
  }
}

/** A key of up to 65,535 bytes and candles: bytes u16, key, columns. */
function encodeNote(key: string, candles: readonly Candle[]): Uint8Array {
  const name = Buffer.from(key)
  const bytes = Buffer.alloc(2 + name.byteLength + candles.length * candleBytes)
  bytes.writeUInt16LE(name.byteLength)
  bytes.set(name, 2)
  let at = 2 + name.byteLength
  for (const candle of candles) for (const column of columnNames) at = bytes.writeDoubleLE(candle[column], at)
  return bytes
}

function decodeNote(record: Uint8Array): { readonly key: string; readonly candles: readonly Candle[] } {
  const bytes = Buffer.from(record.buffer, record.byteOffset, record.byteLength)
  const begin = 2 + bytes.readUInt16LE()
  const count = (bytes.byteLength - begin) / candleBytes
  const candles = Array.from({ length: count }, (_, i) => {
    const value = (column: number) => bytes.readDoubleLE(begin + i * candleBytes + column * 8)
    return {
      timestamp: value(0),
      open: value(1),
      high: value(2),
      low: value(3),
      close: value(4),
      volume: value(5),
    }
  })
  return { key: bytes.toString('utf8', 2, begin), candles }
}

const first = <Item>(items: Iterable<Item>): Item | undefined => {
  for (const item of items) return item
  return undefined
}

/** Candles cut into chunks. */
function cutIntoChunks(key: string, candles: readonly Candle[]): [string, Uint8Array][] {
  const list: [string, Uint8Array][] = []
  for (let from = 0; from < candles.length; from += chunkSize) {
    const piece = candles.slice(from, from + chunkSize)
    list.push([chunkKey(key, (piece[0] as Candle).timestamp), encode(piece)])
  }
  return list
}
