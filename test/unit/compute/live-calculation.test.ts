import { beforeEach, describe, expect, it } from 'vitest'
import type { Candle } from '../../../src/candles/candle.js'
import type { Inputs, Snapshot } from '../../../src/candles/columns.js'
import { Series } from '../../../src/candles/series.js'
import { answer } from '../../../src/compute/answer.js'
import { catchUp, type LiveThreads, liveWork } from '../../../src/compute/catch-up.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'
import { type CandleUpdates, LiveCalculation } from '../../../src/compute/results/live-calculation.js'
import { type PackedResults, ResultSeries } from '../../../src/compute/results/result-series.js'
import { busy } from '../../../src/contract/refusals.js'
import { entryOf, valuesOf } from '../../support/kernel.js'
import { endlessScheduler } from '../../support/scheduler.js'

const calculator = new Calculator()
const batch = new Calculator()
const rsi = { indicator: entryOf('rsi'), ...valuesOf(entryOf('rsi')) }
const obv = { indicator: entryOf('obv'), ...valuesOf(entryOf('obv')) }

const candle = (i: number, shift = 0): Candle => {
  const close = 100 + 10 * Math.sin(i * 1.7) + shift
  return { timestamp: i * 60, open: close - 1, high: close + 2, low: close - 2, close, volume: 5 + (i % 7) }
}
const candles = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => candle(from + i))
const timesOf = ({ closed }: CandleUpdates) => closed.map(text => JSON.parse(text).timestamp / 60)

/** The newest value as REST answers it. */
function restValue(calculation: typeof rsi, snapshot: Snapshot): string {
  const text = answer(batch, { ...calculation, results: 1, backtrack: 0 }, [snapshot])
  if (typeof text !== 'string') throw new Error('there are too few candles')
  const { value, timestamp } = JSON.parse(text)
  return JSON.stringify({ [calculation.indicator.name]: value[0], timestamp: timestamp[0] })
}

let series: Series
beforeEach(() => {
  series = new Series('1m', 100)
  series.merge(candles(0, 40), 40 * 60)
})

describe('a live calculation', () => {
  it('emits nothing at the first update, but has a current value', () => {
    const live = new LiveCalculation(calculator, rsi)
    expect(live.advance([series.snapshot()])).toEqual({ closed: [], forming: undefined })
    expect(live.closed).toBe(restValue(rsi, series.snapshot()))
    expect(live.forming).toBeUndefined()
  })

  it('emits each closed candle once, in order, however many close at a time', () => {
    const live = new LiveCalculation(calculator, rsi)
    live.advance([series.snapshot()])
    series.merge(candles(40, 41), 41 * 60)
    expect(timesOf(live.advance([series.snapshot()]))).toEqual([40])
    expect(timesOf(live.advance([series.snapshot()]))).toEqual([])
    series.merge(candles(41, 46), 45 * 60)
    const updates = live.advance([series.snapshot()])
    expect(timesOf(updates)).toEqual([41, 42, 43, 44])
    expect(updates.forming).toBe(restValue(rsi, series.snapshot()))
  })

  it('runs again from the start after a correction and emits no closed candle twice', () => {
    const live = new LiveCalculation(calculator, rsi)
    live.advance([series.snapshot()])
    const before = live.closed
    series.merge([candle(37, 3), candle(38), candle(39)], 40 * 60)
    expect(live.advance([series.snapshot()]).closed).toEqual([])
    expect(live.closed).not.toBe(before)
    expect(live.closed).toBe(restValue(rsi, series.snapshot()))
  })

  it('emits a candle that closed together with a correction', () => {
    const live = new LiveCalculation(calculator, rsi)
    live.advance([series.snapshot()])
    series.merge([candle(39, 2), candle(40), candle(41)], 41 * 60)
    const updates = live.advance([series.snapshot()])
    expect(timesOf(updates)).toEqual([40])
    expect(updates.forming).toBe(restValue(rsi, series.snapshot()))
  })

  it('has the values of REST after the oldest candles were dropped and after the columns have grown', () => {
    const live = new LiveCalculation(calculator, obv)
    live.advance([series.snapshot()])
    let columns = series.snapshot().columns
    let renewed = 0
    for (let i = 40; i < 400; i++) {
      series.merge([candle(i), candle(i + 1)], (i + 1) * 60)
      const snapshot = series.snapshot()
      if (snapshot.columns !== columns) renewed++
      columns = snapshot.columns
      const updates = live.advance([snapshot])
      expect(timesOf(updates)).toEqual([i])
      expect(updates.forming).toBe(restValue(obv, snapshot))
    }
    expect(renewed, 'times that old candles were dropped').toBeGreaterThan(5)
  })

  it('emits nothing until the history is long enough', () => {
    series = new Series('1m', 100)
    series.merge(candles(0, 12), 12 * 60)
    const live = new LiveCalculation(calculator, rsi)
    live.advance([series.snapshot()])
    expect([live.forming, live.closed]).toEqual([undefined, undefined])
    const emitted: number[] = []
    for (let i = 12; i < 20; i++) {
      series.merge([candle(i)], (i + 1) * 60)
      emitted.push(...timesOf(live.advance([series.snapshot()])))
    }
    expect(emitted, 'the candles from the lookback of 14 on').toEqual([14, 15, 16, 17, 18, 19])
  })

  it('shares its calculator with other series and with whole histories', () => {
    const other = new Series('1m', 100)
    other.merge(candles(7, 60), 60 * 60)
    const calculations = [series, other].map(own => ({
      own,
      live: new LiveCalculation(calculator, rsi),
    }))
    for (const { own, live } of calculations) live.advance([own.snapshot()])
    for (let i = 60; i < 70; i++) {
      for (const { own, live } of calculations) {
        own.merge(candles(i - 21, i + 1), i * 60)
        expect(live.advance([own.snapshot()]).forming).toBe(restValue(rsi, own.snapshot()))
        calculator.calculate(rsi, [own.snapshot()])
        own.amend(candle(i, 1))
        expect(live.preview([own.snapshot()])).toBe(restValue(rsi, own.snapshot()))
        expect(live.advance([own.snapshot()]).forming).toBe(restValue(rsi, own.snapshot()))
      }
    }
  })

  it('recovers from an update that failed by running again', () => {
    const live = new LiveCalculation(calculator, rsi)
    live.advance([series.snapshot()])
    series.merge(candles(40, 42), 41 * 60)
    const { save } = calculator
    calculator.save = () => {
      throw new Error('save failed')
    }
    expect(() => live.advance([series.snapshot()])).toThrow('save failed')
    calculator.save = save
    const updates = live.advance([series.snapshot()])
    expect(timesOf(updates)).toEqual([40])
    expect(updates.forming).toBe(restValue(rsi, series.snapshot()))
  })
})

