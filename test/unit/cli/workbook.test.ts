import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Candle } from '../../../src/candles/candle.js'
import { openFiles } from '../../../src/candles/files/input.js'
import type { ReadingOptions } from '../../../src/candles/files/read.js'
import { readCandles, readRows } from '../../../src/candles/files/read.js'
import { type SheetCell, type SheetRows, workbookOf, workbookParts } from '../../support/workbook.js'
import { zipOf } from '../../support/zip.js'

const directory = mkdtempSync(join(tmpdir(), 'candela-workbook-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

let files = 0
function fileOf(bytes: Uint8Array): string {
  const path = join(directory, `${files++}.xlsx`)
  writeFileSync(path, bytes)
  return path
}

interface Read {
  readonly candles: readonly Candle[]
  readonly notes: readonly string[]
}

/** Candles that both `candela compute` and `candela import` read from a file, or the reason of a refusal. */
async function read(path: string, options: ReadingOptions = {}): Promise<Read | string> {
  const computed = { candles: [] as Candle[], notes: [] as string[] }
  const imported = { candles: [] as Candle[], notes: [] as readonly string[] }
  try {
    const onNote = (note: string) => computed.notes.push(note)
    for await (const some of readCandles([path], { ...options, onNote })) computed.candles.push(...some)
  } catch (error) {
    return (error as Error).message
  }
  for await (const file of openFiles([path], options)) {
    const { problems, notes } = await readRows(file, options, (_, candle) => imported.candles.push(candle))
    expect(problems).toEqual([])
    imported.notes = notes
  }
  expect(imported).toEqual(computed)
  return computed
}

const readSheets = (sheets: Readonly<Record<string, SheetRows>>, options: ReadingOptions = {}) =>
  read(fileOf(workbookOf(sheets)), options)

/** 45,301 is 10 January 2024 in Excel: 25,569 days before it 1970 began. */
const day = (45_301 - 25_569) * 86_400
const head = ['Date', 'Open', 'High', 'Low', 'Close', 'Volume']
const rowsOf = (...times: readonly SheetCell[]): SheetRows => [
  head,
  ...times.map((time, at) => [time, 1.5 + at, 3.25 + at, 0.5 + at, 2 + at, 10 * at]),
]
const timesOf = (found: Read | string) =>
  typeof found === 'string' ? found : found.candles.map(({ timestamp }) => timestamp)

describe('a workbook', () => {
  it('gives the numbers of its cells, and their dates', async () => {
    const found = await readSheets({ A: rowsOf({ serial: 45_301, style: 1 }, { serial: 45_302, style: 1 }) })
    expect(found).toEqual({
      candles: [
        { timestamp: day, open: 1.5, high: 3.25, low: 0.5, close: 2, volume: 0 },
        { timestamp: day + 86_400, open: 2.5, high: 4.25, low: 1.5, close: 3, volume: 10 },
      ],
      notes: [],
    })
  })

  it('has times to the second, in the zone that the caller names', async () => {
    const sheets = {
      A: rowsOf({ serial: 45_301.0416666667, style: 2 }, { serial: 45_301 + 7261 / 86_400, style: 2 }),
    }
    expect(timesOf(await readSheets(sheets))).toEqual([day + 3600, day + 7261])
    expect(timesOf(await readSheets(sheets, { zone: -18_000 }))).toEqual([day + 21_600, day + 25_261])
  })

  it('may count its days from 1904', async () => {
    const rows = rowsOf({ serial: 45_301 - 1462, style: 1 }, { serial: 45_302 - 1462, style: 1 })
    const path = fileOf(workbookOf({ A: rows }, { is1904: true }))
    expect(timesOf(await read(path))).toEqual([day, day + 86_400])
  })

  it('may have times of day beside its dates', async () => {
    const [names, ...rows] = rowsOf({ serial: 45_301, style: 1 }, { serial: 45_301, style: 1 })
    const timed = rows.map(([date, ...rest], at) => [date, { serial: (9.5 + at) / 24, style: 3 }, ...rest])
    const sheet = [['Date', 'Time', ...(names as readonly SheetCell[]).slice(1)], ...timed] as SheetRows
    expect(timesOf(await readSheets({ A: sheet }))).toEqual([day + 34_200, day + 37_800])
  })

  it('has numbers that are days only where the caller says so', async () => {
    const sheets = { A: rowsOf(45_301, 45_302) }
    expect(await readSheets(sheets)).toContain('--dates excel reads days of Excel')
    expect(timesOf(await readSheets(sheets, { dateForm: 'excel' }))).toEqual([day, day + 86_400])
  })

  it('has dates whose order no option changes', async () => {
    const sheets = { A: rowsOf({ serial: 45_301, style: 1 }, { serial: 45_302, style: 1 }) }
    expect(await readSheets(sheets, { dateForm: 'mdy' })).toContain('so that --dates mdy does not apply')
  })

  it('is read as other tables are: texts, titles, empty rows and volumes, and rows without names', async () => {
    const [names, ...rows] = rowsOf('03.02.2024', '14.02.2024', '15.02.2024') as SheetCell[][]
    const german = rows.map(row =>
      row.map(cell => (typeof cell === 'number' ? String(cell).replace('.', ',') : cell)),
    )
    ;(german[1] as SheetCell[]).pop()
    const sheet = [['My prices'], names, german[0], [], german[1], [null, null], german[2]] as SheetRows
    const { candles, notes } = (await readSheets({ A: sheet })) as Read
    expect(candles.map(({ open }) => open)).toEqual([1.5, 2.5, 3.5])
    expect(candles.map(({ volume }) => volume)).toEqual([0, 0, 20])
    expect(notes).toEqual(['no volume in 1 row, taken as 0'])
    expect(await readSheets({ A: rowsOf('03.02.2024', '04.02.2024') })).toContain('add --dates dmy')
    const plain = (await readSheets({ A: rowsOf(1_704_844_800, 1_704_848_400).slice(1) })) as Read
    expect(plain.notes).toEqual(['no names of columns, read as time, open, high, low, close, volume'])
  })

  it('is read by its first sheet, or the one that is named by its name or number', async () => {
    const sheets = {
      Notes: [['nothing']],
      '2024': rowsOf({ serial: 45_301, style: 1 }),
      '1': rowsOf({ serial: 45_302, style: 1 }),
    }
    // Keys that are numbers come first, ascending.
    expect(timesOf(await readSheets(sheets))).toEqual([day + 86_400])
    expect(timesOf(await readSheets(sheets, { sheet: '2' }))).toEqual([day])
    expect(timesOf(await readSheets(sheets, { sheet: '2024' }))).toEqual([day])
    expect(timesOf(await readSheets(sheets, { sheet: '1' }))).toEqual([day + 86_400])
    for (const sheet of ['4', '0', 'notes', ''])
      expect(await readSheets(sheets, { sheet })).toContain(
        `has no sheet ${sheet}, but 1 ("1"), 2 ("2024"), 3 ("Notes")`,
      )
  })

  it('names its sheet where a row cannot be read', async () => {
    expect(
      await readSheets({ Prices: [...rowsOf(1_704_844_800), [1_704_848_400, 'x', 1, 1, 1, 1]] }),
    ).toMatch(/xlsx\/Prices line 3: /)
  })

  it('is needed for --sheet', async () => {
    const path = fileOf(Buffer.from('time,open,high,low,close\n1704844800,1,2,1,2\n'))
    const zipped = fileOf(zipOf({ 'a.csv': 'time,open,high,low,close\n1704844800,1,2,1,2\n' }))
    for (const each of [path, zipped])
      expect(await read(each, { sheet: '1' })).toBe(`"${each}" has no sheets: leave out --sheet`)
  })
})

describe('a hostile workbook', () => {
  const sheet = 'xl/worksheets/sheet1.xml'
  const parts = workbookParts({ A: rowsOf({ serial: 45_301, style: 1 }) })
  const readParts = (changed: Record<string, string>, announced?: number) =>
    read(fileOf(zipOf({ ...parts, ...changed }, announced)))
  const sheetOf = (rows: string) => ({ [sheet]: `<worksheet><sheetData>${rows}</sheetData></worksheet>` })

  it.each([
    [
      'a part that is too large',
      { 'xl/sharedStrings.xml': '<si/>'.repeat(2 ** 21) },
      'xl/sharedStrings.xml is too large',
    ],
    ['a row that is too large', sheetOf(`<row>${'<c/>'.repeat(2 ** 21)}</row>`), `${sheet} is too large`],
    ['a cell far to the right', sheetOf('<row><c r="XFD1"/></row>'), 'row 1 has more than 256 columns'],
    ['a row far below', sheetOf('<row r="1048577"><c/></row>'), 'a sheet has more than 1048576 rows'],
    ['no sheet of this name', { 'xl/workbook.xml': '<workbook/>' }, 'has no sheet 1'],
    ['no relations', { 'xl/_rels/workbook.xml.rels': '' }, 'Cannot read'],
  ])('with %s is refused', async (_, changed, message) => {
    expect(await readParts(changed)).toContain(message)
  })

  it('is one for its own bounds only: other parts may be as long as many rows', async () => {
    const texts = (parts['xl/sharedStrings.xml'] as string).replace(
      '</sst>',
      `<si><t>${'x'.repeat(2 ** 22)}</t></si></sst>`,
    )
    const found = await readParts({ 'xl/sharedStrings.xml': texts })
    expect(found).toMatchObject({ candles: [{ timestamp: day }] })
  })

  it('that announces other lengths than it has is refused', async () => {
    expect(await readParts({}, 10)).toContain('Cannot read')
    expect(await readParts({}, 2 ** 31)).toContain('Cannot read')
  })

  it('is read or refused whichever byte is another one', async () => {
    const whole = zipOf(parts)
    let refused = 0
    for (let at = 0; at < whole.length; at += 23) {
      const bytes = Buffer.from(whole)
      bytes[at] = (whole[at] as number) ^ 0x55
      const found = await read(fileOf(bytes))
      if (typeof found === 'string') refused++
      else expect(found.candles.length).toBeLessThanOrEqual(1)
    }
    expect(refused).toBeGreaterThan(50)
  })
})
