import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TimeUnit, tableFromArrays, tableToIPC, timestamp } from '@uwdata/flechette'
import { afterAll, describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import type { Candle } from '../../../src/candles/candle.js'
import type { Columns, Snapshot } from '../../../src/candles/columns.js'
import { openFiles } from '../../../src/candles/files/input.js'
import type { ReadingOptions } from '../../../src/candles/files/read.js'
import { readCandles, readRows } from '../../../src/candles/files/read.js'
import { BodyParser } from '../../../src/compute/json/body-parser.js'
import { readCandlesTable } from '../../../src/compute/tables/read-candles.js'
import { isRefusal } from '../../../src/contract/refusals.js'
import { readSuppliedCandles } from '../../../src/contract/supplied-candles.js'
import { zipOf } from '../../support/zip.js'

const directory = mkdtempSync(join(tmpdir(), 'candela-own-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

interface Case {
  readonly name: string
  /** The text of the file. Alternatively, `json` is a JSON value, and `lines` are values, one per line. */
  readonly text?: string
  readonly json?: unknown
  readonly lines?: readonly unknown[]
  readonly options?: ReadingOptions
  /** The times, oldest first, as ISO texts. */
  readonly times?: readonly string[]
  readonly closes?: readonly number[]
  readonly volumes?: readonly number[]
  readonly notes?: readonly string[]
  /** A part of the refusal. */
  readonly refused?: string
}

const scenarios = new URL('../../scenarios/own-data.yaml', import.meta.url)
const cases = parseYaml(readFileSync(scenarios, 'utf8')) as readonly Case[]

const textOf = ({ text, json, lines }: Case): string =>
  text ?? (lines ? lines.map(each => `${JSON.stringify(each)}\n`).join('') : JSON.stringify(json))

let files = 0
function fileOf(content: string): string {
  const path = join(directory, `${files++}.txt`)
  writeFileSync(path, content)
  return path
}

/** Candles that `candela compute` reads from a file, or the reason of a refusal. */
async function compute(path: string, options: ReadingOptions = {}) {
  const notes: string[] = []
  const candles: Candle[] = []
  try {
    for await (const some of readCandles([path], { ...options, onNote: note => notes.push(note) }))
      candles.push(...some)
    return { candles, notes }
  } catch (error) {
    return String(error)
  }
}

/** Candles that `candela import` reads from a file, by time, or the reason of a refusal. */
async function imported(path: string, options: ReadingOptions = {}) {
  const candles: Candle[] = []
  for await (const file of openFiles([path])) {
    const { problems, notes } = await readRows(file, options, (_, candle) => candles.push(candle))
    if (problems[0]) return problems[0].text
    candles.sort((a, b) => a.timestamp - b.timestamp)
    return { candles, notes }
  }
  return 'no file'
}

/** Candles that a request reads from a body, oldest first, or the reason of a refusal. */
function posted(text: string) {
  const steps = readCandlesTable({
    format: 'csv',
    closesSuffice: false,
    maxCandles: 1000,
    body: Buffer.from(text),
  })
  for (;;) {
    const { value, done } = steps.next()
    if (!done) continue
    if (isRefusal(value)) return value.error
    const columns = value.get('') as Columns
    return Array.from({ length: columns.capacity }, (_, at) => columns.read(at))
  }
}

const isoOf = ({ timestamp }: Candle) => new Date(timestamp * 1000).toISOString().replace(/:00\.000Z$/, '')

describe.each(cases)('$name', each => {
  const { options, times, closes, volumes, notes, refused } = each
  const check = (candles: readonly Candle[]) => {
    if (times) expect(candles.map(isoOf)).toEqual(times)
    if (closes) expect(candles.map(({ close }) => close)).toEqual(closes)
    if (volumes) expect(candles.map(({ volume }) => volume)).toEqual(volumes)
  }

  it('is read by compute and import alike', async () => {
    const path = fileOf(textOf(each))
    for (const read of [await compute(path, options), await imported(path, options)]) {
      if (refused !== undefined) {
        expect(read).toEqual(expect.stringContaining(refused))
        continue
      }
      const { candles, notes: noted } = read as Exclude<typeof read, string>
      check(candles)
      if (notes) expect(noted).toEqual(notes)
    }
  })

  it.runIf(each.text !== undefined && options === undefined)('and by requests', () => {
    const read = posted(each.text as string)
    if (refused === undefined) return check(read as readonly Candle[])
    // A request has no options.
    expect(read).toEqual(expect.stringContaining(refused.replace(/; --.*| \(add .*/, '')))
  })
})

describe('a file of a format', () => {
  it.each([
    ['BZh91AY', 'compressed with bzip2: unpack it'],
    ['\xfd7zXZ\0', 'compressed with xz: unpack it'],
    ['\xd0\xcf\x11\xe0\xa1', 'an Excel workbook (.xls, or one with a password): save it as .xlsx or CSV'],
    ['\x89HDF\r\n', 'HDF5: write it as CSV or Parquet'],
    ['SQLite format 3', 'a database of SQLite: write its table as CSV'],
    ['%PDF-1.7', 'PDF: get its table as CSV'],
  ])('that is not read is named: %j', async (start, text) => {
    const path = join(directory, 'unread')
    writeFileSync(path, Buffer.from(start, 'latin1'))
    const message = `"${path}" is not read: it is ${text}`
    expect(await compute(path)).toContain(message)
    await expect(imported(path)).rejects.toThrow(message)
  })

  it('that is a document of Office without sheets is named, though it is a zip', async () => {
    const path = join(directory, 'text.docx')
    writeFileSync(path, zipOf({ 'word/document.xml': '<document/>', '[Content_Types].xml': '<Types/>' }))
    expect(await compute(path)).toContain('is not read: it is a document of Office: save its table as CSV')
  })

  it('that is Feather is read, its times without a zone with the offset of the caller', async () => {
    const path = join(directory, 'candles.feather')
    const times = [1_704_844_800_000, 1_704_848_400_000]
    const columns = { open: [1, 2], high: [3, 4], low: [1, 2], close: [2, 3], volume: [5, 6] }
    const types = { date: timestamp(TimeUnit.MILLISECOND, null) }
    const table = tableFromArrays({ date: times, ...columns }, { types })
    writeFileSync(path, tableToIPC(table, { format: 'file' }) as Uint8Array)
    for (const [zone, first] of [
      [undefined, '2024-01-10T00:00'],
      [-18_000, '2024-01-10T05:00'],
    ] as const)
      for (const read of [await compute(path, { zone }), await imported(path, { zone })]) {
        const { candles } = read as { candles: readonly Candle[] }
        expect(isoOf(candles[0] as Candle)).toBe(first)
        expect(candles.map(({ volume }) => volume)).toEqual([5, 6])
      }
  })
})

describe('rows of another symbol', () => {
  const rows = (symbol: string, count: number, from = 0) =>
    Array.from(
      { length: count },
      (_, k) => `${symbol},${1_704_067_200 + 60 * (from + k)},1,3,1,2,${from + k}\n`,
    ).join('')
  const head = 'ticker,time,open,high,low,close,volume\n'

  it('are left out, however many come first', async () => {
    const path = fileOf(head + rows('A', 70_000) + rows('BTC', 2, 5) + rows('C', 3))
    for (const read of [await compute(path, { symbol: 'BTC' }), await imported(path, { symbol: 'BTC' })])
      expect((read as { candles: readonly Candle[] }).candles.map(({ volume }) => volume)).toEqual([5, 6])
    expect(await compute(path, { symbol: 'X' })).toContain('there are no candles of X, but of "A" and "BTC"')
  })

  it('are read where the file has no others: the symbol is another name of the market', async () => {
    const { candles } = (await compute(fileOf(head + rows('XBT', 70_000)), { symbol: 'BTCUSD' })) as {
      candles: readonly Candle[]
    }
    expect(candles).toHaveLength(70_000)
    expect(candles.every(({ volume }, at) => volume === at)).toBe(true)
  })
})

it('what decides may come after thousands of rows', async () => {
  const day = (k: number) => new Date(1_704_153_600_000 + k * 300_000).toISOString()
  const rows = Array.from({ length: 12 * 288 }, (_, k) => {
    const [, year, month, date, clock] = /^(\d+)-(\d+)-(\d+)T(.{8})/.exec(day(k)) as unknown as string[]
    return `${date}.${month}.${year} ${clock};16.582;16.968;16.481;${k === 3000 ? '16.912,5' : '16.912'}\n`
  })
  const { candles } = (await compute(fileOf(`Datum;Erster;Hoch;Tief;Schlusskurs\n${rows.join('')}`))) as {
    candles: readonly Candle[]
  }
  expect(candles).toHaveLength(rows.length)
  expect([candles[0]?.timestamp, candles[0]?.close, candles[3000]?.close]).toEqual([
    1_704_153_600, 16_912, 16_912.5,
  ])
})

describe('the candles of a JSON body', () => {
  const candle = { open: 1, high: 3, low: 1, close: 2, volume: 5 }
  const read = (candles: unknown) =>
    new BodyParser().read(Buffer.from(JSON.stringify({ candles })), body => [body])
  const readAll = (candles: unknown) => readSuppliedCandles((read(candles) as { candles: unknown }).candles)

  it.each(['date', 'time', 'Datetime', 'Datum', 'openTime'])(
    'are refused with the name of a time that is called %s',
    name => {
      expect(readAll([{ ...candle, [name]: '2024-01-09' }])).toEqual({
        status: 400,
        error: `candles[0].${name} is not read: give the time as timestamp, in Unix seconds`,
      })
    },
  )

  it('may have other fields, beside a timestamp also times', () => {
    expect((read([{ ...candle, trades: 5 }]) as { candles: unknown }).candles).toHaveLength(1)
    expect(readAll([{ ...candle, trades: 5 }])).toMatchObject({ count: 1 })
    const timed = { ...candle, timestamp: 1_704_067_200, date: '2024-01-01' }
    expect((read([timed]) as { candles: Snapshot }).candles.count).toBe(1)
  })
})
