import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fetchDocumented } from '../support/documented.js'
import { midnight, startTestService, type TestService } from '../support/test-service.js'

const place = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1d' }
const market = String(new URLSearchParams(place))
const day = 86_400
const [from, to] = [midnight - 900 * day, midnight - 300 * day]

/** One that has all of a market in memory, and one that has the newest candles. */
let whole: TestService
let short: TestService
beforeAll(async () => {
  whole = await startTestService({ historyDepth: 5000 })
  short = await startTestService({ historyDepth: 100 })
})
afterAll(() => Promise.all([whole.close(), short.close()]))

/** The reply to a body. The body is sent again while candles for the reply are fetched. */
async function post(service: TestService, path: string, body: unknown, accept = 'application/json') {
  const headers = { authorization: 'Bearer many', 'content-type': 'application/json', accept }
  const request = { method: 'POST', headers, body: JSON.stringify(body) }
  if (accept !== 'application/json') return (await fetch(`${service.url}${path}`, request)).text()
  for (;;) {
    const response = await fetchDocumented(service.url, path, request)
    const reply = await response.json()
    if (response.status !== 202) return reply
  }
}

async function getText(service: TestService, path: string): Promise<string> {
  const response = await fetch(`${service.url}${path}`, { headers: { authorization: 'Bearer many' } })
  return response.text()
}

const range = `from=${from}&to=${to}`
const spread = 'ema(close / close{ETHUSDT}, 50) + sma(close, 20){SOLUSDT}@1w'
const joined = encodeURIComponent(spread)
const charts = ['heikinashi', 'renko:500', 'renko:atr14', 'range:800', 'linebreak:2']

describe('a time before the candles in memory', () => {
  it.each([
    `/indicator/rsi?${market}&${range}&format=csv`,
    `/indicator/macd?${market}&${range}&settled=4&format=ndjson`,
    `/expression?${market}&${range}&expression=ema(20)%3Eclose&format=csv`,
    `/candles?${market}&${range}&format=csv`,
    `/expression?${market}&${range}&expression=${joined}`,
    `/expression?${market}&${range}&expression=${joined}&format=ndjson`,
    ...charts.flatMap(chart => [
      `/candles?${market}&${range}&chart=${chart}`,
      `/indicator/ema?${market}&${range}&chart=${chart}`,
      `/indicator/rsi?${market}&${range}&chart=${chart}&format=csv`,
    ]),
    `/candles?${market}&${range}&chart=renko:500&format=csv`,
  ])('has the values of one calculation over all candles: GET %s', async path => {
    const text = await getText(short, path)
    expect(text.length).toBeGreaterThan(1000)
    expect(text).toBe(await getText(whole, path))
  })

  it('is in a bulk request what it is alone, as a table, too', async () => {
    const indicators = [
      { id: 'a', indicator: 'rsi', from, to },
      { id: 'b', indicator: 'ema', from, to, chart: 'renko:500' },
      { id: 'c', indicator: 'sma' },
      { id: 'd', indicator: 'sma', from: 0, to: day },
      { id: 'e', indicator: 'expression', expression: spread, from, to },
      { id: 'f', indicator: 'expression', expression: 'close{ETHUSDT} - close{SOLUSDT}' },
    ]
    const body = { verbose: true, constructs: [{ id: 'x', ...place, indicators }] }
    const answered = await post(short, '/bulk', body)
    expect(answered.x.a.result).toEqual(await short.get(`/indicator/rsi?${market}&${range}`))
    expect(answered.x.b.result).toEqual(await short.get(`/indicator/ema?${market}&${range}&chart=renko:500`))
    expect(answered.x.c.result.value).toHaveLength(1)
    expect(answered.x.e.result).toEqual(
      await short.get(`/expression?${market}&${range}&expression=${joined}`),
    )
    expect(answered.x.f.result.value).toHaveLength(1)
    expect(answered.x.d).toMatchObject({ result: null, errors: [expect.stringMatching(/^No candles from/)] })
    const table = await post(short, '/bulk', body, 'text/csv')
    expect(table.split('\n').length).toBeGreaterThan(600)
    expect(table).toBe(await post(whole, '/bulk', body, 'text/csv'))
  })

  it.each([undefined, ...charts])('is evaluated over all candles: chart %s', async chart => {
    for (const exit of [undefined, 'rsi(14) > 60']) {
      const body = { ...place, entry: 'rsi(14) < 45', exit, from, to, fee: 0.001, ...(chart && { chart }) }
      const found = await post(short, '/evaluate', body)
      expect(found.fired, JSON.stringify(found).slice(0, 200)).toBeGreaterThan(2)
      expect(found).toEqual(await post(whole, '/evaluate', body))
    }
  })

  it('is evaluated over all candles of several markets', async () => {
    const body = { ...place, entry: 'close / close{ETHUSDT} > sma(close / close{ETHUSDT}, 20)', from, to }
    const found = await post(short, '/evaluate', body)
    expect(found.fired, JSON.stringify(found).slice(0, 200)).toBeGreaterThan(2)
    expect(found).toEqual(await post(whole, '/evaluate', body))
  })

  it('is evaluated from the first candle of the history on', async () => {
    const body = { ...place, entry: 'close > open', from: 0, to: from, settled: 0, horizons: [1, 400] }
    expect(await post(short, '/evaluate', body)).toEqual(await post(whole, '/evaluate', body))
  })

  it('is screened where memory has too few candles', async () => {
    const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT']
    const screen = {
      ...{ exchange: 'demo', timeframe: '1d', symbols, at: to + 3600 },
      ...{ where: 'close > 0 and rsi(14) > 0', select: { rsi: 'rsi(14)', slow: 'ema(200)' }, settled: 4 },
    }
    for (const body of [screen, { ...screen, chart: 'heikinashi' }, { ...screen, at: midnight - 50 * day }]) {
      const { settled, ...loose } = body
      const asked = 'chart' in body ? loose : body
      const found = await post(short, '/screen', asked)
      expect(found.matches, JSON.stringify(found)).toHaveLength(3)
      expect(found).toEqual(await post(whole, '/screen', asked))
    }
    const overBricks = { ...screen, settled: undefined, chart: 'renko:500' }
    const bricks = await post(short, '/screen', overBricks)
    expect(bricks.matches.length).toBeGreaterThan(0)
    expect(bricks).toEqual(await post(whole, '/screen', overBricks))
  })
})
