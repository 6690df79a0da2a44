import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Candle } from '../../../src/candles/candle.js'
import { CandleRows, SortedRows } from '../../../src/candles/files/disk-rows.js'
import { LineProblems, mergeCsv } from '../../../src/candles/files/merge.js'
import { gapsIn } from '../../../src/candles/gaps.js'
import { endOf, openOf, type Timeframe, timeframes } from '../../../src/candles/timeframe.js'

const candleAt = (timestamp: number, close = 10): Candle => ({
  timestamp,
  open: 10,
  high: 20,
  low: 5,
  close,
  volume: 1,
})
interface Row {
  readonly line: number
  readonly candle: Candle
}
const rowsAt = (...times: number[]): Row[] =>
  times.map((time, at) => ({ line: at + 2, candle: candleAt(time) }))
const file = (rows: readonly Row[], name = 'a.csv') => ({ name, rows, problems: [] })
/** Files as `candela import` puts them together, with all candles and problems. */
function merge(
  files: readonly (Omit<ReturnType<typeof file>, 'problems'> & {
    readonly problems: readonly { readonly line: number; readonly text: string }[]
  })[],
  options: Parameters<typeof mergeCsv>[2],
  rowsInMemory?: number,
) {
  const rows = new SortedRows(rowsInMemory)
  const problems = new LineProblems(20)
  for (const each of files) {
    const at = problems.addFile(each.name)
    for (const { line, candle } of each.rows) rows.add(at, line, candle)
    for (const { line, text } of each.problems) problems.add(at, line, text)
  }
  const { candles, ...merged } = mergeCsv(rows, problems, options)
  rows.close()
  return { ...merged, candles: candles.read(0, candles.count), problems: problems.first }
}
const start = 1_704_067_200
const hour = 3600
const now = start + 1000 * hour

describe('the timeframe', () => {
  it.each(Object.keys(timeframes) as Timeframe[])('%s is found by the spacing', timeframe => {
    const first = openOf(timeframe, start)
    const opens = [first]
    for (let k = 0; k < 5; k++) opens.push(endOf(timeframe, opens.at(-1) as number))
    const rows = rowsAt(...[0, 1, 2, 5].map(k => opens[k] as number))
    expect(merge([file(rows)], { now: now * 2 })).toMatchObject({
      timeframe,
      problems: [],
      rejection: undefined,
    })
  })

  it('that does not exist is an error', () => {
    const rows = rowsAt(start, start + 2700, start + 5400)
    expect(merge([file(rows)], { now })).toMatchObject({
      timeframe: undefined,
      candles: [],
      rejection:
        'the candles are 45m apart, which is none of 1m, 3m, 5m, 15m, 30m, 1h, 2h, 4h, 6h, 8h, 12h, 1d, 3d, 1w, 1M',
    })
  })

  it('of one candle must be given', () => {
    expect(merge([file(rowsAt(start))], { now }).rejection).toBe(
      'one candle does not show its timeframe, it must be given',
    )
    expect(merge([file(rowsAt(start))], { now, timeframe: '1h' })).toMatchObject({
      candles: [candleAt(start)],
      rejection: undefined,
    })
  })

  it('that is given must agree with the spacing', () => {
    const hours = rowsAt(...Array.from({ length: 12 }, (_, k) => start + k * hour))
    expect(merge([file(hours)], { now, timeframe: '1d' })).toMatchObject({
      candles: [],
      problems: [],
      rejection: 'the candles are 1h apart, which is not 1d',
    })
    expect(merge([file(hours)], { now, timeframe: '5m' }).rejection).toBe(
      'the candles are at least 1h apart, which is not 5m',
    )
    expect(
      merge([file(hours.slice(0, 5))], { now, timeframe: '5m' }).rejection,
      'too few candles for a contradiction',
    ).toBe(undefined)
  })
})

