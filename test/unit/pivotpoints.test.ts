import { describe, expect, it } from 'vitest'
import { type PlainColumns, run } from '../support/kernel.js'

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
function pivots(timestamp: readonly number[]): (number | null)[] {
  const p = run('pivotpoints', candlesAt(timestamp))[3] as Float64Array
  return [...p].map(value => (Number.isNaN(value) ? null : value))
}

/** The middle level made of the candles `first` to `last`. */
const pivotOf = (first: number, last: number) => (100 + last + 1 + (100 + first - 2) + (100 + last)) / 3

describe('pivot points', () => {
  it('are made of the UTC day before for intraday candles', () => {
    const p = pivots(every(hour, 72))
    expect(p.slice(0, 24), 'the first day has none before it').toEqual(Array(24).fill(null))
    expect(p.slice(24, 48)).toEqual(Array(24).fill(pivotOf(0, 23)))
    expect(p.slice(48), 'the levels hold for the whole day').toEqual(Array(24).fill(pivotOf(24, 47)))
  })

  it('pass over a day that was not seen from its beginning', () => {
    const p = pivots(every(hour, 60, monday + 12 * hour))
    expect(p.slice(0, 36)).toEqual(Array(36).fill(null))
    expect(p[36]).toBe(pivotOf(12, 35))
  })

  it('take the last day with candles after days without', () => {
    const friday = every(hour, 24, monday + 4 * day)
    const nextMonday = every(hour, 24, monday + 7 * day)
    expect(pivots([...friday, ...nextMonday])[30]).toBe(pivotOf(0, 23))
  })

  it('are made of the week before, from Monday, for daily candles', () => {
    const p = pivots(every(day, 21))
    expect(p.slice(0, 7)).toEqual(Array(7).fill(null))
    expect(p.slice(7, 14)).toEqual(Array(7).fill(pivotOf(0, 6)))
    expect(p[14]).toBe(pivotOf(7, 13))
  })

  it('take a day of 23 hours for a day', () => {
    const times = every(day, 21).map((time, i) => (i < 10 ? time : time - hour))
    expect(pivots(times)[13]).toBe(pivotOf(0, 6))
  })

  it('are made of the four weeks before for weekly candles', () => {
    const p = pivots(every(7 * day, 8))
    expect(p.slice(0, 4)).toEqual(Array(4).fill(null))
    expect(p.slice(4)).toEqual([pivotOf(0, 3), pivotOf(1, 4), pivotOf(2, 5), pivotOf(3, 6)])
  })

  it('are missing where candles have no open times, only indices', () => {
    expect(pivots(every(1, 300, 0))).toEqual(Array(300).fill(null))
  })
})
