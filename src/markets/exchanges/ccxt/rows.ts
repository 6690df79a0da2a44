import type { Candle } from '../../../candles/candle.js'
import type { Anomaly } from '../source.js'
import type { Row } from './client.js'

/** Above it a 64-bit float cannot represent cents exactly. Prices in weak currencies go up to 10^10. */
const maxPrice = 1e15
/** Far above any volume: the coins with the most units have about 10^24 of them. */
const maxVolume = 1e30

const isPrice = (value: unknown): boolean => typeof value === 'number' && value > 0 && value <= maxPrice

const isVolume = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= maxVolume

/**
 * The candle of ccxt's row, or undefined where the row is invalid: its time or a price is no number, a price is zero,
 * negative or above `maxPrice`, its high is below its low, or it opens after `end` (Unix seconds). Open and close may lie
 * outside of low and high, as on exchanges whose open is the close before. An improbable row is valid.
 */
export function candleOf([time, open, high, low, close, volume]: Row, end: number): Candle | undefined {
  if (!isPrice(open) || !isPrice(high) || !isPrice(low) || !isPrice(close)) return undefined
  const timestamp = Math.floor(Number(time) / 1000)
  if (!(timestamp > 0 && timestamp <= end) || (high as number) < (low as number)) return undefined
  return {
    timestamp,
    open: open as number,
    high: high as number,
    low: low as number,
    close: close as number,
    volume: isVolume(volume) ? volume : 0,
  }
}

/**
 * The valid candles of ccxt's rows, none of which opens after `end`: ascending, without duplicates. Of two candles that
 * open at the same time the one with more volume is used, because it includes more trades.
 */
export function readRows(rows: readonly Row[], end: number, onAnomaly: (anomaly: Anomaly) => void): Candle[] {
  const candles = new Map<number, Candle>()
  for (const row of rows) {
    const candle = candleOf(row, end)
    if (candle === undefined) {
      onAnomaly('invalid')
      continue
    }
    if (!isVolume(row[5])) onAnomaly('no-volume')
    const duplicate = candles.get(candle.timestamp)
    if (duplicate) onAnomaly('duplicate')
    if (!duplicate || candle.volume >= duplicate.volume) candles.set(candle.timestamp, candle)
  }
  return [...candles.values()].sort((a, b) => a.timestamp - b.timestamp)
}
