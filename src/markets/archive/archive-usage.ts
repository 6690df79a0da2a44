import type { KeyValueStore } from '../../contract/storage/stores.js'
import { headKey, headRange, seriesOfHead } from './archive-keys.js'
import { decodeHead, emptyHead, writtenHourOf } from './series-head.js'

/** What a series takes on the disk, and what decides whether it may be dropped. */
export interface SeriesUsage {
  readonly key: string
  /** Roughly, with what the store itself needs for it. */
  readonly bytes: number
  /** When it was last changed, in hours since the epoch. */
  readonly writtenHour: number
  /** An operator has set its depth, by a backfill or an import. */
  readonly isRequested: boolean
}

/** Bytes that LMDB needs for a head, free pages included. */
const headBytes = 512
const pageBytes = 4096
const pageHeaderBytes = 16

/** Bytes that LMDB needs for a chunk, which has pages of its own. */
export const bytesOf = (chunk: Uint8Array | undefined): number =>
  chunk ? Math.ceil((chunk.byteLength + pageHeaderBytes) / pageBytes) * pageBytes : 0

/** What series take: `count` of them from the one after `previous` on, in the order of their keys. */
export function readUsage(
  chunks: KeyValueStore,
  count: number,
  previous: string | undefined,
): readonly SeriesUsage[] {
  const [begin, end] = headRange
  const usages: SeriesUsage[] = []
  for (const stored of chunks.keys(previous === undefined ? begin : headKey(previous), end)) {
    const key = seriesOfHead(stored)
    if (key === previous) continue
    if (usages.length === count) break
    const bytes = chunks.get(stored)
    const head = decodeHead(bytes) ?? emptyHead
    usages.push({
      key,
      bytes: head.bytes + headBytes,
      writtenHour: bytes ? writtenHourOf(bytes) : 0,
      isRequested: head.depth > 0,
    })
  }
  return usages
}
