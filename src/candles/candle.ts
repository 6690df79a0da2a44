/** One candle: Unix seconds of its open, prices in the quote currency, volume in the base currency. */
export interface Candle {
  readonly timestamp: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** Candles in the order of time; of those with the same time the last one. */
export function inOrder(candles: readonly Candle[]): readonly Candle[] {
  const isAscending = candles.every(
    (candle, i) => i === 0 || candle.timestamp > (candles[i - 1] as Candle).timestamp,
  )
  if (isAscending) return candles
  const byTime = new Map(candles.map(candle => [candle.timestamp, candle]))
  return [...byTime.values()].sort((a, b) => a.timestamp - b.timestamp)
}

/** Whether two candles have the same prices and volume, whenever they open. */
export const isSame = (one: Candle, other: Candle): boolean =>
  one.open === other.open &&
  one.high === other.high &&
  one.low === other.low &&
  one.close === other.close &&
  one.volume === other.volume

/**
 * Whether one state of a candle came before another one: volume only grows within a candle, and where there is none the
 * range does. Where volumes differ the range says nothing: some exchanges sample prices.
 */
export const isEarlier = (one: Candle, other: Candle): boolean =>
  one.volume === other.volume ? one.high < other.high || one.low > other.low : one.volume < other.volume
