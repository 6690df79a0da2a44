import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextOpen, sessionAt } from '../../../../src/markets/exchanges/stocks/trading-hours.js'

const seconds = (text: string) => Date.parse(`${text}Z`) / 1000
const shown = (time: number) => new Date(time * 1000).toISOString().slice(0, 16)
const times = fc.integer({ min: seconds('1928-01-01'), max: seconds('2060-01-01') })

describe('a session', () => {
  it.each([
    ['2025-06-18T15:00', '2025-06-18T00:00', '2025-06-18T13:30', '2025-06-18T20:00', false],
    ['2025-06-19T03:59', '2025-06-18T00:00', '2025-06-18T13:30', '2025-06-18T20:00', false],
    ['2025-06-19T04:00', '2025-06-19T00:00', '2025-06-19T13:30', '2025-06-19T20:00', false],
    ['2025-12-01T04:59', '2025-11-30T00:00', '2025-11-30T14:30', '2025-11-30T21:00', true],
    ['2025-12-01T05:00', '2025-12-01T00:00', '2025-12-01T14:30', '2025-12-01T21:00', false],
    ['2025-03-07T12:00', '2025-03-07T00:00', '2025-03-07T14:30', '2025-03-07T21:00', false],
    ['2025-03-10T12:00', '2025-03-10T00:00', '2025-03-10T13:30', '2025-03-10T20:00', false],
    ['2025-10-31T12:00', '2025-10-31T00:00', '2025-10-31T13:30', '2025-10-31T20:00', false],
    ['2025-11-03T12:00', '2025-11-03T00:00', '2025-11-03T14:30', '2025-11-03T21:00', false],
    ['1962-01-02T15:00', '1962-01-02T00:00', '1962-01-02T14:30', '1962-01-02T21:00', false],
  ])('at %s UTC is that of %s', (time, date, open, close, isWeekend) => {
    const session = sessionAt(seconds(time))
    expect([shown(session.date), shown(session.open), shown(session.close), session.isWeekend]).toEqual([
      date,
      open,
      close,
      isWeekend,
    ])
  })

  it('is the session at every time between its open and its close', () => {
    fc.assert(
      fc.property(times, fc.integer({ min: 0, max: 6.5 * 3600 - 1 }), (time, since) => {
        const session = sessionAt(time)
        expect(session.close - session.open).toBe(6.5 * 3600)
        expect(sessionAt(session.open + since)).toEqual(session)
      }),
    )
  })
})

describe('the next opening', () => {
  it.each([
    ['2025-06-18T13:29', '2025-06-18T13:30'],
    ['2025-06-18T13:30', '2025-06-19T13:30'],
    ['2025-06-20T21:00', '2025-06-23T13:30'],
    ['2025-03-08T02:00', '2025-03-10T13:30'],
    ['2025-11-01T02:00', '2025-11-03T14:30'],
  ])('after %s UTC is at %s', (time, open) => {
    expect(shown(nextOpen(seconds(time)))).toBe(open)
  })

  it('is on a weekday, at most a weekend away', () => {
    fc.assert(
      fc.property(times, time => {
        const open = nextOpen(time)
        expect(open).toBeGreaterThan(time)
        expect(open - time, 'no more than a weekend away').toBeLessThanOrEqual(3 * 86_400 + 3600)
        expect(sessionAt(open)).toMatchObject({ open, isWeekend: false })
      }),
    )
  })
})
