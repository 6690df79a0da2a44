import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CcxtSource } from '../../src/markets/exchanges/ccxt/ccxt-source.js'
import { History } from '../../src/markets/history/history.js'
import type { Pending } from '../../src/markets/history/reading.js'
import { type Binance, ccxtOptions, faults, startBinance } from '../support/binance.js'
import { type Kraken, type KrakenMarket, krakenOptions, startKraken } from '../support/kraken.js'
import { RawClient } from '../support/raw-client.js'
import { Candela } from '../support/service-process.js'

const ohlc = '/0/public/OHLC'
const klines = '/api/v3/klines'
/** Milliseconds between a request of cost 1 and the next one. */
const rateLimit = 10
/** ccxt's cost of `OHLC` at Kraken. */
const ohlcCost = 1.2

const markets: readonly KrakenMarket[] = Array.from({ length: 120 }, (_, k) => {
  const base = `C${String(k).padStart(3, '0')}`
  return {
    pair: `${base}USD`,
    altname: `${base}USD`,
    base,
    quote: 'ZUSD',
    price: 10 + k,
    listed: Date.UTC(2020, 0),
  }
})

let kraken: Kraken
let binance: Binance
let candela: Candela
let authorization: string

beforeAll(async () => {
  kraken = await startKraken({ markets })
  binance = await startBinance()
  candela = await Candela.start({
    EXCHANGES: JSON.stringify({
      kraken: { ...krakenOptions(kraken.url), rateLimit },
      binance: ccxtOptions(binance.url),
    }),
    HISTORY_DEPTH: '700',
    REFRESH_SECONDS: '3600',
    // However busy this machine is: a request that is aborted would be sent again, and counted.
    FETCH_TIMEOUT_MS: '120000',
  })
  const printed = await candela.cli(
    'keys',
    'create',
    '--plan',
    'enterprise',
    '--name',
    'rush',
    '--requests',
    '100000',
  )
  authorization = `Bearer ${/cnd_\S+/.exec(printed)?.[0]}`
})
afterAll(async () => {
  await candela.stop()
  await kraken.close()
  await binance.close()
})

/** The statuses of requests, each over a connection of its own. All are sent before the first reply is read. */
async function statusesOf(paths: readonly string[]): Promise<number[]> {
  const port = Number(new URL(candela.url).port)
  const clients = await Promise.all(paths.map(() => RawClient.open(port)))
  const replies = clients.map(async (client, at) => {
    await client.write(`GET ${paths[at]} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`)
    const head = await client.until(text => text.includes('\r\n\r\n'))
    await client.close()
    return Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1])
  })
  return Promise.all(replies)
}

const pathOf = (symbol: string) => `/candles?exchange=kraken&symbol=${symbol}&timeframe=1h&results=max`

