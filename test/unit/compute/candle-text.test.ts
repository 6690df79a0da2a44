import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Columns } from '../../../src/candles/columns.js'
import { candlesText, candleText } from '../../../src/compute/json/candle-text.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'

const { writer } = new Calculator()

it('a candle has its fields in the order of the interface', () => {
  const candle = { timestamp: 1_738_324_800, open: 1.5, high: 2, low: 1e-7, close: 1e21, volume: 0 }
  expect(candleText(candle)).toBe(
    '{"timestamp":1738324800,"timestampHuman":"2025-01-31 12:00:00","open":1.5,"high":2,"low":1e-7,"close":1e+21,"volume":0}',
  )
})

it('many candles have the texts of each, whatever their numbers and times', () => {
  const time = fc.oneof(
    fc.integer({ min: -1e9, max: 4e9 }),
    // With milliseconds, and behind the last date of JavaScript.
    fc.integer({ min: 0, max: 4e9 }).map(milliseconds => milliseconds / 1000),
    fc.constant(1e14),
  )
  const candle = fc.record({
    timestamp: time,
    open: fc.double(),
    high: fc.double(),
    low: fc.double(),
    close: fc.double(),
    volume: fc.double({ min: 0 }),
  })
  fc.assert(
    fc.property(fc.array(candle, { minLength: 1, maxLength: 40 }), fc.nat(3), (candles, from) => {
      const columns = new Columns(candles.length)
      for (const [i, each] of candles.entries()) columns.write(i, each)
      const shown = candles.slice(from)
      expect(candlesText(columns, Math.min(from, candles.length), candles.length, writer)).toBe(
        shown.map(candleText).join(','),
      )
    }),
  )
})
