import { get } from 'node:http'
import { buffer } from 'node:stream/consumers'
import * as zlib from 'node:zlib'
import { tableFromArrays, tableFromIPC, tableToIPC } from 'apache-arrow'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogue, type Entry } from '../../src/catalogue/index.js'
import { startQuiet } from '../support/quiet-hour.js'
import type { Candela } from '../support/service-process.js'

// No candle closes during the tests. The forming candle, which changes, is never requested twice.
let candela: Candela
beforeAll(async () => {
  candela = await startQuiet()
})
afterAll(() => candela.stop())

const market = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1h' }
const mediaTypes = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  arrow: 'application/vnd.apache.arrow.stream',
}
type Format = keyof typeof mediaTypes

/** A value of a table: that of a time in Unix seconds. */
type Cell = string | number | boolean | null
type Row = Readonly<Record<string, Cell>>

const send = (path: string, init: RequestInit = {}) =>
  fetch(candela.url + path, {
    ...init,
    headers: {
      authorization: `Bearer ${candela.key}`,
      prefer: 'wait=10',
      'accept-encoding': 'identity',
      ...init.headers,
    },
  })

const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  send(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })

const secondsOf = (time: Cell): Cell => (typeof time === 'string' ? Date.parse(time) / 1000 : time)
const withSeconds = ({ time = null, ...others }: Row): Row => ({ time: secondsOf(time), ...others })

/** The rows of a table, read by a library other than the one that writes it. */
async function rowsOf(response: Response, format: Format): Promise<readonly Row[]> {
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe(mediaTypes[format])
  expect(response.headers.get('vary')).toContain('Accept, Accept-Encoding')
  if (format === 'arrow') {
    const table = tableFromIPC(new Uint8Array(await response.arrayBuffer()))
    return table.toArray().map(row => {
      const { time, ...others } = row.toJSON() as Row
      return { time: time === null ? null : Number(time) / 1000, ...others }
    })
  }
  const text = await response.text()
  if (format === 'ndjson')
    return text
      .trimEnd()
      .split('\n')
      .map(line => withSeconds(JSON.parse(line)))
  const rows = parse(text, { columns: true }) as readonly Readonly<Record<string, string>>[]
  return rows.map(row =>
    withSeconds(Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, readCell(cell)]))),
  )
}

/** Value of a cell of CSV: null, a flag, a number or a text. */
function readCell(cell: string): Cell {
  if (cell === '') return null
  if (cell === 'true' || cell === 'false') return cell === 'true'
  return /^-?\d/.test(cell) && !cell.includes(':') && !Number.isNaN(Number(cell)) ? Number(cell) : cell
}

type Answer = Readonly<Record<string, readonly Cell[]>>

/** The rows of an answer in JSON. The empty text, of no names, is nothing in CSV. */
function rowsOfAnswer({ timestamp = [], ...outputs }: Answer, isCsv: boolean): readonly Row[] {
  return timestamp.map((time, at) => {
    const cells = Object.entries(outputs).map(([name, values]) => [name, values[at] ?? null] as const)
    return {
      time,
      ...Object.fromEntries(cells.map(([name, value]) => [name, isCsv && value === '' ? null : value])),
    }
  })
}

/** A sequence of numbers from 0 to 1: the minimal standard generator of Park and Miller. */
function* numbersFrom(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 48_271) % 2_147_483_647
    yield state / 2_147_483_647
  }
}

