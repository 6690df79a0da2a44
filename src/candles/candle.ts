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
