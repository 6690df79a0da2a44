import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { candleAt, type Snapshot } from '../../../src/candles/columns.js'
import { catalogue } from '../../../src/catalogue/index.js'
import { answer, withinRange } from '../../../src/compute/answer.js'
import { readQuery, readWindow } from '../../../src/contract/query.js'
import { isRefusal, type Refusal } from '../../../src/contract/refusals.js'
import { secondsOf } from '../../../src/contract/time-range.js'
import { createDemoSource } from '../../../src/markets/exchanges/demo/demo-source.js'
import { calculator, entryOf, plainColumns, snapshotOf } from '../../support/kernel.js'

const hour = 3600
const newest = 1_763_683_200
const candles = createDemoSource(() => newest + 60).candles('BTCUSDT', '1h', 300)
const closed = snapshotOf(plainColumns(name => candles.map(candle => candle[name])))
/** The newest candle forms. */
const snapshot: Snapshot = { ...closed, closed: 299, forming: candleAt(closed, 299) }
const first = newest - 299 * hour

type Given = Readonly<Record<string, string>>

function ask(name: string, given: Given, over = snapshot): Record<string, unknown[]> | Refusal {
  const query = readQuery(entryOf(name), new Map(Object.entries(given)), 'text')
  if (isRefusal(query)) return query
  const text = answer(calculator, query, [over])
  return isRefusal(text) ? text : JSON.parse(text)
}

describe('a range of time', () => {
  it('has the values of the whole history, cut', () => {
    // One indicator has parameters that are called `from` and `to`.
    const names = [...catalogue.keys()].filter(name => name !== 'ote')
    const time = fc.integer({ min: first - 20 * hour, max: newest + 20 * hour })
    fc.assert(
      fc.property(fc.constantFrom(...names), time, time, (name, one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)]
        const all = ask(name, { results: '10000' })
        if (isRefusal(all)) {
          expect(ask(name, { from: String(from), to: String(to) })).toHaveProperty('error')
          return
        }
        const times = all.timestamp as number[]
        const isIn = (_: unknown, at: number) => (times[at] as number) >= from && (times[at] as number) <= to
        const found = ask(name, { from: String(from), to: String(to) })
        if (isRefusal(found)) {
          expect(times.filter(isIn)).toEqual([])
          return
        }
        for (const [field, values] of Object.entries(all))
          expect(found[field], field).toEqual(values.filter(isIn))
      }),
    )
  })

  it('does not change when later candles arrive', () => {
    const range = { from: String(first + 100 * hour), to: String(first + 150 * hour) }
    const earlier: Snapshot = { ...closed, closed: 200, forming: undefined, count: 200 }
    expect(ask('rsi', range)).toEqual(ask('rsi', range, earlier))
  })

  it('is given in seconds or as a date, and either end may be left out', () => {
    const range = (given: Given) => {
      const window = readWindow(new Map(Object.entries(given)), 'text')
      return isRefusal(window) ? window.error : window.range
    }
    const day = 1_738_281_600
    const newYear = Number.POSITIVE_INFINITY
    expect(range({ from: '2025-01-31' })).toEqual({ from: day, to: newYear })
    expect(range({ from: String(day), to: '2025-01-31T12:00Z' })).toEqual({ from: day, to: day + 12 * hour })
    expect(range({ to: '2025-01-31T12:00:00+02:00' })).toEqual({
      from: Number.NEGATIVE_INFINITY,
      to: day + 10 * hour,
    })
    expect(secondsOf('2025-01-31 00:00:01.500')).toBe(day + 1.5)
    expect(range({ from: '', to: '' })).toBeUndefined()
    const expected = 'Expected Unix seconds or a time such as 2025-01-31T12:00:00Z'
    for (const wrong of ['2025-02-30', 'yesterday', '-1', '1763683200000', '2025-01-31T25:00Z'])
      expect(range({ from: wrong })).toBe(`Invalid from: ${wrong}. ${expected}`)
    expect(range({ from: '2025-02-01', to: '2025-01-31' })).toBe('from is after to')
    expect(range({ to: '2025-01-31', results: '3' })).toBe(
      'to and results exclude each other. Give a time with from and to, or a number of values with results and backtrack',
    )
  })

  it('without a candle is refused, and one before a history that is full', () => {
    expect(ask('rsi', { from: String(newest + 1) })).toMatchObject({
      error:
        'No candles from 2025-11-21 00:00:01 to now: the first one opens at 2025-11-08 13:00:00, the last one at 2025-11-21 00:00:00',
    })
    const full = { ...snapshot, isFull: true }
    expect(ask('rsi', { from: String(first - hour) }, full)).toMatchObject({
      error:
        'The history begins at 2025-11-08 13:00:00, after from. It has the 300 newest candles: HISTORY_DEPTH is their number',
    })
    expect(ask('rsi', { from: String(first) }, full)).not.toHaveProperty('error')
    expect(ask('rsi', { to: String(newest) }, full)).not.toHaveProperty('error')
  })

  it('is a window like any other', () => {
    const query = {
      results: Number.POSITIVE_INFINITY,
      backtrack: 0,
      range: { from: first + hour, to: newest - hour },
    }
    expect(withinRange(query, snapshot)).toMatchObject({ results: 298, backtrack: 1 })
    expect(withinRange({ ...query, range: { from: newest, to: newest } }, snapshot)).toMatchObject({
      results: 1,
      backtrack: 0,
    })
  })
})
