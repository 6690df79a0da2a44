import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { catalogue, type Entry } from '../../src/catalogue/index.js'
import { type Binance, ccxtOptions, faults, startBinance } from '../support/binance.js'
import { fetchDocumented } from '../support/documented.js'
import { longFor } from '../support/laws/settings.js'
import { quietClock, startQuiet } from '../support/quiet-hour.js'
import { type Candela, CandelaProcess, tuningOf } from '../support/service-process.js'

type Json = Record<string, unknown>

const klines = '/api/v3/klines'
let binance: Binance
let candela: Candela

const keyOf = (service: Candela, ...bounds: string[]) =>
  service.cli('keys', 'create', '--plan', 'enterprise', '--name', 'test', '--requests', '1000000', ...bounds)

beforeAll(async () => {
  binance = await startBinance({ clock: quietClock })
  candela = await startQuiet({
    EXCHANGES: JSON.stringify({ binance: ccxtOptions(binance.url) }),
    BULK_WAIT_SECONDS: '2',
    FETCH_TIMEOUT_MS: '10000',
    HISTORY_DEPTH: '500',
  })
  Object.assign(candela, { key: await keyOf(candela, '--constructs', '20') })
  // The code for exchanges is loaded with the first question to one, which may take longer than a bulk request waits.
  expect((await candela.get('/exchanges/binance/symbols')).status).toBe(200)
})
afterAll(async () => {
  await candela.stop()
  await binance.close()
})

const heal: (() => void)[] = []
afterEach(() => {
  for (const end of heal.splice(0)) end()
})

const rsi = { id: 'rsi', indicator: 'rsi', backtrack: 1 }
const asset = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1d' }
const market = 'exchange=demo&symbol=BTCUSDT&timeframe=1d'
const construct = (changes: Json = {}): Json => ({ id: 'btc', ...asset, indicators: [rsi], ...changes })
const candle = (i: number) => ({
  timestamp: 1_700_000_000 + i * 60,
  open: 10 + (i % 7),
  high: 20,
  low: 5,
  close: 11 + (i % 5),
  volume: 100 + i,
})
const candles = (count: number) => Array.from({ length: count }, (_, i) => candle(i))
const supplied = (changes: Json = {}): Json => ({
  id: 'btc',
  candles: candles(50),
  indicators: [rsi],
  ...changes,
})
/** `count` constructs that differ in id and market. */
const many = (count: number) =>
  Array.from({ length: count }, (_, i) => construct({ id: `c${i}`, symbol: `S${i}` }))

