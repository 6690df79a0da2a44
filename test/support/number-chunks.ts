import type { Candle } from '../../src/candles/candle.js'
import { chunkKey } from '../../src/markets/archive/archive-keys.js'
import { chunkSize, encodeChunk } from '../../src/markets/archive/chunk-codec.js'

/** Candles of a series in chunks of 255, none of which is packed. */
export function numberChunks(key: string, candles: readonly Candle[]): [chunk: string, bytes: Uint8Array][] {
  const parts = Array.from({ length: Math.ceil(candles.length / chunkSize) }, (_, k) =>
    candles.slice(k * chunkSize, (k + 1) * chunkSize),
  )
  return parts.map(part => [chunkKey(key, (part[0] as Candle).timestamp), encodeChunk(part)])
}
