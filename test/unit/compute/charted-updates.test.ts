import { describe, expect, it } from 'vitest'
import { Condition } from '../../../src/alerts/condition.js'
import { barsOf } from '../../../src/candles/charts/bars.js'
import { type Chart, readChart } from '../../../src/candles/charts/chart.js'
import { Series } from '../../../src/candles/series.js'
import { answer } from '../../../src/compute/answer.js'
import { compileExpression } from '../../../src/compute/expressions/compile.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'
import { LiveCalculation } from '../../../src/compute/results/live-calculation.js'
import { isRefusal } from '../../../src/contract/refusals.js'
import { createExecutor } from '../../support/executor.js'
import { entryOf } from '../../support/kernel.js'

const chart = readChart('renko:1') as Chart
const calculator = new Calculator()
const other = new Calculator()

/** A market of which each candle completes three bricks or more. */
const candleAt = (i: number) => {
  const [open, close] = [100 + (i % 7) * 5, 100 + ((i + 1) % 7) * 5]
  return {
    timestamp: i * 60,
    open,
    high: Math.max(open, close),
    low: Math.min(open, close),
    close,
    volume: 1,
  }
}
const seriesOf = (count: number) => {
  const series = new Series('1m', 1000)
  for (let i = 0; i < count; i++) series.append(candleAt(i))
  return series
}

describe('several bars of one time', () => {
  it('are emitted once each, also where they are computed in small parts', () => {
    const spec = { indicator: entryOf('ema'), params: { period: 3 } }
    const series = seriesOf(30)
    const live = new LiveCalculation(calculator, spec)
    live.advance(barsOf(chart, [series.snapshot()]))
    const first = barsOf(chart, [series.snapshot()])[0].count
    const seen: string[] = []
    for (let i = 30; i < 60; i += 3) {
      for (let k = 0; k < 3; k++) series.append(candleAt(i + k))
      const bars = barsOf(chart, [series.snapshot()])
      while (live.candlesToRun(bars) > 0) seen.push(...live.advancePart(bars, 2))
      seen.push(...live.advance(bars).closed)
    }
    const bars = barsOf(chart, [series.snapshot()])
    const text = answer(other, { ...spec, results: bars[0].count - first, backtrack: 0 }, bars)
    const { value, timestamp } = JSON.parse(text as string)
    expect(seen.map(text => JSON.parse(text)).map(({ timestamp, ema }) => [timestamp, ema])).toEqual(
      timestamp.map((time: number, i: number) => [time, value[i]]),
    )
    expect(new Set(timestamp).size).toBeLessThan(timestamp.length / 2)
  })

  it('are all evaluated after a checkpoint, the first of them against the bar before', async () => {
    const compiled = compileExpression('close > open', { timeframe: '1m' })
    if (isRefusal(compiled)) return expect.fail(compiled.error)
    const executor = createExecutor({ calculator })
    const query = { ...compiled.spec, chart, results: 1, backtrack: 0 }
    const market = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1m' } as const
    const evaluate = async (checkpoint: number) => {
      const { signal } = new AbortController()
      const condition = new Condition({ query, markets: [market] }, executor, signal)
      condition.alerts.set('a', { on: 'close' } as never)
      const seen: (readonly [number, number, number])[] = []
      await condition.evaluate([seriesOf(20).snapshot()], checkpoint, (...value) => void seen.push(value))
      return seen
    }
    const all = await evaluate(Number.NEGATIVE_INFINITY)
    expect(all.length).toBeGreaterThan(60)
    expect(await evaluate(9 * 60)).toEqual(all.filter(([time]) => time > 9 * 60))
  })
})
