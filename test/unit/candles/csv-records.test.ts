import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { parseNumber } from '../../../src/candles/files/cell.js'
import { detectLayout } from '../../../src/candles/files/layout.js'
import {
  CsvReader,
  maxCellLength,
  maxColumns,
  maxNameLength,
  type TableRecord,
} from '../../../src/candles/files/text.js'

/** The records of a text that is read in pieces of `pieceLength` characters. */
function read(text: string, pieceLength = 7) {
  const reader = new CsvReader(',')
  const found: TableRecord[] = []
  const take = (record: TableRecord) => found.push(record)
  for (let from = 0; from < text.length; from += pieceLength)
    reader.read(text.slice(from, from + pieceLength), take)
  reader.read(undefined, take)
  return found
}

describe('the records of a CSV text', () => {
  it('are the same whatever its pieces are, with the lines that they end on', () => {
    const text = 'time,"a ""b"""\r\n1, x \r\n\r\n"two\nlines",ä\r\n3'
    const expected = [
      { record: ['time', 'a "b"'], line: 1 },
      { record: ['1', 'x'], line: 2 },
      { record: ['two\nlines', 'ä'], line: 5 },
      { record: ['3'], line: 6 },
    ]
    for (const pieceLength of [1, 2, 3, 5, 8, 1000]) expect(read(text, pieceLength)).toEqual(expected)
  })

  it('have a bounded number of columns, also while the line has no end', () => {
    expect(read(','.repeat(maxColumns - 1))[0]?.record).toHaveLength(maxColumns)
    expect(() => read(`a\n${','.repeat(maxColumns)}\n`)).toThrow('the line has more than 256 columns')
    const endless = `a\n${','.repeat(maxColumns + 50)}`
    expect(() => new CsvReader(',').read(endless, () => {})).toThrow('more than 256')
  })

  it('have cells of a bounded length', () => {
    expect(read('x'.repeat(maxCellLength))[0]?.record).toEqual(['x'.repeat(maxCellLength)])
    expect(() => read(`a,b\n1,${'x'.repeat(maxCellLength + 1)}`)).toThrow('a cell has more than 1000')
    for (const endless of [`"${'x'.repeat(70_000)}`, 'x'.repeat(70_000), `"${'x\n'.repeat(40_000)}`])
      expect(() => new CsvReader(',').read(endless, () => {})).toThrow('the line is too long')
  })

  it('are refused where quotation marks are not as in RFC 4180, behind the records before them', () => {
    for (const text of ['a"b', '"a"b', '"a" "b"', 'a,"b",c"', ' x "y"'])
      expect(() => read(`1,2\n${text}\n`)).toThrow('the quotation marks are not as in a CSV file')
    const found: unknown[] = []
    expect(() => new CsvReader(',').read('1,2\n"a"b\n', record => found.push(record))).toThrow()
    expect(found).toEqual([{ record: ['1', '2'], line: 1 }])
    expect(() => read('1,2\n"a\nb')).toThrow('a quotation mark is not closed')
  })

  it('are those that a library reads, or refused, of any text with quotation marks, blanks and ends of lines', () => {
    const part = fc.constantFrom('a', '1', ',', ',', '"', '""', ' ', '\n', '\r\n', '\t')
    const texts = fc.array(part, { maxLength: 30 }).map(parts => parts.join(''))
    const options = { trim: true, relax_column_count: true, record_delimiter: ['\r\n', '\n', '\r'] }
    const recordsOf = (readText: () => readonly (readonly string[])[]) => {
      try {
        return readText()
          .filter(record => record.length > 1 || record[0] !== '')
          .map(record => record.map(cell => cell.replaceAll('\r', '')))
      } catch {
        return 'refused'
      }
    }
    fc.assert(
      fc.property(texts, text => {
        const own = recordsOf(() => read(text).map(({ record }) => record.map(String)))
        if (own !== 'refused') expect(own).toEqual(recordsOf(() => parse(text, options) as string[][]))
      }),
      { numRuns: 3000 },
    )
  })

  it('are those that were written, with quotation marks around cells and blanks around these', () => {
    const part = fc.constantFrom('a', '1', ',', '"', ' ', '\n', '\t')
    const cell = fc.array(part, { maxLength: 5 }).map(parts => parts.join(''))
    const records = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 5 })
    const blank = fc.constantFrom('', ' ', '\t ')
    fc.assert(
      fc.property(records, blank, fc.constantFrom('\n', '\r\n', '\r'), (rows, around, end) => {
        const quoted = (text: string) => `${around}"${text.replaceAll('"', '""')}"${around}`
        const text = rows.map(row => row.map(quoted).join(',') + end).join('')
        expect(read(text).map(({ record }) => record)).toEqual(rows)
      }),
    )
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
