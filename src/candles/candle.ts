/** One candle: Unix seconds of its open, prices in the quote currency, volume in the base currency. */
export interface Candle {
  readonly timestamp: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}
