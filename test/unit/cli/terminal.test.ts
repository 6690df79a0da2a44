import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { drawLines, legendOf } from '../../../src/cli/line-chart.js'
import { createReadingDisplay } from '../../../src/cli/progress.js'
import type { MarketUpdate } from '../../../src/cli/update-display.js'
import { createUpdateDisplay } from '../../../src/cli/update-display.js'

/** A terminal that records the text and the cursor movements written to it. */
function terminal(columns: number) {
  const written: string[] = []
  const note = (text: string) => {
    written.push(text)
    return true
  }
  return {
    written,
    output: {
      isTTY: true as const,
      columns,
      write: (text: string | Uint8Array) => note(String(text)),
      cursorTo: (x: number) => note(`<to ${x}>`),
      clearLine: () => note('<clear>'),
    },
  }
}

const update = (rsi: number | null, closed = false): MarketUpdate => ({
  closed,
  data: { rsi, timestamp: 1_700_006_400 },
})

describe('live values', () => {
  it('are one line on a terminal, cut to its width and coloured by their direction', () => {
    const { written, output } = terminal(80)
    const display = createUpdateDisplay('demo BTCUSDT 1m rsi', { isJson: false, isColoured: true }, output)
    for (const value of [50.123456789, 60, 55, 55, null]) display.update(update(value))
    display.end()
    const lines = written.filter(text => text.includes('demo'))
    expect(lines[0]).toBe('demo BTCUSDT 1m rsi  2023-11-15 00:00:00  50.123457  forming')
    expect(lines[1]).toBe('\u001b[32mdemo BTCUSDT 1m rsi  2023-11-15 00:00:00  60  forming\u001b[39m')
    expect(lines[2]?.startsWith('\u001b[31m')).toBe(true)
    expect(lines[3]).not.toContain('\u001b')
    expect(lines[4]).toContain('  -  forming')
    expect(written.filter(text => text === '<to 0>')).toHaveLength(5)
    expect(written.at(-1)).toBe('\n')
    expect(written.join('').split('\n')).toHaveLength(2)
  })

  it('never fill a narrow terminal, and have no colours where none are wanted', () => {
    const { written, output } = terminal(30)
    const display = createUpdateDisplay('demo BTCUSDT 1m rsi', { isJson: false, isColoured: false }, output)
    display.update(update(50))
    display.update(update(60))
    const lines = written.filter(text => text.includes('demo'))
    expect(lines.map(line => line.length)).toEqual([29, 29])
    expect(written.join('')).not.toContain('\u001b')
  })

  it('are one line each elsewhere, and one JSON object each on request', () => {
    const plain = { ...terminal(80) }
    const output = { ...plain.output, isTTY: false as unknown as true }
    const values: MarketUpdate = { closed: true, data: { valueMACD: 1, valueMACDHist: 2, timestamp: 0 } }
    createUpdateDisplay('demo BTCUSDT 1m macd', { isJson: false, isColoured: true }, output).update(values)
    createUpdateDisplay('demo BTCUSDT 1m macd', { isJson: true, isColoured: true }, output).update(values)
    expect(plain.written).toEqual([
      'demo BTCUSDT 1m macd  1970-01-01 00:00:00  valueMACD 1  valueMACDHist 2  closed\n',
      '{"closed":true,"valueMACD":1,"valueMACDHist":2,"timestamp":0}\n',
    ])
  })
})

describe('the progress of reading', () => {
  /** Text drawn on standard error for two parts of a file, the second one `afterMs` milliseconds after the first. */
  function drawn(afterMs: number, isTTY: boolean, isShown: boolean, size: number | undefined): string {
    let text = ''
    const stderr = new PassThrough().setEncoding('utf8')
    stderr.on('data', chunk => {
      text += chunk
    })
    const moves = { isTTY, columns: 80, cursorTo: () => true, clearLine: () => true, moveCursor: () => true }
    let nowMs = 5
    const surroundings = { stderr: Object.assign(stderr, moves) as never, nowMs: () => nowMs }
    const display = createReadingDisplay('reading', isShown, surroundings)
    display.addFile(size)
    display.addBytes(1_000_000)
    nowMs += afterMs
    display.addBytes(1_000_000)
    display.end()
    stderr.read()
    return text
  }

  it('is a bar for what takes more than a second', () => {
    expect(drawn(1001, true, true, 4_000_000)).toMatch(/reading .* 50% \| 2 of 4 MB/)
    expect(drawn(1001, true, true, undefined)).toContain('reading 2 MB')
    expect(drawn(1000, true, true, 4_000_000)).toBe('')
  })

  it('is not shown elsewhere than on a terminal, or where it is not wanted', () => {
    expect(drawn(5000, false, true, 4_000_000)).toBe('')
    expect(drawn(5000, true, false, 4_000_000)).toBe('')
  })
})

describe('a chart of lines', () => {
  const rising = { name: 'close', values: Array.from({ length: 66 }, (_, i) => 100 + i) }
  const late = { name: 'value', values: rising.values.map((value, i) => (i < 20 ? Number.NaN : value / 2)) }
  const withoutColours = (text: string) =>
    text
      .split('\u001b[')
      .map((part, k) => (k === 0 ? part : part.replace(/^\d+m/, '')))
      .join('')

  it.each([40, 80, 200])('fits into %i columns', width => {
    const rows = drawLines([rising, late], { width, height: 8 }, false).split('\n')
    expect(Math.max(...rows.map(row => row.length))).toBeLessThanOrEqual(width)
    expect(rows.length).toBeGreaterThanOrEqual(8)
    expect(rows.length).toBeLessThanOrEqual(12)
  })

  it('has numbers at even steps, with the digits that tell them apart', () => {
    const text = drawLines(
      [{ name: 'rsi', values: [1.2345, 1.2346, 1.2349] }],
      { width: 60, height: 4 },
      false,
    )
    expect(text).toContain('1.2348┤')
    expect(text).toContain('1.2346┤')
    expect(text.match(/┤/g)).toHaveLength(2)
  })

  it('has the same shape with colours, and none without', () => {
    const size = { width: 80, height: 8 }
    const plain = drawLines([rising, late], size, false)
    const coloured = drawLines([rising, late], size, true)
    expect(plain).not.toContain('\u001b')
    expect(coloured).toContain('\u001b[32m')
    expect(coloured).toContain('\u001b[35m')
    const trimmed = (text: string) => text.split('\n').map(row => row.trimEnd())
    expect(trimmed(withoutColours(coloured))).toEqual(trimmed(plain))
    expect(legendOf([rising, late], false)).toBe('close  value')
    expect(withoutColours(legendOf([rising, late], true))).toBe('close  value')
  })

  it('says that there are no values', () => {
    expect(drawLines([{ name: 'x', values: [Number.NaN] }], { width: 40, height: 5 }, false)).toBe(
      '(no values)',
    )
  })

  it('draws a flat line', () => {
    expect(drawLines([{ name: 'x', values: [5, 5, 5] }], { width: 40, height: 5 }, false)).toContain('━━')
  })
})
