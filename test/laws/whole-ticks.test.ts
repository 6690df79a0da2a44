import { describe, expect, it } from 'vitest'
import { createRandom } from '../../bench/random.js'
import { columnCount } from '../../src/catalogue/define.js'
import { type Category, catalogue, type Entry } from '../../src/catalogue/index.js'
import { type PlainColumns, run } from '../support/kernel.js'
import { type Market, patternMarkets } from '../support/laws/market.js'
import { longFor, settings } from '../support/laws/settings.js'

// Prices are whole ticks. Counted in ticks their sums and differences are exact; in dollars and cents they are rounded. A signal
// says the same in both, or rounding has decided it.

const length = 3000

/**
 * Candles in ticks around `level`. Steps are small, so that many prices, bodies and ranges are equal. Sometimes the
 * market stands still, and sometimes a candle has no trade.
 */
function market(seed: number, level: number, stops: number): PlainColumns {
  const next = createRandom(seed)
  const upTo = (most: number) => Math.floor(next() * (most + 1))
  const candles: { open: number; high: number; low: number; close: number; volume: number }[] = []
  let close = level
  let still = 0
  for (let i = 0; i < length; i++) {
    if (next() < stops) still = 1 + upTo(80)
    const isStill = still-- > 0
    const open = isStill || next() < 0.7 ? close : close + upTo(4) - 2
    const step = next() < 0.1 ? 12 : 3
    const reached = isStill ? open : open + upTo(2 * step) - step
    close = Math.abs(reached - level) < 0.3 * level ? reached : open
    const wick = () => (isStill ? 0 : (next() < 0.15 ? 3 : 1) * upTo(2))
    candles.push({
      open,
      high: Math.max(open, close) + wick(),
      low: Math.min(open, close) - wick(),
      close,
      volume: next() < (isStill ? 0.5 : 0.02) ? 0 : 100 * (1 + upTo(5)),
    })
  }
  const column = (name: 'open' | 'high' | 'low' | 'close' | 'volume') => candles.map(candle => candle[name])
  return {
    timestamp: candles.map((_, i) => 1_600_000_000 + 3600 * i),
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close: column('close'),
    volume: column('volume'),
  }
}

/** The market in a unit of `ticks` ticks: 100 for cents. Each price is the nearest double. */
function inUnits(columns: PlainColumns, ticks: number): PlainColumns {
  const scaled = (name: 'open' | 'high' | 'low' | 'close') => columns[name].map(price => price / ticks)
  return {
    ...columns,
    open: scaled('open'),
    high: scaled('high'),
    low: scaled('low'),
    close: scaled('close'),
  }
}

/** Candles put together from the parts of candle patterns, in ticks of a twentieth. */
function patterned(seed: number): PlainColumns {
  const columns = (patternMarkets[seed] as Market).columns(length)
  const ticks = ({ open, high, low, close }: typeof columns) =>
    [open, high, low, close].map(column => Array.from(column, price => Math.round(20 * price)))
  const [open = [], high = [], low = [], close = []] = ticks(columns)
  return { open, high, low, close, timestamp: [...columns.timestamp], volume: [...columns.volume] }
}

/** Ticks of a quarter and of a cent. */
const ticksOfUnits = [4, 100] as const

const markets = [
  { title: 'in a market that moves', whole: market(1, 1500, 0) },
  { title: 'in a market that stands still at times', whole: market(2, 6000, 0.01) },
  { title: 'in a market of large ticks', whole: market(3, 400, 0.003) },
  ...[0, 1, 2, 3].map(seed => ({ title: `in patterned market ${seed}`, whole: patterned(seed) })),
].map(({ title, whole }) => ({ title, whole, units: ticksOfUnits.map(ticks => inUnits(whole, ticks)) }))

const eventCategories: readonly Category[] = [
  'Divergence',
  'Market Structure',
  'Pattern Recognition - Advanced',
  'Pattern Recognition - Simple',
]

/**
 * Outputs that are decisions: signals and labels. For indicators of events, also the candles that have a value of a
 * sparse output.
 */
const decided = ({ outputs, category }: Entry) =>
  outputs.filter(({ kind, sparse }) => kind !== 'number' || (sparse && eventCategories.includes(category)))

/** A sentence about the first candle at which two runs decide differently; undefined if they never do. */
function difference(output: Entry['outputs'][number], whole: Float64Array[], rounded: Float64Array[]) {
  const isSame = (a: number, b: number) =>
    output.kind === 'number' || Number.isNaN(a)
      ? Number.isNaN(a) === Number.isNaN(b)
      : Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a))
  for (let k = output.column; k < output.column + columnCount(output); k++) {
    const [a, b] = [whole[k] as Float64Array, rounded[k] as Float64Array]
    const at = a.findIndex((value, i) => !isSame(value, b[i] as number))
    if (at >= 0) return `${output.name} is ${a[at]} at candle ${at} of ticks, and ${b[at]} in units`
  }
  return undefined
}

const deciding = [...catalogue.values()].filter(entry => decided(entry).length > 0)

/** Whether an output decides one thing at some candle and another one at another candle. */
const varies = (output: Entry['outputs'][number], columns: Float64Array[]) =>
  columns
    .slice(output.column, output.column + columnCount(output))
    .some(column =>
      output.kind === 'number'
        ? column.some(Number.isNaN) && !column.every(Number.isNaN)
        : new Set(column.filter(value => !Number.isNaN(value))).size > 1,
    )

describe('a signal does not depend on the unit of prices', () => {
  /** Names of the entries that were tested, each with whether it gave a signal. */
  const tested = new Map<string, boolean>()
  for (const entry of deciding) {
    const { name } = entry
    it(name, longFor(entry), () => {
      tested.set(name, false)
      for (const { values } of settings(entry)) {
        if (entry.lookback(values) > length / 2) continue
        for (const { title, whole, units } of markets) {
          const exact = run(name, whole, values)
          if (decided(entry).some(output => varies(output, exact))) tested.set(name, true)
          for (const columns of units) {
            const rounded = run(name, columns, values)
            for (const output of decided(entry))
              expect(
                difference(output, exact, rounded),
                `${title} with ${JSON.stringify(values)}`,
              ).toBeUndefined()
          }
        }
      }
    })
  }

  it('and all but the rarest are given in these markets', { tags: ['kernels'] }, () => {
    const rarest = ['3starsinsouth', 'breakaway', 'downsidegaptworabbits', 'mathold', 'upsidegap2crows']
    const silent = [...tested.keys()].filter(name => !tested.get(name))
    expect(silent.sort()).toEqual(rarest.filter(name => tested.has(name)))
  })
})
