import { beforeEach, describe, expect, it } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import type { Snapshot } from '../../src/candles/columns.js'
import { Series } from '../../src/candles/series.js'
import { answer } from '../../src/compute/answer.js'
import { Calculator } from '../../src/compute/calculator.js'
import { type CandleUpdates, LiveCalculation } from '../../src/compute/live-calculation.js'
import { entryOf, valuesOf } from '../support/kernel.js'

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
function truth(asked: typeof rsi, snapshot: Snapshot): string {
  const text = answer(batch, { ...asked, results: 1, backtrack: 0 }, snapshot)
  if (typeof text !== 'string') throw new Error('there are too few candles')
  const { value, timestamp } = JSON.parse(text)
  return JSON.stringify({ [asked.indicator.name]: value[0], timestamp: timestamp[0] })
}

let series: Series
beforeEach(() => {
  series = new Series('1m', 100)
  series.merge(candles(0, 40), 40 * 60)
})

describe('a stream', () => {
  it('tells nothing at the first look, but knows what is current', () => {
    const stream = new LiveCalculation(calculator, rsi)
    expect(stream.advance(series.snapshot())).toEqual({ closed: [], forming: undefined })
    expect(stream.current).toBe(truth(rsi, series.snapshot()))
    expect(stream.closed).toBe(stream.current)
  })

  it('tells each closed candle once, in order, however many close at a time', () => {
    const stream = new LiveCalculation(calculator, rsi)
    stream.advance(series.snapshot())
    series.merge(candles(40, 41), 41 * 60)
    expect(timesOf(stream.advance(series.snapshot()))).toEqual([40])
    expect(timesOf(stream.advance(series.snapshot()))).toEqual([])
    series.merge(candles(41, 46), 45 * 60)
    const moves = stream.advance(series.snapshot())
    expect(timesOf(moves)).toEqual([41, 42, 43, 44])
    expect(moves.forming).toBe(truth(rsi, series.snapshot()))
  })

  it('runs again from the start after a correction and tells no closed candle twice', () => {
    const stream = new LiveCalculation(calculator, rsi)
    stream.advance(series.snapshot())
    const before = stream.current
    series.merge([candle(37, 3), candle(38), candle(39)], 40 * 60)
    expect(stream.advance(series.snapshot()).closed).toEqual([])
    expect(stream.current).not.toBe(before)
    expect(stream.current).toBe(truth(rsi, series.snapshot()))
  })

  it('tells a candle that closed together with a correction', () => {
    const stream = new LiveCalculation(calculator, rsi)
    stream.advance(series.snapshot())
    series.merge([candle(39, 2), candle(40), candle(41)], 41 * 60)
    const moves = stream.advance(series.snapshot())
    expect(timesOf(moves)).toEqual([40])
    expect(moves.forming).toBe(truth(rsi, series.snapshot()))
  })

  it('goes on as REST does when the oldest candles are dropped and when the columns grow', () => {
    const stream = new LiveCalculation(calculator, obv)
    stream.advance(series.snapshot())
    let columns = series.snapshot().columns
    let renewed = 0
    for (let i = 40; i < 400; i++) {
      series.merge([candle(i), candle(i + 1)], (i + 1) * 60)
      const snapshot = series.snapshot()
      if (snapshot.columns !== columns) renewed++
      columns = snapshot.columns
      const moves = stream.advance(snapshot)
      expect(timesOf(moves)).toEqual([i])
      expect(moves.forming).toBe(truth(obv, snapshot))
    }
    expect(renewed, 'times that old candles were dropped').toBeGreaterThan(5)
  })

  it('says nothing until the history is long enough, then begins', () => {
    series = new Series('1m', 100)
    series.merge(candles(0, 12), 12 * 60)
    const stream = new LiveCalculation(calculator, rsi)
    stream.advance(series.snapshot())
    expect([stream.current, stream.closed]).toEqual([undefined, undefined])
    const told: number[] = []
    for (let i = 12; i < 20; i++) {
      series.merge([candle(i)], (i + 1) * 60)
      told.push(...timesOf(stream.advance(series.snapshot())))
    }
    expect(told, 'the candles from the lookback of 14 on').toEqual([14, 15, 16, 17, 18, 19])
  })

  it('shares its calculator with other series and with whole histories', () => {
    const other = new Series('1m', 100)
    other.merge(candles(7, 60), 60 * 60)
    const streams = [series, other].map(own => ({ own, stream: new LiveCalculation(calculator, rsi) }))
    for (const { own, stream } of streams) stream.advance(own.snapshot())
    for (let i = 60; i < 70; i++) {
      for (const { own, stream } of streams) {
        own.merge(candles(i - 21, i + 1), i * 60)
        expect(stream.advance(own.snapshot()).forming).toBe(truth(rsi, own.snapshot()))
        calculator.calculate(rsi, own.snapshot())
        own.amend(candle(i, 1))
        expect(stream.preview(own.snapshot())).toBe(truth(rsi, own.snapshot()))
        expect(stream.advance(own.snapshot()).forming).toBe(truth(rsi, own.snapshot()))
      }
    }
  })

  it('recovers by running again when a look was cut short', () => {
    const stream = new LiveCalculation(calculator, rsi)
    stream.advance(series.snapshot())
    series.merge(candles(40, 42), 41 * 60)
    const { save } = calculator
    calculator.save = () => {
      throw new Error('cut short')
    }
    expect(() => stream.advance(series.snapshot())).toThrow('cut short')
    calculator.save = save
    const moves = stream.advance(series.snapshot())
    expect(timesOf(moves)).toEqual([40])
    expect(moves.forming).toBe(truth(rsi, series.snapshot()))
  })
})
