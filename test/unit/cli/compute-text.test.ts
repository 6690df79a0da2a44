import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Candle } from '../../../src/candles/candle.js'
import { barsOf } from '../../../src/candles/charts/bars.js'
import { type Chart, readChart } from '../../../src/candles/charts/chart.js'
import { columnNames } from '../../../src/candles/columns.js'
import { readCandles } from '../../../src/candles/files/read.js'
import { catalogue } from '../../../src/catalogue/index.js'
import { computeExpressionText, computeText } from '../../../src/cli/compute/computation.js'
import { answer } from '../../../src/compute/answer.js'
import { BodyParser } from '../../../src/compute/json/body-parser.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'
import { readSupplied } from '../../../src/compute/supplied.js'
import { settledAt } from '../../../src/contract/query.js'
import { isRefusal } from '../../../src/contract/refusals.js'
import { entryOf, type Given, valuesOf } from '../../support/kernel.js'
import { realShaped } from '../../support/real-shaped-market.js'

const market = realShaped(500, 3)
const candles = market.timestamp.map((_, i) =>
  Object.fromEntries(columnNames.map(name => [name, market[name][i] as number])),
)
const csvOf = (rows: typeof candles) =>
  `${[columnNames.join(','), ...rows.map(row => columnNames.map(name => row[name]).join(','))].join('\n')}\n`
const csv = csvOf(candles)
const calculator = new Calculator()
const bodyParser = new BodyParser()
/** Special K needs 725 candles with its defaults, more than a request may supply. */
const givenTo = (name: string): Given => (name === 'specialk' ? { scale: 0.5 } : {})
const all = [...catalogue.values()].map(indicator => ({
  indicator,
  params: valuesOf(indicator, givenTo(indicator.name)).params,
}))

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'candela-compute-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function fileOf(text: string | Buffer, name = 'candles'): string {
  const path = join(directory, name)
  writeFileSync(path, text)
  return path
}

interface Wanted {
  readonly name?: string
  readonly given?: Given
  readonly format?: 'csv' | 'ndjson' | 'json'
  readonly results?: number
  readonly chart?: string
}

async function textOf(
  text: string | Buffer,
  { name = 'rsi', given = {}, format = 'csv', results, chart: chartName = 'candles' }: Wanted = {},
): Promise<string> {
  const calculation = { indicator: entryOf(name), ...valuesOf(entryOf(name), given) }
  const read = readCandles([fileOf(text)], { onNote: () => {} })
  let found = ''
  const chart = readChart(chartName)
  const options = { format, results, isNamed: false, chart: typeof chart === 'string' ? undefined : chart }
  for await (const part of computeText([calculation], read, options)) found += part
  return found
}

async function allText(format: 'csv' | 'json'): Promise<string> {
  const read = readCandles([fileOf(csv)], { onNote: () => {} })
  let text = ''
  for await (const part of computeText(all, read, { format, isNamed: true })) text += part
  return text
}

/** Answer of `POST /indicator/<name>` for the same candles. */
function posted(name: string, fields: Given = {}, rows: readonly unknown[] = candles): unknown {
  const body = Buffer.from(JSON.stringify({ results: 'max', ...fields, candles: rows }))
  const read = readSupplied(bodyParser, entryOf(name), body)
  const text = isRefusal(read) ? read : answer(calculator, read.query, barsOf(read.query.chart, read.inputs))
  return isRefusal(text) ? text.error : `${text}\n`
}

