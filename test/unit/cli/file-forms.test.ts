import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import type { Candle } from '../../../src/candles/candle.js'
import { openFiles } from '../../../src/candles/files/input.js'
import type { ReadingOptions } from '../../../src/candles/files/read.js'
import { readCandles, readRows } from '../../../src/candles/files/read.js'
import { zipOf } from '../../support/zip.js'

const directory = mkdtempSync(join(tmpdir(), 'candela-forms-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

let files = 0
function fileOf(content: string | Uint8Array): string {
  const path = join(directory, `${files++}.txt`)
  writeFileSync(path, content)
  return path
}

/** Candles that `candela compute` reads from a file, and the notes that it prints. */
async function computed(path: string, options: ReadingOptions = {}) {
  const notes: string[] = []
  const candles: Candle[] = []
  for await (const some of readCandles([path], { ...options, onNote: note => notes.push(note) }))
    candles.push(...some)
  return { candles, notes }
}

/** Candles that `candela import` reads from a file, by time. */
async function imported(path: string, options: ReadingOptions = {}) {
  const candles: Candle[] = []
  for await (const file of openFiles([path])) {
    const { problems } = await readRows(file, options, (_, candle) => candles.push(candle))
    expect(problems).toEqual([])
  }
  return candles.sort((a, b) => a.timestamp - b.timestamp)
}

interface Form {
  readonly name: string
  readonly text: string
  readonly notes?: readonly string[]
  readonly volumes?: readonly number[]
  readonly options?: ReadingOptions
}

const scenarios = new URL('../../scenarios/files.yaml', import.meta.url)
const { candles: days, scenarios: forms } = parseYaml(readFileSync(scenarios, 'utf8')) as {
  readonly candles: readonly Candle[]
  readonly scenarios: readonly Form[]
}

describe.each(forms)('a file of $name', ({ text, notes = [], volumes, options = {} }) => {
  const candles = days.map((day, at) => (volumes ? { ...day, volume: volumes[at] } : day))

  it('is read by compute, oldest first', async () => {
    expect(await computed(fileOf(text), options)).toEqual({ candles, notes })
  })

  it('is read by import', async () => {
    expect(await imported(fileOf(text), options)).toEqual(candles)
  })
})

const plain = forms.find(({ name }) => name === 'Bitstamp')?.text as string
/** Compressed by `zstd -19`, and written by pyarrow: see their README. */
const stored = (name: string) => fileURLToPath(new URL(`../../support/candle-files/${name}`, import.meta.url))

describe('a file', () => {
  it.each([
    ['compressed with gzip', () => fileOf(gzipSync(plain))],
    ['compressed with zstd', () => stored('days.csv.zst')],
    ['in Windows-1252', () => fileOf(Buffer.from(germanHead.replace('TEXT', 'Eröffnung'), 'latin1'))],
    ['of Parquet, compressed with snappy', () => stored('snappy.parquet')],
    ['of Parquet, compressed with zstd', () => stored('zstd.parquet')],
    ["of Parquet with pandas' index", () => stored('pandas.parquet')],
    ['of Feather, compressed with LZ4', () => stored('lz4.feather')],
    ['of Feather, compressed with zstd', () => stored('zstd.feather')],
  ])('%s is read', async (_, file) => {
    expect((await computed(file())).candles).toEqual(days)
    expect(await imported(file())).toEqual(days)
  })

  it.each([
    [
      'whose days and months may be each other',
      'Date,Open,High,Low,Close\n01/02/2024,1,2,1,2\n02/02/2024,1,2,1,2\n',
      'dates such as "01/02/2024", which may begin with the day or the month (add --dates dmy or --dates mdy)',
      { dateForm: 'dmy' },
    ],
    [
      'whose commas may be of thousands or of decimals',
      'Date;Open;High;Low;Close\n2024-01-02;1,250;1,250;1,250;1,250\n',
      'numbers such as "1,250", whose comma may begin decimals or separate thousands (add --decimal comma or --decimal point)',
      { decimalMark: 'comma' },
    ],
    [
      'with two volumes',
      'time,open,high,low,close,Volume ETH,Volume BTC\n1704931200,1,2,1,2,3,4\n',
      'two volumes: the volume may be "Volume ETH" or "Volume BTC" (add --columns volume=<name>)',
      { columns: { volume: 'Volume ETH' } },
    ],
    [
      'with two columns of one name',
      'time,open,high,low,close,close\n1704931200,1,2,1,2,3\n',
      'two columns are called close (add --columns close=<number>)',
      { columns: { close: '5' } },
    ],
    [
      'with more columns than usual and no names',
      '1704931200,1,2,1,2,1.5,7,8\n',
      'no names of columns, and 8 of them: the first line must name them (add --columns time=1,open=2,high=3,low=4,close=5,volume=<number>)',
      { columns: { timestamp: '1', open: '2', high: '3', low: '4', close: '5', volume: '7' } },
    ],
  ] as const)('%s is refused with what decides it', async (_, text, message, options) => {
    const path = fileOf(text)
    await expect(computed(path)).rejects.toThrow(`${path} line 1: ${message}`)
    expect((await computed(path, options)).candles.length).toBeGreaterThan(0)
  })

  it('with several markets needs the name of one', async () => {
    const path = fileOf('symbol,time,open,high,low,close\nA,1704931200,1,2,1,2\nB,1704931200,1,2,1,2\n')
    await expect(computed(path)).rejects.toThrow(
      'line 3: the file has candles of several markets, such as "A" and "B": add --symbol',
    )
    expect((await computed(path, { symbol: 'B' })).candles).toHaveLength(1)
  })

  it('with its newest candle first must have it so to its end', async () => {
    const path = fileOf(
      'time,open,high,low,close\n1705017600,1,2,1,2\n1704931200,1,2,1,2\n1704931200,1,2,1,2\n',
    )
    await expect(computed(path)).rejects.toThrow(
      'line 4: 2024-01-11 00:00:00 is not before 2024-01-11 00:00:00, the candle above; the newest comes first in this file',
    )
  })

  it('with its newest candle first has the line of a candle that is none', async () => {
    const row = (day: number, prices: string) => `2024-01-${day},${prices}\n`
    const path = fileOf(
      `time,open,high,low,close\n${row(13, '1,2,1,2')}${row(12, '1,2,1,2')}${row(11, '0,0,0,0')}${row(10, '1,2,1,2')}`,
    )
    await expect(computed(path)).rejects.toThrow(
      'line 4: a price of 0 stands for a missing one: leave the row out',
    )
  })

  it('with a chosen column that is not there is refused', async () => {
    const path = fileOf('time,open,high,low,close\n1705017600,1,2,1,2\n')
    await expect(computed(path, { columns: { volume: 'turnover' } })).rejects.toThrow(
      'there is no column "turnover" for volume',
    )
  })
})

const germanHead = `Datum;TEXT;Hoch;Tief;Schluss;Volumen
11.01.2024;46650,5;48969,25;45606,75;46339,5;1203,5
12.01.2024;46339,5;46515,25;41500,5;42782,75;2310,25
15.01.2024;41732,5;43400,75;41718,25;42511,5;875,75
16.01.2024;42511,5;43578,25;42050,5;43137,75;940,5
`

describe('a file inside of another one', () => {
  it.each([
    ['pandas.parquet', 'Parquet'],
    ['lz4.feather', 'Feather'],
  ])('is refused by its name: %s', async (name, format) => {
    for (const bytes of [zipOf({ [name]: readFileSync(stored(name)) }), gzipSync(readFileSync(stored(name)))])
      await expect(computed(fileOf(bytes))).rejects.toThrow(
        `is not read: it is ${format} in another file: unpack it`,
      )
  })

  it('is refused by its name where it is a workbook, or of a format that is not read', async () => {
    const workbook = zipOf({ 'prices.xlsx': zipOf({ a: Buffer.from('b') }) })
    await expect(computed(fileOf(workbook))).rejects.toThrow('it is a .zip or .xlsx in another file')
    await expect(computed(fileOf(gzipSync(Buffer.from('BZh91AY'))))).rejects.toThrow('compressed with bzip2')
  })

  it('is unpacked where it is a text', async () => {
    const text = Buffer.from('timestamp,open,high,low,close\n1704067200,1,2,0.5,1.5\n')
    const { candles } = await computed(fileOf(zipOf({ 'a.csv.gz': gzipSync(text) })))
    expect(candles).toHaveLength(1)
  })
})
