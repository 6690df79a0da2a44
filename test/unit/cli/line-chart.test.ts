import { describe, expect, it } from 'vitest'
import { drawLines } from '../../../src/cli/line-chart.js'

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
    expect(rows[1]).toMatch(/^70\.0┤┄+$/)
    expect(rows[9]).toMatch(/^30\.0┤┄+$/)
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

  it('draws lines over levels', () => {
    const text = (levels: readonly number[]) =>
      drawLines([line(-2, -1, 1, 2, 1, -1, -2)], size, false, levels)
    const [without, withZero] = [rowsOf(text([])), rowsOf(text([0]))]
    const at = rowsWith(withZero, '┄')[0] as number
    expect(withZero[at]?.replaceAll('┄', ' ').trimEnd()).toBe(without[at]?.replace('    │', '0.00┤'))
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
})
