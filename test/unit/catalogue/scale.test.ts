import { describe, expect, it } from 'vitest'
import { catalogue } from '../../../src/catalogue/index.js'
import { type PlainColumns, run } from '../../support/kernel.js'
import { readMarket } from '../../vectors/vector-file.js'

const scaled = [...catalogue.values()].flatMap(({ name, scale, outputs, overlay, sources }) =>
  scale ? [{ name, scale, outputs, overlay, sources }] : [],
)
type Scaled = (typeof scaled)[number]

/** Markets with prices above zero, each with its candles once more backwards, so that there are rises and falls of all lengths. */
const markets = ['volatile', 'penny', 'daily', 'shapes', 'bent'].map(name => {
  const market = readMarket(name)
  const whole = Object.entries(market).map(([column, values]) => [
    column,
    [...values, ...values.toReversed()],
  ])
  const timestamp = [...(market.close ?? []), ...(market.close ?? [])].map((_, at) => 3600 * at)
  return { ...Object.fromEntries(whole), timestamp } as PlainColumns
})

/** The least and the greatest number that an indicator gives over the markets of the project. */
function rangeOf({ name, outputs, sources }: Scaled): readonly [least: number, most: number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const market of markets) {
    // High and low, which are the default of many pairs, always move together.
    const columns = run(name, market, sources === 2 ? { source2: 'volume' } : {})
    for (const [at, { kind }] of outputs.entries()) {
      if (kind !== 'number') continue
      for (const value of columns[at] ?? []) {
        if (value < least) least = value
        if (value > most) most = value
      }
    }
  }
  return [least, most]
}

describe('the scale of an indicator', () => {
  it('is that of numbers in a pane of their own', () => {
    expect(scaled.length).toBeGreaterThan(100)
    expect(scaled.filter(({ overlay }) => overlay).map(({ name }) => name)).toEqual([])
  })

  it.each(scaled)('$name: levels lie in rising order within the bounds', ({ scale }) => {
    const { minimum, maximum, levels } = scale
    expect([...levels].sort((a, b) => a - b)).toEqual(levels)
    for (const level of levels) {
      if (minimum !== undefined) expect(level).toBeGreaterThanOrEqual(minimum)
      if (maximum !== undefined) expect(level).toBeLessThanOrEqual(maximum)
    }
    expect(levels.length > 0 || minimum !== undefined || maximum !== undefined).toBe(true)
  })

  it.each(scaled)('$name: values keep to the bounds and lie on both sides of each level', each => {
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, levels } = each.scale
    const [least, most] = rangeOf(each)
    // Rounding may pass a bound.
    expect(least).toBeGreaterThan(minimum - 1e-6)
    expect(most).toBeLessThan(maximum + 1e-6)
    for (const level of levels) {
      expect(least).toBeLessThan(level)
      expect(most).toBeGreaterThan(level)
    }
  })
})
