import { describe, expect, it } from 'vitest'
import { linesOf } from '../../../src/cli/chart.js'
import { drawLines } from '../../../src/cli/line-chart.js'
import { entryOf, valuesOf } from '../../support/kernel.js'

const line = (...values: readonly number[]) => ({ name: 'value', values })
const size = { width: 44, height: 9 }
const rowsOf = (text: string) => text.split('\n')
/** The places of the rows in which a text occurs. */
const rowsWith = (rows: readonly string[], text: string) =>
  rows.flatMap((row, at) => (row.includes(text) ? [at] : []))

describe('the chart of the terminal', () => {
  it('shows levels as dotted lines with their numbers, and makes room for them', () => {
    const rows = rowsOf(drawLines([line(40, 45, 50, 55, 60, 50)], size, false, [30, 70]))
    expect(rowsWith(rows, '┄')).toHaveLength(2)
    expect(rows[1]).toMatch(/^70┤┄+$/)
    expect(rows[9]).toMatch(/^30┤┄+$/)
  })

  it.each([
    [-100, -40, 100],
    [0, 20, 80],
    [-3, 0.5, 2.25],
    [1e6, 1.3e6, 4e6],
  ])('shows a level between %d and %d where a line of that value is', (low, level, high) => {
    const flat = rowsOf(drawLines([line(low, high), line(level, level)], size, false))
    const dotted = rowsOf(drawLines([line(low, high)], size, false, [level]))
    const [at, ...others] = rowsWith(dotted, '┄')
    expect(others).toEqual([])
    expect(flat[at as number]).toMatch(/━{20}/)
  })

  it.each([
    [61_234.5, 62_270, 15, [61_400, 61_600, 61_800, 62_000, 62_200]],
    [0.00012, 0.00047, 9, [0.0002, 0.0003, 0.0004]],
    [-3, 2.25, 9, [-2, 0, 2]],
    [12, 88, 7, [50]],
  ])('has numbers at even steps between %d and %d in %d rows', (low, high, height, numbers) => {
    const rows = rowsOf(drawLines([line(low, high)], { width: 44, height }, false))
    const shown = rows.flatMap(row => /^ *(-?[\d.]+)┤/.exec(row)?.[1] ?? [])
    expect(shown.map(Number)).toEqual(numbers.toReversed())
    expect(new Set(shown.map(text => text.split('.')[1]?.length)).size).toBe(1)
  })

  it('draws lines over levels', () => {
    const text = (levels: readonly number[]) =>
      drawLines([line(-2, -1, 1, 2, 1, -1, -2)], size, false, levels)
    const [without, withZero] = [rowsOf(text([])), rowsOf(text([0]))]
    const at = rowsWith(withZero, '┄')[0] as number
    expect(withZero[at]?.replaceAll('┄', ' ').trimEnd()).toBe(without[at])
    expect(withZero[at]).toMatch(/┄┃┄/)
  })

  it('makes room for a level with more digits than the values have', () => {
    const rows = rowsOf(drawLines([line(1, 9, 4)], size, false, [-1000, 0]))
    const axes = rows.map(row => row.search(/[▲┤│]/))
    expect(new Set(axes)).toEqual(new Set([5]))
    expect(rows[9]).toMatch(/^-1000┤/)
  })

  it('dims levels where it is coloured', () => {
    expect(drawLines([line(1, 9)], size, true, [5])).toContain('\u001b[2m┄')
  })

  it('is the line alone where nothing differs from the level', () => {
    expect(drawLines([line(0, 0, 0)], size, false, [0])).toBe(drawLines([line(0, 0, 0)], size, false))
  })

  it('breaks a line at a gap', () => {
    const rows = rowsOf(drawLines([line(1, 1, Number.NaN, 1, 1)], { width: 24, height: 5 }, true))
    expect(rows.join('')).toContain('━\u001b[0m    \u001b')
  })
})

describe('the lines of an indicator', () => {
  const candles = [0, 1, 2].map(timestamp => ({ timestamp, open: 4, high: 6, low: 4, close: 5, volume: 1 }))
  const drawn = (
    name: string,
    pane: 'price' | 'own',
    columns: Readonly<Record<string, readonly (number | string | null)[]>>,
    given = {},
  ) => {
    const indicator = entryOf(name)
    const spec = { indicator, ...valuesOf(indicator, given) }
    const lines = linesOf(spec, { ...columns, timestamp: [0, 1, 2] }, candles, pane)
    return lines.map(({ name, values }) => [name, values])
  }

  it('are over the prices or below them', () => {
    const values = { value: [null, 40, 50] }
    expect(drawn('rsi', 'own', values)).toEqual([['value', [Number.NaN, 40, 50]]])
    expect(drawn('rsi', 'price', values)).toEqual([])
  })

  it('are moved by the candles that a parameter says, and amounts are without their sign', () => {
    const outputs = ['conversion', 'base', 'spanA', 'spanB']
    const columns = Object.fromEntries(outputs.map(output => [output, [5, 6, 7]]))
    expect(drawn('ichimoku', 'price', columns, { displacement: 1 })).toEqual([
      ['spanA', [Number.NaN, 5, 6]],
      ['spanB', [Number.NaN, 5, 6]],
      ['conversion', [5, 6, 7]],
      ['base', [5, 6, 7]],
    ])
    expect(drawn('sarext', 'price', { value: [3, -7, 4] })).toEqual([['value', [3, 7, 4]]])
  })

  it('are none of marks', () => {
    expect(drawn('engulfing', 'price', { value: [100, 0, -100] })).toEqual([])
  })
})
