import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Candle } from '../../../src/candles/candle.js'
import { rewind, type Snapshot, timestampAt } from '../../../src/candles/columns.js'
import { gapsIn } from '../../../src/candles/gaps.js'
import { Series } from '../../../src/candles/series.js'
import {
  candlesBetween,
  endOf,
  hasLength,
  isTimeframe,
  openOf,
  type Timeframe,
  timeframes,
} from '../../../src/candles/timeframe.js'

/** The candle that opens at minute `i`, as the exchange knows it in the end. */
const exchangeCandle = (i: number, version = 0): Candle => ({
  timestamp: i * 60,
  open: 100 + i,
  high: 103 + i + version,
  low: 98 + i,
  close: 101 + (i % 3) + version,
  volume: 10 + i,
})

const candlesOf = ({ columns, closed, forming }: Snapshot): Candle[] => [
  ...Array.from({ length: closed }, (_, i) => columns.read(i)),
  ...(forming ? [forming] : []),
]
const span = (from: number, to: number, version = 0) =>
  Array.from({ length: to - from }, (_, k) => exchangeCandle(from + k, version))

describe('a series', () => {
  it('keeps the last candle as forming until its time is over', () => {
    const series = new Series('1m', 1000)
    series.merge(span(0, 5), 4 * 60 + 30)
    expect(series.snapshot()).toMatchObject({ closed: 4, count: 5, forming: exchangeCandle(4) })
    series.merge([exchangeCandle(4, 1), exchangeCandle(5)], 5 * 60 + 1)
    expect(candlesOf(series.snapshot())).toEqual([...span(0, 4), exchangeCandle(4, 1), exchangeCandle(5)])
  })

  it('has no forming candle when the newest one is over', () => {
    const series = new Series('1m', 1000)
    series.merge(span(0, 5), 4 * 60 + 30)
    series.merge([exchangeCandle(4, 1)], 5 * 60 + 10)
    expect(series.snapshot()).toMatchObject({ closed: 5, count: 5, forming: undefined })
    expect(series.newest).toBe(4 * 60)
  })

  it('answers closed candles as changed once the exchange has shown a newer one', () => {
    const series = new Series('1m', 1000)
    expect(series.merge(span(0, 5), 5 * 60 + 1), 'the last one ended by the clock alone').toEqual(span(0, 4))
    expect(series.merge([exchangeCandle(4, 1)], 5 * 60 + 2)).toEqual([])
    expect(series.merge([exchangeCandle(4, 2), exchangeCandle(5)], 5 * 60 + 3)).toEqual([
      exchangeCandle(4, 2),
    ])
    expect(series.merge([exchangeCandle(5), exchangeCandle(6)], 6 * 60 + 3)).toEqual([exchangeCandle(5)])
    series.merge([exchangeCandle(6, 1)], 7 * 60)
    expect(series.merge([exchangeCandle(7)], 7 * 60 + 1), 'it is not shown again').toEqual([
      exchangeCandle(6, 1),
    ])
  })

  it.each([
    ['set forward and back', 3600],
    ['slightly ahead', 31],
  ])('has one candle for each time while the clock is %s', (_, ahead) => {
    const series = new Series('1m', 1000)
    series.merge(span(0, 5), 4 * 60 + 30)
    const before = series.snapshot()
    const seen = candlesOf(before)
    expect(series.merge([exchangeCandle(3), exchangeCandle(4, 1)], 4 * 60 + 30 + ahead)).toEqual([])
    expect(series.snapshot(), 'closed too early').toMatchObject({ closed: 5, forming: undefined })
    expect(series.merge([exchangeCandle(3), exchangeCandle(4, 2)], 4 * 60 + 32)).toEqual([])
    expect(series.snapshot()).toMatchObject({ closed: 4, forming: exchangeCandle(4, 2) })
    const last = [exchangeCandle(4, 3), exchangeCandle(5)]
    expect(series.merge(last, 5 * 60 + 1)).toEqual([exchangeCandle(4, 3)])
    expect(candlesOf(series.snapshot())).toEqual([...span(0, 4), ...last])
    expect(candlesOf(before)).toEqual(seen)
  })

  it('drops a candle of the future that a later answer contradicts, and opens the one before it again', () => {
    const series = new Series('1d', 1000)
    const day = 86_400
    const candle = (at: number, close: number) => ({ ...exchangeCandle(0), timestamp: at * day, close })
    series.merge([candle(0, 1), candle(1, 2), candle(2, 3)], day + 100)
    expect(series.snapshot()).toMatchObject({ closed: 2, forming: candle(2, 3) })
    series.merge([candle(0, 1), candle(1, 4)], day + 200)
    expect(candlesOf(series.snapshot())).toEqual([candle(0, 1), candle(1, 4)])
    expect(series.snapshot()).toMatchObject({ closed: 1, forming: candle(1, 4) })
    series.merge([candle(1, 5), candle(2, 6)], 2 * day + 1)
    expect(candlesOf(series.snapshot())).toEqual([candle(0, 1), candle(1, 5), candle(2, 6)])
  })

  it('keeps its newest candles where an answer is merely older', () => {
    const series = new Series('1m', 1000)
    series.merge(span(0, 6), 5 * 60 + 10)
    series.merge(span(2, 5), 5 * 60 + 11)
    expect(candlesOf(series.snapshot())).toEqual(span(0, 6))
  })

  it('has ascending times without duplicates, whatever the order of the candles that it is shown', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            shown: fc.array(fc.nat(80), { minLength: 1, maxLength: 20 }),
            now: fc.integer({ min: -4000, max: 9000 }),
            version: fc.nat(3),
          }),
          { maxLength: 20 },
        ),
        answers => {
          const series = new Series('1m', 20)
          for (const { shown, now, version } of answers) {
            series.merge(
              shown.map(at => exchangeCandle(at, version)),
              now,
            )
            const times = candlesOf(series.snapshot()).map(({ timestamp }) => timestamp)
            expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
          }
        },
      ),
    )
  })

  it('refuses to append a candle that is not the newest one', () => {
    const series = new Series('1m', 1000)
    series.append(exchangeCandle(5))
    expect(() => series.append(exchangeCandle(5))).toThrow('would not be the newest one')
    expect(() => series.amend(exchangeCandle(4))).toThrow('would not be the newest one')
  })

  it('never changes a snapshot that was taken, whatever happens afterwards', () => {
    const series = new Series('1m', 1000)
    series.merge(span(0, 900), 899 * 60 + 30)
    const before = series.snapshot()
    const seen = candlesOf(before)
    series.merge(span(890, 1500), 1499 * 60 + 30)
    series.merge(span(300, 400, 7), 1499 * 60 + 40)
    expect(candlesOf(before)).toEqual(seen)
    expect(series.snapshot()).not.toBe(before)
  })

  it('gives the same snapshot as long as nothing changes', () => {
    const series = new Series('1m', 1000)
    series.merge(span(0, 5), 4 * 60 + 30)
    expect(series.snapshot()).toBe(series.snapshot())
    const before = series.snapshot()
    series.amend(exchangeCandle(4, 3))
    expect(series.snapshot()).not.toBe(before)
  })

  it('takes over a correction of a closed candle and fills a gap', () => {
    const series = new Series('1m', 1000)
    series.merge([...span(0, 3), ...span(5, 10)], 9 * 60 + 30)
    series.merge(span(2, 10, 4), 9 * 60 + 40)
    expect(candlesOf(series.snapshot())).toEqual([...span(0, 2), ...span(2, 10, 4)])
  })

  it('has the candles of the exchange after any overlapping pages', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(20), fc.nat(30)), { minLength: 1, maxLength: 20 }), steps => {
        const series = new Series('1m', 1000)
        series.merge(span(0, 10), 9 * 60 + 30)
        let end = 10
        for (const [progress, overlap] of steps) {
          const from = Math.max(0, end - 1 - overlap)
          end += progress
          series.merge(span(from, end), (end - 1) * 60 + 30)
        }
        expect(candlesOf(series.snapshot())).toEqual(span(0, end))
      }),
    )
  })

  it('drops the oldest candles some way beyond its depth', () => {
    const series = new Series('1m', 100)
    for (let i = 0; i < 1000; i++) series.append(exchangeCandle(i))
    const { count } = series.snapshot()
    expect(count).toBeGreaterThanOrEqual(100)
    expect(count).toBeLessThanOrEqual(126)
    expect(candlesOf(series.snapshot())).toEqual(span(1000 - count, 1000))
  })
})

