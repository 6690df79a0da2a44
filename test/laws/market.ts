import type { Input } from '../../src/catalogue/define.js'

/** The columns of a market that does not exist, oldest candle first. */
export type Columns = Readonly<Record<Input, Float64Array>>

export interface Market {
  readonly name: string
  /**
   * `ordinary`: prices move at every candle, so every indicator has a value there. `odd`: a calculation may be
   * without a value, never infinite. `extreme`: it may overflow as well.
   */
  readonly kind: 'ordinary' | 'odd' | 'extreme'
  columns(length: number): Columns
}

/** Numbers in [0, 1), the same ones for the same seed: mulberry32 by Tommy Ettinger. */
export function random(seed: number): () => number {
  let a = seed | 0
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const hour = 3600

/** Columns from closes: a candle opens at the close before it and reaches `reach(i)` beyond its body on both sides. */
function drawn(closes: Float64Array, reach: (i: number) => number, volume: (i: number) => number): Columns {
  const open = closes.map((close, i) => closes[i - 1] ?? close)
  return {
    timestamp: closes.map((_, i) => 1_600_000_000 + i * hour),
    open,
    high: closes.map((close, i) => Math.max(close, open[i] as number) + reach(i)),
    low: closes.map((close, i) => Math.min(close, open[i] as number) - reach(i)),
    close: closes,
    volume: closes.map((_, i) => volume(i)),
  }
}

/** A random walk that is drawn back to 100 with a wick on every candle; opens differ a little from the last close. */
function walk(length: number, seed: number): Columns {
  const next = random(seed)
  const closes = new Float64Array(length)
  let price = 100
  for (let i = 0; i < length; i++) {
    price *= 1 + 0.03 * (next() + next() - 1) - 0.02 * (price / 100 - 1)
    closes[i] = price
  }
  const columns = drawn(
    closes,
    () => 0.05 + next(),
    () => 200 + 1000 * next(),
  )
  return { ...columns, open: columns.open.map((open, i) => open + (0.04 * next() - 0.02) * (i % 3)) }
}

function scaled(columns: Columns, scale: number): Columns {
  const by = (column: Float64Array) => column.map(value => value * scale)
  return {
    timestamp: columns.timestamp,
    open: by(columns.open),
    high: by(columns.high),
    low: by(columns.low),
    close: by(columns.close),
    volume: by(columns.volume),
  }
}

/** Whole ticks, candles without a trade, missing candles and jumps of a third. */
function gapped(length: number): Columns {
  const next = random(7)
  const columns = walk(length, 7)
  const tick = (value: number) => Math.round(value * 4) / 4
  let level = 1
  let time = 1_600_000_000
  for (let i = 0; i < length; i++) {
    const dice = next()
    time += hour * (dice < 0.05 ? 12 : 1)
    columns.timestamp[i] = time
    if (next() < 0.04) level = level === 1 ? 1.35 : 1
    const quiet = i > 0 && dice > 0.7
    const before = columns.close[i - 1] as number
    for (const price of ['open', 'high', 'low', 'close'] as const) {
      columns[price][i] = quiet ? before : tick((columns[price][i] as number) * level)
    }
    if (quiet) columns.volume[i] = 0
  }
  return columns
}

const level = (length: number, price: number, volume: number) =>
  drawn(
    new Float64Array(length).fill(price),
    () => 0,
    () => volume,
  )

const curve = (length: number, close: (i: number) => number) =>
  drawn(
    Float64Array.from({ length }, (_, i) => close(i)),
    () => 0.5,
    i => 500 + (i % 7),
  )

export const markets: readonly [Market, ...Market[]] = [
  { name: 'a random walk', kind: 'ordinary', columns: length => walk(length, 1) },
  { name: 'another random walk', kind: 'ordinary', columns: length => walk(length, 2) },
  { name: 'a gapped market', kind: 'odd', columns: gapped },
  { name: 'a constant market', kind: 'odd', columns: length => level(length, 100, 1000) },
  { name: 'a market of zeros', kind: 'odd', columns: length => level(length, 0, 0) },
  { name: 'an alternating market', kind: 'odd', columns: length => curve(length, i => 100 + (i % 2)) },
  { name: 'a rising market', kind: 'odd', columns: length => curve(length, i => 100 * 1.001 ** i) },
  { name: 'a falling market', kind: 'odd', columns: length => curve(length, i => 400 * 0.999 ** i) },
  { name: 'a huge market', kind: 'extreme', columns: length => scaled(walk(length, 3), 1e298) },
  { name: 'a tiny market', kind: 'extreme', columns: length => scaled(walk(length, 4), 1e-302) },
]
