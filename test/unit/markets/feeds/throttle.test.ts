import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Snapshot } from '../../../../src/candles/columns.js'
import { Series } from '../../../../src/candles/series.js'
import { Throttle } from '../../../../src/markets/feeds/feed.js'
import { candleAt } from '../../../support/scripted-source.js'

const noon = 1_750_248_000
let series: Series
let throttle: Throttle
let emitted: Snapshot[]
const volumes = () => emitted.splice(0).map(({ forming }) => forming?.volume)
const amend = (volume: number) => {
  series.amend({ ...candleAt(noon), volume })
  throttle.update()
}

beforeEach(() => {
  vi.useFakeTimers()
  series = new Series('1m', 100)
  series.merge([candleAt(noon - 60), candleAt(noon, 1)], noon)
  emitted = []
  throttle = new Throttle({
    formingPerSecond: 4,
    read: () => series.snapshot(),
    emit: snapshot => void emitted.push(snapshot),
  })
})

afterEach(() => {
  throttle.close()
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

it('emits the first change at once and the latest one of those that follow within the interval', () => {
  for (const volume of [10, 11, 12]) amend(volume)
  expect(volumes()).toEqual([10])
  vi.advanceTimersByTime(250)
  expect(volumes()).toEqual([12])
  vi.advanceTimersByTime(1000)
  expect(volumes()).toEqual([])
})

it('emits a closed candle at once', () => {
  amend(10)
  series.merge([candleAt(noon), candleAt(noon + 60, 1)], noon + 60)
  throttle.update()
  expect(emitted.map(({ closed }) => closed)).toEqual([1, 2])
  expect(throttle.emitted).toBe(emitted[1])
})

it('emits nothing where nothing has changed, or where a change was taken back', () => {
  throttle.update()
  amend(10)
  amend(11)
  amend(10)
  vi.advanceTimersByTime(1000)
  expect(volumes()).toEqual([10])
})

it('emits nothing after it was closed', () => {
  amend(10)
  amend(11)
  throttle.close()
  vi.advanceTimersByTime(1000)
  expect(volumes()).toEqual([10])
})
