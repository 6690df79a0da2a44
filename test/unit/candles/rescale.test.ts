import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Candle } from '../../../src/candles/candle.js'
import { mayBeRescaled, restInScale, scaleOf } from '../../../src/candles/rescale.js'
import { Series } from '../../../src/candles/series.js'

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
    expect(mayBeRescaled(known(), range(40, 55))).toBe(false)
    expect(mayBeRescaled(known(), [])).toBe(false)
    expect(mayBeRescaled(known(), range(60, 70, 0.25)), 'nothing in common').toBe(false)
  })

  it('is rescaled when candles in common moved by one factor', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1 / 20, 1 / 4, 2 / 3, 1 / 1.05, 1.1, 8, 1000),
        fc.integer({ min: 0, max: 49 }),
        (factor, from) => {
          // The split was in the night before candle 50. Later candles have its scale already.
          expect(mayBeRescaled(known(), [...range(from, 50, factor), ...range(50, 60)])).toBe(true)
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
    expect(mayBeRescaled(known(), rounded)).toBe(true)
    expect(mayBeRescaled(known(), range(40, 50, 1.0001))).toBe(false)
  })

  it('with a corrected candle is not rescaled', () => {
    for (const change of [{ high: 400 }, { close: 70, low: 70 }, { open: 1 }, { volume: 7 }]) {
      expect(mayBeRescaled(known(), [{ ...candle(45), ...change }, candle(46)])).toBe(false)
    }
  })

  it('of worthless prices is not rescaled', () => {
    expect(mayBeRescaled(known(), [{ ...candle(45), open: 0, high: 0, low: 0, close: 0 }])).toBe(false)
  })
})

describe('the scale of older candles', () => {
  const flat = (at: number, price: number): Candle => ({
    ...{ timestamp: at * minute, open: price, high: price, low: price, close: price },
    volume: 1,
  })
  const over = (candles: readonly Candle[]) => {
    const series = new Series('1m', 1000)
    series.merge(candles, Number.MAX_SAFE_INTEGER)
    return series.snapshot()
  }

  it.each([
    [2, 2],
    [1 / 10, 1 / 10],
    [3 / 2, 3 / 2],
    [2 / 3, 2 / 3],
    [1.05, 21 / 20],
    [0.3333, 1 / 3],
    [1000, 1000],
    [1e-6, 1e-6],
  ])('is told by two candles multiplied by %f', (factor, price) => {
    const scale = scaleOf(known(), range(40, 55, factor))
    expect(scale).toEqual({ price, volume: 1 / price, until: 49 * minute })
  })

  it('has the volume of what the exchange shows', () => {
    const shown = range(40, 50, 1 / 4).map((one, k) => ({ ...one, volume: candle(40 + k).volume }))
    expect(scaleOf(known(), shown)).toMatchObject({ price: 1 / 4, volume: 1 })
  })

  it.each([
    ['one candle', range(49, 55, 2)],
    ['nothing in common', range(60, 70, 2)],
    ['no ratio of small whole numbers', range(40, 50, 1.0371)],
    ['two factors', [candle(40, 2), candle(41, 3), ...range(42, 50, 2)]],
    ['the second candle only', [candle(40), ...range(41, 50, 2)]],
  ])('is not told by %s', (_, shown) => {
    expect(scaleOf(known(), shown)).toBe('unknown')
  })

  it('is not told by candles whose prices are equal', () => {
    const flats = Array.from({ length: 20 }, (_, at) => flat(at, 100))
    const shown = flats.map(one => flat(one.timestamp / minute, 200))
    expect(mayBeRescaled(over(flats), shown)).toBe(true)
    expect(scaleOf(over(flats), shown)).toBe('unknown')
    const mixed = [...flats, ...range(20, 30)]
    expect(scaleOf(over(mixed), [...shown, candle(20, 2)])).toBe('unknown')
    expect(scaleOf(over(mixed), [...shown, candle(20, 2), candle(21, 2)])).toMatchObject({ price: 2 })
  })

  it('is the same where the oldest candles in common are, whatever the newest show', () => {
    expect(scaleOf(known(), [...range(30, 48), ...range(48, 50, 2)])).toBe('same')
    const corrected = [...range(0, 9), flat(9, 101), ...range(10, 20)]
    const before = over([...range(0, 9), flat(9, 100), ...range(10, 20)])
    expect(mayBeRescaled(before, corrected)).toBe(true)
    expect(scaleOf(before, corrected)).toBe('same')
  })

  it('is that of the rest, but for candles after the newest that was multiplied', () => {
    const scale = { price: 1 / 4, volume: 4, until: 44 * minute }
    const shown = [...range(30, 40, 1 / 4), ...range(41, 44, 1 / 4), candle(48)]
    expect(restInScale(known(), shown, scale)).toEqual([
      ...range(0, 30, 1 / 4),
      ...[candle(40, 1 / 4), candle(44, 1 / 4), candle(45), candle(46), candle(47)],
    ])
  })
})
