import type { KeyValueStore } from '../../contract/storage/stores.js'
import { chunkRange, headKey, timeOfChunk } from './archive-keys.js'
import { bytesOf } from './archive-usage.js'
import { lastTimeOf } from './chunk-codec.js'
import { countIn, firstOf } from './chunk-merge.js'
import { decodeHead, emptyHead, type SeriesHead } from './series-head.js'

/**
 * The head of a series without the `dropped` chunks, where it is lost or some chunks are damaged. All chunks are read.
 */
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
        // What is fetched in their place is no correction.
        knownSince: emptyHead.knownSince,
      }
}

/** When the chunk opens that follows the newest one of some chunks, in Unix seconds; Infinity where there is none. */
function wholeAfter(chunks: KeyValueStore, key: string, dropped: readonly string[]): number {
  const newest = [...dropped].sort().at(-1) as string
  const next = firstOf(chunks.keys(`${newest}~`, chunkRange(key)[1]))
  return next === undefined ? Number.POSITIVE_INFINITY : timeOfChunk(next)
}
