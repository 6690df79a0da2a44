import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { Candle } from '../../../src/candles/candle.js'
import { Columns } from '../../../src/candles/columns.js'
import { readRows } from '../../../src/candles/files/read.js'
import type { CsvOptions } from '../../../src/candles/files/roles.js'
import { writeCsv } from '../../../src/cli/export.js'

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
/** Reads a file. The result has the valid candles instead of their number. */
const readAll = async (bytes: AsyncIterable<Uint8Array>, options: CsvOptions = {}) => {
  const rows: { readonly line: number; readonly candle: Candle }[] = []
  const reading = await readRows({ name: 'x', bytes }, options, (line, candle) => rows.push({ line, candle }))
  expect(reading.rows).toBe(rows.length)
  return { ...reading, rows }
}
const read = (text: string | Uint8Array, options?: CsvOptions, chunk = 65_536) =>
  readAll(chunksOf(typeof text === 'string' ? Buffer.from(text) : text, chunk), options)

/** The problem of the only line of a file. */
const problemOf = async (line: string, head = 'timestamp,open,high,low,close,volume'): Promise<string> => {
  const { rows, problems } = await read(`${head}\n${line}\n`)
  expect(rows).toEqual([])
  expect(problems).toHaveLength(1)
  expect(problems[0]?.line).toBe(2)
  return problems[0]?.text ?? ''
}

const candle = { timestamp: 1_704_067_200, open: 10, high: 12.5, low: 9, close: 11, volume: 3 }

describe('empty lines', () => {
  const line = '1704067200,10,12.5,9,11,3\n'

  it.each([
    ['nothing but empty lines', ''],
    ['empty lines behind candles', line],
  ])('end the reading of a file with %s, however long it is', async (_, head) => {
    let chunks = 0
    async function* long() {
      yield Buffer.from(head)
      for (; chunks < 100; chunks++) yield Buffer.alloc(65_536, '\n')
    }
    const { rows, problems, isComplete } = await readAll(long())
    expect(chunks).toBeLessThan(50)
    const lines = head === '' ? 10_001 : 10_002
    expect(rows.length).toBe(lines - 10_001)
    expect(problems).toEqual([{ line: lines, text: 'there are more than 10000 empty lines in a row' }])
    expect(isComplete).toBe(false)
  })

  it.each([
    ['empty', `${line}\n`],
    ['longer', line.replace('\n', ',\n')],
  ])('and others cost no error each: %s ones', async (_, lines) => {
    const made = vi.spyOn(Error, 'captureStackTrace')
    const text = Array.from({ length: 1000 }, (_, i) =>
      lines.replace('1704067200', `${1_704_067_200 + 60 * i}`),
    ).join('')
    const { rows, problems } = await read(`timestamp,open,high,low,close,volume\n${text}`)
    const count = made.mock.calls.length
    made.mockRestore()
    expect(problems).toEqual([])
    expect(rows).toHaveLength(1000)
    expect(count).toBeLessThan(10)
  })

  it('are skipped where there are fewer', async () => {
    const blank = '\n'.repeat(10_000)
    const { rows, problems } = await read(
      `${blank}${line}${blank}${line.replace('1704067200', '1704070800')}`,
    )
    expect(problems).toEqual([])
    expect(rows.map(row => row.line)).toEqual([10_001, 20_002])
  })
})

