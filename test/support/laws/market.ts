import { createRandom } from '../../../bench/random.js'
import type { Input } from '../../../src/catalogue/define.js'

/** The columns of a generated market, oldest candle first. */
export type Columns = Readonly<Record<Input, Float64Array>>

export interface Market {
  readonly name: string
  /**
   * `ordinary`: prices move at every candle, so every indicator has a value there. `patterned` and `degenerate`: a value may
   * be missing, but never infinite. `extreme`: it may overflow as well.
   */
  readonly kind: 'ordinary' | 'patterned' | 'degenerate' | 'extreme'
  columns(length: number): Columns
}

const hour = 3600

/** Columns from closes: a candle opens at the previous close and reaches `wick(i)` beyond its body on both sides. */
export function candlesFrom(
  closes: Float64Array,
  wick: (i: number) => number,
  volume: (i: number) => number,
): Columns {
  const open = closes.map((close, i) => closes[i - 1] ?? close)
  return {
    timestamp: closes.map((_, i) => 1_600_000_000 + i * hour),
    open,
    high: closes.map((close, i) => Math.max(close, open[i] as number) + wick(i)),
    low: closes.map((close, i) => Math.min(close, open[i] as number) - wick(i)),
    close: closes,
    volume: closes.map((_, i) => volume(i)),
  }
}

/** A random walk that returns towards 100 with a wick on every candle; opens differ a little from the last close. */
function walk(length: number, seed: number): Columns {
  const next = createRandom(seed)
  const closes = new Float64Array(length)
  let price = 100
  for (let i = 0; i < length; i++) {
    price *= 1 + 0.03 * (next() + next() - 1) - 0.02 * (price / 100 - 1)
    closes[i] = price
  }
  const columns = candlesFrom(
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
  const next = createRandom(7)
  const columns = walk(length, 7)
  const tick = (value: number) => Math.round(value * 4) / 4
  let level = 1
  let time = 1_600_000_000
  for (let i = 0; i < length; i++) {
    const dice = next()
    time += hour * (dice < 0.05 ? 12 : 1)
    columns.timestamp[i] = time
    if (next() < 0.04) level = level === 1 ? 1.35 : 1
    const hasNoTrade = i > 0 && dice > 0.7
    const before = columns.close[i - 1] as number
    for (const price of ['open', 'high', 'low', 'close'] as const) {
      columns[price][i] = hasNoTrade ? before : tick((columns[price][i] as number) * level)
    }
    if (hasNoTrade) columns.volume[i] = 0
  }
  return columns
}

/**
 * Whole ticks, `perUnit` of them in a unit of price: a walk, candles without a trade, and stretches of up to 60 candles with
 * equal closes, where some candles have a range, and mostly the same typical price as the others.
 */
function ticked(length: number, perUnit: number): Columns {
  const next = createRandom(perUnit)
  const price = (ticks: number) => ticks / perUnit
  const columns = candlesFrom(
    new Float64Array(length),
    () => 0,
    () => (next() < 0.2 ? 0 : 100 * Math.ceil(9 * next())),
  )
  let close = 1500
  let standing = 0
  for (let i = 0; i < length; i++) {
    const open = close
    if (standing === 0 && next() < 0.03) standing = 5 + Math.floor(56 * next())
    else if (standing === 0 && next() < 0.8)
      close += Math.round(6 * (next() + next() - 1) - 0.02 * (close - 1500))
    const ticks = next() < (standing > 0 ? 0.1 : 0.6) ? Math.floor(4 * next()) : 0
    const below = next() < 0.8 ? ticks : 0
    columns.open[i] = price(open)
    columns.close[i] = price(close)
    columns.high[i] = price(Math.max(open, close) + ticks)
    columns.low[i] = price(Math.min(open, close) - below)
    standing = Math.max(0, standing - 1)
  }
  return columns
}

/**
 * Candles combined from the parts of candle patterns: bodies from none to very long, wicks from none to very long, gaps,
 * openings within the body before, and closes that meet an earlier price exactly.
 */
function shaped(length: number, seed: number): Columns {
  const next = createRandom(1000 + seed)
  const pick = (...of: readonly number[]) => of[Math.floor(next() * of.length)] as number
  const columns = walk(length, seed)
  const { open, high, low, close } = columns
  let trend = 1
  for (let i = 1; i < length; i++) {
    const before = close[i - 1] as number
    const start = open[i - 1] as number
    const top = high[i - 1] as number
    const bottom = low[i - 1] as number
    if (next() < 0.15) trend = -trend
    if (before < 60) trend = 1
    if (before > 160) trend = -1
    const side = next() < 0.75 ? trend : -trend
    const gap = pick(0.05, 0.4, 1)
    const opening = pick(
      before,
      before,
      before + side * gap,
      side > 0 ? top + gap : bottom - gap,
      start + (before - start) * next(),
    )
    const direction = next() < 0.7 ? trend : -trend
    const body = pick(0, 0.02, 0.3, 0.5, 1.5, 2, 3) * direction
    const closing = next() < 0.1 ? pick(before, start, top, bottom) : opening + body
    open[i] = opening
    close[i] = closing
    high[i] = Math.max(opening, closing) + pick(0, 0, 0.02, 0.4, 2.5)
    low[i] = Math.min(opening, closing) - pick(0, 0, 0.02, 0.4, 2.5)
  }
  return columns
}

const level = (length: number, price: number, volume: number) =>
  candlesFrom(
    new Float64Array(length).fill(price),
    () => 0,
    () => volume,
  )

const curve = (length: number, close: (i: number) => number) =>
  candlesFrom(
    Float64Array.from({ length }, (_, i) => close(i)),
    () => 0.5,
    i => 500 + (i % 7),
  )

/** The markets on which every entry is tested. */
export const markets = {
  walk: { name: 'a random walk', kind: 'ordinary', columns: length => walk(length, 1) },
  otherWalk: { name: 'another random walk', kind: 'ordinary', columns: length => walk(length, 2) },
  gapped: { name: 'a gapped market', kind: 'degenerate', columns: gapped },
  pennies: { name: 'a market of pennies', kind: 'degenerate', columns: length => ticked(length, 100) },
  quarters: { name: 'a market of quarters', kind: 'degenerate', columns: length => ticked(length, 4) },
  constant: { name: 'a constant market', kind: 'degenerate', columns: length => level(length, 100, 1000) },
  zeros: { name: 'a market of zeros', kind: 'degenerate', columns: length => level(length, 0, 0) },
  alternating: {
    name: 'an alternating market',
    kind: 'degenerate',
    columns: length => curve(length, i => 100 + (i % 2)),
  },
  rising: {
    name: 'a rising market',
    kind: 'degenerate',
    columns: length => curve(length, i => 100 * 1.001 ** i),
  },
  falling: {
    name: 'a falling market',
    kind: 'degenerate',
    columns: length => curve(length, i => 400 * 0.999 ** i),
  },
  huge: { name: 'a huge market', kind: 'extreme', columns: length => scaled(walk(length, 3), 1e298) },
  tiny: { name: 'a tiny market', kind: 'extreme', columns: length => scaled(walk(length, 4), 1e-302) },
} as const satisfies Record<string, Market>

/** Markets from the parts of candle patterns, of which the one with the most events of an indicator is chosen. */
export const patternMarkets: readonly Market[] = Array.from({ length: 150 }, (_, seed) => ({
  name: `patterned market ${seed}`,
  kind: 'patterned',
  columns: length => shaped(length, seed),
}))
