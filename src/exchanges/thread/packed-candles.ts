import type { Candle } from '../../candles/candle.js'

/** The numbers of a candle. */
const width = 6

/** Candles as numbers in one buffer, which costs less to pass to another thread than objects. */
export function packCandles(candles: readonly Candle[]): Float64Array<ArrayBuffer> {
  const packed = new Float64Array(candles.length * width)
  let at = 0
  for (const { timestamp, open, high, low, close, volume } of candles) {
    packed[at] = timestamp
    packed[at + 1] = open
    packed[at + 2] = high
    packed[at + 3] = low
    packed[at + 4] = close
    packed[at + 5] = volume
    at += width
  }
  return packed
}

export function unpackCandles(packed: Float64Array): Candle[] {
  const candles: Candle[] = []
  for (let at = 0; at < packed.length; at += width) {
    candles.push({
      timestamp: packed[at] as number,
      open: packed[at + 1] as number,
      high: packed[at + 2] as number,
      low: packed[at + 3] as number,
      close: packed[at + 4] as number,
      volume: packed[at + 5] as number,
    })
  }
  return candles
}
