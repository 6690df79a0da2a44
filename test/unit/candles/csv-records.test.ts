import { describe, expect, it, vi } from 'vitest'
import { parseNumber } from '../../../src/candles/csv/cell.js'
import { detectLayout } from '../../../src/candles/csv/layout.js'
import { maxCellLength, maxColumns, maxNameLength, RecordReader } from '../../../src/candles/csv/records.js'

/** The records of a text that is read in pieces of so many bytes. */
function read(text: string, pieceBytes = 7) {
  const bytes = Buffer.from(text)
  const reader = new RecordReader(',')
  const found = []
  for (let from = 0; from < bytes.length; from += pieceBytes)
    found.push(...reader.read(bytes.subarray(from, from + pieceBytes)))
  return [...found, ...reader.read(undefined)]
}

describe('the records of a CSV text', () => {
  it('are the same whatever its pieces are, with the lines that they end on', () => {
    const text = '\ufefftime,"a ""b"""\r\n1, x \r\n\r\n"two\nlines",ä\r\n3'
    const expected = [
      { record: ['time', 'a "b"'], line: 1 },
      { record: ['1', 'x'], line: 2 },
      { record: [''], line: 3 },
      { record: ['two\nlines', 'ä'], line: 5 },
      { record: ['3'], line: 6 },
    ]
    for (const pieceBytes of [1, 2, 3, 5, 8, 1000]) expect(read(text, pieceBytes)).toEqual(expected)
  })

  it('have a bounded number of columns, also while the line has no end', () => {
    expect(read(','.repeat(maxColumns - 1))[0]?.record).toHaveLength(maxColumns)
    expect(() => read(`a\n${','.repeat(maxColumns)}\n`)).toThrow('the line has more than 256 columns')
    const reader = new RecordReader(',')
    expect(() => [...reader.read(Buffer.from(`a\n${','.repeat(maxColumns + 50)}`))]).toThrow('more than 256')
  })

  it('have cells of a bounded length', () => {
    expect(read('x'.repeat(maxCellLength))[0]?.record).toEqual(['x'.repeat(maxCellLength)])
    expect(() => read(`a,b\n1,${'x'.repeat(maxCellLength + 1)}`)).toThrow('a cell has more than 1000')
    const reader = new RecordReader(',')
    expect(() => [...reader.read(Buffer.from(`"${'x'.repeat(70_000)}`))]).toThrow('the line is too long')
  })

  it('give no error each where they are of different lengths', () => {
    const captured = vi.spyOn(Error, 'captureStackTrace')
    expect(read('time,open\n1\n2,3,4\n5\n')).toHaveLength(4)
    expect(captured).not.toHaveBeenCalled()
    captured.mockRestore()
  })
})

describe('the names of the columns', () => {
  const names = ['time', 'open', 'high', 'low', 'close']

  it('are bounded in number and length', () => {
    const many = [...names, ...new Array(maxColumns - names.length).fill('x')]
    expect(detectLayout({ names: many, rows: [] }, {})).toHaveProperty('layout')
    expect(detectLayout({ names: [...many, 'x'], rows: [] }, {})).toEqual({
      reason: '257 columns, at most 256 are read',
    })
    expect(detectLayout({ names: [...names, 'x'.repeat(maxNameLength)], rows: [] }, {})).toHaveProperty(
      'layout',
    )
    const { reason } = detectLayout({ names: [...names, 'x'.repeat(maxNameLength + 1)], rows: [] }, {}) as {
      reason: string
    }
    expect(reason).toMatch(/^a name of 201 characters, "x+…", at most 200 are read$/)
  })

  it('read the cell of a symbol once, however many columns there are', () => {
    const symbol = 'A'.repeat(maxCellLength)
    const lower = vi.spyOn(String.prototype, 'toLowerCase')
    const record = ['symbol', ...names, ...new Array(200).fill('volz')]
    detectLayout({ names: record, rows: [[symbol, '1', '1', '1', '1', '1']] }, {})
    const reads = lower.mock.contexts.filter(text => String(text) === symbol)
    lower.mockRestore()
    expect(reads.length).toBeLessThanOrEqual(2)
  })
})

it('a number of many digits with a letter behind it is read in one pass', () => {
  expect(parseNumber('1'.repeat(15))).toBe(111_111_111_111_111)
  // A pattern that tries all splits of the digits would take minutes here.
  expect(parseNumber(`${'1'.repeat(1_000_000)}x`)).toBeNaN()
})
