import { createRandom } from '../../bench/random.js'
import type { PlainColumns } from './kernel.js'

/** Seconds between two candles of a fixture, and the open of its first one: a Monday, 00:00 UTC. */
const hour = 3600
const start = 1_699_833_600

type Mutable = Record<keyof PlainColumns, number[]>

interface PathOptions {
  /** The close before the first candle. */
  readonly from: number
  /** Distance of highs and lows from the bodies. */
  readonly wick?: number
  readonly volume?: number
}

/**
 * Candles whose closes run in straight lines through turning points: each leg is a number of candles and the close of its
 * last one. A candle opens at the previous close.
 */
export function path(
  legs: readonly (readonly [candles: number, close: number])[],
  { from, wick = 0.1, volume = 1000 }: PathOptions,
): PlainColumns {
  const columns: Mutable = { timestamp: [], open: [], high: [], low: [], close: [], volume: [] }
  let before = from
  for (const [count, target] of legs) {
    const first = before
    for (let k = 1; k <= count; k++) {
      const close = first + ((target - first) * k) / count
      columns.timestamp.push(start + columns.timestamp.length * hour)
      columns.open.push(before)
      columns.high.push(Math.max(before, close) + wick)
      columns.low.push(Math.min(before, close) - wick)
      columns.close.push(close)
      columns.volume.push(volume)
      before = close
    }
  }
  return columns
}

/** The candles given one by one as [open, high, low, close] and, if it matters, the volume. */
export function candles(
  rows: readonly (readonly [open: number, high: number, low: number, close: number, volume?: number])[],
): PlainColumns {
  return {
    timestamp: rows.map((_, i) => start + i * hour),
    open: rows.map(([open]) => open),
    high: rows.map(([, high]) => high),
    low: rows.map(([, , low]) => low),
    close: rows.map(([, , , close]) => close),
    volume: rows.map(([, , , , volume = 1000]) => volume),
  }
}

/** One market after another, with continuing times. */
export function joined(...parts: readonly PlainColumns[]): PlainColumns {
  const column = (name: keyof PlainColumns) => parts.flatMap(part => part[name])
  const close = column('close')
  return {
    timestamp: close.map((_, i) => start + i * hour),
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close,
    volume: column('volume'),
  }
}

/** The market upside down: prices mirrored at `price`, highs and lows exchanged. */
export function mirrored(columns: PlainColumns, price: number): PlainColumns {
  const turn = (values: readonly number[]) => values.map(value => 2 * price - value)
  return {
    ...columns,
    open: turn(columns.open),
    high: turn(columns.low),
    low: turn(columns.high),
    close: turn(columns.close),
  }
}

/** All prices multiplied by a factor. */
export function scaled(columns: PlainColumns, factor: number): PlainColumns {
  const by = (values: readonly number[]) => values.map(value => value * factor)
  return {
    ...columns,
    open: by(columns.open),
    high: by(columns.high),
    low: by(columns.low),
    close: by(columns.close),
  }
}

/** The same candles, `seconds` later. */
export const shifted = (columns: PlainColumns, seconds: number): PlainColumns => ({
  ...columns,
  timestamp: columns.timestamp.map(time => time + seconds),
})

/** Every price moved by up to `size` (in prices) at random; candles stay valid. */
export function noisy(columns: PlainColumns, size: number, seed = 1): PlainColumns {
  const next = createRandom(seed)
  const move = (values: readonly number[]) => values.map(value => value + size * (2 * next() - 1))
  const open = move(columns.open)
  const close = move(columns.close)
  const reach = (values: readonly number[]) => values.map(value => value + size * next())
  return {
    ...columns,
    open,
    close,
    high: reach(columns.high).map((high, i) => Math.max(high, open[i] as number, close[i] as number)),
    low: reach(columns.low).map((low, i) => Math.min(low - size, open[i] as number, close[i] as number)),
  }
}

/** A random walk of `length` hourly candles in steps of about half a per cent. */
export function randomWalk(length: number, seed: number): PlainColumns {
  const next = createRandom(seed)
  const normal = () => next() + next() + next() + next() - 2
  const columns: Mutable = { timestamp: [], open: [], high: [], low: [], close: [], volume: [] }
  let before = 100
  for (let i = 0; i < length; i++) {
    const close = before * Math.exp(0.008 * normal())
    columns.timestamp.push(start + i * hour)
    columns.open.push(before)
    columns.high.push(Math.max(before, close) * (1 + 0.004 * next()))
    columns.low.push(Math.min(before, close) * (1 - 0.004 * next()))
    columns.close.push(close)
    columns.volume.push(Math.round(1000 * (0.2 + next())))
    before = close
  }
  return columns
}

/** Twelve candles up and down by one with shadows of 0.1, the last of which closes at 100, then the given ones. */
export const ending = (...rows: Parameters<typeof candles>[0]): PlainColumns =>
  joined(
    path(
      Array.from({ length: 12 }, (_, k) => [1, k % 2 === 0 ? 101 : 100] as const),
      { from: 100 },
    ),
    candles(rows),
  )