describe('names of columns', () => {
  it.each([
    ['timestamp,open,high,low,close,volume', '1704067200,10,12.5,9,11,3'],
    ['Open time,Open,High,Low,Close,Volume,Close time', '1704067200,10,12.5,9,11,3,1704070799'],
    ['close,low,high,open,vol,date', '11,9,12.5,10,3,2024-01-01'],
    ['Symbol,Unix,Date,Open,High,Low,Close', 'BTC,1704067200,whatever,10,12.5,9,11', 0],
    ['UNIX,O,H,L,C,V', '1704067200,10,12.5,9,11,3'],
    ['unix,date,open,high,low,close,Volume USDT,Volume BTC', '1704067200,x,10,12.5,9,11,70000,3'],
    ['Timestamp,Open,High,Low,Close,Volume_(BTC),Volume_(Currency)', '1704067200,10,12.5,9,11,3,70000'],
    ['Date,Open,High,Low,Close,Adj Close,Volume', '2024-01-01,10,12.5,9,11,10.5,3'],
    ['<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<TICKVOL>,<SPREAD>', '2024.01.01,00:00:00,10,12.5,9,11,3,8'],
    ['<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>', 'X,60,20240101,000000,10,12.5,9,11,3'],
    [
      'timeOpen;timeClose;open;high;low;close;volume;timestamp',
      '2024-01-01T00:00:00.000Z;x;10;12.5;9;11;3;x',
    ],
    ['Date (UTC)\tOpen\tHigh\tLow\tClose\tVolume', '2024-01-01 00:00\t10\t12.5\t9\t11\t3'],
  ])('%s', async (head, line, volume = 3) => {
    const { rows, problems, notes } = await read(`${head}\n${line}\n`, { symbol: 'BTCUSDT' })
    expect(problems).toEqual([])
    expect(rows).toEqual([{ line: 2, candle: { ...candle, volume } }])
    // If a column's name does not tell its role, the notes name the column.
    const taken = /Volume BTC|Volume_\(BTC\)|<TICKVOL>/.exec(head)?.[0]
    const at = head.split(',').indexOf(taken ?? '') + 1
    const expected = taken ? [`volume: column ${at} "${taken}"`] : []
    expect(notes).toEqual(volume === 0 ? ['no volume, taken as 0'] : expected)
  })

  it('may come after a title', async () => {
    const { rows } = await read(
      'https://www.example.com\n\nUnix,Open,High,Low,Close,Volume\n1704067200,10,12.5,9,11,3\n',
    )
    expect(rows).toEqual([{ line: 4, candle }])
  })

  it('are required, each of them once', async () => {
    expect((await read('date,open,close,volume,low\n2024-01-01,1,1,1,1\n')).problems).toEqual([
      {
        line: 1,
        text: 'no column for high; the first line names date, open, close, volume, low (add --columns high=<name>)',
      },
    ])
    expect((await read('date,open,high,low,close,close\n')).problems).toEqual([
      { line: 1, text: 'two columns are called close (add --columns close=<number>)' },
    ])
    expect((await read('AAPL,1,2,1,1,1\n')).problems).toEqual([
      {
        line: 1,
        text: 'no names of columns: the first line must name them, such as timestamp,open,high,low,close,volume (add --columns time=1,open=2,high=3,low=4,close=5,volume=<number>)',
      },
    ])
    expect((await read('')).problems).toEqual([{ line: 1, text: 'there are no candles' }])
    expect((await read('hello\nworld\n')).problems).toEqual([{ line: 1, text: 'there are no candles' }])
  })
})

describe("Binance's public files", () => {
  const row = (time: string) => `${time},10,12.5,9,11,3,${time.replace(/0/g, '9')},70000,12,1.5,35000,0\n`

  it.each([
    ['1704067200000', 'milliseconds'],
    ['1704067200000000', 'microseconds, as since 2025'],
  ])('are read without a header: %s, %s', async time => {
    const { rows, problems, notes } = await read(row(time))
    expect(problems).toEqual([])
    expect(rows).toEqual([{ line: 1, candle }])
    expect(notes).toEqual(["no names of columns, read as one of Binance's public files"])
  })

  it('are read with their header, too', async () => {
    const head =
      'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore\n'
    expect((await read(head + row('1704067200000'))).rows).toEqual([{ line: 2, candle }])
    expect((await read(head + row('1704067200000'), { isInverse: true })).rows).toEqual([
      { line: 2, candle: { ...candle, volume: 70_000 } },
    ])
  })

  it('have volumes in the base currency where the market is settled in it', async () => {
    const { rows } = await read(row('1704067200000'), { isInverse: true })
    expect(rows).toEqual([{ line: 1, candle: { ...candle, volume: 70_000 } }])
  })

  it('have twelve columns, of which the seventh is a later time', async () => {
    const { rows, problems } = await read(row('1704067200000').replace('1794967299999', '1604067200000'))
    expect(rows).toEqual([])
    expect(problems).toHaveLength(1)
  })
})