describe('a costly live calculation', () => {
  const costly = { indicator: entryOf('sampleentropy'), params: { period: 300, length: 2, tolerance: 0.2 } }
  const caller = { accountId: 'me' }
  const inThread = new Calculator()
  const threads: LiveThreads = {
    async build(spec, [snapshot], values) {
      const results = new ResultSeries(spec)
      results.build(inThread, [{ ...snapshot, forming: undefined, count: snapshot.closed }], values)
      return results.pack() as PackedResults
    },
  }
  beforeEach(() => {
    series = new Series('1m', 1000)
    series.merge(candles(0, 450), 450 * 60)
  })

  it.each([
    ['on a thread', threads],
    ['in time slices', undefined],
  ])('emits each closed candle once while it is brought to the present %s', async (_, given) => {
    const live = new LiveCalculation(calculator, costly)
    const emitted: string[] = []
    const snapshot = () => series.snapshot()
    const asked = {
      ...{ live, inputs: (): Inputs => [snapshot()], caller, name: 'topics' },
      visit: (updates: readonly string[]) => emitted.push(...updates),
    }
    const executor = { scheduler: endlessScheduler(), threads: given }
    expect(liveWork(live, [snapshot()])).toMatchObject({ candles: 450, isAnew: true })
    expect(await catchUp(executor, asked)).toBeUndefined()
    expect(live.advance([snapshot()]).closed).toEqual([])
    series.merge(candles(450, 600), 600 * 60)
    expect(await catchUp(executor, asked)).toBeUndefined()
    emitted.push(...live.advance([snapshot()]).closed)
    expect(emitted.map(text => JSON.parse(text).timestamp / 60)).toEqual(
      Array.from({ length: 150 }, (_, i) => 450 + i),
    )
    const newest = answer(batch, { ...costly, results: 1, backtrack: 0 }, [snapshot()]) as string
    expect(JSON.parse(emitted.at(-1) as string).sampleentropy).toBe(JSON.parse(newest).value[0])
  })

  it('ends with the refusal of a full queue, and when nobody needs it', async () => {
    const live = new LiveCalculation(calculator, costly)
    const scheduler = endlessScheduler()
    const inputs = (): Inputs => [series.snapshot()]
    const asked = { live, inputs, visit: () => {}, caller, name: 'topics' }
    const full = { build: async () => busy(1) }
    expect(await catchUp({ scheduler, threads: full }, asked)).toEqual(busy(1))
    expect(await catchUp({ scheduler, threads: full }, { ...asked, inputs: () => undefined })).toBeUndefined()
    const gone = { accountId: 'me', signal: AbortSignal.abort(new Error('gone')) }
    await expect(catchUp({ scheduler }, { ...asked, caller: gone })).rejects.toThrow('gone')
  })
})
