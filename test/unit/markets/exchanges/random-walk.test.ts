import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Bar,
  createRandom,
  join,
  minLots,
  split,
  trades,
} from '../../../../src/markets/exchanges/demo/random-walk.js'

/** Any bar, flat ones and ones that barely traded among them. */
const anyBar = fc
  .record({
    low: fc.integer({ min: 1, max: 1e7 }),
    range: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 1e6 })),
    open: fc.double({ min: 0, max: 1, noNaN: true }),
    close: fc.double({ min: 0, max: 1, noNaN: true }),
    volume: fc.oneof(fc.integer({ min: minLots, max: 40 }), fc.integer({ min: minLots, max: 1e15 })),
  })
  .map(
    ({ low, range, open, close, volume }): Bar => ({
      open: low + Math.round(open * range),
      high: low + range,
      low,
      close: low + Math.round(close * range),
      volume,
    }),
  )
const anyRough = fc.double({ min: 0.2, max: 3, noNaN: true })
const anySeed = fc.integer()

test('the parts of a bar are that bar exactly, each from the close before it', () => {
  fc.assert(
    fc.property(anyBar, fc.integer({ min: 2, max: 12 }), anyRough, anySeed, (bar, count, rough, seed) => {
      const parts = split(bar, count, rough, createRandom(seed))
      expect(parts).toHaveLength(count)
      expect(join(parts)).toEqual(bar)
      let before = bar.open
      for (const { open, high, low, close, volume } of parts) {
        expect(open).toBe(before)
        before = close
        expect([open, high, low, close, volume].every(Number.isInteger), 'whole numbers').toBe(true)
        expect(high).toBeGreaterThanOrEqual(Math.max(open, close))
        expect(low).toBeLessThanOrEqual(Math.min(open, close))
        expect(volume === 0 ? high === low : volume >= minLots, 'enough lots to move').toBe(true)
      }
    }),
  )
})

test('the trades of a bar are that bar exactly, and no price moves without one', () => {
  fc.assert(
    fc.property(anyBar, fc.integer({ min: 3, max: 59 }), anyRough, anySeed, (bar, count, rough, seed) => {
      const made = trades(bar, count, rough, createRandom(seed))
      expect(made).toHaveLength(count)
      const flat = (price: number, volume: number) => ({
        open: price,
        high: price,
        low: price,
        close: price,
        volume,
      })
      const bars = made.map(({ price, volume }) => flat(price, volume))
      expect(join([flat(bar.open, 0), ...bars])).toEqual(bar)
      let before = bar.open
      for (const { price, volume } of made) {
        if (volume === 0) expect(price).toBe(before)
        before = price
      }
    }),
  )
})

test('a bar without volume has parts and trades without volume', () => {
  const still: Bar = { open: 7, high: 7, low: 7, close: 7, volume: 0 }
  expect(split(still, 3, 1, createRandom(1))).toEqual([still, still, still])
  expect(trades(still, 2, 1, createRandom(1))).toEqual([
    { price: 7, volume: 0 },
    { price: 7, volume: 0 },
  ])
})

test('parts of a higher roughness change more', () => {
  const bar: Bar = { open: 10_000, high: 20_000, low: 0, close: 10_000, volume: 1e9 }
  const travelled = (rough: number) => {
    let sum = 0
    for (let seed = 0; seed < 200; seed++) {
      for (const part of split(bar, 6, rough, createRandom(seed))) sum += Math.abs(part.close - part.open)
    }
    return sum
  }
  expect(travelled(0.6)).toBeLessThan(travelled(1))
  expect(travelled(1)).toBeLessThan(travelled(1.5))
})
