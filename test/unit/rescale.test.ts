import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import { isRescaled } from '../../src/candles/rescale.js'
import { Series } from '../../src/candles/series.js'

const minute = 60
const candle = (at: number, factor = 1): Candle => ({
  timestamp: at * minute,
  open: (100 + at) * factor,
  high: (105 + at) * factor,
  low: (95 + at) * factor,
  close: (101 + at) * factor,
  volume: 1000 / factor,
})
const range = (from: number, to: number, factor = 1) =>
  Array.from({ length: to - from }, (_, i) => candle(from + i, factor))

/** Closed candles 0 … 49 and candle 50 forming. */
const known = () => {
  const series = new Series('1m', 100)
  series.merge(range(0, 51), 50 * minute + 1)
  return series.snapshot()
}

describe('a tail', () => {
  it('of the same scale is not rescaled', () => {
    expect(isRescaled(known(), range(40, 55))).toBe(false)
    expect(isRescaled(known(), [])).toBe(false)
    expect(isRescaled(known(), range(60, 70, 0.25)), 'nothing in common').toBe(false)
  })

  it('is rescaled when candles in common moved by one factor', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1 / 20, 1 / 4, 2 / 3, 1 / 1.05, 1.1, 8, 1000),
        fc.integer({ min: 0, max: 49 }),
        (factor, from) => {
          // The split was in the night before candle 50: what came later has its scale already.
          expect(isRescaled(known(), [...range(from, 50, factor), ...range(50, 60)])).toBe(true)
        },
      ),
    )
  })

  it('tells a split apart from rounded prices', () => {
    const rounded = range(40, 50, 1 / 7).map(({ open, high, low, close, ...rest }) => ({
      ...rest,
      open: Math.round(open * 100) / 100,
      high: Math.round(high * 100) / 100,
      low: Math.round(low * 100) / 100,
      close: Math.round(close * 100) / 100,
    }))
    expect(isRescaled(known(), rounded)).toBe(true)
    expect(isRescaled(known(), range(40, 50, 1.0001))).toBe(false)
  })

  it('with a corrected candle is not rescaled', () => {
    for (const change of [{ high: 400 }, { close: 70, low: 70 }, { open: 1 }, { volume: 7 }]) {
      expect(isRescaled(known(), [{ ...candle(45), ...change }, candle(46)])).toBe(false)
    }
  })

  it('of worthless prices is not rescaled', () => {
    expect(isRescaled(known(), [{ ...candle(45), open: 0, high: 0, low: 0, close: 0 }])).toBe(false)
  })
})
