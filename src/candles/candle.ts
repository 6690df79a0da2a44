/** A candle: open time in Unix seconds, prices in the quote currency, volume in the base currency. */
export interface Candle {
  readonly timestamp: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** Sorts candles by time. Of several candles with the same time, keeps the last one. */
export function inOrder(candles: readonly Candle[]): readonly Candle[] {
  const isAscending = candles.every(
    (candle, i) => i === 0 || candle.timestamp > (candles[i - 1] as Candle).timestamp,
  )
  if (isAscending) return candles
  const byTime = new Map(candles.map(candle => [candle.timestamp, candle]))
  return [...byTime.values()].sort((a, b) => a.timestamp - b.timestamp)
}

/** Whether two candles have the same prices and volume. Open times are ignored. */
export const isSame = (one: Candle, other: Candle): boolean =>
  one.open === other.open &&
  one.high === other.high &&
  one.low === other.low &&
  one.close === other.close &&
  one.volume === other.volume

/**
 * Whether one state of a candle is earlier than another one. Volume only grows within a candle. If the volumes are equal, the range
 * decides. If they differ, the range is ignored, because some exchanges sample prices.
 */
export const isEarlier = (one: Candle, other: Candle): boolean =>
  one.volume === other.volume ? one.high < other.high || one.low > other.low : one.volume < other.volume

/** Numbers of a packed candle: the fields in their order. */
export const packedWidth = 6

/** Packs candles as numbers into one buffer, which is cheaper to transfer than objects. */
export function packCandles(candles: readonly Candle[]): Float64Array<ArrayBuffer> {
  const packed = new Float64Array(candles.length * packedWidth)
  let at = 0
  for (const { timestamp, open, high, low, close, volume } of candles) {
    packed[at++] = timestamp
    packed[at++] = open
    packed[at++] = high
    packed[at++] = low
    packed[at++] = close
    packed[at++] = volume
  }
  return packed
}

/** Unpacks the candle whose numbers begin at index `at`. */
export const unpackCandle = (packed: Float64Array, at: number): Candle => ({
  timestamp: packed[at] as number,
  open: packed[at + 1] as number,
  high: packed[at + 2] as number,
  low: packed[at + 3] as number,
  close: packed[at + 4] as number,
  volume: packed[at + 5] as number,
})

/** Unpacks the candles from index `from` to before `to`. */
export function unpackCandles(packed: Float64Array, from = 0, to = packed.length / packedWidth): Candle[] {
  const candles: Candle[] = []
  for (let at = from; at < to; at++) candles.push(unpackCandle(packed, at * packedWidth))
  return candles
}

/** Packed candles as bytes, for a store or another node. */
export const candlesToBytes = (candles: readonly Candle[]): Uint8Array =>
  new Uint8Array(packCandles(candles).buffer)

/** Candles of such bytes. Throws a RangeError if the bytes are not those of whole candles. */
export function candlesFromBytes(bytes: Uint8Array): Candle[] {
  // A copy, because f64 must lie at multiples of 8 (and `slice` of a Buffer does not copy).
  const packed = new Float64Array(new Uint8Array(bytes).buffer)
  if (packed.length % packedWidth !== 0) throw new RangeError('bytes that are no whole candles')
  return unpackCandles(packed)
}
