import { describe, expect, it } from 'vitest'
import { type Given, type PlainColumns, run } from '../../support/kernel.js'

const quarter = 900
const hour = 3600
const day = 24 * hour
/** Monday, 1 January 2024, 00:00 UTC. */
const monday = 1_704_067_200

/** Candles at the given open times: candle i closes at 100 + i, one below its high and two above its low. */
function candlesAt(timestamp: readonly number[]): PlainColumns {
  const close = timestamp.map((_, i) => 100 + i)
  return {
    timestamp,
    open: close,
    high: close.map(price => price + 1),
    low: close.map(price => price - 2),
    close,
    volume: close.map(() => 1),
  }
}

const every = (seconds: number, count: number, from = monday) =>
  Array.from({ length: count }, (_, i) => from + i * seconds)

/** The middle level of each candle, null without one. */
function pivots(timestamp: readonly number[], params: Given = {}): (number | null)[] {
  const p = run('pivotpoints', candlesAt(timestamp), params)[3] as Float64Array
  return [...p].map(value => (Number.isNaN(value) ? null : value))
}

/** The middle level made of the candles `first` to `last`. */
const pivotOf = (first: number, last: number) => (100 + last + 1 + (100 + first - 2) + (100 + last)) / 3

describe('pivot points', () => {
  it('are made of the UTC day before for candles of up to 15 minutes', () => {
    const p = pivots(every(quarter, 288))
    expect(p.slice(0, 96), 'the first day has none before it').toEqual(Array(96).fill(null))
    expect(p.slice(96, 192)).toEqual(Array(96).fill(pivotOf(0, 95)))
    expect(p.slice(192), 'the levels hold for the whole day').toEqual(Array(96).fill(pivotOf(96, 191)))
  })

  it('pass over a day that was not seen from its beginning', () => {
    const p = pivots(every(hour, 60, monday + 12 * hour), { anchor: 'day' })
    expect(p.slice(0, 36)).toEqual(Array(36).fill(null))
    expect(p[36]).toBe(pivotOf(12, 35))
  })

  it('take the last day with candles after days without', () => {
    const friday = every(hour, 24, monday + 4 * day)
    const nextMonday = every(hour, 24, monday + 7 * day)
    expect(pivots([...friday, ...nextMonday], { anchor: 'day' })[30]).toBe(pivotOf(0, 23))
  })

  it.each([
    ['16 minutes', 960],
    ['an hour', hour],
    ['12 hours', 12 * hour],
  ])('are made of the week before, from Monday, for candles of %s', (_, step) => {
    const week = (7 * day) / step
    const p = pivots(every(step, 2 * week + 2))
    expect(p.slice(0, week)).toEqual(Array(week).fill(null))
    expect(p.slice(week, 2 * week)).toEqual(Array(week).fill(pivotOf(0, week - 1)))
    expect(p[2 * week]).toBe(pivotOf(week, 2 * week - 1))
  })

  it('are made of the month before for daily candles', () => {
    const p = pivots(every(day, 31 + 29 + 2))
    expect(p.slice(0, 31)).toEqual(Array(31).fill(null))
    expect(p.slice(31, 60), 'February of a leap year').toEqual(Array(29).fill(pivotOf(0, 30)))
    expect(p.slice(60)).toEqual(Array(2).fill(pivotOf(31, 59)))
  })

  it('take a day of 23 hours for a day', () => {
    const times = every(day, 40).map((time, i) => (i < 10 ? time : time - hour))
    expect(pivots(times)[33]).toBe(pivotOf(0, 31))
  })

  it('are made of the year before for weekly candles', () => {
    const p = pivots(every(7 * day, 110))
    expect(p.slice(0, 53), '53 Mondays in 2024').toEqual(Array(53).fill(null))
    expect(p.slice(53, 105), '52 in 2025').toEqual(Array(52).fill(pivotOf(0, 52)))
    expect(p[105]).toBe(pivotOf(53, 104))
  })

  it.each([
    ['day', 86_400],
    ['week', 7 * 86_400],
  ])('are made of the %s that was asked for, whatever the timeframe', (anchor, length) => {
    const p = pivots(every(2 * hour, 300), { anchor })
    const count = length / (2 * hour)
    expect(p[count - 1]).toBe(null)
    expect(p[count]).toBe(pivotOf(0, count - 1))
    expect(p[2 * count]).toBe(pivotOf(count, 2 * count - 1))
  })

  it.each([
    ['month', 'in a year that is no leap year', [2023, 1, 28]],
    ['month', 'in a century without a leap year', [2100, 1, 28]],
    ['month', 'in a century with one', [2000, 1, 29]],
    ['year', 'of 365 days', [1999, 0, 365]],
    ['year', 'of 366 days', [2000, 0, 366]],
    ['month', 'before 1970', [1969, 11, 31]],
  ] as const)('know a %s %s', (anchor, _, [year, month, days]) => {
    const p = pivots(every(day, days + 1, Date.UTC(year, month) / 1000), { anchor })
    expect(p[days - 1]).toBe(null)
    expect(p[days]).toBe(pivotOf(0, days - 1))
  })

  it('have one level on either side in the family of DeMark', () => {
    const levels = run('pivotpoints', candlesAt(every(quarter, 97)), { family: 'demark' })
    // Open 100, high 196, low 98 and close 195: the close above the open counts the high twice.
    const sum = 196 + 98 + 195 + 196
    expect(levels.map(level => level[96])).toEqual([NaN, NaN, sum / 2 - 98, sum / 4, sum / 2 - 196, NaN, NaN])
  })

  it('are missing where candles have no open times, only indices', () => {
    expect(pivots(every(1, 300, 0))).toEqual(Array(300).fill(null))
  })
})
