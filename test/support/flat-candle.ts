import type { Candle } from '../../src/candles/candle.js'

/** A candle that opens `minute` minutes after the epoch, with equal prices. */
export const flatCandle = (minute: number, close = minute): Candle => ({
  timestamp: minute * 60,
  open: close,
  high: close,
  low: close,
  close,
  volume: 1,
})
