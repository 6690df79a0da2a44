import type { KeyValueStore } from '../../contract/storage/stores.js'
import type { AgeClock } from '../../runtime/age-clock.js'
import { recentEntries } from '../../runtime/caches.js'
import { chunkRange, headKey, timeOfChunk } from './archive-keys.js'
import { type ChunkChange, lastTimeOf } from './chunk-codec.js'
import { countIn, firstOf, type SeriesChange } from './chunk-merge.js'
import { storeCorrections } from './corrections.js'
import { bytesOf, decodeHead, emptyHead, encodeHead, isSameHead, type SeriesHead } from './series-head.js'

/** Head of a series without the `dropped` chunks, after the loss of the head or damage of chunks. Reads all chunks. */
export function headWithout(chunks: KeyValueStore, key: string, dropped: readonly string[]): SeriesHead {
  const head = decodeHead(chunks.get(headKey(key))) ?? emptyHead
  let [count, first, last, bytes] = [0, 0, 0, 0]
  for (const chunk of chunks.keys(...chunkRange(key))) {
    const stored = dropped.includes(chunk) ? undefined : chunks.get(chunk)
    if (!stored) continue
    if (bytes === 0) first = timeOfChunk(chunk)
    bytes += bytesOf(stored)
    const inChunk = countIn(chunks, chunk)
    if (inChunk === undefined) continue
    count += inChunk
    last = lastTimeOf(stored)
  }
  // A random revision, because the last one may be lost.
  const revision = Math.floor(Math.random() * 2 ** 40)
  const counted = { ...head, requestedDepth: 0, count, first, last, bytes, revision }
  return dropped.length === 0
    ? counted
    : {
        ...{ ...counted, isIncomplete: true, wholeFrom: wholeAfter(chunks, key, dropped) },
        // Candles fetched instead of the dropped ones are no corrections.
        knownSince: emptyHead.knownSince,
      }
}

/** Open time (Unix seconds) of the chunk after the newest of some chunks; Infinity if there is none. */
function wholeAfter(chunks: KeyValueStore, key: string, dropped: readonly string[]): number {
  const newest = [...dropped].sort().at(-1) as string
  const next = firstOf(chunks.keys(`${newest}~`, chunkRange(key)[1]))
  return next === undefined ? Number.POSITIVE_INFINITY : timeOfChunk(next)
}

const daySeconds = 86_400

/** Number of series whose last own revision is remembered. A forgotten one is read again, in a fraction of a millisecond. */
export const maxKnownRevisions = 50_000

interface Options {
  readonly chunks: KeyValueStore
  readonly correctionsDays: number
  readonly clock: () => number
  /** Clock that decides which corrections are too old to keep. Without it all are kept. */
  readonly ages: Pick<AgeClock, 'before'> | undefined
}

/** Computes the change of a series from its head. `storedIsNewer` comes from the write of the store. */
export type SeriesWork = (head: SeriesHead, storedIsNewer: boolean | undefined) => SeriesChange

type HeadChanges = Map<string, readonly [before: SeriesHead, after: SeriesHead]>

/** Writes changes of series with their heads and corrections, and remembers the revisions written by this process. */
export class SeriesTransactions {
  /** Revision of each series read or written by this process, unless another process has changed the series since. */
  readonly #knownRevisions = recentEntries<number>(maxKnownRevisions)

  constructor(private readonly options: Options) {}

  change(works: readonly (readonly [key: string, work: SeriesWork])[]): void {
    const heads: HeadChanges = new Map()
    this.options.chunks.write(storedIsNewer =>
      works.flatMap(([key, work]) => this.#changesOf(key, head => work(head, storedIsNewer), heads)),
    )
    for (const [key, [before, after]] of heads)
      if (before.revision === (this.#knownRevisions.get(key) ?? 0))
        this.#knownRevisions.set(key, after.revision)
  }

  /** Removes chunks, and writes a head of the remaining ones. */
  drop(key: string, dropped: readonly string[]): void {
    const { chunks } = this.options
    chunks.write(() => [
      ...dropped.map((chunk): ChunkChange => [chunk, undefined]),
      [headKey(key), this.#encode(headWithout(chunks, key, dropped))],
    ])
  }

  /** Notes that this process has read a series with this revision. */
  remember(key: string, revision: number): void {
    this.#knownRevisions.set(key, revision)
  }

  forget(key: string): void {
    this.#knownRevisions.delete(key)
  }

  isKnown(key: string, revision: number): boolean {
    return this.#knownRevisions.get(key) === revision
  }

  /** Stored bytes changed by the work on one series; runs within a transaction. */
  #changesOf(
    key: string,
    work: (head: SeriesHead) => SeriesChange,
    heads: HeadChanges,
  ): readonly ChunkChange[] {
    const { chunks, correctionsDays, clock, ages } = this.options
    const before = decodeHead(chunks.get(headKey(key))) ?? emptyHead
    const { changes, head, corrections = [], isAnew = false } = work(before)
    if (changes.length === 0 && isSameHead(head, before)) return []
    const now = clock()
    const oldest = ages?.before(correctionsDays * daySeconds) ?? Number.NEGATIVE_INFINITY
    const stored = storeCorrections(chunks, key, corrections, { isWanted: correctionsDays > 0, now, oldest })
    const begins = isAnew || before.knownSince === Number.POSITIVE_INFINITY
    const known = begins ? now : Math.max(before.knownSince, stored.knownSince)
    // The nodes of a shared store write the same bytes, whenever candles arrive at each of them.
    const knownSince = chunks.prepare ? Number.POSITIVE_INFINITY : known
    const bytes = before.bytes + this.#growthOf(changes)
    const after = { ...head, bytes, knownSince, revision: before.revision + 1 }
    heads.set(key, [before, after])
    return [...changes, ...stored.changes, [headKey(key), this.#encode(after)]]
  }

  #growthOf(changes: readonly ChunkChange[]): number {
    const { chunks } = this.options
    let bytes = 0
    for (const [chunk, after] of new Map(changes)) bytes += bytesOf(after) - bytesOf(chunks.get(chunk))
    return bytes
  }

  #encode(head: SeriesHead): Uint8Array {
    return encodeHead(head, Math.floor(this.options.clock() / 3600))
  }
}
