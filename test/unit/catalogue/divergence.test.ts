import { describe, expect, it } from 'vitest'
import { catalogue } from '../../../src/catalogue/index.js'
import { type PlainColumns, run } from '../../support/kernel.js'

/** Candles of one shape whose prices follow a straight line, which cannot be added up without rounding. */
function straightLine(start: number, step: number): PlainColumns {
  const numbers = Array.from({ length: 1000 }, (_, i) => i)
  const open = numbers.map(i => start + i * step)
  const close = numbers.map(i => start + (i + 1) * step)
  return {
    timestamp: numbers.map(i => i * 3600),
    open,
    high: numbers.map(i => Math.max(open[i] as number, close[i] as number) + Math.abs(step) * 0.5),
    low: numbers.map(i => Math.min(open[i] as number, close[i] as number) - Math.abs(step) * 0.7),
    close,
    volume: numbers.map(() => 0.1),
  }
}

const divergences = [...catalogue.keys()].filter(name => name.endsWith('divergence'))

describe('divergences of a price on a straight line', () => {
  it('there are twelve kinds', () => expect(divergences).toHaveLength(12))

  it.each(divergences)('%s finds none in the rounding of its oscillator', name => {
    const lines = [
      straightLine(100, 0.1),
      straightLine(1000, -0.3),
      straightLine(30_000, 7.7),
      straightLine(0.001, 1e-6),
    ]
    for (const candles of lines) {
      const [regular, hidden] = run(name, candles) as [Float64Array, Float64Array]
      expect(regular.findIndex(value => value > 0 || value < 0)).toBe(-1)
      expect(hidden.findIndex(value => value > 0 || value < 0)).toBe(-1)
    }
  })
})
