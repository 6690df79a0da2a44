import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { catalogue, type Entry } from '../../src/catalogue/index.js'
import { type Given, type PlainColumns, run, valuesOf } from '../support/kernel.js'

const length = 900
const hour = 3600

function market(close: (i: number) => number, wick: number, volume: number): PlainColumns {
  const closes = Array.from({ length }, (_, i) => close(i))
  const opens = closes.map((price, i) => closes[i - 1] ?? price)
  return {
    timestamp: closes.map((_, i) => 1_600_000_000 + i * hour),
    open: opens,
    high: closes.map((price, i) => Math.max(price, opens[i] as number) + wick),
    low: closes.map((price, i) => Math.min(price, opens[i] as number) - wick),
    close: closes,
    volume: closes.map(() => volume),
  }
}

const markets = {
  flat: market(() => 100, 0, 1000),
  untraded: market(i => 100 + 5 * Math.sin(i / 7) + 3 * Math.sin(i / 2.3), 1, 0),
} as const

/** A market in which prices move and something is traded. */
const ordinary = { ...markets.untraded, volume: markets.untraded.close.map((_, i) => 500 + (i % 7)) }

/** Whether an output that is not rarely there, or the only one, has no value at the last candle, but in an ordinary market. */
function lacksValue(entry: Entry, columns: PlainColumns): boolean {
  const { params } = valuesOf(entry)
  if (entry.lookback(params) >= length) throw new Error(`${entry.name} needs more candles`)
  const outputs = run(entry.name, columns)
  const isCounted = ({ sparse }: Entry['outputs'][number]) => !sparse || entry.outputs.length === 1
  const missing = entry.outputs.filter(
    output => isCounted(output) && Number.isNaN(outputs[output.column]?.at(-1)),
  )
  if (missing.length === 0) return false
  const usual = run(entry.name, ordinary)
  return missing.some(({ column }) => !Number.isNaN(usual[column]?.at(-1)))
}

const page = readFileSync(new URL('../../docs/values.md', import.meta.url), 'utf8')
const listed = (name: string) => {
  const text = page.split(`<!-- ${name} -->`)[1]?.split(`<!-- /${name} -->`)[0] ?? ''
  return [...text.matchAll(/`(\w+)`/g)].map(([, id]) => id)
}

describe('an indicator has no value', () => {
  for (const [name, columns] of Object.entries(markets)) {
    it(`in a market that is ${name} only where docs/values.md says so`, () => {
      const without = [...catalogue.values()].filter(entry => lacksValue(entry, columns))
      expect(without.map(entry => entry.name).sort()).toEqual(listed(name))
    })
  }
})

describe('an average over one value', () => {
  const averages = [
    'sma',
    'ema',
    'wma',
    'dema',
    'tema',
    'trima',
    'kama',
    't3',
    'ma',
    'wilders',
    'smma',
    'vwma',
    'zlema',
  ]
  it.each(averages)('%s is that value', name => {
    const close = markets.untraded.close
    const columns = { ...markets.untraded, volume: close.map((_, i) => 1 + (i % 5)) }
    const value = run(name, columns, { period: 1 })[0] as Float64Array
    close.forEach((price, i) => {
      expect(Math.abs((value[i] as number) - price), `candle ${i}`).toBeLessThanOrEqual(1e-13 * price)
    })
  })
})

describe('what is equal but for rounding is equal', () => {
  /** The value at the last candle. */
  const last = (name: string, columns: PlainColumns, given?: Given, output = 0) =>
    run(name, columns, given)[output]?.at(-1)

  // 3 · 10.22 = 10.24 + 10.2 + 10.22 = 30.66, and 2 · 10.22 = 10.24 + 10.2. Floating-point sums differ from these in the last
  // digits.
  const flat = market(() => 10.22, 0, 10)
  const withRange: PlainColumns = { ...flat, high: flat.high.with(-1, 10.24), low: flat.low.with(-1, 10.2) }
  const alternately: PlainColumns = {
    ...flat,
    high: flat.high.map((high, i) => (i % 3 === 1 ? 10.24 : high)),
    low: flat.low.map((low, i) => (i % 3 === 1 ? 10.2 : low)),
  }

  it('where typical and median prices are: no money flows, and a window is flat', () => {
    for (const columns of [withRange, alternately]) {
      expect(last('mfi', columns)).toBe(0)
      expect(last('cci', columns)).toBe(0)
      expect(last('cci', columns, { period: 14 })).toBe(0)
      expect(last('woodiescci', columns)).toBe(0)
      expect(last('woodiescci', columns, {}, 2)).toBe(0)
      expect(last('fisher', columns)).toBe(0)
      expect(last('wavetrend', columns)).toBe(0)
    }
  })

  it('at the end of a scale: closes that only rise have a relative strength of 100, whose stochastic is flat', () => {
    for (const unit of [0.01, 0.1, 0.3, 1, 7]) {
      const closes = market(i => unit * (1500 + 3 * i + (i % 3)), 0, 10)
      expect([...(run('rsi', closes)[0] as Float64Array).slice(14)].every(value => value === 100)).toBe(true)
      expect(last('stochrsi', closes)).toBe(0)
      expect(last('dssbressert', closes)).toBe(0)
      expect(last('cmo', closes)).toBe(100)
      expect(last('plus_di', closes)).toBe(100)
    }
  })

  it('where all returns or all changes are: there is no ratio, no exponent and no half-life', () => {
    const growing = market(i => 100 * 1.0009765625 ** i, 0, 10)
    for (const name of ['sharperatio', 'hurst', 'varianceratio']) expect(last(name, growing)).toBeNaN()
    expect(
      last(
        'halflife',
        market(i => 10 + 0.01 * i, 0, 10),
      ),
    ).toBeNaN()
  })

  it('where two columns move as one: their correlation is 1 at most', () => {
    const columns = market(i => 15 + 0.01 * ((i * 7919) % 13), 0.01, 10)
    for (const name of ['correl', 'distancecorrelation'])
      expect(
        Math.max(...(run(name, columns)[0] as Float64Array).filter(value => value > 0)),
      ).toBeLessThanOrEqual(1)
  })

  it('in a window of a chosen source: it has no shape, no trend and no path', () => {
    const source = { source: 'hlc3' }
    for (const name of ['acf', 'pacf', 'zscore', 'skewness', 'kurtosis', 'jarquebera', 'ttest', 'omegaratio'])
      expect(last(name, alternately, source), name).toBeNaN()
    for (const name of ['cti', 'rsquared', 'vhf', 'cmou', 'stddev'])
      expect(last(name, alternately, source), name).toBe(0)
    expect(last('efficiencyratio', alternately, source)).toBe(1)
    expect(last('percentb', alternately, source)).toBe(0.5)
  })

  it('and without volume an average over one value is that value', () => {
    const columns = { ...withRange, volume: withRange.volume.map(() => 0) }
    expect(last('vwma', columns, { period: 1 })).toBe(10.22)
  })

  it('but a price that has no logarithm is missing until it has left the window', () => {
    const columns = market(i => (i === 100 ? 0 : 15 + 0.01 * ((i * 7919) % 13)), 0, 10)
    const values = run('naturalma', columns)[0] as Float64Array
    const { params } = valuesOf(catalogue.get('naturalma') as Entry)
    const period = params.period as number
    expect(
      [...values].every(
        (value, i) => Number.isNaN(value) === (i < period || (i >= 100 && i <= 100 + period)),
      ),
    ).toBe(true)
  })
})
