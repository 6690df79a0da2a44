/** One candle: Unix seconds of its open, prices in the quote currency, volume in the base currency. */
export interface Candle {
  readonly timestamp: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
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
