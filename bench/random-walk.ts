import type { Candle } from '#dist/candles/candle.js'
import { Columns, type Snapshot } from '#dist/candles/columns.js'
import { createRandom } from './random.js'

/**
 * `count` hourly candles of a random walk, the first one at `start` (Unix seconds). On them branches are mispredicted
 * as on a market; a sine would hide that.
 */
export function randomWalk(count: number, seed = 7, start = 1_600_000_000): Snapshot {
  const random = createRandom(seed)
  const columns = new Columns(count)
  let price = 100
  for (let i = 0; i < count; i++) {
    const open = price
    const close = open * (1 + (random() - 0.5) * 0.02)
    columns.write(i, {
      timestamp: start + i * 3600,
      open,
      high: Math.max(open, close) * (1 + random() * 0.004),
      low: Math.min(open, close) * (1 - random() * 0.004),
      close,
      volume: 10 + random() * 1000,
    })
    price = close
  }
  return { columns, closed: count, forming: undefined, count }
}

/** The same walk as a list of candles. */
export function randomCandles(count: number, seed: number, start?: number): Candle[] {
  const { columns } = randomWalk(count, seed, start)
  return Array.from({ length: count }, (_, i) => columns.read(i))
}
