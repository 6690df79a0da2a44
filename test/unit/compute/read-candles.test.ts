import { tableFromArrays, tableToIPC } from '@uwdata/flechette'
import { describe, expect, it } from 'vitest'
import type { Columns } from '../../../src/candles/columns.js'
import { readCandlesTable } from '../../../src/compute/tables/read-candles.js'

const csv = (text: string, maxCandles = 100_000) =>
  readCandlesTable({ format: 'csv', maxCandles, closesSuffice: false, body: Buffer.from(text) })

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

describe('prices of 0 and below in a body of Arrow', () => {
  type Prices = readonly [open: number, high: number, low: number, close: number]
  const arrow = (...candles: readonly Prices[]) => {
    const column = (at: number) => Float64Array.from(candles, prices => prices[at] as number)
    const time = Float64Array.from(candles, (_, k) => 1_700_000_040 + 60 * k)
    const table = tableFromArrays({
      time,
      open: column(0),
      high: column(1),
      low: column(2),
      close: column(3),
    })
    const body = tableToIPC(table, { format: 'stream' }) as Uint8Array
    const steps = readCandlesTable({ format: 'arrow', maxCandles: 100, closesSuffice: false, body })
    for (;;) {
      const { value, done } = steps.next()
      if (done) return value
    }
  }

  it('are read', () => {
    const candles: readonly Prices[] = [
      [17.5, 18, -40.25, -37.5],
      [0, 2, 0, 1],
      [0, 0, -1, 0],
      [0, -1, -3, -2],
    ]
    const { open, high, low, close } = (arrow(...candles) as ReadonlyMap<string, Columns>).get('') as Columns
    expect(candles.map((_, k) => [open[k], high[k], low[k], close[k]])).toEqual(candles)
  })

  it.each<[string, Prices]>([
    ['four', [0, 0, 0, 0]],
    ['four, of either sign', [-0, 0, -0, 0]],
    ['all but a close', [0, 0, 0, 2]],
    ['an open below the low', [0, 3, 1, 2]],
    ['a close below the low', [2, 3, 1, 0]],
    ['a low, with an open above the high', [4, 3, 0, 2]],
  ])('are refused where they stand for missing ones: %s', (_, prices) => {
    expect(arrow([1, 3, 1, 2], prices)).toEqual({
      status: 400,
      error: 'candles[1] has a price of 0 that stands for a missing one: leave the row out',
    })
  })
})
