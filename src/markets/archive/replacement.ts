import type { Candle } from '../../candles/candle.js'
import type { Factors } from '../../candles/rescale.js'
import type { KeyValueStore } from '../../contract/storage/stores.js'
import { type ChunkChange, cutIntoChunks } from './chunk-codec.js'
import { removeFrom, type SeriesChange } from './chunk-merge.js'
import type { SeriesHead } from './series-head.js'

/** How candles replace those of a series. */
export interface Replacement {
  /** The most candles that the exchange was asked for, where they are everything that it has. */
  readonly requestedDepth?: number
  /** The same candles in their order, as they are stored, where a caller has prepared them. */
  readonly chunks?: readonly ChunkChange[]
  /** By what older candles are multiplied that stay. */
  readonly scale?: Factors
}

/**
 * What a series is after its candles were replaced by others, ascending. Of a series that has more than memory holds, older
 * ones stay: in the scale of the new ones, or else with others missing between.
 */
export function replaceCandles(
  chunks: KeyValueStore,
  { key, head, isDeep }: { readonly key: string; readonly head: SeriesHead; readonly isDeep: boolean },
  list: readonly Candle[],
  { requestedDepth = 0, chunks: prepared, scale }: Replacement,
): SeriesChange {
  const [first, last] = [list[0]?.timestamp ?? 0, list.at(-1)?.timestamp ?? 0]
  const staysFrom = isDeep && list.length > 0 && head.first < first ? first : Number.NEGATIVE_INFINITY
  const { changes, removed } = removeFrom(chunks, key, staysFrom)
  const older = staysFrom === first ? Math.max(0, head.count - removed) : 0
  // What takes the place of candles that were still to be multiplied has its scale.
  const scaledFrom = Math.min(head.scaledFrom, staysFrom)
  const replaced = {
    changes: [...changes, ...(prepared ?? cutIntoChunks(key, list))],
    head: { ...head, requestedDepth, count: older + list.length, first, last, scaledFrom },
    isAnew: true,
  }
  const wholeFrom = Number.NEGATIVE_INFINITY
  if (older === 0) return { ...replaced, head: { ...replaced.head, isIncomplete: false, wholeFrom } }
  const staying = { ...replaced.head, first: head.first }
  if (!scale) return { ...replaced, head: { ...staying, isIncomplete: true, wholeFrom: first } }
  const scales = { scaledFrom: first, priceScale: scale.price, volumeScale: scale.volume }
  return { ...replaced, head: { ...staying, ...scales } }
}
