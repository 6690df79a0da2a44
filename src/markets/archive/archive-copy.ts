import type { KeyValueStore } from '../../contract/storage/stores.js'
import { chunkRange, correctionRange, headRange, seriesOfHead } from './archive-keys.js'

/** Outcome of copying one series: copied now, already the same, or a different one that was left unchanged. */
export type CopyOutcome = 'copied' | 'same' | 'different'

export async function headsOf(chunks: KeyValueStore): Promise<readonly string[]> {
  await chunks.prepareHeads?.()
  return [...chunks.keys(...headRange)]
}

/**
 * Copies the stored bytes of the series with this head, all or nothing. With `replaces`, overwrites a different
 * series. Throws an Error if the copy cannot be read back unchanged.
 */
export async function copySeries(
  source: KeyValueStore,
  target: KeyValueStore,
  head: string,
  replaces: boolean,
): Promise<CopyOutcome> {
  await source.prepare?.(head)
  await target.prepare?.(head)
  const wanted = entriesOf(source, head)
  const present = entriesOf(target, head)
  if (isSame(wanted, present)) return 'same'
  if (present.size > 0 && !replaces) return 'different'
  target.write(() => [...[...present.keys()].map(key => [key, undefined] as const), ...wanted])
  await target.flush?.()
  await target.prepare?.(head)
  if (isSame(wanted, entriesOf(target, head))) return 'copied'
  throw new Error(`${head} could not be read back as it was written`)
}

/** All stored bytes of a series, by key. Requires a prepared series. */
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

function isSame(one: ReadonlyMap<string, Uint8Array>, two: ReadonlyMap<string, Uint8Array>): boolean {
  if (one.size !== two.size) return false
  for (const [key, bytes] of one) {
    const other = two.get(key)
    if (other === undefined || Buffer.compare(bytes, other) !== 0) return false
  }
  return true
}