describe('candles that do not fit', () => {
  it('of half of all times are refused: their times of day are missing', () => {
    const rows = [0, 0, 24, 24].map((hours, at) => ({
      line: at + 2,
      candle: candleAt(start + hours * hour, 10 + at),
    }))
    const { rejection, candles } = merge([file(rows)], { now })
    expect(rejection).toBe(
      '2 lines have another candle for the time of another line, as where times of day are not read',
    )
    expect(candles).toEqual([])
    expect(merge([file(rows.slice(0, 3))], { now, timeframe: '1d' }).candles).toHaveLength(2)
  })

  it('are listed by file and line, in the order of the files', () => {
    const a = file(rowsAt(start, start + hour, start + 2 * hour, start + 3 * hour + 60), 'a.csv')
    const b = {
      ...file(
        [
          { line: 3, candle: candleAt(start + hour, 11) },
          { line: 4, candle: candleAt(now + hour) },
          { line: 5, candle: candleAt(start + 4 * hour) },
          { line: 6, candle: candleAt(start + 4 * hour, 12) },
        ],
        'b.csv',
      ),
      problems: [{ line: 2, text: 'high is below low' }],
    }
    const { problems, candles } = merge([a, b], { now, timeframe: '1h' })
    expect(problems).toEqual([
      { file: 'a.csv', line: 5, text: '2024-01-01 03:01:00 is not the open of a 1h candle' },
      { file: 'b.csv', line: 2, text: 'high is below low' },
      { file: 'b.csv', line: 3, text: 'another candle for 2024-01-01 01:00:00 than in a.csv line 3' },
      { file: 'b.csv', line: 4, text: '2024-02-11 17:00:00 is in the future' },
      { file: 'b.csv', line: 6, text: 'another candle for 2024-01-01 04:00:00 than in line 5' },
    ])
    expect(candles.map(({ timestamp }) => (timestamp - start) / hour)).toEqual([0, 1, 2, 4])
  })

  it('of a week come with the day on which weeks open', () => {
    const thursday = start + 3 * 86_400
    expect(merge([file(rowsAt(thursday))], { now, timeframe: '1w' }).problems[0]?.text).toBe(
      '2024-01-04 00:00:00 is not the open of a 1w candle, which opens on Monday 00:00:00 UTC',
    )
  })

  it('are not those of a trading session, except for days and weeks', () => {
    const session = start + 13.5 * hour
    const rows = rowsAt(session, session + hour, session + 2 * hour, session + 3 * hour + 1)
    const { timeframe, candles, problems } = merge([file(rows)], { now, hasSessions: true })
    expect(timeframe).toBe('1h')
    expect(candles.map(({ timestamp }) => (timestamp - session) / hour)).toEqual([0, 1, 2])
    expect(problems.map(({ text }) => text)).toEqual(['2024-01-01 16:30:01 is not the open of a 1h candle'])
    const days = rowsAt(session, session + 24 * hour)
    expect(merge([file(days)], { now, hasSessions: true }).problems).toHaveLength(2)
  })

  it('are not those that have not ended: these are left out', () => {
    const rows = rowsAt(now - 2 * hour, now - hour, now)
    expect(merge([file(rows)], { now: now + 60 })).toMatchObject({ forming: 1, problems: [] })
    expect(merge([file(rows)], { now: now + 60 }).candles).toHaveLength(2)
  })
})

it('any order and any repetition give the same candles, however few of them are in memory', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 500 }), { minLength: 2, maxLength: 60 }),
      fc.array(fc.nat(), { maxLength: 20 }),
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom(1, 7, 1000),
      (hours, again, files, rowsInMemory) => {
        const times = [...new Set([0, 1, ...hours])].map(each => start + each * hour)
        const given = [...times, ...again.map(each => times[each % times.length] as number)]
        const parts = Array.from({ length: files }, (_, part) =>
          file(rowsAt(...given.filter((_, at) => at % files === part)), `${part}.csv`),
        )
        const { candles, problems, repeated } = merge(parts, { now, timeframe: '1h' }, rowsInMemory)
        expect(problems).toEqual([])
        expect(repeated).toBe(again.length)
        expect(candles).toEqual(times.toSorted((a, b) => a - b).map(time => candleAt(time)))
      },
    ),
  )
})

it('candles are the same whether they are in memory or in a file', () => {
  const minutes = [...Array(50).keys()].filter(minute => minute % 10 !== 3)
  const list = minutes.map(minute => candleAt(start + minute * 60, minute))
  for (const rowsInMemory of [1, 4, 44, 1000]) {
    const rows = new CandleRows(rowsInMemory)
    for (const { timestamp, open, high, low, close, volume } of list)
      rows.add(Float64Array.of(0, timestamp, open, high, low, close, volume), 1)
    expect(rows.read(0, rows.count)).toEqual(list)
    expect(rows.read(7, 31)).toEqual(list.slice(7, 31))
    expect([...rows.gaps('1m')]).toEqual(
      [3, 13, 23, 33, 43].map(minute => ({ from: start + minute * 60, to: start + minute * 60 + 60 })),
    )
    expect([rows.indexAfter(start - 1), rows.indexAfter(start + 180), rows.indexAfter(now)]).toEqual([
      0, 3, 45,
    ])
    expect([rows.dropOldest(50), rows.dropOldest(40), rows.count]).toEqual([0, 5, 40])
    expect(rows.read(0, 40)).toEqual(list.slice(5))
    expect(rows.timeOf(0)).toBe(list[5]?.timestamp)
    rows.close()
  }
})

it('gaps are the runs of missing candles', () => {
  expect(gapsIn([0, 60, 120, 300, 360, 480], 6, '1m')).toEqual([
    { from: 180, to: 300 },
    { from: 420, to: 480 },
  ])
  expect(gapsIn([0, 60, 240], 2, '1m'), 'of the first two').toEqual([])
  expect(gapsIn([], 0, '1m')).toEqual([])
})
