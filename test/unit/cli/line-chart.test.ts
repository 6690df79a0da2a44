import { describe, expect, it } from 'vitest'
import { drawLines, markRow } from '../../../src/cli/line-chart.js'

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

  it('breaks a line at a gap, where its side changes, and where a level does', () => {
    const [nothing, up, down] = [Number.NaN, 1, -1] as const
    const drawn = (more: object, ...values: readonly number[]) =>
      rowsOf(drawLines([{ ...line(...values), ...more }], { width: 24, height: 5 }, true))
    const coloured = (code: number, text: string) => text.includes(`\u001b[${code}m`)
    expect(drawn({}, 1, 1, nothing, 1, 1).join('')).toContain('━\u001b[0m    \u001b')
    const sided = drawn({ sides: [up, up, down, down] }, 1, 1, 2, 2).join('\n')
    expect([coloured(32, sided), coloured(31, sided), sided.includes('┃')]).toEqual([true, true, false])
    expect(drawn({ isLevel: true }, 1, 1, 5, 5).join('')).not.toContain('┃')
    expect(drawn({}, 1, 1, 5, 5).join('')).toContain('┃')
  })

  it('draws dots beside lines', () => {
    const text = drawLines([line(1, 2, 3), { ...line(3, 2, 1), isDots: true }], size, false)
    expect(text.match(/●/g)).toHaveLength(3)
    expect(drawLines([{ ...line(1, 2), isDots: true }], size, false)).toContain('━')
  })

  it('puts a mark under its candle', () => {
    const candles = 30
    const text = drawLines([line(...Array.from({ length: candles }, (_, at) => at))], size, false)
    const row = markRow(
      text,
      new Map([
        [0, '▲'],
        [candles - 1, '▼'],
      ]),
      candles,
      size.width,
    )
    const axis = (rowsOf(text)[1] as string).search(/[┤│]/)
    expect([row.indexOf('▲'), row.length]).toEqual([axis + 1, axis + 1 + size.width - 14])
  })
})
