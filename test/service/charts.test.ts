import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import { fetchDocumented } from '../support/documented.js'
import { StreamingClient } from '../support/streaming-client.js'
import { startTestService, type TestService } from '../support/test-service.js'

// biome-ignore lint/suspicious/noExplicitAny: values of an indicator, as the service printed them
type Data = Record<string, any>

const market = 'exchange=demo&symbol=BTCUSDT&timeframe=1m'
const place = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1m' }

let service: TestService
/** One of each kind, with sizes that suit the market. */
let charts: string[]
beforeAll(async () => {
  service = await startTestService({ historyDepth: 1100 })
  const candles: Candle[] = await service.get(`/candles?${market}&results=300`)
  const size = Math.max(1, Math.round(candles.reduce((sum, { high, low }) => sum + high - low, 0) / 600))
  charts = ['heikinashi', `renko:${size}`, 'renko:atr14', `range:${2 * size}`, 'linebreak:2']
})
afterAll(() => service.close())

const post = async (path: string, body: unknown) => {
  const headers = { authorization: 'Bearer many', 'content-type': 'application/json' }
  const response = await fetchDocumented(service.url, path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return response.json()
}
const supplied = (candles: readonly Candle[]) =>
  candles.map(({ timestamp, open, high, low, close, volume }) => ({
    ...{ timestamp, open, high, low, close, volume },
  }))

describe('a chart', () => {
  it('is made of the candles before an indicator, whichever way it is asked for', async () => {
    for (const chart of charts) {
      const bars: Candle[] = await service.get(`/candles?${market}&chart=${chart}&results=400`)
      const rsi: Data = await service.get(`/indicator/rsi?${market}&chart=${chart}&results=5`)
      const own: Data = await post('/indicator/sma', {
        ...{ candles: supplied(bars.slice(-20)).map(({ timestamp, ...bar }) => bar), period: 3, results: 5 },
      })
      const sma: Data = await service.get(`/indicator/sma?${market}&chart=${chart}&period=3&results=5`)
      expect(sma.value, chart).toEqual(own.value)
      expect(sma.timestamp).toEqual(bars.slice(-5).map(({ timestamp }) => timestamp))
      const bulk: Data = await post('/bulk', {
        constructs: [
          {
            id: 'c',
            ...place,
            indicators: [
              { id: 'rsi', indicator: 'rsi', chart, results: 5 },
              { id: 'plain', indicator: 'rsi', results: 5 },
              { id: 'expression', indicator: 'expression', expression: 'rsi(14)', chart, results: 5 },
            ],
          },
        ],
      })
      expect(bulk.c.rsi).toEqual(rsi)
      expect(bulk.c.plain).toEqual(await service.get(`/indicator/rsi?${market}&results=5`))
      expect(bulk.c.expression).toEqual(rsi)
      expect(await service.get(`/expression?${market}&expression=rsi(14)&chart=${chart}&results=5`)).toEqual(
        rsi,
      )
    }
  })

  it('of supplied candles is that of the market', async () => {
    const candles: Candle[] = await service.get(`/candles?${market}&results=400&backtrack=1`)
    const body = { candles: supplied(candles), period: 2, results: 'max' }
    for (const chart of charts) {
      const alone: Data = await post('/indicator/sma', { ...body, chart })
      const { candles: own, ...query } = { ...body, chart }
      const item = { id: 'sma', indicator: 'sma', ...query }
      const bulk: Data = await post('/bulk-candles', {
        constructs: [{ id: 'c', candles: own, indicators: [item] }],
      })
      expect(bulk.c.sma, chart).toEqual(alone)
      expect(
        await post('/expression', { candles: own, expression: 'sma(close, 2)', results: 'max', chart }),
      ).toEqual({
        ...{ value: alone.value, timestamp: alone.timestamp },
      })
      const ofMarket: Data = await service.get(`/indicator/sma?${market}&chart=${chart}&period=2&results=5`)
      // Both have the same newest bar, but for a Heikin-Ashi candle that is forming, which only the market has.
      const skipped = chart === 'heikinashi' ? 2 : 1
      expect(ofMarket.timestamp.at(-skipped)).toBe(alone.timestamp.at(-1))
      if (chart !== 'renko:atr14') expect(ofMarket.value.at(-skipped)).toBeCloseTo(alone.value.at(-1), 8)
    }
  })

  it('is cut by from and to as all of its bars are', async () => {
    // Of weeks, memory has all that the market has, so that the bars begin with the same candle.
    const weeks = market.replace('1m', '1w')
    for (const chart of ['heikinashi', 'renko:900', 'renko:atr14', 'range:1500', 'linebreak:2']) {
      const all: Data = await service.get(`/indicator/ema?${weeks}&chart=${chart}&period=5&results=max`)
      const [from, to] = [all.timestamp.at(-40), all.timestamp.at(-7)]
      expect(from, chart).toBeLessThan(to)
      const cut: Data = await service.get(
        `/indicator/ema?${weeks}&chart=${chart}&period=5&from=${from}&to=${to}`,
      )
      const within = (_: unknown, i: number) => all.timestamp[i] >= from && all.timestamp[i] <= to
      expect(cut.timestamp, chart).toEqual(all.timestamp.filter(within))
      expect(cut.value).toEqual(all.value.filter(within))
    }
  })

  it('is refused with the forms that there are, and beside longer timeframes', async () => {
    const { error } = await service.get(`/candles?${market}&chart=renk:5`)
    expect(error).toBe(
      'Invalid chart: renk:5. Expected one of candles, heikinashi, renko:<size>, renko:atr<n>, range:<size>, linebreak:<n>. Did you mean renko:5?',
    )
    const expression = encodeURIComponent('rsi(14)@4h > 50')
    expect(await service.get(`/expression?${market}&expression=${expression}&chart=renko:50`)).toEqual({
      error: 'chart renko:50 cannot be used with an expression that chooses other timeframes by @',
    })
    expect(
      (
        await service.get(
          `/expression?${market}&expression=${encodeURIComponent('rsi(3)@5m')}&chart=heikinashi`,
        )
      ).value,
    ).toHaveLength(1)
    expect(await service.get(`/indicator/rsi?${market}&chart=range:1e9`)).toEqual({
      error: expect.stringMatching(/^Not enough candles: rsi needs 15, 0 available/),
    })
    expect(await service.get(`/candles?${market}&chart=range:1e9`)).toEqual([])
  })

  it('is what a screen looks at, and an evaluation', async () => {
    const [, renko] = charts
    const { matches } = await post('/screen', {
      ...{ exchange: 'demo', timeframe: '1m', symbols: ['BTCUSDT'], where: 'close > 0', chart: renko },
      select: { close: 'close', before: 'close[1]' },
    })
    const bars: Candle[] = await service.get(`/candles?${market}&chart=${renko}&results=2`)
    expect(matches).toEqual([
      { symbol: 'BTCUSDT', timestamp: bars[1]?.timestamp, close: bars[1]?.close, before: bars[0]?.close },
    ])
    // Up to this time, memory has none of the bars.
    const at = Date.UTC(2016, 5, 1, 7) / 1000
    for (const chart of ['linebreak:3', 'renko:900']) {
      const days = { exchange: 'demo', timeframe: '8h', symbols: ['BTCUSDT'] }
      const found = await post('/screen', {
        ...days,
        where: 'ema(5) > 0',
        select: { ema: 'ema(5)' },
        chart,
        at,
      })
      const range = `from=${at - 40 * 86_400}&to=${at}`
      const until: Data = await service.get(
        `/indicator/ema?${market.replace('1m', '8h')}&period=5&chart=${chart}&${range}`,
      )
      expect(found.matches, chart).toEqual([
        { symbol: 'BTCUSDT', timestamp: until.timestamp.at(-1), ema: until.value.at(-1) },
      ])
    }
    const coarse = `renko:${8 * Number(renko?.split(':')[1])}`
    const all: Candle[] = await service.get(`/candles?${market}&chart=${coarse}&results=max`)
    const candles = supplied(all).map(({ timestamp, ...bar }) => bar)
    const asked = { entry: 'close > open', horizons: [2] }
    const ofChart = await post('/evaluate', { ...place, ...asked, chart: coarse })
    const own = await post('/evaluate', { candles, ...asked })
    expect([ofChart.fired, ofChart.returns[0].signals.mean]).toEqual([own.fired, own.returns[0].signals.mean])
  })
})

describe('updates of a chart', () => {
  it('are those of REST, bar for bar, and none is sent twice or left out', async () => {
    const subscriptions = await Promise.all(
      charts.map(async chart => {
        const client = await StreamingClient.connect(service.url, 'many')
        const request = { id: 'a', exchange: 'demo', symbol: 'BTCUSDT', interval: '1m', indicator: 'ema' }
        client.send({ type: 'subscribe', ...request, params: { period: 5 }, chart, candleClose: true })
        const first = await client.next()
        expect(first).toMatchObject({ type: 'update', chart, closed: true })
        return { chart, client, received: [first.data] }
      }),
    )
    const [{ client: first, received: known }] = subscriptions as [(typeof subscriptions)[number]]
    for (const candles of [1, 1, 25, 1, 5]) {
      const closes = known.at(-1).timestamp + 60 * candles
      service.pass(60 * candles)
      // There is a Heikin-Ashi candle for each.
      while (known.at(-1).timestamp < closes) known.push((await first.next()).data)
    }
    for (const { chart, client, received } of subscriptions) {
      const skipped = chart === 'heikinashi' ? 1 : 0
      const rest: Data = await service.get(
        `/indicator/ema?${market}&chart=${chart}&period=5&results=max&backtrack=${skipped}`,
      )
      const begin = rest.timestamp.lastIndexOf(received[0].timestamp)
      const expected = rest.timestamp
        .map((timestamp: number, i: number) => ({ ema: rest.value[i], timestamp }))
        .slice(begin)
      expect(expected.length, chart).toBeGreaterThan(3)
      while (received.length < expected.length) received.push((await client.next()).data)
      expect(received, chart).toEqual(expected)
      await client.close()
    }
  })

  it('name the chart, so that two of one indicator can be told apart', async () => {
    const client = await StreamingClient.connect(service.url, 'many')
    const request = { exchange: 'demo', symbol: 'ETHUSDT', interval: '1m', indicator: 'rsi' }
    client.send({ type: 'subscribe', id: 'plain', ...request })
    expect(await client.next()).not.toHaveProperty('chart')
    client.send({ type: 'subscribe', id: 'bars', ...request, chart: 'HeikinAshi' })
    expect(await client.next()).toMatchObject({ chart: 'heikinashi', closed: false })
    client.send({ type: 'list' })
    expect((await client.next()).data.map(({ chart }: Data) => chart)).toEqual([undefined, 'heikinashi'])
    client.send({ type: 'subscribe', id: 'wrong', ...request, chart: 'kagi' })
    expect(await client.next()).toMatchObject({ type: 'error', id: 'wrong' })
    await client.close()
  })
})