describe.each([
  { clients: 200, series: markets.slice(0, 20), options: {} },
  { clients: 1000, series: markets.slice(20, 120), options: { tags: ['faults'] } },
])('$clients clients at once', ({ clients, series, options }) => {
  const [first, ...others] = series.map(({ altname }) => altname) as [string, ...string[]]

  it('make one request to the exchange when all want the same new series', options, async () => {
    const before = kraken.requests(ohlc)
    const path = pathOf(first)
    const statuses = await statusesOf(Array(clients).fill(path))
    expect(statuses.filter(status => status !== 202 && status !== 200)).toEqual([])
    expect(statuses[0]).toBe(202)
    expect((await candela.whenReady(path, { authorization })).body).toHaveLength(700)
    expect(kraken.requests(ohlc) - before).toBe(1)
  })

  it(
    'make one request for each of many new series, no faster than the exchange allows',
    options,
    async () => {
      const before = kraken.requests(ohlc)
      const arrived = kraken.arrivals.length
      const start = performance.now()
      const paths = others.flatMap(symbol => Array(10).fill(pathOf(symbol)) as string[])
      const statuses = await statusesOf(paths)
      expect(statuses.filter(status => status !== 202 && status !== 200)).toEqual([])
      // On a busy machine the first candles may arrive before the last request for them.
      const pending = new Set(paths.filter((_, at) => statuses[at] === 202))
      expect(pending.size, 'each series was pending').toBe(others.length)
      for (const symbol of others) {
        // The oldest of the 700 candles.
        const path = pathOf(symbol).replace('max', '1&backtrack=699')
        expect((await candela.whenReady(path, { authorization, prefer: 'wait=10' })).body).toHaveLength(1)
      }
      expect(kraken.requests(ohlc) - before).toBe(others.length)
      // A request may arrive late, but the number of requests must never exceed the limit for the time since the start.
      for (const [count, arrival] of kraken.arrivals.slice(arrived).entries()) {
        expect(count * ohlcCost * rateLimit).toBeLessThanOrEqual(arrival - start)
      }
    },
  )

  it('never exceed the rate limit, measured where requests are sent', options, async () => {
    const sent: { sentAt: number; cost: number }[] = []
    function fetch(this: object, url: string, ...others: unknown[]) {
      sent.push({ sentAt: performance.now(), cost: url.includes(ohlc) ? ohlcCost : 1 })
      return Object.getPrototypeOf(this).fetch.call(this, url, ...others)
    }
    const source = new CcxtSource('kraken', { options: { ...krakenOptions(kraken.url), rateLimit, fetch } })
    const history = new History({
      depth: 700,
      bytes: 50_000_000,
      refreshSeconds: 5,
      clock: () => Date.now() / 1000,
    })
    const readings = Array.from({ length: clients }, (_, k) => {
      const { altname } = series[k % series.length] as KrakenMarket
      return (history.read({ exchange: 'kraken', symbol: altname, timeframe: '15m' }, source) as Pending)
        .ready
    })
    for (const {
      inputs: [snapshot],
    } of await Promise.all(readings))
      expect(snapshot.count).toBe(700)
    await source.close?.()
    expect(sent.filter(({ cost }) => cost === ohlcCost)).toHaveLength(series.length)
    for (const [at, { sentAt, cost }] of sent.slice(0, -1).entries()) {
      expect((sent[at + 1]?.sentAt as number) - sentAt).toBeGreaterThanOrEqual(cost * rateLimit)
    }
  })
})

describe('a request of a client', () => {
  it('is sent between the pages of backfills', async () => {
    const options = { ...ccxtOptions(binance.url), rateLimit: 20 }
    const source = new CcxtSource('binance', { options, pageLimit: 20 })
    await source.symbols()
    const backfills = Array.from({ length: 16 }, (_, k) =>
      source.candles('ETHUSDT', '5m', 100, { isBackground: true, until: 1_700_000_000 + k * 86_400 }),
    )
    await binance.requested(klines, 20)
    const before = binance.requests(klines)
    await source.candles('BTCUSDT', '1h', 20)
    const after = binance.seen
      .filter(({ pathname }) => pathname === klines)
      .map(url => url.searchParams.get('symbol'))
    // Before it come the requests that were already sent, and the one that was next.
    expect(after.indexOf('BTCUSDT') - before).toBeLessThan(8)
    for (const candles of await Promise.all(backfills)) expect(candles).toHaveLength(100)
    await source.close?.()
  })

  it('gets all its pages before those of later requests', async () => {
    const options = { ...ccxtOptions(binance.url), rateLimit: 100 }
    const source = new CcxtSource('binance', { options, pageLimit: 20 })
    await source.symbols()
    const before = binance.seen.length
    const calls = (['1m', '5m', '15m', '1h', '4h', '1d'] as const).map(timeframe =>
      source.candles('ETHBTC', timeframe, 60),
    )
    for (const candles of await Promise.all(calls)) expect(candles).toHaveLength(60)
    const intervals = binance.seen.slice(before).map(url => url.searchParams.get('interval'))
    expect(intervals.lastIndexOf('1m')).toBeLessThan(intervals.indexOf('1d'))
    await source.close?.()
  })

  it('is answered with the time after which the exchange accepts requests again', async () => {
    const heal = binance.fail(klines, faults.tooManyRequests(47))
    const { status, body, headers } = await candela.whenReady(
      '/indicator/rsi?exchange=binance&symbol=ETHUSDT&timeframe=1h',
      { authorization },
    )
    heal()
    expect([status, body.error]).toEqual([
      503,
      'Exchange unavailable: binance (limits the rate of requests (HTTP 429), it can be asked again in 47 s)',
    ])
    expect(headers.get('retry-after')).toBe('47')
  })
})