describe('a snapshot', () => {
  it('rewinds to what it was some candles ago', () => {
    const series = new Series('1m', 1000)
    series.merge(span(0, 50), 49 * 60 + 30)
    const now = series.snapshot()
    expect(rewind([now], 0)[0]).toBe(now)
    for (const back of [1, 2, 49, 50, 51, 1000]) {
      const then = rewind([now], back)
      expect(candlesOf(then[0])).toEqual(span(0, Math.max(0, 50 - back)))
      if (then[0].count > 0) expect(timestampAt(then[0], then[0].count - 1)).toBe((49 - back) * 60)
    }
    expect(timestampAt(now, 49)).toBe(49 * 60)
  })
})

describe('timeframes', () => {
  it('begin at multiples of their length, weeks on Mondays', () => {
    for (const timeframe of Object.keys(timeframes)) {
      if (!isTimeframe(timeframe)) throw new Error(timeframe)
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 4e9 }), seconds => {
          const open = openOf(timeframe, seconds)
          expect(open).toBeLessThanOrEqual(seconds)
          expect(seconds - open).toBeLessThan(timeframes[timeframe])
          expect(openOf(timeframe, open)).toBe(open)
          if (timeframe === '1w') expect(new Date(open * 1000).getUTCDay()).toBe(1)
          expect(new Date(open * 1000).getUTCSeconds()).toBe(0)
        }),
      )
    }
    expect(isTimeframe('toString')).toBe(false)
  })

  it('of months follow the calendar', () => {
    const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1000
    expect(openOf('1M', day('2024-02-29') + 86_399)).toBe(day('2024-02-01'))
    expect(endOf('1M', day('2024-02-01'))).toBe(day('2024-03-01'))
    expect(endOf('1M', day('2023-12-01'))).toBe(day('2024-01-01'))
    expect(candlesBetween('1M', day('2023-11-01'), day('2025-02-01'))).toBe(15)
    expect(candlesBetween('1M', day('2024-01-01'), day('2024-02-15'))).toBeCloseTo(1 + 14 / 29, 9)
    expect(candlesBetween('1M', Number.NEGATIVE_INFINITY, 0)).toBe(Number.POSITIVE_INFINITY)
    const year = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12']
    const opens = year.map(month => day(`2023-${month}-01`))
    for (const [at, open] of opens.slice(1).entries()) {
      expect(hasLength('1M', open - (opens[at] as number))).toBe(true)
      expect(endOf('1M', opens[at] as number)).toBe(open)
    }
    expect(gapsIn([opens[0] as number, opens[1] as number, opens[3] as number], 3, '1M')).toEqual([
      { from: opens[2], to: opens[3] },
    ])
  })

  it('have candles that end where the next one opens', () => {
    for (const timeframe of Object.keys(timeframes) as Timeframe[]) {
      const open = openOf(timeframe, 1_700_000_000)
      const end = endOf(timeframe, open)
      expect(openOf(timeframe, end), timeframe).toBe(end)
      expect(openOf(timeframe, end - 1), timeframe).toBe(open)
      expect(candlesBetween(timeframe, open, end), timeframe).toBe(1)
    }
  })
})
