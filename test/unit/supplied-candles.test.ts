import { expect, it } from 'vitest'
import type { Snapshot } from '../../src/candles/columns.js'
import { BodyParser, readCandlesField } from '../../src/compute/json/body-parser.js'
import { readSuppliedCandles } from '../../src/contract/supplied-candles.js'

const candle = { o: 1, h: 2, l: 0.5, c: 1.5, v: 10 }

it('supplied candles lie in unshared memory, which V8 counts when it decides to collect', () => {
  const parsed = new BodyParser().read(Buffer.from(JSON.stringify({ candles: [candle] })), body => [body])
  for (const snapshot of [
    readSuppliedCandles([candle]),
    readCandlesField((parsed as { candles: unknown }).candles),
  ]) {
    expect((snapshot as Snapshot).columns.buffer).toBeInstanceOf(ArrayBuffer)
  }
})

it('a candle that is nested too deeply to be quoted is refused with a sign in its place', () => {
  const depth = 100_000
  const nested: unknown = JSON.parse('['.repeat(depth) + ']'.repeat(depth))
  expect(readSuppliedCandles([nested])).toEqual({
    status: 400,
    error: 'candles[0] must be an object with open, high, low, close and volume, got […]',
  })
  expect(readSuppliedCandles([{ ...candle, o: nested }])).toEqual({
    status: 400,
    error: 'candles[0].o must be a number, got […]',
  })
})
