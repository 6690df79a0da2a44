import { beforeEach, describe, expect, it } from 'vitest'
import { Condition } from '../../../src/alerts/condition.js'
import type { Inputs } from '../../../src/candles/columns.js'
import { Series } from '../../../src/candles/series.js'
import { type CompiledExpression, compileExpression } from '../../../src/compute/expressions/compile.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'
import { ResultSeries } from '../../../src/compute/results/result-series.js'
import type { IndicatorSpec } from '../../../src/contract/query.js'
import { busy, isRefusal, type Refusal } from '../../../src/contract/refusals.js'
import { newestValues } from '../../support/expressions/values.js'
import { endlessScheduler } from '../../support/scheduler.js'

// A candle takes 20 estimated microseconds, 400 of them two turns of the event loop.
const text = Array.from({ length: 20 }, (_, i) => `sampleentropy(${30 + i}, 2, 0.3)`).join(' + ')
const compile = (): CompiledExpression => {
  const compiled = compileExpression(`${text} > 20 * sampleentropy(40, 2, 0.3)`, { timeframe: '1m' })
  if (isRefusal(compiled)) throw new Error(compiled.error)
  return compiled
}
const calculator = new Calculator()
const inThread = new Calculator()

/** Closing prices that a seed makes smoother or rougher as time goes by. */
const candles = (from: number, to: number, seed = 1) =>
  Array.from({ length: to - from }, (_, k) => {
    const i = from + k
    const close = 100 + 5 * Math.sin(i / 9) + Math.sin(i * i * seed) * (1 + Math.sin(i / 40))
    return { timestamp: i * 60, open: close, high: close + 1, low: close - 1, close, volume: 1 }
  })

let series: Series
let built: number[]
let refusal: Refusal | undefined
/** Builds at once, as a thread does later. */
const threads = {
  async build(spec: IndicatorSpec, [{ columns, closed }]: Inputs, values: number) {
    built.push(closed)
    if (refusal) return refusal
    const results = new ResultSeries(spec)
    results.build(inThread, [{ columns, closed, forming: undefined, count: closed }], values)
    return results.pack() as NonNullable<ReturnType<typeof results.pack>>
  },
}

type Seen = readonly [minute: number, value: number, before: number]

describe.each([
  ['by threads', threads],
  ['in turns', undefined],
])('a costly condition is evaluated %s', (_, threads) => {
  let condition: Condition
  let turns: number
  /** Evaluates the condition, after `checkpoint` if it is given. */
  const evaluate = async (checkpoint?: number) => {
    const seen: Seen[] = []
    let isDone = false
    const count = () => {
      turns++
      if (!isDone) setImmediate(count)
    }
    turns = 0
    setImmediate(count)
    const onValue = (timestamp: number, value: number, before: number) =>
      void seen.push([timestamp / 60, value, before])
    await condition.evaluate([series.snapshot()], checkpoint, onValue)
    await condition.preview([series.snapshot()], onValue)
    isDone = true
    return seen
  }
  /** The same by one computation of all candles. */
  const expected = (from: number): Seen[] => {
    const snapshot = series.snapshot()
    const [values = new Float64Array()] = newestValues(inThread, compile(), [snapshot], snapshot.count)
    return Array.from(values, (value, i): Seen => [i, value, values[i - 1] ?? Number.NaN]).slice(from)
  }

  beforeEach(() => {
    built = []
    refusal = undefined
    series = new Series('1m', 1000)
    series.merge(candles(0, 401), 400 * 60)
    const { signal } = new AbortController()
    condition = new Condition({ calculator, scheduler: endlessScheduler(), threads, signal }, compile())
    condition.alerts.set('a', { account: 'me' } as never)
  })

  it('after a checkpoint, then as candles close, with the values of one computation', async () => {
    const first = await evaluate(299 * 60)
    expect(first).toEqual(expected(300))
    expect(new Set(first.map(([, value]) => value)), 'both values').toEqual(new Set([0, 1]))
    if (threads) expect(built).toEqual([400])
    else expect(turns, 'of the event loop meanwhile').toBeGreaterThan(0)
    series.merge(candles(400, 404), 403 * 60)
    expect(await evaluate()).toEqual(expected(400))
    expect(await evaluate(), 'nothing closed').toEqual(expected(403))
    expect(built.length, 'times that a thread was asked').toBe(threads ? 1 : 0)
  })

  it('anew after a correction, which fires nothing by itself', async () => {
    await evaluate(300 * 60)
    series.merge([...candles(380, 400, 3), ...candles(400, 402)], 401 * 60)
    const seen = await evaluate()
    expect(seen.map(([minute, value]) => [minute, value])).toEqual(
      expected(400).map(([minute, value]) => [minute, value]),
    )
  })
})

it('a condition for which there is no thread fails, and is evaluated the next time', async () => {
  built = []
  refusal = busy(1)
  series = new Series('1m', 1000)
  series.merge(candles(0, 400), 400 * 60)
  const { signal } = new AbortController()
  const condition = new Condition({ calculator, scheduler: endlessScheduler(), threads, signal }, compile())
  condition.alerts.set('a', { account: 'me' } as never)
  const seen: number[] = []
  const evaluate = () => condition.evaluate([series.snapshot()], 398 * 60, timestamp => seen.push(timestamp))
  await expect(evaluate()).rejects.toThrow('Service busy')
  refusal = undefined
  await evaluate()
  expect(seen).toEqual([399 * 60])
})
