import type { Candle } from '../../../src/candles/candle.js'
import { Columns, type Snapshot } from '../../../src/candles/columns.js'

/** Seconds of a candle. */
export const seconds = 900

/** Candles of 15 minutes, of which some are missing. */
export function randomCandles(count: number, next: () => number): readonly Candle[] {
  const candles: Candle[] = []
  let timestamp = 1_700_006_400 + seconds * Math.floor(next() * 16)
  let close = 20 + 100 * next()
  for (let i = 0; i < count; i++) {
    const open = close
    // Whole numbers make equal values, at which comparisons and crossings have their borders.
    close = Math.max(1, next() < 0.5 ? Math.round(open + 4 * next() - 2) : open + 4 * next() - 2)
    const [high, low] = [Math.max(open, close) + next(), Math.min(open, close) - next() / 2]
    candles.push({ timestamp, open, high, low, close, volume: Math.floor(1000 * next()) })
    timestamp += seconds * (next() < 0.95 ? 1 : Math.ceil(40 * next()))
  }
  return candles
}

/** Candles as the service keeps them; the last one may be forming. */
export function snapshotOf(candles: readonly Candle[], isForming = false): Snapshot {
  const closed = candles.length - (isForming ? 1 : 0)
  const columns = new Columns(candles.length)
  for (const [i, candle] of candles.slice(0, closed).entries()) columns.write(i, candle)
  return { columns, closed, forming: candles[closed], count: candles.length }
}