describe('the text', () => {
  const text =
    'date;open;high;low;close;volume\r\n"2024-01-01 00:00:00";"10";12.5;9;11;3\r\n\r\n  2024-01-01 01:00:00 ; 10 ;12.5;9;11;3\r\n'
  const expected = [
    { line: 2, candle },
    { line: 4, candle: { ...candle, timestamp: candle.timestamp + 3600 } },
  ]

  it.each([
    ['as it is', Buffer.from(text)],
    ['with a byte order mark', Buffer.from(`\ufeff${text}`)],
    ['as UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['as UTF-16 of the other order', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['without an end of line at the end', Buffer.from(text.trimEnd())],
  ])('is read %s, in chunks of any size', async (_, bytes) => {
    for (const chunk of [1, 7, 65_536]) {
      const { rows, problems } = await read(bytes, {}, chunk)
      expect(problems).toEqual([])
      expect(rows).toEqual(expected)
    }
  })

  it('has one decimal mark', async () => {
    const { rows, problems } = await read(
      `date;open;high;low;close\n2024-01-01;1,5;2,5;1,5;2,5\n${'2024-01-02;1,5;2,5;1,5;2,5\n'.repeat(60)}2024-01-03;1.5;2,5;1,5;2,5\n`,
    )
    expect(rows).toHaveLength(61)
    expect(problems).toEqual([{ line: 63, text: 'open is "1.5", expected a number' }])
  })

  it('with an open quotation mark gives a problem for its line', async () => {
    const { problems, isComplete } = await read(
      'time,open,high,low,close\n1704067200,10,12.5,9,11\n"1704070800,1,1,1,1\n',
    )
    expect(isComplete).toBe(false)
    expect(problems).toEqual([{ line: 3, text: 'a quotation mark is not closed' }])
  })

  const words = ['time', 'open,high,low,close', ',', ';', '"', '\n', '\r\n', '1704067200', '1', ' ']
  const texts = fc.array(fc.constantFrom(...words)).map(parts => Buffer.from(parts.join('')))

  it.each<[string, fc.Arbitrary<Uint8Array>]>([
    ['of any bytes', fc.uint8Array({ maxLength: 6000 })],
    ['of pieces of CSV', texts],
  ])('%s that is no CSV gives problems, never an exception', async (_, files) => {
    await fc.assert(
      fc.asyncProperty(files, fc.integer({ min: 1, max: 5000 }), async (bytes, chunk) => {
        const { rows, problems } = await read(bytes, {}, chunk)
        if (rows.length === 0) expect(problems.length).toBeGreaterThan(0)
      }),
      { numRuns: 250 },
    )
  })

  it('rejects when the input fails', async () => {
    async function* broken() {
      yield Buffer.from('time,open,high,low,close\n')
      throw new Error('the disk is gone')
    }
    await expect(readAll(broken())).rejects.toThrow('the disk is gone')
  })
})

describe('a time', () => {
  const timed = async (time: string, head = 'time,open,high,low,close') => {
    const { rows, problems } = await read(`${head}\n${time},10,12.5,9,11\n`)
    return rows[0]?.candle.timestamp ?? problems[0]?.text
  }

  it.each([
    ['1704067200', 1_704_067_200],
    ['1704067200.0', 1_704_067_200],
    ['1704067200000', 1_704_067_200],
    ['1704067200000000', 1_704_067_200],
    ['1704067200000000000', 1_704_067_200],
    ['1704070799999', 1_704_070_799.999],
    ['2024-01-01', 1_704_067_200],
    ['2024/01/01', 1_704_067_200],
    ['2024-01-01 00:00', 1_704_067_200],
    ['2024-01-01T00:00:00Z', 1_704_067_200],
    ['2024-01-01 00:00:00 UTC', 1_704_067_200],
    ['2024-01-01T02:00:00+02:00', 1_704_067_200],
    ['2023-12-31T19:00:00.000-0500', 1_704_067_200],
  ])('%s', async (text, seconds) => {
    expect(await timed(text)).toBe(seconds)
  })

  it.each([
    '1.7E+12',
    '0',
    '631151999',
    '2024-13-01',
    '2024-02-30',
    '2024-01-01 25:00:00',
    '-5',
    'noon',
    '1'.repeat(21),
  ])('is not %s', async text => {
    expect(await timed(text)).toBe(
      `time is "${text}", expected Unix seconds (or milli-, micro-, nanoseconds) or YYYY-MM-DD HH:MM:SS`,
    )
  })
})

describe('a candle', () => {
  it.each([
    ['1704067200,10,12,9,11', 'volume is missing'],
    ['1704067200,10,,9,11,1', 'high is missing'],
    [',10,12,9,11,1', 'timestamp is missing'],
    ['1704067200,ten,12,9,11,1', 'open is "ten", expected a number'],
    ['1704067200,10,12,9,NaN,1', 'close is "NaN", expected a number'],
    ['1704067200,10,1e999,9,11,1', 'high is "1e999", expected a number'],
    ['1704067200,10,12,9,11,1 000 pieces', 'volume is "1 000 pieces", expected a number'],
    ['1704067200,10,9,12,11,1', 'high is below low'],
    ['1704067200,10,12,9,11,-1', 'volume is negative'],
    ['1704067200,0,0,0,0,0', 'a price of 0 stands for a missing one: leave the row out'],
  ])('%s: %s', async (line, problem) => {
    expect(await problemOf(line)).toBe(problem)
  })

  it.each([
    ['13,12,9,11', 'open is above high'],
    ['8,12,9,11', 'open is below low'],
    ['10,12,9,13', 'close is above high'],
    ['10,12,9,8', 'close is below low'],
  ])(
    'of a file without a header must have open and close between low and high: %s, %s',
    async (prices, problem) => {
      const { rows, problems } = await read(`1704067200,${prices},1\n`)
      expect({ rows, problems }).toEqual({ rows: [], problems: [{ line: 1, text: problem }] })
      const withNames = await read(`time,open,high,low,close,volume\n1704067200,${prices},1\n`)
      expect(withNames.problems, 'some exchanges have it').toEqual([])
      expect(withNames.notes).toEqual(['open or close lies outside of high and low in 1 of 1 candles'])
    },
  )

  it('is invalid for one reason, and every invalid line is listed', async () => {
    const { rows, problems, isComplete } = await read(
      'time,open,high,low,close\n1704067200,1,1,1,1\nx,y,z,1,1\n1704067200,1,1,1,1\n1704067200,1,0.5,1,1\n',
    )
    expect(rows.map(({ line }) => line)).toEqual([2, 4])
    expect(problems.map(({ line }) => line)).toEqual([3, 5])
    expect(isComplete).toBe(true)
  })

  it('is not searched for after a thousand problems', async () => {
    const { problems, isComplete } = await read(`time,open,high,low,close\n${'x\n'.repeat(5000)}`)
    expect(problems).toHaveLength(1000)
    expect(isComplete).toBe(false)
  })
})

describe('the written text', () => {
  const price = fc.double({ min: Number.MIN_VALUE, max: 1e300, noNaN: true, noDefaultInfinity: true })
  const candles = fc.array(
    fc
      .record({
        timestamp: fc.integer({ min: 631_152_000, max: 1_767_225_600 }),
        prices: fc.array(price, { minLength: 4, maxLength: 4 }),
        volume: fc.double({ min: 0, max: 1e300, noNaN: true, noDefaultInfinity: true }),
      })
      .map(({ timestamp, prices, volume }): Candle => {
        const [a, b, open, close] = prices as [number, number, number, number]
        return { timestamp, open, high: Math.max(a, b), low: Math.min(a, b), close, volume: volume + 0 }
      }),
    { minLength: 1, maxLength: 50 },
  )

  it('reads as the same candles, bit for bit', async () => {
    await fc.assert(
      fc.asyncProperty(candles, fc.integer({ min: 1, max: 9000 }), async (list, chunk) => {
        const columns = new Columns(list.length)
        for (const [at, each] of list.entries()) columns.write(at, each)
        const text = [...writeCsv([{ columns, from: 0, to: list.length }])].join('')
        const { rows, problems } = await read(text, {}, chunk)
        expect(problems).toEqual([])
        expect(rows).toEqual(list.map((each, at) => ({ line: at + 2, candle: each })))
      }),
    )
  })

  it('has a header and a line for each candle', () => {
    const columns = new Columns(3)
    for (let at = 0; at < 3; at++) columns.write(at, { ...candle, timestamp: candle.timestamp + at * 3600 })
    expect([...writeCsv([{ columns, from: 1, to: 3 }])].join('')).toBe(
      'timestamp,open,high,low,close,volume\n1704070800,10,12.5,9,11,3\n1704074400,10,12.5,9,11,3\n',
    )
  })
})
