import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Candela } from '../support/service-process.js'

const market = 'exchange=demo&symbol=ETHUSDT&timeframe=4h'
let candela: Candela
beforeAll(async () => {
  candela = await Candela.start()
})
afterAll(() => candela.stop())

describe('GET /candles', () => {
  it('returns the most recent candle by default, as an array', async () => {
    const { status, body } = await candela.get(`/candles?${market}`)
    expect(status).toBe(200)
    expect(body).toHaveLength(1)
    expect(Object.keys(body[0])).toEqual([
      'timestamp',
      'timestampHuman',
      'open',
      'high',
      'low',
      'close',
      'volume',
    ])
    expect(Date.now() / 1000 - body[0].timestamp).toBeLessThan(4 * 3600 + 5)
  })

  it('orders candles from oldest to newest, one timeframe apart, times in both forms', async () => {
    const { body } = await candela.get(`/candles?${market}&results=100`)
    expect(body).toHaveLength(100)
    for (const [i, candle] of body.entries()) {
      if (i > 0) expect(candle.timestamp - body[i - 1].timestamp).toBe(4 * 3600)
      expect(candle.timestampHuman).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
      expect(Date.parse(`${candle.timestampHuman.replace(' ', 'T')}Z`) / 1000).toBe(candle.timestamp)
      expect(candle.high).toBeGreaterThanOrEqual(Math.max(candle.open, candle.close))
      expect(candle.low).toBeLessThanOrEqual(Math.min(candle.open, candle.close))
    }
  })

  it('returns the whole history for results=max', async () => {
    expect((await candela.get(`/candles?${market}&results=max`)).body).toHaveLength(1000)
  })

  it('gives the candles of a time, also before those in memory, and refuses more than an answer may have', async () => {
    const all = (await candela.get(`/candles?${market}&results=20`)).body
    const [from, to] = [all[5].timestamp, all[9].timestamp]
    expect((await candela.get(`/candles?${market}&from=${from}&to=${to}`)).body).toEqual(all.slice(5, 10))
    const iso = new Date(from * 1000).toISOString()
    expect((await candela.get(`/candles?${market}&from=${iso}&to=${to}`)).body).toEqual(all.slice(5, 10))
    const old = (await candela.get(`/candles?${market}&from=2020-01-01&to=2020-01-02`)).body
    const opens = Array.from({ length: 7 }, (_, i) => Date.UTC(2020, 0, 1, 4 * i) / 1000)
    expect(old.map(({ timestamp }: { timestamp: number }) => timestamp)).toEqual(opens)
    const [earliest] = (await candela.get(`/candles?${market}&from=2010-01-01&to=2015-01-05`)).body
    expect(earliest.timestampHuman).toBe('2015-01-05 00:00:00')
    const minutes = new URLSearchParams({
      ...Object.fromEntries(new URLSearchParams(market)),
      timeframe: '1m',
    })
    const { status, body } = await candela.get(`/candles?${minutes}&from=2024-01-01&to=2024-06-30`)
    expect([status, body.error]).toEqual([
      400,
      'The range has 260641 candles, and an answer at most 100000. Ask for it in parts: the first one from 2024-01-01 00:00:00 to 2024-03-10 10:39:00',
    ])
  })

  it('gives candles and values as they were known: those that had closed by then', async () => {
    const all = (await candela.get(`/candles?${market}&results=20`)).body
    const asOf = all[10].timestamp + 3600
    const known = all.slice(5, 10)
    expect((await candela.get(`/candles?${market}&asOf=${asOf}&results=5`)).body).toEqual(known)
    const iso = new Date(asOf * 1000).toISOString()
    const rsi = (await candela.get(`/indicator/rsi?${market}&asOf=${iso}`)).body
    expect(rsi).toEqual(
      (await candela.get(`/indicator/rsi?${market}&from=${known[4].timestamp}&to=${known[4].timestamp}`))
        .body,
    )
    expect((await candela.get(`/expression?${market}&asOf=${asOf}&expression=rsi()`)).body.value).toEqual(
      rsi.value,
    )
    const ratio = encodeURIComponent('close / close{BTCUSDT}')
    const relation = (await candela.get(`/expression?${market}&asOf=${asOf}&expression=${ratio}`)).body
    const [own, other] = await Promise.all(
      [market, market.replace('ETHUSDT', 'BTCUSDT')].map(async each =>
        (await candela.get(`/candles?${each}&asOf=${asOf}&results=1`)).body.at(0),
      ),
    )
    expect(relation).toEqual({ value: [own.close / other.close], timestamp: [own.timestamp] })
    const [exchange, symbol, timeframe] = ['demo', 'ETHUSDT', '4h']
    const construct = {
      id: 'a',
      exchange,
      symbol,
      timeframe,
      asOf,
      indicators: [
        { id: 'rsi', indicator: 'rsi' },
        { id: 'ratio', indicator: 'expression', expression: 'close / close{BTCUSDT}' },
      ],
    }
    expect((await candela.post('/bulk', { constructs: [construct] })).body).toEqual({
      a: { rsi, ratio: relation },
    })
    const wrong = await candela.post('/bulk', { constructs: [{ ...construct, asOf: 'then' }] })
    expect([wrong.status, wrong.body.error]).toEqual([400, expect.stringContaining('asOf: then')])
  })

  it('shifts the window by backtrack, and returns no candles from before the history', async () => {
    const all = (await candela.get(`/candles?${market}&results=60`)).body
    expect((await candela.get(`/candles?${market}&results=10&backtrack=50`)).body).toEqual(all.slice(0, 10))
    expect((await candela.get(`/candles?${market}&results=10&backtrack=5000`)).body).toEqual([])
  })

  it.each([
    ['', 'Missing required: exchange, symbol, timeframe'],
    [
      'exchange=demo&symbol=ETHUSDT&timeframe=1Y',
      'Invalid timeframe: 1Y. Expected one of 1m, 3m, 5m, 15m, 30m, 1h, 2h, 4h, 6h, 8h, 12h, 1d, 3d, 1w, 1M',
    ],
    [
      `${market}&period=3`,
      'Unknown parameter: period. candles accepts: exchange, symbol, timeframe, adjustment, results, backtrack, from, to, chart, asOf, maxAge, format',
    ],
    [`${market}&results=-1`, 'Invalid results: -1. Expected integer, 1 or more, or max'],
    [
      `exchange=demo&symbol=${'X'.repeat(101)}&timeframe=4h`,
      `Invalid symbol: ${'X'.repeat(101)}. Expected text of at most 100 characters`,
    ],
    [`${market}&backtrack=x`, 'Invalid backtrack: x. Expected integer, 0 or more'],
  ])('refuses the query "%s"', async (query, error) => {
    const { status, body } = await candela.get(`/candles?${query}`)
    expect([status, body]).toEqual([400, { error }])
  })

  it('returns an hour that agrees with its sixty minutes', async () => {
    const hour = (await candela.get('/candles?exchange=demo&symbol=BTCUSDT&timeframe=1h&backtrack=1')).body[0]
    const all: {
      timestamp: number
      open: number
      high: number
      low: number
      close: number
      volume: number
    }[] = (await candela.get('/candles?exchange=demo&symbol=BTCUSDT&timeframe=1m&results=180')).body
    const minutes = all.filter(
      ({ timestamp }) => timestamp >= hour.timestamp && timestamp < hour.timestamp + 3600,
    )
    expect(minutes).toHaveLength(60)
    expect(minutes[0]?.open).toBe(hour.open)
    expect(minutes.at(-1)?.close).toBe(hour.close)
    expect(Math.max(...minutes.map(({ high }) => high))).toBe(hour.high)
    expect(Math.min(...minutes.map(({ low }) => low))).toBe(hour.low)
    expect(minutes.reduce((sum, { volume }) => sum + volume, 0)).toBe(hour.volume)
  })
})

describe('GET /exchanges', () => {
  it('lists identifiers in lower case with their count', async () => {
    const { status, body } = await candela.get('/exchanges')
    expect(status).toBe(200)
    expect(body.count).toBe(body.exchanges.length)
    expect(body.exchanges).toEqual(
      expect.arrayContaining(['binance', 'binanceusdm', 'demo', 'kraken', 'coinbase', 'stocks']),
    )
    expect(body.exchanges).not.toContain('binancefutures')
    expect(body.exchanges).toEqual([...new Set(body.exchanges)].sort())
    for (const id of body.exchanges) expect(id).toBe(id.toLowerCase())
  })

  it('lists the symbols of an exchange in the no-slash form', async () => {
    const { status, body } = await candela.get('/exchanges/demo/symbols')
    expect(status).toBe(200)
    expect(body.count).toBe(body.symbols.length)
    expect(body.symbols).toContain('BTCUSDT')
    for (const symbol of body.symbols) expect(symbol).toMatch(/^[A-Z0-9]+$/)
  })

  it('refuses an exchange that does not exist with 404', async () => {
    const { status, body } = await candela.get('/exchanges/nowhere/symbols')
    expect([status, body]).toEqual([404, { error: 'Exchange not found: nowhere' }])
  })
})
