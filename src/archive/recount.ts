import type { KeyValueStore } from '../store/store.js'
import { chunkRange, timeOfChunk } from './archive-keys.js'
import { bytesOf } from './archive-usage.js'
import { lastTimeOf } from './chunk-codec.js'
import { countIn } from './chunk-merge.js'
import type { SeriesHead } from './series-head.js'

/**
 * What the chunks of a series without the `dropped` ones say about it, where its head is lost or some chunks are damaged.
 * All of them are read.
 */
export function recount(
  chunks: KeyValueStore,
  key: string,
  dropped: readonly string[],
): Pick<SeriesHead, 'count' | 'first' | 'last' | 'bytes'> {
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
  return { count, first, last, bytes }
}
