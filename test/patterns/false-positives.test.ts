import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { run } from '../support/kernel.js'
import { detectors, signalsOf } from './detectors.js'
import { countSignals, plainMarkets, ratesOnRandomWalks } from './false-positives.js'

/** Indicators that may give a signal on a plain market, each with the reason. */
const exceptions: Readonly<Record<string, string>> = {}

const strict = detectors.filter(
  ({ category }) => category === 'Divergence' || category === 'Pattern Recognition - Advanced',
)

describe('chart patterns and divergences', () => {
  it.each(Object.entries(plainMarkets))('give no signal in %s', (_name, market) => {
    const found = strict
      .filter(({ name }) => !(name in exceptions))
      .flatMap(entry => {
        const columns = run(entry.name, market)
        return signalsOf(entry)
          .map(({ name, column }) => [`${entry.name} ${name}`, countSignals(columns[column] as Float64Array)])
          .filter(([, count]) => count !== 0)
      })
    expect(found).toEqual([])
  })

  it('have no needless exception', () => {
    const silent = Object.keys(exceptions).filter(name => {
      const entry = strict.find(other => other.name === name)
      if (!entry) return true
      return Object.values(plainMarkets).every(market => {
        const columns = run(name, market)
        return signalsOf(entry).every(({ column }) => countSignals(columns[column] as Float64Array) === 0)
      })
    })
    expect(silent).toEqual([])
  })
})

describe('docs/pattern-rates.json', () => {
  it('states how often each signal is given on random walks (npm run docs writes it)', () => {
    const file = new URL('../../docs/pattern-rates.json', import.meta.url)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(ratesOnRandomWalks())
  })
})

describe('the count of signals', () => {
  it('is that of candles with a value other than 0', () => {
    expect(countSignals(Float64Array.of(Number.NaN, 0, 100, 0, -100, -0))).toBe(2)
  })
})
