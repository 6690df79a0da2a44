import { Columns, type Snapshot } from '#dist/candles/columns.js'

/** A seeded generator of numbers in [0, 1): mulberry32, so that every run benches the same candles. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** `count` hourly candles of a random walk: branches mispredict as on a market, which a sine would hide. */
export function walk(count: number, seed = 7): Snapshot {
  const random = seeded(seed)
  const columns = new Columns(count)
  let price = 100
  for (let i = 0; i < count; i++) {
    const open = price
    const close = open * (1 + (random() - 0.5) * 0.02)
    columns.write(i, {
      timestamp: 1_600_000_000 + i * 3600,
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
