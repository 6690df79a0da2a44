import { describe, expect, it } from 'vitest'
import { readCandlesTable } from '../../../src/compute/tables/read-candles.js'

const csv = (text: string, maxCandles = 100_000) =>
  readCandlesTable({ kind: 'candles', format: 'csv', maxCandles, body: Buffer.from(text) })

/** The result of a table, and its steps. */
function read(text: string, maxCandles?: number) {
  const steps = csv(text, maxCandles)
  for (let count = 1; ; count++) {
    const { value, done } = steps.next()
    if (done) return { value, count }
  }
}

const header = 'time,open,high,low,close\n'
const rows = (count: number) =>
  Array.from({ length: count }, (_, k) => `${1_700_000_000 + 60 * k},1,3,1,2\n`).join('')

describe('a table of candles', () => {
  it('is read in steps of a few kilobytes', () => {
    const text = header + rows(5000)
    const { value, count } = read(text)
    const candles = (value as ReadonlyMap<string, { readonly capacity: number }>).get('')
    expect(candles?.capacity).toBe(5000)
    expect(count).toBe(Math.ceil(text.length / 4096) + 1)
  })

  it('is not read further where its first line is no header of candles', () => {
    expect(read(`${',a'.repeat(100_000)}\n`)).toEqual({
      count: 1,
      value: { status: 400, error: expect.stringContaining('line 1: the line has more than 256 columns') },
    })
  })

  it('has the candles of at most four other markets', () => {
    const text = (markets: number) =>
      `time,open,high,low,close,with\n1700000040,1,3,1,2,\n${Array.from({ length: markets }, (_, k) => `1700000040,1,3,1,2,M${k}\n`).join('')}`
    expect([...(read(text(4)).value as ReadonlyMap<string, unknown>).keys()]).toHaveLength(5)
    const refused = read(text(20_000))
    expect(refused.value).toEqual({
      status: 400,
      error: 'A table may hold candles of at most 4 other markets in its column with',
    })
    expect(refused.count).toBeLessThan(3)
  })

  it('counts the candles beyond the maximum, which take no memory', () => {
    expect(read(header + rows(1200), 1000).value).toEqual({
      status: 400,
      error:
        'A table must hold at most 1000 candles, got 1200. Each 500 of them count as one request of the plan',
    })
  })
})
