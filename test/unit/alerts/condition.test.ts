import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { Condition } from '../../../src/alerts/condition.js'
import { Series } from '../../../src/candles/series.js'
import { type CompiledExpression, compileExpression } from '../../../src/compute/expressions/compile.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'
import { ResultCache } from '../../../src/compute/results/result-cache.js'
import { busy, isRefusal } from '../../../src/contract/refusals.js'
import { createExecutor } from '../../support/executor.js'
import { newestValues } from '../../support/expressions/values.js'

// A candle takes 20 estimated microseconds, 400 of them two turns of the event loop.
const text = Array.from({ length: 20 }, (_, i) => `sampleentropy(${30 + i}, 2, 0.3)`).join(' + ')
const compile = (): CompiledExpression => {
  const compiled = compileExpression(`${text} > 20 * sampleentropy(40, 2, 0.3)`, { timeframe: '1m' })
  if (isRefusal(compiled)) throw new Error(compiled.error)
  return compiled
}
const whole = new Calculator()

/** Closing prices that a seed makes smoother or rougher as time goes by. */
const candles = (from: number, to: number, seed = 1) =>
  Array.from({ length: to - from }, (_, k) => {
    const i = from + k
    const close = 100 + 5 * Math.sin(i / 9) + Math.sin(i * i * seed) * (1 + Math.sin(i / 40))
    return { timestamp: i * 60, open: close, high: close + 1, low: close - 1, close, volume: 1 }
  })

const question = () => ({
  query: { ...compile().spec, results: 1, backtrack: 0 },
  markets: [{ exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1m' }] as const,
})

let series: Series

type Seen = readonly [minute: number, value: number, before: number]

describe.each([
  ['with', new ResultCache(10_000_000)],
  ['without', undefined],
])('a costly condition, %s kept results, is evaluated', (_, resultCache) => {
  const executor = createExecutor({ calculator: new Calculator(), ...(resultCache && { resultCache }) })
  let condition: Condition
  /** Evaluates the condition, after `checkpoint` if it is given. */
  const evaluate = async (checkpoint?: number) => {
    const seen: Seen[] = []
    const onValue = (timestamp: number, value: number, before: number) =>
      void seen.push([timestamp / 60, value, before])
    await condition.evaluate([series.snapshot()], checkpoint, onValue)
    return seen
  }
  /** The same by one computation of all candles. */
  const expected = (from: number): Seen[] => {
    const snapshot = series.snapshot()
    const [values = new Float64Array()] = newestValues(whole, compile(), [snapshot], snapshot.count)
    return Array.from(values, (value, i): Seen => [i, value, values[i - 1] ?? Number.NaN]).slice(from)
  }

  beforeEach(() => {
    series = new Series('1m', 1000)
    series.merge(candles(0, 401), 400 * 60)
    condition = new Condition(question(), executor, new AbortController().signal)
    condition.alerts.set('a', { account: 'me', on: 'update' } as never)
  })
  afterAll(() => executor.close())

  it('after a checkpoint, then as candles close, with the values of one computation', async () => {
    const first = await evaluate(299 * 60)
    expect(first).toEqual(expected(300))
    expect(new Set(first.map(([, value]) => value)), 'both values').toEqual(new Set([0, 1]))
    series.merge(candles(400, 404), 403 * 60)
    expect(await evaluate()).toEqual(expected(400))
    expect(await evaluate(), 'nothing closed').toEqual(expected(403))
    if (resultCache) expect(resultCache.hits, 'kept results').toBeGreaterThan(0)
  })

  it('anew after a correction, which fires nothing by itself', async () => {
    await evaluate(300 * 60)
    const [, reported] = expected(399)[0] as Seen
    series.merge([...candles(380, 400, 3), ...candles(400, 402)], 401 * 60)
    const seen = await evaluate()
    expect(seen.map(([minute, value]) => [minute, value])).toEqual(
      expected(400).map(([minute, value]) => [minute, value]),
    )
    expect(seen[0]?.[2], 'compared with the value already reported').toBe(reported)
  })

  it('at closed candles alone if no alert asks for updates', async () => {
    condition.alerts.set('a', { account: 'me', on: 'close' } as never)
    expect(await evaluate(398 * 60)).toEqual(expected(399).slice(0, 1))
    series.merge(candles(400, 402), 401 * 60)
    expect(await evaluate()).toEqual(expected(400).slice(0, 1))
    expect(await evaluate(), 'nothing closed').toEqual([])
  })
})

it('a condition for which there is no thread fails, and is evaluated the next time', async () => {
  series = new Series('1m', 1000)
  series.merge(candles(0, 400), 400 * 60)
  const executor = createExecutor({ calculator: new Calculator() })
  let isBusy = true
  const parts: Pick<typeof executor, 'answerText'> = {
    answerText: async (...asked) => (isBusy ? busy(1) : executor.answerText(...asked)),
  }
  const condition = new Condition(question(), parts, new AbortController().signal)
  condition.alerts.set('a', { account: 'me' } as never)
  const seen: number[] = []
  const evaluate = () => condition.evaluate([series.snapshot()], 398 * 60, timestamp => seen.push(timestamp))
  await expect(evaluate()).rejects.toThrow('Service busy')
  isBusy = false
  await evaluate()
  expect(seen).toEqual([399 * 60])
  await executor.close()
})
