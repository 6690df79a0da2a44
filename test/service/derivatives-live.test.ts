import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { CcxtSource } from '../../src/markets/exchanges/ccxt/ccxt-source.js'
import { ResampledSource } from '../../src/markets/exchanges/resample.js'
import { type Binance, ccxtOptions, startBinance } from '../support/binance.js'
import { type BinanceStream, startBinanceStream } from '../support/binance-stream.js'
import { periods, valueAt } from '../support/derivatives.js'
import { fetchDocumented } from '../support/documented.js'
import { StreamingClient } from '../support/streaming-client.js'
import { midnight, startTestService, type TestService } from '../support/test-service.js'

// Funding and open interest in each place that takes an expression, over sockets on both sides of one service.

const length = 4 * 3600
const market = { exchange: 'binanceusdm', symbol: 'BTCUSDT', timeframe: '4h' }

/** The time of the exchange and the service, in Unix seconds: that of a settlement at first. */
let now = midnight
let binance: Binance
let stream: BinanceStream
let service: TestService
let client: StreamingClient

beforeAll(async () => {
  const linear = { venue: 'linear', quote: 'USDT', price: 100, listed: Date.UTC(2023, 0, 1) } as const
  binance = await startBinance({
    clock: () => now * 1000,
    markets: ['BTC', 'ETH'].map(base => ({ ...linear, base, symbol: `${base}USDT` })),
  })
  stream = await startBinanceStream()
  const { urls, ...options } = ccxtOptions(binance.url)
  // ccxt takes an address with “stream” in it for that of spot markets.
  const future = stream.url.replace('/stream/', '/')
  const source = new CcxtSource('binanceusdm', {
    options: { ...options, urls: { api: { ...urls.api, ws: { future } } } },
    backoffMs: 1,
  })
  service = await startTestService(
    { historyDepth: 100, refreshSeconds: 1 },
    { binanceusdm: new ResampledSource(source, 'binanceusdm') },
  )
  client = await StreamingClient.connect(service.url, 'many')
})
afterAll(async () => {
  await client?.close()
  await service?.close()
  await stream?.close()
  await binance?.close()
})

async function post(path: string, body: object) {
  const headers = { authorization: 'Bearer many', 'content-type': 'application/json', prefer: 'wait=5' }
  const response = await fetchDocumented(service.url, path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return response.json()
}

/**
 * Lets time pass until a few seconds after the end of a candle. The exchange streams its events, and settlements are
 * polled.
 */
async function passCandle(): Promise<void> {
  const polled = binance.requests('/fapi/v1/fundingRate')
  const end = now - (now % length) + length
  service.pass(end + 5 - now)
  now = end + 5
  for (const candle of binance.truth('BTCUSDT', '4h', 2, 'linear'))
    stream.publish('BTCUSDT', '4h', length * 1000, candle, candle.timestamp < end)
  await binance.requested('/fapi/v1/fundingRate', polled + 1)
}

/** The funding rate of the newest settlement before a time (Unix seconds). */
const fundingBefore = (time: number) =>
  valueAt('funding', (Math.ceil((time * 1000) / periods.funding) - 1) * periods.funding)
/** The open interest of the newest hour before a time. */
const openInterestBefore = (time: number) => valueAt('openinterest', (Math.ceil(time / 3600) - 1) * 3_600_000)

describe('funding and open interest', () => {
  it('are values of a bulk request', async () => {
    const ids = ['funding', 'openinterest']
    const indicators = ids.map(id => ({
      ...{ id, indicator: 'expression', expression: id },
      ...{ backtrack: 1, results: 3 },
    }))
    let bulk = await post('/bulk', { constructs: [{ id: 'c', ...market, indicators }] })
    while (bulk.c?.openinterest === undefined)
      bulk = await post('/bulk', { constructs: [{ id: 'c', ...market, indicators }] })
    for (const [id, before] of [
      ['funding', fundingBefore],
      ['openinterest', openInterestBefore],
    ] as const) {
      const ends = bulk.c[id].timestamp.map((open: number) => open + length)
      expect(ends.at(-1)).toBe(now)
      expect(bulk.c[id].value).toEqual(ends.map(before))
    }
  })

  it('are conditions and values of a screen, of each market its own', async () => {
    const rate = fundingBefore(now)
    const screen = (where: string) =>
      post('/screen', {
        ...{ exchange: 'binanceusdm', timeframe: '4h', symbols: ['BTCUSDT', 'ETHUSDT'], where },
        select: { funding: 'funding[1]', openinterest: 'openinterest[1]' },
      })
    const isMet = `funding[1] > ${rate - 1e-6} and rsi(14) < 100`
    let met = await screen(isMet)
    while (met.screened !== 2) met = await screen(isMet)
    expect(met.failed).toEqual([])
    for (const { funding, openinterest } of met.matches)
      expect([funding, openinterest]).toEqual([rate, openInterestBefore(now)])
    expect(met.matches.map(({ symbol }: { symbol: string }) => symbol).sort()).toEqual(['BTCUSDT', 'ETHUSDT'])
    for (const unmet of [
      `funding[1] > ${rate + 1e-6} and rsi(14) < 100`,
      `funding[1] > -1 and rsi(14) > 100`,
    ])
      expect((await screen(unmet)).matches, unmet).toEqual([])
  })

  it('move a stream, and fire an alert at the candle within which they were settled', async () => {
    const settled = midnight + 2 * length
    const [old, rate] = [fundingBefore(settled), fundingBefore(settled + 1)]
    expect(rate, 'the alert needs a rate that is higher than the one before').toBeGreaterThan(old)
    const isHigh = `funding > ${(old + rate) / 2}`
    const ids: string[] = []
    for (const rsi of ['rsi(14) < 100', 'rsi(14) > 100']) {
      const alert = await post('/alerts', { ...market, expression: `${isHigh} and ${rsi}` })
      ids.push(alert.id)
    }
    const { timeframe: interval, ...place } = market
    client.send({
      ...{ type: 'subscribe', id: 's', ...place, interval },
      ...{ indicator: 'expression', params: { expression: 'funding + 0 * close' } },
    })
    await client.next(({ type }) => type === 'update')
    client.send({ type: 'alerts' })
    await client.next(({ type }) => type === 'alerts_ok')
    await vi.waitFor(() => expect(stream.has('btcusdt@kline_4h')).toBe(true), 5000)
    const closed = new Map<number, number>()
    for (let k = 0; k < 3; k++) {
      await passCandle()
      const { data } = await client.next(
        ({ type, closed, data }) => type === 'update' && closed && data.timestamp === midnight + k * length,
      )
      closed.set(data.timestamp, data.expression)
    }
    expect([...closed]).toEqual(
      [0, 1, 2].map(k => [midnight + k * length, fundingBefore(midnight + (k + 1) * length)]),
    )
    const fired = () =>
      client.texts.flatMap(text => {
        const { type, alert, timestamp } = JSON.parse(text)
        return type === 'alert' ? [[alert, timestamp]] : []
      })
    await vi.waitFor(() => expect(fired()).toEqual([[ids[0], settled]]), 10_000)
  })
})
