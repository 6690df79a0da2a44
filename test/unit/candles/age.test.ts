import { expect, it } from 'vitest'
import { ageOf, formatAge, oldCandlesNote } from '../../../src/candles/age.js'

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
