import type { Candle } from '../../candles/candle.js'
import type { Anomaly } from '../source.js'
import type { Row } from './client.js'

/** No price is higher: beyond it a price could not be told from the next cent. Coins in weak currencies reach 10^10. */
const highestPrice = 1e15
/** No volume is larger; the largest supplies of coins are about 10^24 units. */
const largestVolume = 1e30
/** Seconds that the clocks of an exchange and of this machine may differ. */
const clockDifference = 86_400

const isPrice = (value: unknown): boolean => typeof value === 'number' && value > 0 && value <= highestPrice

/**
 * ccxt's row as a candle, or undefined where there can be no such candle: its time or a price is no number, a price is
 * zero, negative or absurdly high, or its high is below its low. Open and close may lie outside of high and low, as on
 * exchanges whose open is the close before. What is improbable only is kept as the exchange has it. `now` are Unix seconds.
 */
export function candleOf([time, open, high, low, close, volume]: Row, now: number): Candle | undefined {
  if (!isPrice(open) || !isPrice(high) || !isPrice(low) || !isPrice(close)) return undefined
  const timestamp = Math.floor(Number(time) / 1000)
  if (!(timestamp > 0 && timestamp <= now + clockDifference) || (high as number) < (low as number))
    return undefined
  return {
    timestamp,
    open: open as number,
    high: high as number,
    low: low as number,
    close: close as number,
    volume: isVolume(volume) ? volume : 0,
  }
}

const isVolume = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= largestVolume

/**
 * The candles of one reply: ascending, without doubles, without impossible ones. Of two candles of one moment the one
 * with more volume is kept, it has seen more trades. `now` are Unix seconds.
 */
export function readRows(rows: readonly Row[], now: number, onAnomaly: (anomaly: Anomaly) => void): Candle[] {
  const found = new Map<number, Candle>()
  for (const row of rows) {
    const candle = candleOf(row, now)
    if (candle === undefined) {
      onAnomaly('invalid')
      continue
    }
    if (!isVolume(row[5])) onAnomaly('no-volume')
    const double = found.get(candle.timestamp)
    if (double) onAnomaly('duplicate')
    if (!double || candle.volume >= double.volume) found.set(candle.timestamp, candle)
  }
  return [...found.values()].sort((a, b) => a.timestamp - b.timestamp)
}
