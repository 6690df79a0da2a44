import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { catalogue, type Entry } from '../../src/catalogue/index.js'
import { type PlainColumns, run, valuesOf } from '../support/kernel.js'

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

/** Whether an output that is not rarely there has no value at the last candle. */
function lacksValue(entry: Entry, columns: PlainColumns): boolean {
  const { params } = valuesOf(entry)
  if (entry.lookback(params) >= length) throw new Error(`${entry.name} needs more candles`)
  const outputs = run(entry.name, columns)
  return entry.outputs.some(({ sparse, column }) => !sparse && Number.isNaN(outputs[column]?.at(-1)))
}

const page = readFileSync(new URL('../../docs/neutral-values.md', import.meta.url), 'utf8')
const listed = (name: string) => {
  const text = page.split(`<!-- ${name} -->`)[1]?.split(`<!-- /${name} -->`)[0] ?? ''
  return [...text.matchAll(/`(\w+)`/g)].map(([, id]) => id)
}

describe('an indicator has no value', () => {
  for (const [name, columns] of Object.entries(markets)) {
    it(`in a market that is ${name} only where docs/neutral-values.md says so`, () => {
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
