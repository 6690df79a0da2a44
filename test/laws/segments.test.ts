import { describe, expect, it } from 'vitest'
import { createRandom } from '../../bench/random.js'
import type { Candle } from '../../src/candles/candle.js'
import { Columns, type Snapshot } from '../../src/candles/columns.js'
import { catalogue, type Entry } from '../../src/catalogue/index.js'
import { Calculator } from '../../src/compute/kernels/calculator.js'
import { valuesOf } from '../support/kernel.js'

// A long series is computed in segments, of which each but the first one begins with a guessed state. Pieces of it are too
// short for segments, so they show the values that the kernel has in order.

const count = 60_000
/** Candles of a piece, too few for segments. */
const piece = 250

const parabolic = ['psar', 'sar', 'sarext']

type Change = (candle: Candle, i: number) => Candle

const priced = (candle: Candle, price: (value: number) => number): Candle => ({
  ...candle,
  open: price(candle.open),
  high: price(candle.high),
  low: price(candle.low),
  close: price(candle.close),
})

/** Changes of a random walk after which a guessed state differs from that of the series, at first or for ever. */
const markets: Readonly<Record<string, Change>> = {
  'a random walk': candle => candle,
  'a flat market': candle => priced(candle, () => 100.1),
  'a market that is flat from a candle on': (candle, i) => (i < 9000 ? candle : priced(candle, () => 100.1)),
  'a market that is flat in the middle': (candle, i) =>
    i < 12_000 || i > 48_000 ? candle : priced(candle, () => 100.1),
  'prices that fall to a thousandth of a trillionth': (candle, i) =>
    i < 15_000 ? candle : priced(candle, value => value * 1e-15),
  'a candle with a price of 1e300': (candle, i) => (i === 20_000 ? priced(candle, () => 1e300) : candle),
  'a market that only rises': (candle, i) => priced(candle, () => 100 + i),
  'prices of a few ticks': candle => priced(candle, value => Math.round(value / 5) * 5),
}

function snapshotOf(change: Change): Snapshot {
  const next = createRandom(11)
  const columns = new Columns(count)
  let price = 100
  for (let i = 0; i < count; i++) {
    const open = price
    price *= 1 + (next() - 0.5) * 0.02
    const high = Math.max(open, price) * (1 + next() * 0.004)
    const low = Math.min(open, price) * (1 - next() * 0.004)
    const candle = { timestamp: i * 60, open, high, low, close: price, volume: 10 + 1000 * next() }
    columns.write(i, change(candle, i))
  }
  return { columns, closed: count, forming: undefined, count }
}

const whole = new Calculator()
const inPieces = new Calculator()

describe.each(Object.entries(markets))('%s', (_title, change) => {
  const snapshot = snapshotOf(change)

  it.each(parabolic)('%s has the same values in one call and in short pieces', name => {
    const indicator = catalogue.get(name) as Entry
    const calculation = { indicator, ...valuesOf(indicator) }
    const found = whole.calculate(calculation, [snapshot]).columns
    inPieces.compute(calculation, [snapshot])
    for (let from = 0; from < count; from += piece) inPieces.run(from, from + piece)
    found.forEach((column, k) => {
      const expected = inPieces.column(k, count)
      const differing = column.findIndex((value, i) => !Object.is(value, expected[i]))
      expect(differing, `candle of column ${k}`).toBe(-1)
    })
  })
})
