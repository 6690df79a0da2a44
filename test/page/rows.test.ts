import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isGap, mergeRows, missedCandles, putRow, type Row } from '../../page/model/rows.js'

interface Numbered extends Row {
  readonly from: string
}
const rows = (from: string, ...timestamps: number[]): Numbered[] =>
  timestamps.map(timestamp => ({ timestamp, from }))
const shown = (list: readonly Numbered[]) =>
  list.map(({ timestamp, from }) => `${timestamp}${from}`).join(' ')

describe('merging rows', () => {
  it('takes the newer version of a candle, and keeps those before and after', () => {
    expect(shown(mergeRows(rows('a', 1, 2, 3), rows('b', 3, 4)))).toBe('1a 2a 3b 4b')
    expect(shown(mergeRows(rows('a', 5, 6), rows('b', 3, 4)))).toBe('3b 4b 5a 6a')
    expect(shown(mergeRows(rows('a', 1, 4), rows('b', 2, 3)))).toBe('1a 2b 3b 4a')
    expect(shown(mergeRows(rows('a', 1, 3, 5), rows('b', 2, 4)))).toBe('1a 2b 3a 4b 5a')
    expect(shown(mergeRows([], rows('b', 1)))).toBe('1b')
    expect(shown(mergeRows(rows('a', 1), []))).toBe('1a')
  })

  it('has every candle once and in order, whatever came before', () => {
    const list = (from: string) =>
      fc.uniqueArray(fc.nat(50)).map(timestamps => rows(from, ...timestamps.sort((a, b) => a - b)))
    fc.assert(
      fc.property(list('a'), list('b'), (known, more) => {
        const merged = mergeRows(known, more)
        const expected = [...new Set([...known, ...more].map(({ timestamp }) => timestamp))].sort(
          (a, b) => a - b,
        )
        expect(merged.map(({ timestamp }) => timestamp)).toEqual(expected)
        for (const row of more) expect(merged).toContain(row)
      }),
    )
  })
})

describe('a single row', () => {
  it('is appended, replaces the newest one, or is put between others', () => {
    const list = rows('a', 1, 2)
    expect(putRow(list, { timestamp: 3, from: 'b' })).toBe('appended')
    expect(putRow(list, { timestamp: 3, from: 'c' })).toBe('replaced')
    expect(putRow(list, { timestamp: 0, from: 'd' })).toBe('inserted')
    expect(shown(list)).toBe('0d 1a 2a 3c')
    const empty: Numbered[] = []
    expect(putRow(empty, { timestamp: 1, from: 'a' })).toBe('appended')
  })
})

describe('what was missed', () => {
  it('reaches from the last known candle, which was still forming, to the newest one', () => {
    expect(missedCandles(600, 600, 60)).toBe(2)
    expect(missedCandles(600, 780, 60)).toBe(5)
  })

  it('is a gap only where a candle may be between', () => {
    expect(isGap(600, 600, 60)).toBe(false)
    expect(isGap(600, 660, 60)).toBe(false)
    expect(isGap(600, 720, 60)).toBe(true)
  })
})
