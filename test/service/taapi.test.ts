import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rateExceeded } from '../../src/contract/refusals.js'
import { refusalReply } from '../../src/http/taapi-v1/routes.js'
import { createDemoSource } from '../../src/markets/exchanges/demo/demo-source.js'
import { codeBlocksOf, documentAt } from '../support/documents.js'
import { midnight, startTestService } from '../support/test-service.js'

/** Starts the service with `demo` also as `binance`, the default exchange of bots. */
const start = (settings = {}) =>
  startTestService(settings, {
    binance: createDemoSource(() => midnight),
    stocks: createDemoSource(() => midnight),
  })

let service: Awaited<ReturnType<typeof start>>
let v1: string

beforeAll(async () => {
  service = await start()
  v1 = `${service.url}/taapi-v1`
})
afterAll(() => service.close())

interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: any JSON that the service sends
  readonly body: any
}

async function get(path: string, base = v1): Promise<Answer> {
  const response = await fetch(`${base}${path}`)
  return { status: response.status, headers: response.headers, body: await response.json() }
}

async function post(path: string, body: unknown, base = v1): Promise<Answer> {
  const response = await fetch(`${base}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** The same question in the interface of this service. */
async function own(path: string): Promise<Answer['body']> {
  return service.get(path)
}

const market = 'secret=many&exchange=binance&symbol=BTC/USDT'
const ownMarket = 'exchange=binance&symbol=BTCUSDT'

describe('GET /taapi-v1/{indicator}', () => {
  it('answers a single value without its time', async () => {
    const { status, body } = await get(`/rsi?${market}&interval=1h`)
    const { value } = await own(`/indicator/rsi?${ownMarket}&timeframe=1h`)
    expect(status).toBe(200)
    expect(body).toEqual({ value: value[0] })
  })

  it('adds the time where it is wanted', async () => {
    const { body } = await get(`/rsi?${market}&interval=1h&addResultTimestamp=True`)
    const { value, timestamp } = await own(`/indicator/rsi?${ownMarket}&timeframe=1h`)
    expect(body).toEqual({ value: value[0], timestamp: timestamp[0] })
  })

  it('answers columns with the oldest value first where results are wanted', async () => {
    const { body } = await get(`/macd?${market}&interval=1h&results=3&optInFastPeriod=5`)
    expect(body).toEqual(await own(`/indicator/macd?${ownMarket}&timeframe=1h&results=3&fastPeriod=5`))
  })

  it('answers rows with the newest value first where backtracks are wanted', async () => {
    const { body } = await get(`/rsi?${market}&interval=1h&backtracks=3&addResultTimestamp=true`)
    const { value, timestamp } = await own(`/indicator/rsi?${ownMarket}&timeframe=1h&results=3`)
    expect(body).toEqual(
      [2, 1, 0].map((at, backtrack) => ({ value: value[at], timestamp: timestamp[at], backtrack })),
    )
  })

  it('counts the rows from the backtrack', async () => {
    const { body } = await get(`/rsi?${market}&interval=1h&backtracks=2&backtrack=5`)
    expect(body.map((row: { backtrack: number }) => row.backtrack)).toEqual([5, 6])
  })

  it('writes the signals of candlestick patterns as texts', async () => {
    const { body } = await get(`/doji?${market}&interval=1h`)
    expect(['0', '100', '-100']).toContain(body.value)
    const { body: list } = await get(`/doji?${market}&interval=1h&results=2`)
    expect(list.value.every(Number.isInteger)).toBe(true)
  })

  it.each([
    ['abs', ['value']],
    ['vwma', ['value']],
    ['accbands', ['valueUpperBand', 'valueMiddleBand', 'valueLowerBand']],
    ['dmi', ['adx', 'pdi', 'plusdi', 'mdi', 'minusdi']],
    ['stoch', ['valueK', 'valueSlowK', 'valueD', 'valueSlowD']],
    ['bbands2', ['valueUpperBand', 'valueMiddleBand', 'valueLowerBand']],
  ])('names the outputs of %s as there', async (name, outputs) => {
    const { body } = await get(`/${name}?${market}&interval=1h`)
    expect(Object.keys(body)).toEqual(outputs)
    for (const value of Object.values(body)) expect(value).toBeTypeOf('number')
  })

  it('nests the bands of donchianchannels', async () => {
    const { body } = await get(`/donchianchannels?${market}&interval=1h`)
    const { upper, middle, lower } = await own(`/indicator/donchianchannels?${ownMarket}&timeframe=1h`)
    expect(body).toEqual({ value: { upper: upper[0], middle: middle[0], lower: lower[0] } })
  })

  it('answers candles with their weekday', async () => {
    const { body } = await get(`/candle?${market}&interval=1d&backtrack=1`)
    expect(body).toMatchObject({ timestamp: midnight - 86_400 })
    expect(body.timestampHuman).toBe('2023-11-14 00:00:00 (Tuesday) UTC')
    const { body: list } = await get(`/candles?${market}&interval=1d&period=3`)
    expect(list.map((candle: { timestamp: number }) => candle.timestamp)).toEqual(
      [2, 1, 0].map(days => midnight - days * 86_400),
    )
    expect(list[1]).toEqual(body)
  })

  it('ignores unknown and empty parameters', async () => {
    const plain = await get(`/rsi?${market}&interval=1h`)
    const { status, body } = await get(`/rsi?${market}&interval=1h&limit=5&field=close&backtrack=&gaps=`)
    expect(status).toBe(200)
    expect(body).toEqual(plain.body)
  })

  it('takes the exchange stocks for type=stocks', async () => {
    const { body } = await get('/sma?secret=many&type=stocks&exchange=binance&symbol=BTCUSDT&interval=1d')
    const { value } = await own('/indicator/sma?exchange=stocks&symbol=BTCUSDT&timeframe=1d')
    expect(body).toEqual({ value: value[0] })
  })
})

describe('candles that exchanges do not have', () => {
  it.each([
    ['3m', '1m', 180],
    ['30m', '15m', 1800],
    ['2h', '1h', 7200],
    ['6h', '1h', 21_600],
    ['8h', '4h', 28_800],
    ['12h', '4h', 43_200],
    ['3d', '1d', 259_200],
  ])('%s are made of %s', async (interval, timeframe, seconds) => {
    const { body } = await get(`/candle?${market}&interval=${interval}&backtrack=1`)
    const finer = await own(`/candles?${ownMarket}&timeframe=${timeframe}&results=100`)
    const parts = finer.filter(
      ({ timestamp }: { timestamp: number }) => Math.floor(timestamp / seconds) * seconds === body.timestamp,
    )
    expect(body.timestamp).toBe(Math.floor(midnight / seconds) * seconds - seconds)
    expect(parts.map(({ timestamp }: { timestamp: number }) => timestamp)[0]).toBe(body.timestamp)
    const column = (name: string): number[] => parts.map((part: Record<string, number>) => part[name])
    expect(body).toMatchObject({
      open: column('open')[0],
      high: Math.max(...column('high')),
      low: Math.min(...column('low')),
      close: column('close').at(-1),
      volume: column('volume').reduce((sum, volume) => sum + volume, 0),
    })
  })

  it('heikinashi smooths the candles', async () => {
    const { body } = await get(`/candle?${market}&interval=1h&results=3&chart=heikinashi`)
    const plain = await own(`/candles?${ownMarket}&timeframe=1h&results=3`)
    const { open, high, low, close } = plain[2]
    expect(body.close[2]).toBeCloseTo((open + high + low + close) / 4, 9)
    expect(body.open[2]).toBeCloseTo((body.open[1] + body.close[1]) / 2, 9)
    expect(body.high[2]).toBe(Math.max(high, body.open[2], body.close[2]))
    const rsi = await get(`/rsi?${market}&interval=1h&chart=heikinashi`)
    expect(rsi.body.value).not.toBe((await get(`/rsi?${market}&interval=1h`)).body.value)
  })

  it('fromTimestamp and toTimestamp bound the values', async () => {
    const hours = 3600
    const range = `fromTimestamp=${midnight - 5 * hours}&toTimestamp=${midnight - 2 * hours}`
    const { body } = await get(`/rsi?${market}&interval=1h&${range}`)
    const { value } = await own(`/indicator/rsi?${ownMarket}&timeframe=1h&results=4&backtrack=2`)
    expect(body).toEqual({
      value,
      timestamp: [5, 4, 3, 2].map(ago => midnight - ago * hours),
    })
  })

  it('gaps=false fills what is missing', async () => {
    const candle = (timestamp: number, price: number) => ({
      timestamp,
      open: price,
      high: price + 1,
      low: price - 1,
      close: price,
      volume: 5,
    })
    const gappy = [0, 1, 4].map((hour, k) => candle(midnight - 4 * 3600 + hour * 3600, 100 + k))
    const sources = { binance: { symbols: () => ['XY'], candles: () => gappy } }
    const other = await startTestService({}, sources as never)
    try {
      const path = '/candle?secret=many&symbol=XY&interval=1h&results=5'
      const { body } = await get(`${path}&gaps=false`, `${other.url}/taapi-v1`)
      expect(body.close).toEqual([100, 101, 101, 101, 102])
      expect(body.volume).toEqual([5, 5, 0, 0, 5])
      const { body: unfilled } = await get(path, `${other.url}/taapi-v1`)
      expect(unfilled.close).toEqual([100, 101, 102])
    } finally {
      await other.close()
    }
  })
})

describe('POST /taapi-v1/{indicator}', () => {
  it('computes over candles whose times are milliseconds', async () => {
    const candles = Array.from({ length: 30 }, (_, i) => ({
      timestamp: (midnight + i * 60) * 1000,
      open: 100 + i,
      high: 102 + i,
      low: 99 + i,
      close: 101 + i,
      volume: 10,
    }))
    const { status, body } = await post('/sma', {
      secret: 'many',
      candles,
      period: '5',
      addResultTimestamp: true,
    })
    expect(status).toBe(200)
    expect(body).toEqual({ value: 101 + 27, timestamp: midnight + 29 * 60 })
  })

  it('refuses a body without candles', async () => {
    expect(await post('/sma', { secret: 'many' })).toMatchObject({
      status: 400,
      body: { errors: ['candles is missing'] },
    })
  })
})

describe('POST /taapi-v1/bulk', () => {
  const indicators = [
    { indicator: 'rsi' },
    { indicator: 'rsi', period: 20 },
    { indicator: 'ema', period: 40, results: 2, backtrack: 1 },
    { indicator: 'macd', id: 'mine' },
  ]
  const construct = { exchange: 'binance', symbol: 'BTC/USDT', interval: '1h', indicators }

  it('answers in the order of the request, with automatic ids', async () => {
    const { status, body } = await post('/bulk', { secret: 'many', construct })
    expect(status).toBe(200)
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([
      'binance_BTC/USDT_1h_rsi_0',
      'binance_BTC/USDT_1h_rsi_20_0',
      'binance_BTC/USDT_1h_ema_40_2_1',
      'mine',
    ])
    const { value } = await own(`/indicator/rsi?${ownMarket}&timeframe=1h`)
    expect(body.data[0]).toEqual({
      id: 'binance_BTC/USDT_1h_rsi_0',
      indicator: 'rsi',
      result: { value: value[0] },
      errors: [],
    })
    expect(body.data[2].result.value).toHaveLength(2)
  })

  it('answers as objects, with the results of a repeated id as a list', async () => {
    const twice = {
      ...construct,
      indicators: [
        { indicator: 'price', id: 'p' },
        { indicator: 'rsi', id: 'p' },
      ],
    }
    const other = { ...construct, symbol: 'ETH/USDT', indicators: [{ indicator: 'rsi', id: 'r' }] }
    const { body } = await post('/bulk', {
      secret: 'many',
      construct: [twice, other],
      outputFormat: 'objects',
    })
    expect(Object.keys(body)).toEqual(['p', 'r'])
    expect(body.p).toEqual([{ value: expect.any(Number) }, { value: expect.any(Number) }])
    expect(body.r).toEqual({ value: expect.any(Number) })
  })

  it('names what cannot be computed, and computes the rest', async () => {
    const failing = { ...construct, symbol: 'NONE', interval: '1d' }
    const mixed = {
      ...construct,
      indicators: [
        { indicator: 'nosuch', id: 'x' },
        { indicator: 'rsi', id: 'y' },
      ],
    }
    const { status, body } = await post('/bulk', { secret: 'many', construct: [failing, mixed] })
    expect(status).toBe(200)
    expect(body.data).toEqual([
      { id: 'binance_NONE_1d', errors: [expect.stringContaining('Symbol not found')] },
      { id: 'x', indicator: 'nosuch', errors: ['Unknown indicator: nosuch'] },
      { id: 'y', indicator: 'rsi', result: { value: expect.any(Number) }, errors: [] },
    ])
  })

  it('refuses more constructs or calculations than are allowed', async () => {
    const many = Array.from({ length: 21 }, () => construct)
    expect(await post('/bulk', { secret: 'many', construct: many })).toMatchObject({
      status: 400,
      body: { errors: ['You are querying more constructs than your plan allows!'] },
    })
    const crowded = { ...construct, indicators: Array.from({ length: 21 }, () => ({ indicator: 'rsi' })) }
    expect(await post('/bulk', { secret: 'many', construct: crowded })).toMatchObject({
      status: 400,
      body: { errors: ['You are querying more calculations than your plan allows!'] },
    })
  })
})

describe('errors', () => {
  it('without a valid secret are those of the hosted service', async () => {
    for (const query of ['', 'secret=wrong&']) {
      expect(await get(`/rsi?${query}symbol=BTC/USDT&interval=1h`)).toMatchObject({
        status: 401,
        body: {
          message: 'You are not authenticated to query this endpoint! Please check your secret key.',
          statusCode: 401,
        },
      })
    }
  })

  it('of an exceeded limit have the text that bots look for, and say when to come back', () => {
    const { status, body, headers } = refusalReply(rateExceeded(1, 7))
    expect(status).toBe(429)
    expect(JSON.parse(body as string)).toEqual({
      error: '429: You have exceeded your request limit (TAAPI.IO rate-limit)!',
    })
    expect(headers).toEqual({ 'Retry-After': '7' })
  })

  it('of an exceeded limit come after as many requests as the plan has, for each way of asking', async () => {
    const free = 'secret=free&symbol=BTC/USDT&interval=1h'
    const answers = [
      await get(`/rsi?${free}`),
      await get(`/rsi?${free}`),
      await post('/bulk', {
        secret: 'free',
        construct: { symbol: 'BTC/USDT', interval: '1h', indicators: [{ indicator: 'rsi' }] },
      }),
      await get('/exchange-symbols?secret=free&exchange=binance'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 429, 429, 429])
    for (const { body, headers } of answers.slice(1)) {
      expect(body).toEqual({ error: '429: You have exceeded your request limit (TAAPI.IO rate-limit)!' })
      const seconds = Number(headers.get('retry-after'))
      expect(seconds > 0 && seconds <= 15).toBe(true)
    }
    service.passMs(15_000)
    expect((await get(`/rsi?${free}`)).status).toBe(200)
  })

  it('say what is not covered', async () => {
    for (const path of ['/manual', '/summary', '/batch'])
      expect(
        await post(path, { secret: 'many', indicator: 'rsi', candles: [[1, 1, 1, 1, 1]] }),
      ).toMatchObject({
        status: 404,
        body: { errors: [`Unknown indicator: ${path.slice(1)}`] },
      })
    expect(await get(`/rsi?${market}&interval=7h`)).toMatchObject({
      status: 400,
      body: { errors: [expect.stringMatching(/^Invalid interval: 7h\. Expected one of /)] },
    })
    expect(await get(`/rsi?${market}&interval=1h&chart=renko`)).toMatchObject({
      status: 400,
      body: { errors: [expect.stringMatching(/^Invalid chart: renko/)] },
    })
  })

  it('say what is wrong in a list', async () => {
    expect(await get(`/nosuch?${market}&interval=1h`)).toMatchObject({
      status: 404,
      body: { errors: ['Unknown indicator: nosuch'] },
    })
    expect(await get(`/rsi?${market}&interval=7h`)).toMatchObject({
      status: 400,
      body: {
        errors: [
          'Invalid interval: 7h. Expected one of 1m, 3m, 5m, 15m, 30m, 1h, 2h, 4h, 6h, 8h, 12h, 1d, 3d, 1w, 1M',
        ],
      },
    })
    expect(await get('/rsi?secret=many')).toMatchObject({
      status: 400,
      body: { errors: ['Missing required: symbol, interval'] },
    })
    expect(await get(`/rsi?${market}&interval=1h&type=forex`)).toMatchObject({
      status: 400,
      body: { errors: ['Invalid type: forex. Expected one of crypto, stocks'] },
    })
    expect(await get('/bulk?secret=many')).toMatchObject({ status: 405 })
    expect(await get('/a/b')).toMatchObject({ status: 404 })
  })
})

describe('at the root', () => {
  it('requests without a header are those of version 1, all others are those of this service', async () => {
    const other = await start({ taapiAtRoot: true })
    try {
      const { value } = await own(`/indicator/rsi?${ownMarket}&timeframe=1h`)
      const question = `/rsi?${market}&interval=1h`
      expect(await get(question, other.url)).toMatchObject({ status: 200, body: { value: value[0] } })
      const bulk = {
        secret: 'many',
        construct: { symbol: 'BTC/USDT', interval: '1h', indicators: [{ indicator: 'rsi' }] },
      }
      expect((await post('/bulk', bulk, other.url)).body.data[0].result).toEqual({ value: value[0] })
      const response = await fetch(`${other.url}/indicator/rsi?${ownMarket}&timeframe=1h`, {
        headers: { authorization: 'Bearer many' },
      })
      expect(await response.json()).toMatchObject({ value })
      expect((await get('/health/live', other.url)).body).toEqual({ status: 'ok' })
    } finally {
      await other.close()
    }
  })
})

/** The npm package taapi 1.4.8, with its address replaced by the lines of the documentation. */
function createTaapi(secret: string) {
  const blocks = codeBlocksOf(documentAt('docs/migrating.md')).filter(({ language }) => language === 'js')
  const lines = blocks.map(({ code }) => code.replace('http://localhost:8080/taapi-v1', v1)).join('\n')
  const require = createRequire(import.meta.url)
  const { default: Taapi } = new Function('require', `${lines}\nreturn { default: Taapi }`)(require)
  return new Taapi(secret)
}

describe('the npm package taapi', () => {
  it('gets indicators, bulks and symbols', async () => {
    const taapi = createTaapi('many')
    const { value } = await own(`/indicator/rsi?${ownMarket}&timeframe=1h&period=20&backtrack=1`)
    expect(await taapi.getIndicator('rsi', 'BTC/USDT', '1h', { period: 20, backtrack: 1 })).toEqual({
      value: value[0],
    })
    taapi.addCalculation('rsi', 'BTC/USDT', '1h', 'rsi20', { period: 20, backtrack: 1 })
    taapi.addCalculation('ema', 'ETH/USDT', '30m', 'ema', { results: 3 })
    const bulk = await taapi.executeBulk()
    expect(bulk.rsi20).toEqual({ value: value[0] })
    expect(bulk.ema.value).toHaveLength(3)
    const symbols = await taapi.getExchangeSymbols('crypto', 'binance', 'USDT')
    expect(symbols).toContain('BTC/USDT')
    expect(symbols.every((symbol: string) => symbol.endsWith('/USDT'))).toBe(true)
  })

  it('shows the caller an error of the exchange as it does with the hosted service', async () => {
    const wrong = await createTaapi('wrong')
      .getIndicator('rsi', 'BTC/USDT', '1h')
      .catch((error: unknown) => error)
    expect(wrong.response.status).toBe(401)
    expect(wrong.response.data.message).toMatch(/not authenticated/)
  })
})

describe('request shapes of other clients', () => {
  it('of the .NET library: empty values and a result by id', async () => {
    const query = 'symbol=BTC%2FUSDT&interval=1h&backtrack=&chart=&gaps=&optInFastPeriod=12&exchange=binance'
    const { body } = await get(`/macd?secret=many&${query}`)
    expect(Object.keys(body)).toEqual(['valueMACD', 'valueMACDSignal', 'valueMACDHist'])
    const indicators = [{ id: 'a', indicator: 'rsi', chart: null, additionalParameters: {}, backtrack: null }]
    const construct = { exchange: 'binance', symbol: 'BTC/USDT', interval: '1h', indicators }
    const { body: bulk } = await post('/bulk', { secret: 'many', construct })
    expect(bulk.data[0]).toMatchObject({ id: 'a', result: { value: expect.any(Number) } })
  })

  it('of the Python alert bot: every TA-Lib parameter by its position', async () => {
    const indicators = [
      { indicator: 'macd', optInFastPeriod: 12, opInSlowPeriod: 26, optInSignalPeriod: 9 },
      { indicator: 'bbands2', period: 20, stddev: 2 },
    ]
    const construct = { exchange: 'binance', symbol: 'BTC/USDT', interval: '4h', indicators }
    const { body } = await post('/bulk', { secret: 'many', construct })
    expect(body.data[0].result.valueMACDHist).toBeTypeOf('number')
    expect(body.data[1].result.valueUpperBand).toBeTypeOf('number')
  })

  it('of the PHP application: results in bulk, fields of its own', async () => {
    const indicators = [
      { id: 'c', indicator: 'candle', results: 2000 },
      { id: 'e', indicator: 'ema', results: 1, period: '40' },
    ]
    const construct = [{ exchange: 'binance', symbol: 'BTC/USDT', interval: '1h', indicators }]
    const { body } = await post('/bulk', { secret: 'many', debug: true, construct })
    expect(body.data[0].result.open.length).toBe(body.data[0].result.timestamp.length)
    expect(body.data[1].result.value).toHaveLength(1)
  })

  it('of the browser client: one backtrack with its time', async () => {
    const { body } = await get(`/rsi?${market}&interval=1h&backtracks=1&addResultTimestamp=true`)
    expect(body).toEqual([{ value: expect.any(Number), timestamp: midnight, backtrack: 0 }])
  })

  it('of the Go library: sorted parameters as texts, a list of one construct, Accept', async () => {
    const query = 'backtrack=1&exchange=binance&interval=1h&period=14&secret=many&symbol=BTC%2FUSDT'
    const response = await fetch(`${v1}/rsi?${query}`, { headers: { accept: 'application/json' } })
    const { value } = await own(`/indicator/rsi?${ownMarket}&timeframe=1h&period=14&backtrack=1`)
    expect(await response.json()).toEqual({ value: value[0] })
    const indicators = [{ indicator: 'rsi', period: 14, id: 'mine' }]
    const construct = [{ exchange: 'binance', indicators, interval: '1h', symbol: 'BTC/USDT' }]
    const { body } = await post('/bulk', { construct, secret: 'many' })
    expect(body.data[0]).toMatchObject({
      id: 'mine',
      indicator: 'rsi',
      result: { value: expect.any(Number) },
    })
  })

  it('of Python scripts: candles of half an hour as rows, the newest first', async () => {
    const query = 'secret=many&exchange=binance&symbol=BTC%2FUSDT&interval=30m&backtracks=10'
    const { body } = await get(`/candle?${query}`)
    expect(body).toHaveLength(10)
    expect(Object.keys(body[0])).toEqual([
      'timestampHuman',
      'timestamp',
      'open',
      'high',
      'low',
      'close',
      'volume',
      'backtrack',
    ])
    expect(body.map((row: { timestamp: number }) => (midnight - row.timestamp) / 1800)).toEqual(
      Array.from({ length: 10 }, (_, at) => at),
    )
    expect(body[0].timestampHuman).toBe('2023-11-15 00:00:00 (Wednesday) UTC')
  })

  it('of the PHP library: one construct as an object, objects as the format', async () => {
    const construct = {
      exchange: 'binance',
      symbol: 'BTC/USDT',
      interval: '1h',
      indicators: [{ indicator: 'rsi' }],
    }
    const { body } = await post('/bulk', { secret: 'many', construct, outputFormat: 'objects' })
    expect(body).toEqual({ 'binance_BTC/USDT_1h_rsi_0': { value: expect.any(Number) } })
  })
})
