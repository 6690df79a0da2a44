import type { Candle } from '../candles/candle.js'

/**
 * Merges ascending candles into longer ones. `openOf` returns the open time of the longer candle that contains a time,
 * or undefined where the candle is left out.
 */
export function fold(candles: Iterable<Candle>, openOf: (time: number) => number | undefined): Candle[] {
  const folded: Candle[] = []
  for (const candle of candles) {
    const timestamp = openOf(candle.timestamp)
    if (timestamp === undefined) continue
    const last = folded.at(-1)
    if (last?.timestamp !== timestamp) folded.push({ ...candle, timestamp })
    else
      folded[folded.length - 1] = {
        timestamp,
        open: last.open,
        high: Math.max(last.high, candle.high),
        low: Math.min(last.low, candle.low),
        close: candle.close,
        volume: last.volume + candle.volume,
      }
  }
  return folded
}
