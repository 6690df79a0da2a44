import { Columns } from '../../dist/candles/columns.js'

/** `count` hourly candles of a seeded random walk. */
export function randomWalk(count) {
  let state = 7
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const columns = new Columns(count)
  let price = 100
  for (let i = 0; i < count; i++) {
    const open = price
    const close = open * (1 + (random() - 0.5) * 0.02)
    const high = Math.max(open, close) * (1 + random() * 0.004)
    const low = Math.min(open, close) * (1 - random() * 0.004)
    columns.write(i, {
      timestamp: 1_600_000_000 + i * 3600,
      open,
      high,
      low,
      close,
      volume: Math.round(10 + random() * 1000),
    })
    price = close
  }
  return columns
}
