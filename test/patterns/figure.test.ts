import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { path } from '../support/fixture-market.js'
import type { Indicators } from './detectors.js'
import { drawFigure, readFigures } from './figure.js'
import type { Fixture } from './fixture.js'

const folder = new URL('../../docs/figures/', import.meta.url)
const maxBytes = 15_000

describe('docs/figures', () => {
  it('are what the fixtures show (npm run docs draws them)', async () => {
    const figures = await readFigures()
    const names = existsSync(folder) ? readdirSync(folder) : []
    expect(names.sort()).toEqual([...figures.keys()].sort())
    const stale = names.filter(
      // A checkout on Windows may have other line ends.
      name => readFileSync(new URL(name, folder), 'utf8').replaceAll('\r\n', '\n') !== figures.get(name),
    )
    expect(stale).toEqual([])
  })

  it('are small', async () => {
    const large = [...(await readFigures())].filter(([, text]) => text.length > maxBytes)
    expect(large.map(([name]) => name)).toEqual([])
  })
})

describe('a figure', () => {
  const market = path(
    [
      [150, 100],
      [30, 130],
    ],
    { from: 80 },
  )
  const fixture: Fixture = {
    id: 'rise',
    market,
    at: 160,
    expected: { value: 100 },
    prices: ['low', 'line', 'far'],
  }
  const indicators: Indicators = {
    defaultsOf: () => ({ depth: 10 }),
    signalsOf: () => ['value'],
    readingsOf: () => ({
      value: market.close.map((_, i) => (i === 160 ? 100 : 0)),
      low: market.close.map((_, i) => (i < 160 ? null : 90)),
      line: market.close.map((_, i) => (i < 160 ? null : 100 + i - 160)),
      far: market.close.map((_, i) => (i < 160 ? null : 1e6)),
    }),
  }
  const text = drawFigure(fixture, indicators)

  it('is a small picture with finite coordinates', () => {
    expect(text).toMatch(/^<svg .*<\/svg>\n$/s)
    expect(text).not.toMatch(/NaN|Infinity/)
    expect(text.length).toBeLessThan(maxBytes)
  })

  it('draws the levels near the candles, level or inclined as they are given', () => {
    const lines = [...text.matchAll(/M14 ([-\d.]+)L402 ([-\d.]+)".*\n<text[^>]*>(\w+)</g)]
    expect(lines.map(([, , , name]) => name).sort()).toEqual(['line', 'low'])
    const [, left, right] = lines.find(line => line[3] === 'low') ?? []
    expect(left).toBe(right)
    const inclined = lines.find(line => line[3] === 'line') ?? []
    expect(Number(inclined[1])).toBeGreaterThan(Number(inclined[2]))
  })

  it('inclines a level that is confirmed at the last candle', () => {
    const grown: Indicators = {
      ...indicators,
      readingsOf: (_id, { close }) => ({ line: close.map((_, i) => 100 + i) }),
    }
    const last = { ...fixture, market: path([[20, 120]], { from: 100 }), at: 19, prices: ['line'] }
    const [, left, right] = /M14 ([-\d.]+)L402 ([-\d.]+)/.exec(drawFigure(last, grown)) ?? []
    expect(Number(left)).toBeGreaterThan(Number(right))
  })

  it('marks the pivots that are known at the confirming candle', () => {
    const turning = path(
      [
        [20, 110],
        [20, 90],
        [20, 110],
      ],
      { from: 100 },
    )
    const pivots = (at: number, given: Indicators = indicators) =>
      [...drawFigure({ ...fixture, market: turning, at, prices: [] }, given).matchAll(/<circle/g)].length
    expect([24, 25, 44, 45].map(at => pivots(at))).toEqual([0, 1, 1, 2])
    expect(pivots(44, { ...indicators, defaultsOf: () => ({}) })).toBe(0)
  })

  it('changes with the fixture', () => {
    expect(drawFigure({ ...fixture, at: 161 }, indicators)).not.toBe(text)
    expect(drawFigure({ ...fixture, prices: [] }, indicators)).not.toBe(text)
  })

  it('shows a market without any range', () => {
    const flat = path([[20, 100]], { from: 100, wick: 0 })
    const drawn = drawFigure({ ...fixture, market: flat, at: 10, prices: [] }, indicators)
    expect(drawn).not.toMatch(/NaN|Infinity/)
  })
})