describe('answers as tables', () => {
  const draws = numbersFrom(20_261_124)
  const draw = (below: number) => Math.floor(draws.next().value * below)
  const entries = [...catalogue.values()]
  const expressions = [
    'close > ema(50)',
    'rsi(14) - rsi(28)',
    'close / open',
    'volume > 0 and close[3] < close',
  ]
  const charts = ['heikinashi', 'renko:atr14', 'linebreak:3']
  const requests = Array.from({ length: 50 }, (_, at) => {
    const symbol = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'][draw(3)] as string
    const window = { results: at % 7 === 0 ? 'max' : 1 + draw(60), backtrack: 1 + draw(40) }
    const options = at % 5 === 1 ? { chart: charts[draw(charts.length)] } : at % 5 === 2 ? { settled: 4 } : {}
    const fields = { ...market, symbol, ...window, ...options }
    const query = (more: object = {}) =>
      new URLSearchParams(
        Object.entries({ ...fields, ...more }).map(([name, value]) => [name, String(value)]),
      )
    if (at % 10 === 3) return `/expression?${query({ expression: expressions[draw(expressions.length)] })}`
    return `/indicator/${(entries[draw(entries.length)] as Entry).name}?${query()}`
  })

  it('have the numbers of JSON bit for bit', async () => {
    let refused = 0
    for (const request of requests) {
      const reply = await send(request)
      const answer = (await reply.json()) as Answer
      if (reply.status !== 200) {
        refused++
        expect(await (await send(`${request}&format=arrow`)).json(), request).toEqual(answer)
        continue
      }
      for (const format of ['csv', 'ndjson', 'arrow'] as const) {
        const rows = await rowsOf(await send(`${request}&format=${format}`), format)
        expect(rows, `${request} as ${format}`).toEqual(rowsOfAnswer(answer, format === 'csv'))
      }
    }
    // Some bars are too few for an indicator, and some values have not settled.
    expect(refused).toBeLessThan(8)
  })
})

const query = (fields: object) =>
  new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]))

describe('the formats', () => {
  it('are chosen by Accept, and by the parameter before it', async () => {
    const path = `/indicator/rsi?${query(market)}`
    const typeOf = async (accept: string, more = '') =>
      (await send(path + more, { headers: { accept } })).headers.get('content-type')
    for (const type of Object.values(mediaTypes)) {
      expect(await typeOf(type)).toBe(type)
      expect(await typeOf(`application/json;q=0.5, ${type}`)).toBe(type)
      expect(await typeOf(`${type};q=0.2, */*`)).toBe('application/json')
      expect(await typeOf(type, '&format=json')).toBe('application/json')
      expect(await typeOf(`${type};q=0`)).toBe('application/json')
    }
    expect(await typeOf('text/html,*/*;q=0.8')).toBe('application/json')
    expect(await typeOf('application/json', '&format=csv')).toBe('text/csv')
  })

  it('leave refusals in JSON', async () => {
    const refusals = [
      await send(`/indicator/rsi?${query({ ...market, format: 'xlsx' })}`),
      await send(`/indicator/rsi?${query({ ...market, format: 'csv', period: 0 })}`),
      await send(`/candles?${query({ ...market, symbol: 'NONE', format: 'arrow' })}`),
      await post('/bulk?format=csv&layout=square', {}),
      await post('/screen?layout=wide', {}),
    ]
    expect(await Promise.all(refusals.map(refusal => refusal.json()))).toEqual([
      { error: 'Invalid format: xlsx. Expected one of json, csv, ndjson, arrow' },
      { error: expect.stringContaining('Invalid period: 0') },
      { error: expect.stringContaining('NONE') },
      { error: 'Invalid layout: square. Expected one of long, wide' },
      { error: expect.stringContaining('The query string of /screen accepts: format') },
    ])
    expect(refusals.map(({ headers }) => headers.get('content-type'))).toEqual(
      refusals.map(() => 'application/json'),
    )
  })

  it('are documented', async () => {
    const document = await (await send('/openapi.json')).json()
    const paths = ['/candles', '/bulk', '/expression', '/screen', '/evaluate', '/indicator/rsi']
    for (const path of paths)
      for (const { responses } of Object.values<{ responses: Record<string, { content: object }> }>(
        document.paths[path],
      ))
        expect(Object.keys(responses['200']?.content ?? {}), path).toEqual([
          'application/json',
          ...Object.values(mediaTypes),
        ])
  })

  it('compress what is long in the encoding that is accepted', async () => {
    const path = `/candles?${query({ ...market, results: 'max', backtrack: 1, format: 'csv' })}`
    const plain = await (await send(path)).text()
    expect(plain.length).toBeGreaterThan(16_384)
    // `fetch` would decode the encodings it knows. Zstandard is in Node.js from 22.15 on.
    const receive = (encoding: string) =>
      new Promise<{ readonly encoding: string | undefined; readonly body: Buffer }>((resolve, reject) => {
        const headers = { authorization: `Bearer ${candela.key}`, 'accept-encoding': encoding }
        get(candela.url + path, { headers }, reply =>
          buffer(reply).then(body => resolve({ encoding: reply.headers['content-encoding'], body }), reject),
        ).on('error', reject)
      })
    const gzip = await receive('gzip')
    expect([gzip.encoding, zlib.gunzipSync(gzip.body).toString()]).toEqual(['gzip', plain])
    const both = await receive('gzip, zstd')
    const decode = (zlib as { readonly zstdDecompressSync?: typeof zlib.gunzipSync }).zstdDecompressSync
    expect(both.encoding).toBe(decode ? 'zstd' : 'gzip')
    expect((decode ?? zlib.gunzipSync)(both.body).toString()).toBe(plain)
    const short = await send(`/indicator/rsi?${query(market)}&format=csv`, {
      headers: { 'accept-encoding': 'gzip' },
    })
    expect(short.headers.get('content-encoding')).toBeNull()
  })
})