describe('the values of candela compute', () => {
  it('are those of POST /indicator for every indicator, digit for digit', async () => {
    const text = await allText('json')
    const expected = all.map(
      ({ indicator: { name } }) => `"${name}":${String(posted(name, givenTo(name))).trimEnd()}`,
    )
    expect(text.split(/,\n(?=")/).length).toBe(all.length)
    expect(text).toBe(`{${expected.join(',\n')}}\n`)
    expect(await textOf(csv, { format: 'json' })).toBe(posted('rsi'))
  })

  it('are those of POST /indicator with parameters, a source and a number of results', async () => {
    const given = { period: 9, source: 'hlc3' }
    expect(await textOf(csv, { given, format: 'json' })).toBe(posted('rsi', given))
    expect(await textOf(csv, { format: 'json', results: 3 })).toBe(posted('rsi', { results: 3 }))
    expect(await textOf(csv, { format: 'json', results: 9999 })).toBe(posted('rsi', { results: 9999 }))
  })

  it('are left out where they have not settled', async () => {
    const spec = { indicator: entryOf('ema'), ...valuesOf(entryOf('ema'), { period: 9 }) }
    const settled = settledAt(spec, 4)
    if (isRefusal(settled)) throw new Error(settled.error)
    const write = async (calculations: Parameters<typeof computeText>[0], rows = csv) => {
      let text = ''
      const read = readCandles([fileOf(rows)], { onNote: () => {} })
      for await (const part of computeText(calculations, read, { format: 'ndjson', isNamed: false }))
        text += part
      return text.trimEnd().split('\n')
    }
    const whole = await write([spec])
    const found = await write([{ ...spec, settled }])
    expect(settled.first).toBeGreaterThan(20)
    expect(found.slice(settled.first)).toEqual(whole.slice(settled.first))
    for (const line of found.slice(0, settled.first)) expect(line).toContain('"value":null')
    await expect(write([{ ...spec, settled }], csvOf(candles.slice(0, settled.first)))).rejects.toThrow(
      `ema needs ${settled.first + 1} for 4 settled digits, ${settled.first} available`,
    )
    let text = ''
    const read = readCandles([fileOf(csv)], { onNote: () => {} })
    const options = { format: 'ndjson', isNamed: false, settled: 4 } as const
    for await (const part of computeExpressionText('ema(close, 9)', read, options)) text += part
    expect(text.trimEnd().split('\n')).toEqual(found)
  })

  it.each(['heikinashi', 'renko:atr14', 'linebreak'])(
    'are those of POST /indicator over the bars of %s',
    async chart => {
      expect(await textOf(csv, { format: 'json', chart })).toBe(posted('rsi', { chart }))
      const read = readCandles([fileOf(csv)], { onNote: () => {} })
      const options = { format: 'json', isNamed: false, chart: readChart(chart) as Chart } as const
      let text = ''
      for await (const part of computeExpressionText('rsi(14)', read, options)) text += part
      expect(text).toBe(posted('rsi', { chart }))
    },
  )

  it('of an expression have the candles of another market from files of its own, and name the option where they are missing', async () => {
    async function* read(rows: typeof candles) {
      yield rows as unknown as Candle[]
    }
    const valuesWith = async (others: Parameters<typeof computeExpressionText>[3]) => {
      const options = { format: 'json', isNamed: false } as const
      let text = ''
      for await (const part of computeExpressionText(
        'close - close{X, strict}',
        read(candles),
        options,
        others,
      ))
        text += part
      return JSON.parse(text).value
    }
    const values = await valuesWith(new Map([['X', read(candles.filter((_, k) => k % 2 === 1))]]))
    expect(values.slice(0, 3)).toEqual([0, null, 0])
    await expect(valuesWith(undefined)).rejects.toThrow('the candles of {X} are missing: add --with X=<file>')
  })

  it('include that of the last candle, computed as if it had closed', async () => {
    const [last, before] = [csv, csvOf(candles.slice(0, -1))]
    const rows = (await textOf(last)).split('\n')
    expect(rows.slice(0, -2).join('\n')).toBe((await textOf(before)).trimEnd())
    expect(rows).toHaveLength(502)
    expect(JSON.parse(String(posted('rsi'))).value.at(-1)).toBe(Number(rows.at(-2)?.split(',')[1]))
  })

  it('of all indicators stand in columns named by indicator and output', async () => {
    const text = await allText('csv')
    const [head = '', ...rows] = text.trimEnd().split('\n')
    const titles = head.split(',')
    expect(titles).toContain('macd.valueMACDSignal')
    expect(rows).toHaveLength(500)
    // The only cells with commas are names, in quotation marks.
    const last =
      rows
        .at(-1)
        ?.replaceAll(/"[^"]*"/g, 'names')
        .split(',') ?? []
    expect(last).toHaveLength(titles.length)
    for (const name of ['rsi', 'supertrend', 'sma']) {
      const value = JSON.parse(String(posted(name))).value.at(-1)
      expect(last[titles.indexOf(`${name}.value`)], name).toBe(String(value))
    }
  })

  it('have a line for each candle, empty where there is no value', async () => {
    const lines = (await textOf(csv, { name: 'bbands', given: { period: 3 } })).split('\n')
    expect(lines[0]).toBe('timestamp,valueUpperBand,valueMiddleBand,valueLowerBand')
    expect(lines.slice(1, 3)).toEqual([`${market.timestamp[0]},,,`, `${market.timestamp[1]},,,`])
    expect(lines[3]).toMatch(/^\d+,[\d.]+,[\d.]+,[\d.]+$/)
    const objects = (await textOf(csv, { name: 'bbands', given: { period: 3 }, format: 'ndjson' })).split(
      '\n',
    )
    expect(JSON.parse(objects[0] ?? '')).toEqual({
      timestamp: market.timestamp[0],
      valueUpperBand: null,
      valueMiddleBand: null,
      valueLowerBand: null,
    })
    expect(Object.values(JSON.parse(objects[2] ?? '')).join(',')).toBe(lines[3])
  })

  it('may be limited to the newest', async () => {
    const whole = (await textOf(csv)).trimEnd().split('\n')
    expect(await textOf(csv, { results: 2 })).toBe(`${[whole[0], ...whole.slice(-2)].join('\n')}\n`)
    expect((await textOf(csv, { results: 2, format: 'ndjson' })).split('\n')).toHaveLength(3)
  })

  it('quote names that contain commas', async () => {
    const text = await textOf(csv, { name: 'candlepatterns' })
    const cells = text.split('\n').filter(line => line.includes('"'))
    expect(cells[0]).toMatch(/^[\d,]+,"\w+(,\w+)+"$/)
  })
})

describe('candles for candela compute', () => {
  const lines = (rows: readonly unknown[]) => rows.map(row => JSON.stringify(row)).join('\n')
  const short = candles.map(({ timestamp, open, high, low, close, volume }) => ({
    t: timestamp,
    o: open,
    h: high,
    l: low,
    c: close,
    v: volume,
  }))
  it.each([
    ['objects in lines', lines(candles)],
    ['objects in the short spelling', lines(short)],
    ['an array', JSON.stringify(candles, null, 2)],
    [
      'times in milliseconds',
      lines(candles.map(row => ({ ...row, timestamp: Number(row.timestamp) * 1000 }))),
    ],
    ['compressed CSV', gzipSync(csv)],
    ['CSV with a byte order mark', `\u{feff}${csv}`],
    ['CSV with semicolons', csv.replaceAll(',', ';')],
    ['CSV without a header', csv.slice(csv.indexOf('\n') + 1)],
    ['CSV with Windows line ends', csv.replaceAll('\n', '\r\n')],
  ])('may be %s', async (_, text) => {
    expect(await textOf(text)).toBe(await textOf(csv))
  })

  it('may have no times; then they are counted', async () => {
    const text = await textOf(lines(candles.map(({ timestamp: _, ...row }) => row)), { format: 'json' })
    expect(JSON.parse(text).timestamp.at(-1)).toBe(499)
  })

  it('of several files are one series', async () => {
    const halves = [candles.slice(0, 250), candles.slice(250)].map((rows, k) =>
      fileOf(csvOf(rows), `half${k}`),
    )
    const calculation = { indicator: entryOf('rsi'), ...valuesOf(entryOf('rsi')) }
    let text = ''
    const read = readCandles(halves, { onNote: () => {} })
    for await (const part of computeText([calculation], read, { format: 'csv', isNamed: false })) text += part
    expect(text).toBe(await textOf(csv))
  })

  const row = (time: number, low = 99) => `${1_704_067_200 + time},100,101,${low},100,5`
  const head = 'timestamp,open,high,low,close,volume'
  it.each([
    [`${head}\n${row(60)}\n1704067320,1,2,x,1,1\n`, 'line 3: low is "x", expected a number'],
    [`${head}\n${row(60)}\n${row(120, 105)}\n`, 'line 3: high is below low'],
    [
      `${head}\n${row(60)}\n${row(180)}\n${row(120)}\n`,
      'line 4: 2024-01-01 00:02:00 is not after 2024-01-01 00:03:00, the candle before; the oldest must come first',
    ],
    [
      `${head}\n${row(60)}\n${row(60)}\n`,
      'line 3: 2024-01-01 00:01:00 is not after 2024-01-01 00:01:00, the candle before; the oldest must come first',
    ],
    [
      `${head}\n${row(60.5)}\n`,
      'line 2: time is "1704067260.5", expected Unix seconds (or milli-, micro-, nanoseconds) or YYYY-MM-DD HH:MM:SS',
    ],
    [`${head}\n1704067260,1,2,1,1,-1\n`, 'line 2: volume is negative'],
    [`${head}\n"60,1,2,1\n`, 'line 2: a quotation mark is not closed'],
    [
      'a,b,x,d,e\n',
      'line 1: no column for timestamp, open, high, low, close; the first line names a, b, x, d, e (add --columns timestamp=<name>,open=<name>,high=<name>,low=<name>,close=<name>)',
    ],
    [`${lines(candles.slice(0, 2))}\n{"open":1\n`, 'line 3: this is not JSON: "{\\"open\\":1"'],
    [
      '{"timestamp":1704067260,"open":1,"high":2,"low":1,"close":true,"volume":1}',
      'line 1: close is "true", expected a number',
    ],
    [
      '{"timestamp":1704067260,"t":1704067260,"open":1,"high":2,"low":1,"close":1,"volume":1}',
      'line 1: both timestamp and t (add --columns timestamp=<name>)',
    ],
    [
      '{"timestamp":1704067260,"open":1,"high":2,"low":1,"close":1,"volume":1}\n{"open":1,"high":2,"low":1,"close":1,"volume":1}',
      'line 2: timestamp is missing',
    ],
    [
      '{"timestamp":"noon","open":1,"high":2,"low":1,"close":1,"volume":1}',
      'line 1: time is "noon", expected Unix seconds (or milli-, micro-, nanoseconds) or YYYY-MM-DD HH:MM:SS',
    ],
    ['[1,2]', 'line 1: expected an object with timestamp, open, high, low, close and volume, got "1"'],
    ['[{"open":1}', 'line 1: this is not a JSON array of candles'],
    [`{"a":"${'x'.repeat(70_000)}`, 'line 1: the line is too long for a candle'],
  ])('are refused with the line: %#', async (text, fault) => {
    await expect(textOf(text, { name: 'abs' })).rejects.toThrow(`${join(directory, 'candles')} ${fault}`)
  })

  it('are refused where there are too few or none', async () => {
    await expect(textOf(csvOf(candles.slice(0, 14)))).rejects.toThrow(
      String(posted('rsi', {}, candles.slice(0, 14))),
    )
    await expect(textOf(`${head}\n`)).rejects.toThrow('there are no candles')
    await expect(textOf('')).rejects.toThrow('there are no candles')
    await expect(textOf('\n'.repeat(2 ** 20))).rejects.toThrow(
      /candles line 10001: there are more than 10000 empty lines in a row$/,
    )
  })
})
