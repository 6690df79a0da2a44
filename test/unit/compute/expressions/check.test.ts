import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../bench/random.js'
import { type Chart, readChart } from '../../../../src/candles/charts/chart.js'
import { candleAt, type Snapshot } from '../../../../src/candles/columns.js'
import { checkExpression } from '../../../../src/compute/expressions/check.js'
import { type CompiledExpression, compileExpression } from '../../../../src/compute/expressions/compile.js'
import { Calculator } from '../../../../src/compute/kernels/calculator.js'
import { isRefusal } from '../../../../src/contract/refusals.js'
import { randomCandles, snapshotOf } from '../../../support/expressions/random-candles.js'
import { randomCondition, randomNumber } from '../../../support/expressions/random-tree.js'
import { textOf } from '../../../support/expressions/tree.js'
import { newestValues } from '../../../support/expressions/values.js'

const calculator = new Calculator()

function compiled(text: string): CompiledExpression {
  const read = compileExpression(text, { timeframe: '15m' })
  if (isRefusal(read)) throw new Error(read.error)
  return read
}

describe('what is known of an expression', () => {
  it('is when it begins and settles, what it gives, and of what it is made', () => {
    // (13/14)^187 is the first power below 10^−6, and (13/14)^311 the first below 10^−10.
    expect(checkExpression(compiled('rsi(14) < 30 and close > sma(50)'))).toEqual({
      outputs: [{ name: 'value', type: 'boolean' }],
      lookback: 49,
      settled4: 14 + 187,
      settled8: 14 + 311,
      formingChanges: true,
      lookAhead: { possible: false, because: expect.stringContaining('older') },
      timeframes: [],
      markets: [],
      nodes: 9,
      indicators: [
        {
          indicator: 'rsi',
          params: { period: 14 },
          lookback: 14,
          stability: 'converging',
          settled4: 201,
          settled8: 325,
        },
        {
          indicator: 'sma',
          params: { period: 50 },
          lookback: 49,
          stability: 'start-independent',
          settled4: 49,
          settled8: 49,
        },
      ],
    })
    expect(checkExpression(compiled('obv > 0'))).toMatchObject({
      settled4: null,
      settled8: null,
      unsettling: 'obv',
    })
    expect(checkExpression(compiled('rsi(14)@1h'))).toMatchObject({
      timeframes: ['1h'],
      formingChanges: true,
    })
  })

  it('says of the bars of a chart that they depend on the begin, and that those of prices do not form', () => {
    const of = (text: string, chart: string) => checkExpression(compiled(text), readChart(chart) as Chart)
    const bars = of('rsi(14) < 30', 'renko:50')
    expect(bars).toMatchObject({ lookback: 14, settled4: null, settled8: null, unsettling: 'renko:50' })
    expect(bars.formingChanges).toBe(false)
    expect(bars.lookAhead.because).toContain('A bar is made of its own candle')
    expect(of('rsi(14) < 30', 'heikinashi').formingChanges).toBe(true)
    expect(of('obv > 0', 'heikinashi').unsettling).toBe('obv')
  })

  it.each([
    ['close', true],
    ['open', false],
    ['close[1]', false],
    ['rsi(14)[1] < 30', false],
    ['open > close[1]', false],
    ['rsi(14)[1] < 30 and volume > 1', true],
    ['5 > 3', false],
    ['sma(open, 5)', false],
    ['close@1h', true],
    ['close@1h[1]', false],
    ['close[1]@1h', true],
  ])('says whether the forming candle changes it: %s', (text, expected) => {
    expect(checkExpression(compiled(text)).formingChanges).toBe(expected)
  })

  it('is right where it says that the forming candle changes nothing', () => {
    let unchanged = 0
    for (let number = 0; number < 1500; number++) {
      const next = createRandom(20_261_125 + number)
      const depth = 1 + Math.floor(next() * 3)
      const tree = next() < 0.5 ? randomNumber(depth, next) : randomCondition(depth, next)
      const read = compileExpression(textOf(tree, next), { timeframe: '15m' })
      if (isRefusal(read) || checkExpression(read).formingChanges) continue
      unchanged++
      const candles = snapshotOf(randomCandles(80, next), true)
      const forming = candleAt(candles, candles.closed)
      const moved = {
        ...forming,
        high: forming.high * 3,
        low: forming.low / 3,
        close: forming.close * 2,
        volume: 1,
      }
      const newestOf = (snapshot: Snapshot) => newestValues(calculator, read, [snapshot], 1)[0]?.[0]
      expect(newestOf({ ...candles, forming: moved }), textOf(tree, next)).toEqual(newestOf(candles))
    }
    expect(unchanged).toBeGreaterThan(50)
  })
})