describe('the tables', () => {
  it('of candles have the numbers of JSON', async () => {
    const path = `/candles?${query({ ...market, results: 700, backtrack: 3 })}`
    const candles = (await (await send(path)).json()) as readonly Record<string, Cell>[]
    const expected = candles.map(({ timestamp = null, timestampHuman: _, ...prices }) => ({
      time: timestamp,
      ...prices,
    }))
    for (const format of ['csv', 'ndjson', 'arrow'] as const)
      expect(await rowsOf(await send(`${path}&format=${format}`), format), format).toEqual(expected)
  })

  const bulk = {
    constructs: [
      {
        id: 'btc',
        ...market,
        indicators: [
          { id: 'rsi', indicator: 'rsi', results: 3, backtrack: 1 },
          { id: 'macd', indicator: 'macd', results: 2, backtrack: 2 },
          { id: 'up', indicator: 'expression', expression: 'close > ema(20)', results: 2, backtrack: 1 },
        ],
      },
      {
        id: 'eth',
        ...market,
        symbol: 'ETHUSDT',
        indicators: [
          { id: 'rsi', indicator: 'rsi', results: 2, backtrack: 1 },
          { id: 'late', indicator: 'rsi', backtrack: 5000 },
        ],
      },
    ],
  }

  it('of a bulk request have a row for each candle of each indicator, or for each candle', async () => {
    const { btc, eth } = (await (await post('/bulk', bulk)).json()) as Record<string, Record<string, Answer>>
    const cells = (answer: Answer | undefined) => rowsOfAnswer(answer as Answer, false)
    const none = {
      value: null,
      valueMACD: null,
      valueMACDSignal: null,
      valueMACDHist: null,
      value_flag: null,
    }
    const long = [
      ...cells(btc?.rsi).map(row => ({ ...none, ...row, construct: 'btc', indicator: 'rsi' })),
      ...cells(btc?.macd).map(row => ({ ...none, ...row, construct: 'btc', indicator: 'macd' })),
      ...cells(btc?.up).map(({ time = null, value = null }) => ({
        ...none,
        time,
        value_flag: value,
        construct: 'btc',
        indicator: 'up',
      })),
      ...cells(eth?.rsi).map(row => ({ ...none, ...row, construct: 'eth', indicator: 'rsi' })),
    ]
    for (const format of ['csv', 'ndjson', 'arrow'] as const)
      expect(await rowsOf(await post(`/bulk?format=${format}`, bulk), format), format).toEqual(long)

    const wide = await rowsOf(await post('/bulk?layout=wide', bulk, { accept: mediaTypes.arrow }), 'arrow')
    const [first, second, third] = (btc?.rsi?.timestamp ?? []) as number[]
    const at = (answer: Answer | undefined, name: string, time: number) =>
      answer?.[name]?.[answer.timestamp?.indexOf(time) ?? -1] ?? null
    const rowsOfBtc = [first, second, third].map((time = 0) => ({
      time,
      construct: 'btc',
      rsi: at(btc?.rsi, 'value', time),
      'macd.valueMACD': at(btc?.macd, 'valueMACD', time),
      'macd.valueMACDSignal': at(btc?.macd, 'valueMACDSignal', time),
      'macd.valueMACDHist': at(btc?.macd, 'valueMACDHist', time),
      up: at(btc?.up, 'value', time),
    }))
    expect(wide.slice(0, 3)).toEqual(rowsOfBtc)
    expect(wide.slice(3).map(({ construct, rsi }) => [construct, rsi])).toEqual(
      cells(eth?.rsi).map(({ value }) => ['eth', value]),
    )
  })

  it('of a verbose bulk request say why there is no result', async () => {
    const rows = await rowsOf(await post('/bulk?format=csv', { ...bulk, verbose: true }), 'csv')
    expect(rows.at(-1)).toMatchObject({
      time: null,
      construct: 'eth',
      indicator: 'late',
      error: expect.stringContaining('Not enough candles'),
    })
  })

  it('of a screen have its matches', async () => {
    const screen = {
      exchange: 'demo',
      timeframe: '1h',
      where: 'close > 0',
      backtrack: 1,
      select: { rsi: 'rsi(14)', up: 'close > open' },
    }
    const { matches } = await (await post('/screen', screen)).json()
    expect(matches.length).toBeGreaterThan(2)
    const expected = matches.map(({ timestamp, ...others }: Row) => ({ time: timestamp, ...others }))
    for (const format of ['csv', 'ndjson', 'arrow'] as const)
      expect(await rowsOf(await post(`/screen?format=${format}`, screen), format), format).toEqual(expected)
  })

  it('of an evaluation have its returns, its trades and its equity', async () => {
    const evaluation = { ...market, entry: 'rsi(14) < 40', exit: 'rsi(14) > 55', horizons: [1, 5] }
    const { returns, trades, equity } = await (await post('/evaluate', evaluation)).json()
    const rows = await rowsOf(await post('/evaluate?format=ndjson', evaluation), 'ndjson')
    const statistics = ({ meanInterval, hitRateInterval, ...others }: Record<string, never>) => ({
      ...others,
      meanIntervalLow: meanInterval?.[0] ?? null,
      meanIntervalHigh: meanInterval?.[1] ?? null,
      hitRateIntervalLow: hitRateInterval?.[0] ?? null,
      hitRateIntervalHigh: hitRateInterval?.[1] ?? null,
    })
    expect(rows.map(({ time: _, ...others }) => others)).toEqual(
      returns.flatMap(({ after, signals, baseline }: Record<string, Record<string, never>>) => [
        { after, sample: 'signals', ...statistics(signals as never) },
        { after, sample: 'baseline', ...statistics(baseline as never) },
      ]),
    )
    const tradeRows = await rowsOf(await post('/evaluate?format=csv&part=trades', evaluation), 'csv')
    expect(tradeRows.map(({ time: _, entryTime, exitTime, ...others }) => others)).toEqual(
      trades.list.map(({ entryTimestamp: _, exitTimestamp: __, ...others }: Row) => others),
    )
    const curve = await rowsOf(await post('/evaluate?part=equity&format=arrow', evaluation), 'arrow')
    expect(curve.map(({ time }) => time)).toEqual(equity.timestamp)
    expect(curve.map(({ value }) => value)).toEqual(equity.value)
  })
})

