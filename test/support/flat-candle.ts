import type { Candle } from '../../src/candles/candle.js'

/** A candle that opens so many minutes after the epoch, all of whose prices are the same. */
export const flatCandle = (minute: number, close = minute): Candle => ({
  timestamp: minute * 60,
  open: close,
  high: close,
  low: close,
  close,
  volume: 1,
})
