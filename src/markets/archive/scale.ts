import { type Columns, columnNames } from '../../candles/columns.js'
import type { Factors } from '../../candles/rescale.js'
import type { KeyValueStore } from '../../contract/storage/stores.js'
import { chunkKey, chunkRange, timeOfChunk } from './archive-keys.js'
import { CorruptChunk, cutIntoChunks, readChunk } from './chunk-codec.js'
import { firstOf, type SeriesChange } from './chunk-merge.js'
import { emptyHead, type SeriesHead } from './series-head.js'

// After a split the newest candles are replaced, and the head says by what the older ones are to be multiplied. That is
// done when they are read, until they are written in the new scale: one chunk in a transaction, from the newest back.

const factorsOf = ({ priceScale, volumeScale }: SeriesHead): Factors => ({
  price: priceScale,
  volume: volumeScale,
})

/** Whether the candles of a chunk are still to be multiplied. */
export const isToBeScaled = (head: SeriesHead | undefined, chunk: string): boolean =>
  head !== undefined && timeOfChunk(chunk) < head.scaledFrom

/** The columns of a chunk in the scale of its series, as `readChunk` reads them. Throws CorruptChunk. */
export function readScaled(
  head: SeriesHead | undefined,
  chunk: string,
  bytes: Uint8Array,
  closesOnly = false,
): Columns {
  const columns = readChunk(chunk, bytes, closesOnly)
  if (head && isToBeScaled(head, chunk)) multiply(columns, factorsOf(head))
  return columns
}

function multiply(columns: Columns, { price, volume }: Factors): void {
  for (const name of columnNames) {
    if (name === 'timestamp') continue
    const factor = name === 'volume' ? volume : price
    const column = columns[name]
    for (let at = 0; at < column.length; at++) column[at] = (column[at] as number) * factor
  }
}

/** Writes the newest chunk that is still to be multiplied in its new scale. One that cannot be read stays as it is. */
export function scaleNext(chunks: KeyValueStore, key: string, head: SeriesHead): SeriesChange {
  const chunk = firstOf(chunks.keys(chunkRange(key)[0], chunkKey(key, head.scaledFrom), true))
  const bytes = chunk === undefined ? undefined : chunks.get(chunk)
  if (chunk === undefined || !bytes) {
    const { scaledFrom, priceScale, volumeScale } = emptyHead
    return { changes: [], head: { ...head, scaledFrom, priceScale, volumeScale } }
  }
  const after = { ...head, scaledFrom: timeOfChunk(chunk) }
  try {
    const columns = readScaled(head, chunk, bytes)
    const candles = Array.from({ length: columns.capacity }, (_, at) => columns.read(at))
    return { changes: cutIntoChunks(key, candles, false), head: after }
  } catch (error) {
    if (error instanceof CorruptChunk) return { changes: [], head: after }
    throw error
  }
}
