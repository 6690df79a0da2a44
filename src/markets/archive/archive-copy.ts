import type { KeyValueStore } from '../../contract/storage/stores.js'
import { chunkRange, correctionRange, headRange, seriesOfChunk, seriesOfHead } from './archive-keys.js'
import { cutIntoChunks, decodeChunk, isPacked } from './chunk-codec.js'
import { decodeHead, encodeHead, writtenHourOf } from './series-head.js'

/** What became of one series: it is copied now, was there already, or is another one there and was left as it is. */
export type CopyOutcome = 'copied' | 'same' | 'different'

/** The heads of all series, in the order of their names. */
export async function headsOf(chunks: KeyValueStore): Promise<readonly string[]> {
  await chunks.prepareHeads?.()
  return [...chunks.keys(...headRange)]
}

/**
 * Copies the series with this head as it is stored, all of it or nothing; with `replaces` also over another one. Throws
 * an Error where it cannot be read back as it was written.
 */
export async function copySeries(
  source: KeyValueStore,
  target: KeyValueStore,
  head: string,
  replaces: boolean,
): Promise<CopyOutcome> {
  await source.prepare?.(head)
  await target.prepare?.(head)
  const stored = entriesOf(source, head)
  // Earlier releases, which cannot read packed chunks, may share the target.
  const wanted = target.prepare ? unpacked(head, stored) : stored
  const present = entriesOf(target, head)
  if (isSame(wanted, present)) return 'same'
  if (present.size > 0 && !replaces) return 'different'
  target.write(() => [...[...present.keys()].map(key => [key, undefined] as const), ...wanted])
  await target.flush?.()
  await target.prepare?.(head)
  if (isSame(wanted, entriesOf(target, head))) return 'copied'
  throw new Error(`${head} could not be read back as it was written`)
}

/** Everything that is stored of a series, by key. It has to be prepared. */
export function entriesOf(chunks: KeyValueStore, head: string): ReadonlyMap<string, Uint8Array> {
  const series = seriesOfHead(head)
  const keys = [head, ...chunks.keys(...chunkRange(series)), ...chunks.keys(...correctionRange(series))]
  const entries = new Map<string, Uint8Array>()
  for (const key of keys) {
    const bytes = chunks.get(key)
    if (bytes !== undefined) entries.set(key, bytes)
  }
  return entries
}

/** What is stored of a series as earlier releases store it. */
function unpacked(head: string, entries: ReadonlyMap<string, Uint8Array>): ReadonlyMap<string, Uint8Array> {
  const series = seriesOfHead(head)
  return new Map(
    [...entries].flatMap(([key, bytes]): readonly (readonly [string, Uint8Array])[] => {
      // Nor do they have corrections.
      if (key !== head && seriesOfChunk(key) === undefined) return []
      if (key !== head)
        return isPacked(bytes) ? cutIntoChunks(series, decodeChunk(key, bytes)) : [[key, bytes]]
      const decoded = decodeHead(bytes)
      return [[key, decoded ? encodeHead(decoded, writtenHourOf(bytes), 1) : bytes]]
    }),
  )
}

function isSame(one: ReadonlyMap<string, Uint8Array>, two: ReadonlyMap<string, Uint8Array>): boolean {
  if (one.size !== two.size) return false
  for (const [key, bytes] of one) {
    const other = two.get(key)
    if (other === undefined || Buffer.compare(bytes, other) !== 0) return false
  }
  return true
}
