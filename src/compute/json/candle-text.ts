import type { Candle } from '../../candles/candle.js'
import { formatTime } from '../../candles/format-time.js'
import { formatNumber } from './number-writer.js'

/** A candle as `GET /candles` answers it. */
export const candleText = ({ timestamp, open, high, low, close, volume }: Candle): string =>
  `{"timestamp":${timestamp},"timestampHuman":"${formatTime(timestamp)}","open":${formatNumber(open)},"high":${formatNumber(high)},"low":${formatNumber(low)},"close":${formatNumber(close)},"volume":${formatNumber(volume)}}`