describe('bodies that are tables', () => {
  /** Candles of a random walk, an hour apart. */
  const walk = (count: number) => {
    const draws = numbersFrom(7)
    let close = 100
    return Array.from({ length: count }, (_, at) => {
      const open = close
      close = open * (0.99 + 0.02 * draws.next().value)
      return {
        timestamp: 1_700_006_400 + 3600 * at,
        open,
        high: Math.max(open, close) * 1.001,
        low: Math.min(open, close) * 0.999,
        close,
        volume: 10 * draws.next().value,
      }
    })
  }
  type Candles = ReturnType<typeof walk>
  const toCsv = (candles: Candles) =>
    `Date;Open;High;Low;Close;Volume\n${candles
      .map(({ timestamp, open, high, low, close, volume }) =>
        [new Date(timestamp * 1000).toISOString(), open, high, low, close, volume].join(';'),
      )
      .join('\n')}`
  const toArrow = (candles: Candles) =>
    tableToIPC(
      tableFromArrays({
        volume: Float64Array.from(candles, ({ volume }) => volume),
        time: candles.map(({ timestamp }) => new Date(timestamp * 1000)),
        ...Object.fromEntries(
          (['open', 'high', 'low', 'close'] as const).map(name => [
            name,
            Float64Array.from(candles, candle => candle[name]),
          ]),
        ),
      }),
      'stream',
    )
  const sendTable = (path: string, format: 'csv' | 'arrow', body: string | Uint8Array, key = candela.key) =>
    send(path, {
      method: 'POST',
      body: body as BodyInit,
      headers: { 'content-type': mediaTypes[format], authorization: `Bearer ${key}` },
    })

  it('are answered as the same candles in JSON are', async () => {
    const candles = walk(400)
    const expected = await (await post('/indicator/rsi', { candles, results: 'max', period: 9 })).json()
    const path = `/indicator/rsi?${query({ results: 'max', period: 9 })}`
    expect(await (await sendTable(path, 'csv', toCsv(candles))).json()).toEqual(expected)
    expect(await (await sendTable(path, 'arrow', toArrow(candles))).json()).toEqual(expected)
    const table = await rowsOf(await sendTable(`${path}&format=csv`, 'csv', toCsv(candles)), 'csv')
    expect(table).toEqual(rowsOfAnswer(expected, true))
    const asked = { candles, results: 'max', period: 9 }
    expect(await rowsOf(await post('/indicator/rsi?format=arrow', asked), 'arrow')).toEqual(table)
    const condition = { expression: 'close > ema(20)', results: 5 }
    expect(
      await (await sendTable(`/expression?${query(condition)}`, 'arrow', toArrow(candles))).json(),
    ).toEqual(await (await post('/expression', { ...condition, candles })).json())
  })

  it('need nothing but closes for an indicator that reads nothing else', async () => {
    const candles = walk(60).map(({ timestamp, close }) => ({ timestamp, close }))
    const full = candles.map(({ timestamp, close }) => {
      const [open, high, low] = [close, close, close]
      return { timestamp, open, high, low, close, volume: 0 }
    })
    const expected = await (await post('/indicator/rsi', { candles: full, results: 'max' })).json()
    const text = `time,close\n${candles.map(({ timestamp, close }) => `${timestamp},${close}\n`).join('')}`
    const arrow = tableToIPC(
      tableFromArrays({
        time: candles.map(({ timestamp }) => new Date(timestamp * 1000)),
        close: Float64Array.from(candles, ({ close }) => close),
      }),
      'stream',
    )
    expect(await (await sendTable('/indicator/rsi?results=max', 'csv', text)).json()).toEqual(expected)
    expect(await (await sendTable('/indicator/rsi?results=max', 'arrow', arrow)).json()).toEqual(expected)
    for (const path of ['/indicator/atr', '/indicator/rsi?source=hl2', '/indicator/rsi?chart=heikinashi']) {
      const reply = await sendTable(path, 'csv', text)
      const { error } = (await reply.json()) as { error: string }
      expect(error, path).toMatch(/^Request body has no column for open, high, low;/)
    }
  })

  it.each([
    ['/indicator/sma?period=20', '19'],
    // Per candle, an average keeps 19/21 or 13/14 of its value. This weight falls below 1e-17: a hundredth of the 15th digit.
    ['/indicator/ema?period=20', String(19 + Math.ceil(Math.log(1e-17) / Math.log(19 / 21)))],
    ['/indicator/rsi?period=14', String(14 + Math.ceil(Math.log(1e-17) / Math.log(13 / 14)))],
    [`/expression?${query({ expression: 'close > sma(close[3], 10)' })}`, '12'],
    ['/indicator/obv', 'never; obv: every candle since the first one counts'],
    ['/indicator/vidya', 'never; vidya: the market decides how fast older candles lose their weight'],
    [
      `/expression?${query({ expression: 'sma(obv, 5)' })}`,
      'never; obv: every candle since the first one counts',
    ],
    ['/indicator/sma?period=2&chart=renko:1', 'never; renko:1: its bars depend on where the history begins'],
  ])('say to %s how many candles a value depends on', async (path, settled) => {
    const reply = await sendTable(path, 'csv', toCsv(walk(100)))
    expect([reply.status, reply.headers.get('settled-candles')]).toEqual([200, settled])
  })

  it('have the candles of other markets in rows that name them', async () => {
    const expression = 'close / close{ETH} - sma(close{ETH}@4h, 3)'
    const candles = walk(400)
    const other = candles.slice(7).map(({ timestamp, close }) => ({
      ...{ timestamp, open: close, high: 2 * close, low: close, close: 1.5 * close, volume: 0 },
    }))
    const expected = await (
      await post('/expression', { expression, candles, with: { ETH: other }, results: 'max' })
    ).json()
    const path = (results: number | 'max') => `/expression?${query({ expression, results })}`
    const rows = [
      ...other.map(candle => ({ ...candle, with: 'ETH' })),
      ...candles.map(candle => ({ ...candle, with: '' })),
    ]
    rows.sort((a, b) => a.timestamp - b.timestamp)
    const named = (each: typeof rows) => {
      const columns = tableFromIPC(toArrow(each))
      const names = tableFromArrays({ With: each.map(row => row.with || null) })
      return tableToIPC(columns.assign(names), 'stream')
    }
    const csv = `${Object.keys(rows[0] as Row).join()}\n${rows.map(row => Object.values(row).join()).join('\n')}`
    expect(await (await sendTable(path('max'), 'csv', csv)).json()).toEqual(expected)
    expect(await (await sendTable(path('max'), 'arrow', named(rows))).json()).toEqual(expected)
    // Enough rows that a thread reads them.
    const later = walk(9_000).map(candle => ({ ...candle, timestamp: candle.timestamp - 9_000 * 3600 }))
    const long = [...later.map(candle => ({ ...candle, with: 'ETH' })), ...rows]
    const { value } = await (await sendTable(path(100), 'arrow', named(long))).json()
    expect(value).toEqual(expected.value.slice(-100))
    const errorOf = async (at: string, text: string) =>
      (await (await sendTable(at, 'csv', text)).json()).error
    expect([
      await errorOf('/indicator/rsi', csv),
      await errorOf(path(1), csv.replaceAll('ETH', 'BTC')),
      await errorOf(path(1), csv.replaceAll(/^.*,$/gm, '')),
      await errorOf(path(1), csv.replace(/(\d+,){2}(?=.*ETH)/, '$1x,')),
      await errorOf(path(1), csv.replace('with', 'other')),
    ]).toEqual([
      'Invalid with: the expression does not name {ETH}',
      'Invalid with: the expression does not name {BTC}',
      'candles must hold at least 1 candle',
      'Request body: line 9: volume is "x", expected a number',
      'candles[8].timestamp is not after candles[7].timestamp',
    ])
  })

  it('count as a request for each 500 candles', async () => {
    const key = await candela.cli('keys', 'create', '--plan', 'pro', '--name', 'tables')
    const path = '/indicator/ema?results=1'
    const send = async (count: number) => {
      const reply = await sendTable(path, 'arrow', toArrow(walk(count)), key)
      return [reply.status, /r=(\d+)/.exec(reply.headers.get('ratelimit') ?? '')?.[1]]
    }
    expect(await send(500)).toEqual([200, '29'])
    expect(await send(4_900)).toEqual([200, '19'])
    expect(await send(15_001)).toEqual([400, '19'])
    expect(await send(10_000)).toEqual([429, '19'])
    expect(await send(9_500)).toEqual([200, '0'])
  })

  it('are refused where they are no tables of candles', async () => {
    const [first] = walk(3)
    const errorOf = async (reply: Promise<Response>) => [
      (await reply).status,
      (await (await reply).json()).error,
    ]
    const path = '/indicator/rsi'
    const csv = (text: string) => errorOf(sendTable(path, 'csv', text))
    expect([
      await csv('Date,Open,High\n1,2,3'),
      await csv('time,open,high,low,close\n1700006400,2,3,1,x'),
      await csv('time,open,high,low,close\n1700006400,2,3,1,2\n1700006400,2,3,1,2'),
      await csv('time,open,high,low,close\n"1700006400'),
      await csv('time,open,high,low,close\n'),
      await errorOf(sendTable(path, 'arrow', new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8, 9]))),
      await errorOf(sendTable('/indicator/rsi?periods=3', 'arrow', toArrow([first as never]))),
      await errorOf(
        send(path, { method: 'POST', body: '{}', headers: { 'content-type': mediaTypes.ndjson } }),
      ),
    ]).toEqual([
      [400, 'Request body has no column for low, close; the first line names Date, Open, High'],
      [400, 'Request body: line 2: close is "x", expected a number'],
      [400, expect.stringContaining('candles[1]')],
      [400, 'Request body is not CSV: line 2: a quotation mark is not closed'],
      [400, expect.stringContaining('candles')],
      [400, 'Request body is not a stream of Apache Arrow with buffers that are not compressed'],
      [400, expect.stringContaining('Unknown parameter: periods')],
      [415, 'Content-Type must be application/json or text/csv or application/vnd.apache.arrow.stream'],
    ])
  })
})