async function textOf(path: string, body: unknown): Promise<string> {
  const response = await fetchDocumented(candela.url, path, {
    method: 'POST',
    headers: { authorization: `Bearer ${candela.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.text()
}

describe('POST /bulk', () => {
  it('answers by construct id and indicator id with raw results', async () => {
    const { status, body, headers } = await candela.post('/bulk', {
      constructs: [
        construct({
          indicators: [rsi, { id: 'slow', indicator: 'rsi', period: 50, results: 3, backtrack: 1 }],
        }),
        construct({ id: 'eth', symbol: 'ETHUSDT' }),
      ],
    })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json')
    const single = async (query: string) => (await candela.get(`/indicator/rsi?${query}&backtrack=1`)).body
    expect(body).toEqual({
      btc: { rsi: await single(market), slow: await single(`${market}&period=50&results=3`) },
      eth: { rsi: await single('exchange=demo&symbol=ETHUSDT&timeframe=1d') },
    })
  })

  it('wraps results with verbose: the asset, complete parameters and errors', async () => {
    const { body } = await candela.post('/bulk', {
      verbose: true,
      constructs: [
        construct({
          exchange: 'DEMO',
          symbol: 'btc/usdt',
          indicators: [
            { id: 'a', indicator: 'KDJ', signal: 2, backtrack: 1 },
            { id: 'b', indicator: 'Rsi', source: 'hl2', backtrack: 1 },
            { id: 'c', indicator: 'rsi', period: 500 },
          ],
        }),
      ],
    })
    expect(Object.keys(body.btc)).toEqual(['_asset', 'a', 'b', 'c'])
    expect(body.btc._asset).toEqual(asset)
    expect(body.btc.a).toEqual({
      indicator: 'kdj',
      params: { period: 9, signal: 2, kPeriod: 9, dPeriod: 9, kSmooth: 2 },
      result: (await candela.get(`/indicator/kdj?${market}&signal=2&backtrack=1`)).body,
      errors: [],
      settled: { digits: 8, from: expect.any(Number) },
    })
    expect(body.btc.b.params).toEqual({ period: 14, source: 'hl2' })
    expect(body.btc.c).toEqual({
      indicator: 'rsi',
      params: { period: 500 },
      result: null,
      errors: [expect.stringMatching(/^Not enough candles: rsi needs 501, 500 available: HISTORY_DEPTH/)],
    })
  })

  it('withholds what has not settled, and says with verbose from when on values have', async () => {
    const indicators = [
      { id: 'ema', indicator: 'ema', period: 40, results: 'max', settled: 3, backtrack: 1 },
      { id: 'obv', indicator: 'obv' },
      { id: 'slow', indicator: 'ema', period: 400, settled: 8 },
    ]
    const { body } = await candela.post('/bulk', { verbose: true, constructs: [construct({ indicators })] })
    const single = await candela.get(`/indicator/ema?${market}&period=40&results=max&settled=3&backtrack=1`)
    const { ema, obv, slow } = body.btc
    expect(ema.result).toEqual(single.body)
    const first = ema.result.value.findIndex((value: number | null) => value !== null)
    expect(first).toBeGreaterThan(0)
    expect(ema.settled.from).toBe(ema.result.timestamp[first])
    expect(obv.settled).toEqual({ digits: 0, from: null })
    expect(slow).toMatchObject({
      result: null,
      errors: [
        expect.stringMatching(/^Not enough candles: ema needs \d+ for 8 settled digits, 500 available/),
      ],
    })
    const never = await candela.post('/bulk', {
      constructs: [construct({ indicators: [{ id: 'a', indicator: 'obv', settled: 4 }] })],
    })
    expect(never.status).toBe(400)
    expect(never.body.error).toMatch(/^Construct "btc", indicator "a": obv never settles/)
  })

  it('answers items for a time, and says why one has none', async () => {
    const { timestamp } = (await candela.get(`/indicator/rsi?${market}&results=5`)).body
    const range = { from: timestamp[1], to: timestamp[3] }
    const { body } = await candela.post('/bulk', {
      verbose: true,
      constructs: [
        construct({
          indicators: [
            { id: 'in', indicator: 'rsi', ...range },
            { id: 'after', indicator: 'rsi', from: timestamp[4] + 1 },
          ],
        }),
      ],
    })
    expect(body.btc.in.result.timestamp).toEqual(timestamp.slice(1, 4))
    const single = await candela.get(`/indicator/rsi?${market}&from=${range.from}&to=${range.to}`)
    expect(body.btc.in.result).toEqual(single.body)
    expect(body.btc.after).toMatchObject({
      result: null,
      errors: [expect.stringMatching(/^No candles from /)],
    })
  })

  it('has null for entries that cannot be computed when it is not verbose', async () => {
    const { status, body } = await candela.post('/bulk', {
      constructs: [
        construct({
          indicators: [
            { ...rsi, period: 500 },
            { ...rsi, id: 'ok' },
          ],
        }),
      ],
      verbose: false,
    })
    expect(status).toBe(200)
    expect(body.btc.rsi).toBeNull()
    expect(body.btc.ok.value).toHaveLength(1)
  })

  it('keeps the order of the request, also of ids that look like numbers', async () => {
    const ids = ['9', 'b', '1', '__proto__', '00', 'a', '10', 'constructor']
    const text = await textOf('/bulk', {
      constructs: ids.map((id, i) =>
        construct({ id, symbol: `X${i}`, indicators: ids.map(inner => ({ id: inner, indicator: 'rsi' })) }),
      ),
    })
    const construct0 = `"_error":"Failed to fetch candles: 404 Not Found - check exchange, symbol and timeframe",${ids.map(id => `"${id}":null`).join(',')}`
    expect(text).toBe(`{${ids.map(id => `"${id}":{${construct0}}`).join(',')}}`)
    const answered = await textOf('/bulk', {
      constructs: [construct({ indicators: ids.map(id => ({ id, indicator: 'rsi', backtrack: 1 })) })],
    })
    const order = [...answered.matchAll(/"(\w+)":\{"value"/g)].map(match => match[1])
    expect(order).toEqual(ids)
  })

  it('marks a construct without candles, and no other', async () => {
    const error = 'Failed to fetch candles: 404 Not Found - check exchange, symbol and timeframe'
    for (const verbose of [false, true]) {
      const { status, body } = await candela.post('/bulk', {
        verbose,
        constructs: [
          construct({ id: 'a', exchange: 'nowhere' }),
          construct({ id: 'b' }),
          construct({ id: 'c', symbol: 'nope', indicators: [rsi, { id: 'x', indicator: 'ema' }] }),
        ],
      })
      expect(status).toBe(200)
      const meta = (changes: Json) => (verbose ? { _asset: { ...asset, ...changes } } : {})
      expect(body.a).toEqual({ ...meta({ exchange: 'nowhere' }), _error: error, rsi: null })
      expect(body.c).toEqual({ ...meta({ symbol: 'NOPE' }), _error: error, rsi: null, x: null })
      expect((verbose ? body.b.rsi.result : body.b.rsi).value).toHaveLength(1)
    }
  })

  it('fetches each market once, all of them at the same time, and shares a fetch under way', async () => {
    const before = binance.requests(klines)
    const body = {
      constructs: ['1h', '4h', '1d'].flatMap(timeframe =>
        ['BTCUSDT', 'ETHUSDT'].map(symbol =>
          construct({ id: `${symbol}_${timeframe}`, exchange: 'binance', symbol, timeframe }),
        ),
      ),
    }
    const answers = await Promise.all([candela.post('/bulk', body), candela.post('/bulk', body)])
    for (const answer of answers) {
      expect(answer.status).toBe(200)
      for (const { id } of body.constructs) expect(answer.body[id as string].rsi.value).toHaveLength(1)
    }
    expect(binance.requests(klines) - before).toBe(6)
  })

  it('waits a limited time for a first fetch', async () => {
    let release: (value?: unknown) => void = () => {}
    const released = new Promise(resolve => {
      release = resolve
    })
    heal.push(binance.fail(klines, { kind: 'wait', until: released }, 1))
    const { status, body } = await candela.post('/bulk', {
      constructs: [construct(), construct({ id: 'late', exchange: 'binance', timeframe: '1w' })],
    })
    expect(status).toBe(200)
    expect(body.late).toEqual({
      _error:
        'Failed to fetch candles: 503 Service Unavailable - Exchange unavailable: binance (no candles within 2 seconds)',
      rsi: null,
    })
    expect(body.btc.rsi.value).toHaveLength(1)
    release()
  })

  it('marks a construct whose exchange is down', async () => {
    heal.push(binance.fail(klines, faults.unavailable, 100))
    const { status, body } = await candela.post('/bulk', {
      constructs: [construct({ exchange: 'binance', timeframe: '5m' })],
    })
    expect(status).toBe(200)
    expect(body.btc._error).toMatch(
      /^Failed to fetch candles: 503 Service Unavailable - Exchange unavailable: binance \(.+\)$/,
    )
    expect(body.btc.rsi).toBeNull()
  })

  it('takes 20 constructs of 20 indicators', async () => {
    const indicators = Array.from({ length: 20 }, (_, i) => ({
      id: `i${i}`,
      indicator: 'sma',
      period: i + 2,
    }))
    const { status, body } = await candela.post('/bulk', {
      constructs: many(20).map((one, i) => ({
        ...one,
        indicators,
        symbol: ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'][i % 3],
        timeframe: ['1m', '5m', '15m', '1h', '4h', '1d', '1w'][Math.floor(i / 3)],
      })),
    })
    expect(status).toBe(200)
    expect(Object.keys(body)).toHaveLength(20)
    for (const entries of Object.values(body as Record<string, Json>))
      expect(Object.keys(entries)).toHaveLength(20)
  })

  it.each<[string, unknown, string]>([
    ['an empty body', '', 'Request body is not valid JSON'],
    ['an array', '[]', 'Request body must be a JSON object'],
    ['no constructs', {}, "Request body must contain a non-empty 'constructs' array"],
    [
      'no array of constructs',
      { constructs: {} },
      "Request body must contain a non-empty 'constructs' array",
    ],
    ['empty constructs', { constructs: [] }, "Request body must contain a non-empty 'constructs' array"],
    ['21 constructs', { constructs: many(21) }, 'Too many constructs. Maximum allowed per request is 20.'],
    [
      'a field that is unknown',
      { constructs: [construct()], verbos: true },
      'Unknown parameter: verbos. bulk accepts: constructs, verbose. Did you mean verbose?',
    ],
    [
      'verbose as text',
      { constructs: [construct()], verbose: 'true' },
      'Invalid verbose: "true". Expected true or false',
    ],
    ['a construct that is null', { constructs: [construct(), null] }, 'Construct [1] must be an object'],
    [
      'a construct without id',
      { constructs: [construct(), construct({ id: undefined })] },
      "Construct [1] is missing a required 'id' field",
    ],
    [
      'an empty id',
      { constructs: [construct({ id: '' })] },
      "Construct [0] is missing a required 'id' field",
    ],
    [
      'an id with other characters',
      { constructs: [construct({ id: 'btc-1' })] },
      'Construct [0] id "btc-1" is invalid. Only alphanumeric characters and underscores are allowed.',
    ],
    [
      'an id with a line break',
      { constructs: [construct({ id: 'btc\n' })] },
      'Construct [0] id "btc\n" is invalid. Only alphanumeric characters and underscores are allowed.',
    ],
    [
      'an id that is a number',
      { constructs: [construct({ id: 7 })] },
      'Construct [0] id 7 is invalid. Expected text of at most 100 characters',
    ],
    [
      'two constructs with one id',
      { constructs: [construct(), construct({ symbol: 'ETHUSDT' })] },
      'Duplicate construct id "btc". Construct ids must be unique within the request.',
    ],
    [
      'two constructs for one market, in any spelling',
      { constructs: [construct(), construct({ id: 'b', exchange: 'Demo', symbol: 'btc-usdt' })] },
      'Duplicate construct: exchange "demo", symbol "BTCUSDT", timeframe "1d" appears more than once. Merge the indicators into a single construct.',
    ],
    [
      'no market',
      { constructs: [construct({ exchange: undefined, symbol: null, timeframe: '' })] },
      'Construct "btc": Missing required: exchange, symbol, timeframe',
    ],
    [
      'no symbol',
      { constructs: [construct({ symbol: undefined })] },
      'Construct "btc": Missing required: symbol',
    ],
    [
      'a symbol that is a number',
      { constructs: [construct({ symbol: 5 })] },
      'Construct "btc": Invalid symbol: 5. Expected text of at most 100 characters',
    ],
    [
      'a timeframe that does not exist',
      { constructs: [construct({ timeframe: '7h' })] },
      'Construct "btc": Invalid timeframe: 7h. Expected one of 1m, 3m, 5m, 15m, 30m, 1h, 2h, 4h, 6h, 8h, 12h, 1d, 3d, 1w, 1M',
    ],
    [
      'a field that constructs do not have',
      { constructs: [construct({ candles: [] })] },
      'Construct "btc": Unknown parameter: candles. a construct accepts: id, exchange, symbol, timeframe, adjustment, asOf, maxAge, indicators',
    ],
    [
      'no indicators',
      { constructs: [construct({ indicators: undefined })] },
      `Construct "btc" must contain a non-empty 'indicators' array`,
    ],
    [
      'empty indicators',
      { constructs: [construct({ indicators: [] })] },
      `Construct "btc" must contain a non-empty 'indicators' array`,
    ],
    [
      '21 indicators',
      {
        constructs: [
          construct({ indicators: Array.from({ length: 21 }, (_, i) => ({ ...rsi, id: `i${i}` })) }),
        ],
      },
      'Construct "btc" has too many indicators. Maximum allowed per construct is 20.',
    ],
    [
      'an indicator that is text',
      { constructs: [construct({ indicators: [rsi, 'ema'] })] },
      'Construct "btc" indicator [1] must be an object',
    ],
    [
      'an indicator without id',
      { constructs: [construct({ indicators: [{ indicator: 'rsi' }] })] },
      `Construct "btc" indicator [0] is missing a required 'id' field`,
    ],
    [
      'an indicator id with other characters',
      { constructs: [construct({ indicators: [{ id: 'é', indicator: 'rsi' }] })] },
      'Construct "btc" indicator [0] id "é" is invalid. Only alphanumeric characters and underscores are allowed.',
    ],
    [
      'an indicator id that would hide the error of its construct',
      { constructs: [construct({ indicators: [{ id: '_error', indicator: 'rsi' }] })] },
      'Construct "btc" indicator id "_error" is reserved',
    ],
    [
      'two indicators with one id',
      { constructs: [construct({ indicators: [rsi, { id: 'rsi', indicator: 'ema' }] })] },
      'Construct "btc" has duplicate indicator id "rsi". Indicator ids must be unique within a construct.',
    ],
    [
      'no indicator name',
      { constructs: [construct({ indicators: [{ id: 'rsi' }] })] },
      'Construct "btc", indicator "rsi": Missing required: indicator',
    ],
    [
      'an unknown indicator',
      { constructs: [construct({ indicators: [{ id: 'x', indicator: 'nope' }] })] },
      'Construct "btc" references unknown indicator: nope',
    ],
    [
      'an indicator name that is a number',
      { constructs: [construct({ indicators: [{ id: 'x', indicator: 5 }] })] },
      'Construct "btc" references unknown indicator: 5',
    ],
    [
      'bad results',
      { constructs: [construct({ indicators: [{ ...rsi, results: 0 }] })] },
      'Construct "btc", indicator "rsi": Invalid results: 0. Expected integer, 1 or more, or max',
    ],
    [
      'bad backtrack',
      { constructs: [construct({ indicators: [{ ...rsi, backtrack: '1' }] })] },
      'Construct "btc", indicator "rsi": Invalid backtrack: "1". Expected integer, 0 or more',
    ],
    [
      'a bad parameter',
      { constructs: [construct({ indicators: [{ ...rsi, period: 1.5 }] })] },
      'Construct "btc", indicator "rsi": Invalid period: 1.5. Expected integer, 2 to 500',
    ],
    [
      'an unknown parameter',
      { constructs: [construct({ indicators: [{ ...rsi, length: 14 }] })] },
      'Construct "btc", indicator "rsi": Unknown parameter: length. rsi accepts: period, source, results, backtrack, from, to, chart, settled. Did you mean period?',
    ],
    [
      'a parameter nested beyond all measure',
      `{"constructs":[{"id":"btc","exchange":"demo","symbol":"BTCUSDT","timeframe":"1d","indicators":[{"id":"rsi","indicator":"rsi","period":${'['.repeat(100_000)}${']'.repeat(100_000)}}]}]}`,
      'Construct "btc", indicator "rsi": Invalid period: […]. Expected integer, 2 to 500',
    ],
  ])('refuses %s', async (_, body, error) => {
    const answer = await candela.post('/bulk', body)
    expect(answer.body).toEqual({ error })
    expect(answer.status).toBe(400)
  })

  it('refuses two names of one exchange as a duplicate, under the name that is listed', async () => {
    const constructs = ['binancefutures', 'binanceusdm'].map((exchange, i) =>
      construct({ id: `c${i}`, exchange, symbol: 'BTC/USDT' }),
    )
    const { status, body } = await candela.post('/bulk', { constructs })
    expect([status, body]).toEqual([
      400,
      {
        error:
          'Duplicate construct: exchange "binanceusdm", symbol "BTCUSDT", timeframe "1d" appears more than once. Merge the indicators into a single construct.',
      },
    ])
  })

  it('refuses more constructs than the plan allows with 429, after all other faults', async () => {
    const headers = { authorization: `Bearer ${await keyOf(candela, '--constructs', '2')}` }
    const answer = await candela.post('/bulk', { constructs: many(3) }, headers)
    expect([answer.status, answer.body]).toEqual([
      429,
      { error: 'Too many constructs. Your plan allows 2 construct(s) per bulk request.' },
    ])
    expect((await candela.post('/bulk', { constructs: many(2) }, headers)).status).toBe(200)
    expect((await candela.post('/bulk', { constructs: many(21) }, headers)).status).toBe(400)
    const bad = [...many(2), construct({ id: 'c0' })]
    expect((await candela.post('/bulk', { constructs: bad }, headers)).status).toBe(400)
  })

  it('has one method and requires a key', async () => {
    const { status, headers } = await candela.get('/bulk')
    expect([status, headers.get('allow')]).toEqual([405, 'POST'])
    const open = await candela.post('/bulk', { constructs: [construct()] }, { authorization: '' })
    expect(open.status).toBe(401)
  })
})

describe('POST /bulk-candles', () => {
  it('answers in both modes as POST /indicator does', async () => {
    const indicators = [rsi, { id: 'm', indicator: 'MACD', results: 'max' }]
    const body = { constructs: [supplied({ indicators }), supplied({ id: '1', candles: candles(20) })] }
    const raw = await candela.post('/bulk-candles', body)
    expect(raw.status).toBe(200)
    const single = async (name: string, fields: Json) =>
      (await candela.post(`/indicator/${name}`, fields)).body
    expect(raw.body).toEqual({
      btc: {
        rsi: await single('rsi', { candles: candles(50), backtrack: 1 }),
        m: await single('macd', { candles: candles(50), results: 'max' }),
      },
      1: { rsi: await single('rsi', { candles: candles(20), backtrack: 1 }) },
    })
    const verbose = await candela.post('/bulk-candles', { ...body, verbose: true })
    expect(verbose.body.btc.m).toEqual({
      indicator: 'macd',
      params: { fastPeriod: 12, slowPeriod: 26, signalPeriod: 9 },
      result: raw.body.btc.m,
      errors: [],
      settled: { digits: 0, from: null },
    })
    expect(verbose.body.btc._asset).toBeUndefined()
  })

  it.each<[string, Json, string]>([
    [
      'constructs without candles',
      { constructs: [supplied({ candles: undefined })] },
      'Construct "btc": Missing required: candles',
    ],
    [
      'candles that are no array',
      { constructs: [supplied({ candles: {} })] },
      'Construct "btc": candles must be an array of candles',
    ],
    [
      '501 candles',
      { constructs: [supplied({ candles: candles(501) })] },
      'Construct "btc": candles must hold at most 500 candles, got 501',
    ],
    [
      'a malformed candle',
      { constructs: [supplied(), supplied({ id: 'b', candles: [candle(0), { ...candle(1), high: 1 }] })] },
      'Construct "b": candles[1].high is below candles[1].low',
    ],
    [
      'a market',
      { constructs: [supplied({ exchange: 'demo' })] },
      'Construct "btc": Unknown parameter: exchange. a construct accepts: id, candles, indicators',
    ],
    [
      'an unknown indicator',
      { constructs: [supplied({ indicators: [{ id: 'x', indicator: 'nope' }] })] },
      'Construct "btc" references unknown indicator: nope',
    ],
    ['no constructs', {}, "Request body must contain a non-empty 'constructs' array"],
    [
      '21 constructs',
      { constructs: Array.from({ length: 21 }, (_, i) => supplied({ id: `c${i}` })) },
      'Too many constructs. Maximum allowed per request is 20.',
    ],
    [
      'two constructs with one id',
      { constructs: [supplied(), supplied()] },
      'Duplicate construct id "btc". Construct ids must be unique within the request.',
    ],
  ])('refuses %s', async (_, body, error) => {
    const { status, body: said } = await candela.post('/bulk-candles', body)
    expect(said).toEqual({ error })
    expect(status).toBe(400)
  })

  it('refuses the same on a worker as on the event loop', async () => {
    // A body of 20 × 500 candles is far too large to be read on the event loop.
    const constructs = Array.from({ length: 20 }, (_, i) => supplied({ id: `c${i}`, candles: candles(500) }))
    const fine = await candela.post('/bulk-candles', { constructs })
    expect(fine.status).toBe(200)
    expect(Object.keys(fine.body)).toHaveLength(20)
    const bad = await candela.post('/bulk-candles', {
      constructs: [...constructs.slice(1), supplied({ candles: candles(501) })],
    })
    expect([bad.status, bad.body.error]).toEqual([
      400,
      'Construct "btc": candles must hold at most 500 candles, got 501',
    ])
    const headers = { authorization: `Bearer ${await keyOf(candela, '--constructs', '2')}` }
    expect((await candela.post('/bulk-candles', { constructs }, headers)).status).toBe(429)
    expect((await candela.post('/bulk-candles', JSON.stringify({ constructs }).slice(0, -1))).status).toBe(
      400,
    )
  })
})

const everyEntry = [...catalogue.values()]
for (const [which, entries, options] of [
  ['representative indicators', everyEntry.filter(entry => !longFor(entry).tags), {}],
  ['all indicators', everyEntry, { tags: ['kernels'] }],
] satisfies [string, readonly Entry[], object][])
  describe(`a bulk answer of ${which}`, options, () => {
    /** The indicators of one request: 18 constructs of 20. */
    const namesPerRequest = 18 * 20
    const requests = Math.ceil(entries.length / namesPerRequest)

    /** Body of one of several requests that together compute the indicators over closed candles, 20 to a construct. */
    const body = (part: number, results: number | 'max', verbose: boolean) => {
      const names = entries
        .slice(part * namesPerRequest, (part + 1) * namesPerRequest)
        .map(({ name }) => name)
      const groups = Array.from({ length: Math.ceil(names.length / 20) }, (_, g) =>
        names.slice(20 * g, 20 * g + 20),
      )
      const markets = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT', 'ADAUSDT', 'BNBUSDT'].flatMap(symbol =>
        ['1d', '4h', '1w'].map(timeframe => ({ symbol, timeframe })),
      )
      return {
        verbose,
        constructs: groups.map((group, g) => ({
          id: `${g}`,
          ...asset,
          ...markets[g],
          indicators: group.map(name => ({ id: name, indicator: name, results, backtrack: 1 })),
        })),
      }
    }

    /** The answers of a service with these settings, as texts of megabytes. `send` is `fetch` or checks them as well. */
    async function answersOf(
      settings: Record<string, string>,
      send = fetchDocumented,
    ): Promise<readonly string[]> {
      const service = await startQuiet({ HISTORY_DEPTH: '250', ...settings })
      try {
        Object.assign(service, { key: await keyOf(service, '--constructs', '20') })
        const answers: string[] = []
        const ask = async (path: string, body: unknown) => {
          const response = await send(service.url, path, {
            method: 'POST',
            headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          })
          expect(response.status).toBe(200)
          answers.push(await response.text())
        }
        for (const [results, verbose] of [
          [1, false],
          ['max', true],
        ] as const)
          for (let part = 0; part < requests; part++) await ask('/bulk', body(part, results, verbose))
        const inTime = { id: 'inTime', indicator: 'rsi', to: candles(250)[200]?.timestamp }
        const constructs = [supplied(), supplied({ id: 'x', candles: candles(250), indicators: [inTime] })]
        await ask('/bulk-candles', { constructs })
        return answers
      } finally {
        await service.stop()
      }
    }

    /** Sends a request whose answer is compared with one that was checked. */
    const unchecked: typeof fetchDocumented = (base, path, init) => fetch(`${base}${path}`, init)

    let inline: readonly string[]
    beforeAll(async () => {
      inline = await answersOf(tuningOf({ inlineBudgetUs: 1e9, inlineBodyBytes: 4_194_304 }))
    })

    it('is the same on the event loop and on two threads', async () => {
      const pooled = await answersOf(
        {
          POOL_THREADS: '2',
          ...tuningOf({ inlineBudgetUs: 0, inlineBodyBytes: 0 }),
        },
        unchecked,
      )
      expect(pooled).toHaveLength(inline.length)
      for (const [at, text] of pooled.entries()) {
        if (text === inline[at]) continue
        expect(JSON.parse(text)).toEqual(JSON.parse(inline[at] as string))
        expect.fail(`the text of answer ${at} differs`)
      }
    })
  })

/**
 * Sends requests that the service finds all at once, because it is stopped until they are sent. Their connections are opened
 * first, because Node.js accepts one connection in each turn of the event loop.
 */
async function allAtOnce<Reply>(
  service: CandelaProcess,
  count: number,
  send: (at: number) => Promise<Reply>,
) {
  await Promise.all(Array.from({ length: count }, () => service.get('/health/live')))
  let sent = 0
  let whenSent = () => {}
  const allSent = new Promise<void>(resolve => {
    whenSent = resolve
  })
  const onSent = () => {
    if (++sent === count) whenSent()
  }
  subscribe('undici:request:bodySent', onSent)
  service.child.kill('SIGSTOP')
  try {
    const replies = Array.from({ length: count }, (_, at) => send(at))
    await allSent
    service.child.kill('SIGCONT')
    return await Promise.all(replies)
  } finally {
    unsubscribe('undici:request:bodySent', onSent)
    service.child.kill('SIGCONT')
  }
}

describe('a service whose queue is full', () => {
  it('answers 503 with Retry-After, and recovers', async () => {
    const service = await CandelaProcess.start({
      POOL_THREADS: '1',
      ...tuningOf({ inlineBudgetUs: 0, maxQueuedTasks: 0 }),
    })
    try {
      /** A request of which no result is known. */
      const ask = (at: number) => {
        const periods = Array.from({ length: 20 }, (_, i) => 20 * at + i + 2)
        const indicators = periods.map(period => ({ ...rsi, id: `rsi${period}`, period, results: 'max' }))
        return service.post('/bulk', { constructs: [construct({ indicators })] })
      }
      expect((await ask(0)).status).toBe(200)
      const answers = await allAtOnce(service, 20, at => ask(at + 1))
      const refused = answers.filter(({ status }) => status !== 200)
      expect(refused.length).toBeGreaterThan(0)
      for (const { status, body: said, headers } of refused) {
        expect([status, said]).toEqual([503, { error: 'Service busy. Too many computations are waiting.' }])
        expect(headers.get('retry-after')).toBe('1')
      }
      expect((await ask(21)).status).toBe(200)
    } finally {
      await service.stop()
    }
  })
})

describe('an answer of many buffers', () => {
  it('is complete for clients that read slowly, and for the others when some disconnect', async () => {
    const service = await startQuiet({
      POOL_THREADS: '1',
      HISTORY_DEPTH: '5000',
      ...tuningOf({ inlineBudgetUs: 0 }),
    })
    try {
      const key = await keyOf(service, '--constructs', '20')
      const names = ['macd', 'bbands', 'stoch', 'aroon', 'rsi', 'kdj', 'stochrsi', 'accbands']
      const body = JSON.stringify({
        constructs: ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT', 'ADAUSDT', 'BNBUSDT'].map(symbol => ({
          id: symbol,
          ...asset,
          symbol,
          timeframe: '1d',
          indicators: names.map(name => ({ id: name, indicator: name, results: 'max', backtrack: 10 })),
        })),
      })
      const head = `POST /bulk HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
      const send = () => {
        const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
        socket.write(head + body)
        return socket
      }
      const post = async () => {
        const response = await fetch(`${service.url}/bulk`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body,
        })
        return response.text()
      }
      const expected = await post()
      expect(expected.length, 'far more than a socket takes at once').toBeGreaterThan(8_000_000)
      const slow = Array.from({ length: 2 }, send)
      await Promise.all(slow.map(socket => once(socket, 'readable')))
      // Buffers stay in use until a client has read them or disconnects.
      const leaving = Array.from({ length: 2 }, send)
      await Promise.all(leaving.map(socket => once(socket, 'readable')))
      for (const socket of leaving) socket.destroy()
      for (let i = 0; i < 2; i++) expect((await post()) === expected, 'while others read slowly').toBe(true)
      for (const socket of slow) {
        // Joined once at the end: a text of ten megabytes that grows chunk by chunk would be copied for each of them.
        const chunks: string[] = []
        let size = 0
        socket.setEncoding('latin1')
        for (let end = Number.POSITIVE_INFINITY; size < end; ) {
          const chunk = socket.read() as string | null
          if (chunk === null) {
            await once(socket, 'readable')
            continue
          }
          chunks.push(chunk)
          size += chunk.length
          const headEnd = end === Number.POSITIVE_INFINITY ? chunks.join('').indexOf('\r\n\r\n') : -1
          if (headEnd >= 0) end = headEnd + 4 + expected.length
        }
        const text = chunks.join('')
        socket.destroy()
        expect(text.slice(text.indexOf('\r\n\r\n') + 4) === expected, 'for a slow reader').toBe(true)
      }
    } finally {
      await service.stop()
    }
  })
})
