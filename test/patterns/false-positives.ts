import { path, randomWalk } from '../support/fixture-market.js'
import { type PlainColumns, run } from '../support/kernel.js'
import { detectors, signalsOf } from './detectors.js'

const walkSeeds = Array.from({ length: 20 }, (_, k) => 100 + k)
const walkCandles = 5000

/** Frequency of the signals of indicators on random walks. */
export interface Rates {
  /** The candles of all walks together. */
  readonly candles: number
  /** Signals per 1,000 candles: by indicator, by output. */
  readonly signals: Readonly<Record<string, Readonly<Record<string, number>>>>
}

/** The rate of every signal with default parameters on random walks, to two digits. */
export function ratesOnRandomWalks(): Rates {
  const walks = walkSeeds.map(seed => randomWalk(walkCandles, seed))
  const candles = walkSeeds.length * walkCandles
  const counts = new Map<string, Map<string, number>>()
  for (const walk of walks) {
    for (const entry of detectors) {
      const outputs = signalsOf(entry)
      if (outputs.length === 0) continue
      const columns = run(entry.name, walk)
      const own = counts.get(entry.name) ?? new Map<string, number>()
      counts.set(entry.name, own)
      for (const { name, column } of outputs)
        own.set(name, (own.get(name) ?? 0) + countSignals(columns[column] as Float64Array))
    }
  }
  const rate = (count: number) => Number(((1000 * count) / candles).toPrecision(2))
  const byName = [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    candles,
    signals: Object.fromEntries(
      byName.map(([id, own]) => [
        id,
        Object.fromEntries([...own].map(([name, count]) => [name, rate(count)])),
      ]),
    ),
  }
}

/** Candles with a signal. */
export const countSignals = (column: Float64Array): number =>
  column.reduce((count, value) => count + (value === 0 || Number.isNaN(value) ? 0 : 1), 0)

/**
 * Markets that contain no pattern. Steps and wicks are multiples of 1/8, so that typical prices are exact. Otherwise,
 * oscillators that are constant on a straight line would have rounding errors, and with them turning points.
 */
export const plainMarkets: Readonly<Record<string, PlainColumns>> = {
  'a straight rise': path([[1000, 850]], { from: 100, wick: 0.125 }),
  'a straight fall': path([[1000, 100]], { from: 850, wick: 0.125 }),
  'a flat market': path([[1000, 100]], { from: 100 }),
  'a market without any range': path([[1000, 100]], { from: 100, wick: 0 }),
}
