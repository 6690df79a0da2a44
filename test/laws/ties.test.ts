import { describe, expect, it } from 'vitest'
import { createRandom } from '../../bench/random.js'
import { catalogue, type Entry } from '../../src/catalogue/index.js'
import { type Given, type PlainColumns, run, valuesOf } from '../support/kernel.js'

// On a market of whole ticks a price often equals a mean exactly, and a range another one. Where ticks are a quarter, sums and
// differences are exact, so that ties are decided as exact arithmetic decides them. In other units the same prices are rounded.

/** Indicators that compare prices, sums of prices, ranges, a price with a mean, or values derived from them. */
const comparing = [
  'mfi',
  'tke',
  'alphatrend',
  'kvo',
  'vfi',
  'cci',
  'woodiescci',
  'fisher',
  'stoch',
  'willr',
  'stochrsi',
  'dssbressert',
  'premierstoch',
  'laguerrersi',
  'adaptivelaguerre',
  'vlma',
  'dti',
  'rsi',
  'squeeze',
  'squeezepro',
  'rvgi',
  'wavetrend',
  'correlationcycle',
  'hvpercentile',
  'halflife',
  'rollspread',
  'adf',
  'granger',
  'normalize',
  'percentb',
  'sslchannel',
  'gannhilo',
  'ttmtrend',
  'halftrend',
  'trendmagic',
  'pgo',
  'netmyrsi',
  'narrowrange',
  'widerange',
  'bettervolume',
] as const

const length = 1500

/** Candles of whole ticks whose closes are one of a few prices, or stand still for long. */
function market(close: (next: () => number) => number, seed: number): PlainColumns {
  const next = createRandom(seed)
  const closes = Array.from({ length }, () => close(next))
  const opens = closes.map((price, i) => closes[i - 1] ?? price)
  const wick = () => 0.25 * Math.floor(2 * next())
  return {
    timestamp: closes.map((_, i) => 1_600_000_000 + 3600 * i),
    open: opens,
    high: closes.map((price, i) => Math.max(price, opens[i] as number) + wick()),
    low: closes.map((price, i) => Math.min(price, opens[i] as number) - wick()),
    close: closes,
    volume: closes.map(() => 100 * Math.ceil(3 * next())),
  }
}

let level = 100
const markets = {
  'closes of four prices': market(next => 100 + 0.25 * Math.floor(4 * next()), 1),
  'a walk of ticks': market(next => {
    level += 0.25 * Math.round(4 * (next() - 0.5)) + (level > 110 ? -1 : level < 90 ? 1 : 0)
    return level
  }, 2),
  'a market that stands still': stillMarket(),
} as const

function stillMarket(): PlainColumns {
  let price = 100
  const columns = market(next => {
    if (next() < 0.01) price += 0.25 * Math.round(8 * (next() - 0.5))
    return price
  }, 3)
  const opens = columns.open as readonly number[]
  const closes = columns.close as readonly number[]
  return {
    ...columns,
    high: closes.map((close, i) => Math.max(close, opens[i] as number)),
    low: closes.map((close, i) => Math.min(close, opens[i] as number)),
  }
}

const inUnit = (columns: PlainColumns, unit: number): PlainColumns =>
  Object.fromEntries(
    Object.entries(columns).map(([name, values]) => [
      name,
      name === 'timestamp' || name === 'volume' ? values : values.map((value: number) => value * unit),
    ]),
  ) as PlainColumns

const cases: readonly (readonly [name: string, given: Given])[] = [
  ...comparing.map(name => [name, {}] as const),
  // Medians of equal prices differ by their last bits.
  ['rci', { source: 'hl2' }],
]

it.each(cases)('%s %o decides ties as exact arithmetic does, in every unit of prices', (name, given) => {
  const entry = catalogue.get(name) as Entry
  const { params } = valuesOf(entry, given)
  for (const [title, columns] of Object.entries(markets)) {
    const exact = run(name, columns, given)
    for (const unit of [0.1, 0.3, 1 / 7]) {
      const rounded = run(name, inUnit(columns, unit), given)
      for (const { name: output, column, degree } of entry.outputs) {
        const [power] = (degree?.(params) ?? [0]) as readonly [number]
        const values = rounded[column] as ArrayLike<number>
        const wrong = Array.from(exact[column] as ArrayLike<number>).findIndex((value, i) => {
          const wanted = value * unit ** power
          const isSame = Number.isNaN(wanted)
            ? Number.isNaN(values[i])
            : Math.abs((values[i] as number) - wanted) <= 1e-6
          return !isSame
        })
        expect(wrong, `${output} over ${title} in units of ${unit}`).toBe(-1)
      }
    }
  }
})

it('rci has equal ranks for medians that are equal but for rounding', () => {
  const low = [1.0, 1.02, 1.0, 0.9, 1.1]
  const high = [1.14, 1.12, 1.2, 1.0, 1.4]
  const columns = {
    ...{ timestamp: low.map((_, i) => 60 * i), open: low, high, low, close: high, volume: low.map(() => 1) },
  }
  // Medians 1.07, 1.07, 1.1, 0.95, 1.25: ranks 2.5, 2.5, 4, 1, 5. Their correlation with 1 to 5 is 3.5 / √(9.5 · 10).
  expect(run('rci', columns, { period: 5, source: 'hl2' })[0]?.[4]).toBeCloseTo(350 / Math.sqrt(95), 12)
})

describe('of equal extremes the newest is the turning point', () => {
  /** Candles with these highs and lows that lie as far below 100. */
  const reaching = (highs: readonly number[], volume = highs.map(() => 100)): PlainColumns => ({
    timestamp: highs.map((_, i) => 1_600_000_000 + 3600 * i),
    open: highs.map(() => 100),
    high: highs.map(high => 100 + high),
    low: highs.map(high => 100 - high),
    close: highs.map(() => 100),
    volume,
  })
  const signals = (name: string, columns: PlainColumns, params: Given) =>
    Array.from(run(name, columns, params)[0] as Float64Array).flatMap((value, i) =>
      value ? [[i, value]] : [],
    )
  const two = { swingLeft: 2, swingRight: 2 }

  it('of the highs and lows of swings', () => {
    // Candles 3 and 4 reach as far: 4 is the swing, which candle 6 confirms, a high first. No candle of a plateau longer than the span is higher than those after it, but for the last.
    expect(
      signals('swings', reaching([1, 2, 3, 4, 4, 2, 1, 1]), two).filter(([i]) => i === 6 || i === 5),
    ).toEqual([[6, 100]])
    expect(
      signals('swings', reaching([1, 2, 4, 4, 4, 4, 4, 2, 1, 1]), two).filter(([i]) => Number(i) < 9),
    ).toEqual([[8, 100]])
  })

  it('of an oscillator', () => {
    const volume = [5, 6, 9, 9, 6, 5, 4, 5, 6, 7, 8, 8, 6, 5, 4]
    const highs = volume.map((_, i) => 1 + i / 10)
    const params = { pivotLeft: 2, pivotRight: 2, minSpan: 1, maxSpan: 20 }
    const [regular, , span] = run('volumedivergence', reaching(highs, volume), params) as Float64Array[]
    // Volume turns at candles 3 and 11, the price is higher at the second.
    expect([regular?.[13], span?.[13]]).toEqual([-100, 8])
  })
})
