import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Binance, ccxtOptions, faults, startBinance } from '../support/binance.js'
import { type Answer, Candela } from '../support/service-process.js'

const klines = '/api/v3/klines'
let binance: Binance
let candela: Candela

beforeAll(async () => {
  binance = await startBinance()
  candela = await Candela.start({
    EXCHANGES: JSON.stringify({ binance: ccxtOptions(binance.url) }),
    REFRESH_SECONDS: '1',
  })
})
afterAll(async () => {
  await candela.stop()
  await binance.close()
})

const heal: (() => void)[] = []
afterEach(() => {
  for (const end of heal.splice(0)) end()
})

describe('the first request for a market', () => {
  it('is pending, and the same request answers 200 when the candles are fetched', async () => {
    const path = '/indicator/rsi?exchange=binance&symbol=BTCUSDT&timeframe=1d&results=5&backtrack=1'
    const first = await candela.get(path)
    expect(first.status).toBe(202)
    expect(first.body).toEqual({ pending: true, key: 'candles:binance:BTCUSDT:1d' })
    expect(first.headers.get('retry-after')).toBe('1')
    const { status, body } = await candela.whenReady(path)
    expect(status).toBe(200)
    expect(body.timestamp).toEqual(
      binance
        .truth('BTCUSDT', '1d', 6)
        .slice(0, 5)
        .map(({ timestamp }) => timestamp),
    )
  })

  it('costs one request, however often it is repeated while it is pending', async () => {
    const release = withResolvers()
    heal.push(binance.fail(klines, { kind: 'wait', until: release.promise }, 1))
    const path = '/candles?exchange=binance&symbol=ETHBTC&timeframe=1w'
    const left = ({ headers }: Answer) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
    const first = await candela.get(path)
    expect(first.status).toBe(202)
    for (let i = 0; i < 3; i++) {
      const again = await candela.get(path)
      expect(again.status).toBe(202)
      // If the rate window has ended since the first request, more requests are left than at that time.
      expect(left(again)).toBeGreaterThanOrEqual(left(first))
    }
    release.resolve(undefined)
    const answered = await candela.whenReady(path)
    expect(answered.status).toBe(200)
    expect(left(answered), 'the answer was paid for by the question').toBeGreaterThanOrEqual(left(first))
  })

  it('makes one fetch for any number of requests at once', async () => {
    const path = '/candles?exchange=binance&symbol=ETHUSDT&timeframe=4h&results=3&backtrack=1'
    await candela.whenReady('/candles?exchange=binance&symbol=BTCUSDT&timeframe=4h')
    const release = withResolvers()
    heal.push(binance.fail(klines, { kind: 'wait', until: release.promise }, 1))
    const before = binance.seen.length
    const answers = await Promise.all(Array.from({ length: 100 }, () => candela.get(path)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    release.resolve(undefined)
    const { body } = await candela.whenReady(path)
    // A thousand candles are one page of Binance. On a busy machine they may be old already, and the newest are fetched again.
    const limits = binance.seen.slice(before).map(({ searchParams }) => Number(searchParams.get('limit')))
    expect(limits.filter(limit => limit > 10)).toHaveLength(1)
    expect(body.map(({ timestampHuman: _, ...candle }: Record<string, unknown>) => candle)).toEqual(
      binance.truth('ETHUSDT', '4h', 4).slice(0, 3),
    )
  })

  it('is answered with the candles when the client prefers to wait', async () => {
    const { status, body, headers } = await candela.get(
      '/indicator/ema?exchange=binance&symbol=ETHUSDT&timeframe=1h',
      { prefer: 'wait=10' },
    )
    expect(status).toBe(200)
    expect(body.value).toHaveLength(1)
    expect(headers.get('preference-applied')).toBe('wait=10')
  })

  it('is pending when the preferred wait ends before the candles are fetched', async () => {
    const release = withResolvers()
    heal.push(binance.fail(klines, { kind: 'wait', until: release.promise }, 1))
    const { status, headers } = await candela.get('/candles?exchange=binance&symbol=BTCUSDT&timeframe=1w', {
      prefer: 'respond-async, wait=1',
    })
    expect(status).toBe(202)
    expect(headers.get('preference-applied')).toBe('wait=1')
    release.resolve(undefined)
  })

  it('ends with 404 when the exchange has no such symbol', async () => {
    const { status, body } = await candela.whenReady(
      '/candles?exchange=binance&symbol=nope-usdt&timeframe=1h',
    )
    expect([status, body]).toEqual([404, { error: 'Symbol not found: NOPEUSDT on binance' }])
  })

  it('ends with 503 and Retry-After when the exchange is down, and other exchanges are served', async () => {
    heal.push(binance.fail(klines, faults.unavailable, 100))
    const { status, body, headers } = await candela.whenReady(
      '/indicator/rsi?exchange=binance&symbol=BTCUSDT&timeframe=5m',
    )
    expect(status).toBe(503)
    expect(body.error).toMatch(/^Exchange unavailable: binance \(.+\)$/)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await candela.get('/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=5m')).status).toBe(200)
  })

  it('reads the perpetual of binanceusdm under the name binancefutures, too', async () => {
    expect((await candela.get('/candles?exchange=binancefutures&symbol=BTCUSDT&timeframe=7h')).status).toBe(
      400,
    )
    expect((await candela.get('/exchanges/binance/symbols')).body.symbols).toContain('BTCUSDT')
  })
})

describe('a market that was fetched before', () => {
  const path = '/candles?exchange=binance&symbol=BTCUSDT&timeframe=15m&results=2'

  it('is updated before it is answered, with one fetch for all requests', async () => {
    await candela.whenReady(path)
    await sleep(1100)
    const before = binance.requests(klines)
    const began = performance.now()
    const answers = await Promise.all(Array.from({ length: 50 }, () => candela.get(path)))
    // Candles are old again after a second.
    const seconds = Math.floor((performance.now() - began) / 1000)
    for (const { status, headers } of answers) {
      expect(status).toBe(200)
      expect(headers.get('warning')).toBeNull()
    }
    const fetches = binance.requests(klines) - before
    expect(fetches).toBeGreaterThan(0)
    expect(fetches).toBeLessThanOrEqual(1 + seconds)
  })

  it('is answered with its last candles and a warning while the exchange is down', async () => {
    await candela.whenReady(path)
    heal.push(binance.fail(klines, faults.drop, 1000))
    await sleep(1100)
    const { status, headers, body } = await candela.get(path)
    expect(status).toBe(200)
    expect(body).toHaveLength(2)
    expect(headers.get('warning')).toBe('110 - "Response is Stale"')
    expect(headers.get('age'), 'a candle of 15 minutes is forming, or ended a moment ago').toMatch(
      /^\d{1,2}$/,
    )
  })
})

function withResolvers(): { promise: Promise<unknown>; resolve(value: unknown): void } {
  let resolve: (value: unknown) => void = () => {}
  const promise = new Promise(done => {
    resolve = done
  })
  return { promise, resolve }
}
