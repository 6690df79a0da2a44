import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CcxtSource } from '../../src/markets/exchanges/ccxt/ccxt-source.js'
import { History } from '../../src/markets/history/history.js'
import type { Pending } from '../../src/markets/history/reading.js'
import { type Binance, ccxtOptions, faults, startBinance } from '../support/binance.js'
import { type Kraken, type KrakenMarket, krakenOptions, startKraken } from '../support/kraken.js'
import { CandelaProcess } from '../support/service-process.js'

const ohlc = '/0/public/OHLC'
const klines = '/api/v3/klines'
/** Milliseconds between a request of cost 1 and the next one. */
const rateLimit = 10
/** ccxt's cost of `OHLC` at Kraken. */
const ohlcCost = 1.2

const markets: readonly KrakenMarket[] = Array.from({ length: 100 }, (_, k) => {
  const base = `C${String(k).padStart(2, '0')}`
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
let candela: CandelaProcess
let authorization: string

beforeAll(async () => {
  kraken = await startKraken({ markets })
  binance = await startBinance()
  candela = await CandelaProcess.start({
    EXCHANGES: JSON.stringify({
      kraken: { ...krakenOptions(kraken.url), rateLimit },
      binance: ccxtOptions(binance.url),
    }),
    HISTORY_DEPTH: '700',
    REFRESH_SECONDS: '3600',
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

/** The status of a request. The client does nothing else, so that a busy machine has a thousand requests under way at once. */
async function statusOf(path: string): Promise<number> {
  // Idle connections that the service has closed are noticed in a turn of the event loop.
  await turn()
  const response = await fetch(`${candela.url}${path}`, { headers: { authorization } })
  await response.arrayBuffer()
  return response.status
}

const pathOf = (symbol: string) => `/candles?exchange=kraken&symbol=${symbol}&timeframe=1h&results=max`

describe('a thousand clients at once', () => {
  it('make one request to the exchange when all want the same new series', async () => {
    const path = pathOf('C00USD')
    const statuses = await Promise.all(Array.from({ length: 1000 }, () => statusOf(path)))
    expect(statuses.filter(status => status !== 202 && status !== 200)).toEqual([])
    expect(statuses[0]).toBe(202)
    expect((await candela.whenReady(path, { authorization })).body).toHaveLength(700)
    expect(kraken.requests(ohlc)).toBe(1)
  })

  it('make one request for each of a hundred new series, no faster than the exchange allows', async () => {
    const before = kraken.requests(ohlc)
    const first = kraken.arrivals.length
    const start = performance.now()
    const paths = markets.slice(1).flatMap(({ altname }) => Array(10).fill(pathOf(altname)) as string[])
    const statuses = await Promise.all(paths.map(statusOf))
    expect(statuses.filter(status => status !== 202 && status !== 200)).toEqual([])
    // On a busy machine the first candles may arrive before the last request for them.
    const pending = new Set(paths.filter((_, at) => statuses[at] === 202))
    expect(pending.size, 'each series was pending').toBe(99)
    for (const { altname } of markets.slice(1)) {
      let answer = await candela.get(pathOf(altname), { authorization, prefer: 'wait=10' })
      if (answer.status === 202)
        answer = await candela.get(pathOf(altname), { authorization, prefer: 'wait=10' })
      expect(answer.body).toHaveLength(700)
    }
    expect(kraken.requests(ohlc) - before).toBe(99)
    // A request may arrive late, but the number of requests must never exceed the limit for the time since the start.
    for (const [count, arrival] of kraken.arrivals.slice(first).entries()) {
      expect(count * ohlcCost * rateLimit).toBeLessThanOrEqual(arrival - start)
    }
  })

  it('never exceed the rate limit, measured where requests are sent', async () => {
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
    const readings = Array.from({ length: 1000 }, (_, k) => {
      const { altname } = markets[k % 100] as KrakenMarket
      return (history.read({ exchange: 'kraken', symbol: altname, timeframe: '15m' }, source) as Pending)
        .ready
    })
    for (const {
      inputs: [snapshot],
    } of await Promise.all(readings))
      expect(snapshot.count).toBe(700)
    await source.close?.()
    expect(sent.filter(({ cost }) => cost === ohlcCost)).toHaveLength(100)
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
    const backfills = Array.from({ length: 40 }, (_, k) =>
      source.candles('ETHUSDT', '5m', 100, { isBackground: true, until: 1_700_000_000 + k * 86_400 }),
    )
    await binance.requested(klines, 30)
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
