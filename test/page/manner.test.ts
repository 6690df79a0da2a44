import { describe, expect, it } from 'vitest'
import { heikinAshi } from '../../page/chart/manner.js'
import { formatPrice } from '../../page/chart/numbers.js'
import { formatTick } from '../../page/chart/times.js'
import { readAddress, writeAddress } from '../../page/view/address.js'
import { firstView } from '../../page/view/view.js'

it('Heikin-Ashi candles are those of the formula', () => {
  const candle = (timestamp: number, open: number, high: number, low: number, close: number) => ({
    ...{ timestamp, open, high, low, close, volume: 1 },
  })
  // Calculated by hand: close (10+14+8+12)/4 = 11, open (10+12)/2 = 11; then open (11+11)/2 = 11, close (12+13+6+7)/4 = 9.5.
  expect(heikinAshi([candle(0, 10, 14, 8, 12), candle(60, 12, 13, 6, 7)])).toEqual([
    candle(0, 11, 14, 8, 11),
    candle(60, 11, 13, 6, 9.5),
  ])
})

describe('the view', () => {
  it('has its scale and its style in the address where they are not the first ones', () => {
    const view = { ...firstView, scale: 'log', style: 'area' } as const
    expect(writeAddress(view)).toContain('&scale=log&style=area&indicator=')
    expect(readAddress(writeAddress(view))).toMatchObject({ scale: 'log', style: 'area' })
    expect(writeAddress(firstView)).not.toMatch(/scale|style/)
    expect(readAddress('?scale=linear&style=<b>')).not.toHaveProperty('scale')
    expect(readAddress('?scale=linear&style=<b>')).not.toHaveProperty('style')
  })
})

it('a price has separators, and the axis says another year', () => {
  expect(formatPrice(57_026.5, 2)).toBe('57,026.50')
  const now = new Date('2026-11-24T12:00Z')
  const tick = (time: string, kind: number) => formatTick(Date.parse(time) / 1000, kind, 'utc', now)
  expect([tick('2026-03-05', 2), tick('2025-03-05', 2)]).toEqual(['5 Mar', '5 Mar 2025'])
  expect([tick('2026-03-01', 1), tick('2025-03-01', 1)]).toEqual(['Mar', 'Mar 2025'])
})
