import { expect, it } from 'vitest'
import { ageOf, formatAge, oldCandlesNote } from '../../../src/candles/age.js'
import { Series } from '../../../src/candles/series.js'
import { oldMarketNote } from '../../../src/cli/arguments.js'
import type { Source } from '../../../src/markets/exchanges/source.js'
import { createEntry, readingOf } from '../../../src/markets/history/cache-entry.js'
import { flatCandle } from '../../support/flat-candle.js'

const hour = 3600

it('candles are as old as the end of the newest one', () => {
  expect(ageOf('1h', 0, 1800), 'it is forming').toBe(0)
  expect(ageOf('1h', 0, hour + 90)).toBe(90)
})

it.each([
  [1, '1 second'],
  [119, '1 minute'],
  [2 * hour, '2 hours'],
  [365 * 24 * hour, '365 days'],
])('%i seconds are %s', (seconds, text) => {
  expect(formatAge(seconds)).toBe(text)
})

it('candles are old when their newest one ended more than a timeframe ago', () => {
  expect(oldCandlesNote('1h', 0, 2 * hour), 'the next one may not have been traded').toBeUndefined()
  expect(oldCandlesNote('1h', 0, 2 * hour + 1)).toBe('the last candle ended 1 hour ago')
  expect(oldCandlesNote('1d', 0, 366 * 24 * hour)).toBe('the last candle ended 365 days ago')
})

it.each([
  ['settled every eight hours', 8],
  ['settled every hour', 1],
  ['settled once a day', 24],
])('rates that are %s are old after twice that time', (_when, hours) => {
  const series = new Series('1h', 100)
  const newest = 50 * 24 * hour
  const times = Array.from({ length: 12 }, (_, k) => newest - (11 - k) * hours * hour)
  // One that is missing makes no difference.
  times.splice(3, 1)
  series.merge(
    times.map(time => flatCandle(time / 60, 0.0001)),
    newest + 2 * hour,
  )
  const market = { exchange: 'binanceusdm', symbol: 'BTCUSDT.FUNDING', timeframe: '1h' } as const
  const source = {} as Source
  const entry = createEntry({ key: 'k', market, source, series, archived: undefined, lastFetchAt: 0 })
  expect(readingOf(entry, newest + 2 * hours * hour).stale).toBe(false)
  expect(readingOf(entry, newest + 2 * hours * hour + 1)).toMatchObject({
    stale: true,
    age: (2 * hours - 1) * hour + 1,
  })
})

it('commands call rates old after two times of eight hours, and candles after two timeframes', () => {
  const noteOf = (symbol: string, hours: number) =>
    oldMarketNote(
      { exchange: 'binanceusdm', symbol, timeframe: '1h' },
      Math.floor(Date.now() / 1000) - hours * hour,
    )
  expect(noteOf('BTCUSDT.FUNDING', 15)).toBeUndefined()
  expect(noteOf('BTCUSDT.FUNDING', 17)).toBe('the last candle ended 16 hours ago')
  expect(noteOf('BTCUSDT', 15)).toBe('the last candle ended 14 hours ago')
})
