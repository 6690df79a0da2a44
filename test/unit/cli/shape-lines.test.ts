import { describe, expect, it } from 'vitest'
import type { Candle } from '../../../src/candles/candle.js'
import { shapeLines } from '../../../src/cli/shape-lines.js'
import type { OutputValue } from '../../../src/client/types.js'
import { entryOf, valuesOf } from '../../support/kernel.js'

const none = Number.NaN
/** Candles by their highs and lows, which close in their middle. */
const candles = (...prices: readonly (readonly [high: number, low: number])[]): Candle[] =>
  prices.map(([high, low], timestamp) => ({
    timestamp,
    open: low,
    high,
    low,
    close: (high + low) / 2,
    volume: 1,
  }))
const flat = (count: number) => candles(...Array.from({ length: count }, () => [6, 4] as const))

function drawn(
  name: string,
  market: readonly Candle[],
  columns: Readonly<Record<string, readonly OutputValue[]>>,
  given = {},
) {
  const indicator = entryOf(name)
  const nothing = Object.fromEntries(indicator.outputs.map(output => [output.name, []]))
  const timestamp = market.map(each => each.timestamp)
  const result = shapeLines(
    { indicator, ...valuesOf(indicator, given) },
    { ...nothing, ...columns, timestamp },
    market,
  )
  return { ...result, marks: [...result.marks] }
}

describe('shapes in the terminal', () => {
  it('are lines over the prices or below them', () => {
    const { over, below } = drawn('rsi', flat(2), { value: [null, 40] })
    expect([over, below.map(({ values }) => values)]).toEqual([[], [[none, 40]]])
  })

  it('take two colours', () => {
    const { over } = drawn('supertrend', flat(2), { value: [3, 7], valueAdvice: ['long', 'short'] })
    expect(over).toMatchObject([{ values: [3, 7], sides: [1, -1] }])
    expect(drawn('psar', flat(2), { value: [3, 7] }).over).toMatchObject([{ sides: [1, -1], isDots: true }])
    expect(drawn('sarext', flat(2), { value: [3, -7] }).over).toMatchObject([
      { values: [3, 7], sides: [1, -1] },
    ])
  })

  it('are moved by the candles that a parameter says', () => {
    const outputs = ['conversion', 'base', 'spanA', 'spanB']
    const columns = Object.fromEntries(outputs.map(output => [output, [5, 6, 7]]))
    const { over } = drawn('ichimoku', flat(3), columns, { displacement: 1 })
    expect(over.map(({ name, values }) => [name, values])).toEqual([
      ['spanA', [none, 5, 6]],
      ['spanB', [none, 5, 6]],
      ['conversion', [5, 6, 7]],
      ['base', [5, 6, 7]],
      ['close', [5, 5, none]],
    ])
  })

  it('are straight from pivot to pivot, and to the newest close', () => {
    const market = candles([5, 4], [9, 6], [8, 5], [6, 2], [4, 3])
    expect(drawn('zigzag', market, { level: [null, null, 9, null, 2] }).over).toMatchObject([
      { values: [none, 9, 5.5, 2, 3.5] },
    ])
  })

  it('are levels, those far from the prices left out', () => {
    const { over } = drawn('pivotsdemark', flat(2), { r1: [7, 7], p: [5, 5], s1: [1, 1] })
    expect(over.map(({ values }) => values)).toEqual([
      [7, 7],
      [5, 5],
      [none, none],
    ])
    expect(drawn('fibonacciretracement', flat(1), { startPrice: [10], endPrice: [20] }).levels).toEqual([
      10, 12.14, 13.82, 15, 16.18, 17.64, 20,
    ])
  })

  it('are characters under the candles that they mark', () => {
    expect(drawn('engulfing', flat(3), { value: [100, 0, -100] }).marks).toEqual([
      [0, '▲'],
      [2, '▼'],
    ])
    expect(drawn('doji', flat(1), { value: [100] }).marks).toEqual([[0, '•']])
    // A swing high is known some candles later.
    expect(drawn('swings', flat(3), { value: [0, 0, 100] }, { swingRight: 2 }).marks).toEqual([[0, '▼']])
    expect(drawn('tdsequential', flat(2), { buySetupIndex: [6, 7], sellSetupIndex: [0, 0] }).marks).toEqual([
      [1, '7'],
    ])
    expect(drawn('candlepatterns', flat(2), { patterns: ['doji', 'doji,hangingman'] }).marks).toEqual([
      [1, '•'],
    ])
    const events = { event: ['none', 'bos', 'choch'], trend: ['up', 'up', 'down'] }
    expect(drawn('marketstructure', flat(3), events).marks).toEqual([
      [1, '▲'],
      [2, '▼'],
    ])
  })
})
