import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Timeframe } from '../../../src/candles/timeframe.js'
import { CcxtSource } from '../../../src/exchanges/ccxt/ccxt-source.js'
import { ResampledSource } from '../../../src/exchanges/resample.js'
import { freshSecondsOf, type Source } from '../../../src/exchanges/source.js'
import { type Binance, ccxtOptions, priceShares, startBinance } from '../../support/binance.js'
import { bybitOptions, startBybit } from '../../support/bybit.js'
import { candlesOfValues, periods } from '../../support/derivatives.js'

const hour = 3_600_000
const day = 24 * hour
/** A Wednesday, 26 seconds into its minute. */
const now = Date.UTC(2025, 5, 18, 12, 34, 26)
const listed = now - 400 * day

/** What becomes of the lists of the exchange under test. */
let change: (list: readonly unknown[], url: URL) => readonly unknown[] = list => list
const faithful = change
const open: { close?(): Promise<void> }[] = []
/** What the sources have counted, since the last test. */
let anomalies: string[] = []
let binance: Binance
let sources: Readonly<Record<'binanceusdm' | 'bybit' | 'binance', Source>>

beforeAll(async () => {
  const market = {
    venue: 'linear',
    symbol: 'BTCUSDT',
    base: 'BTC',
    quote: 'USDT',
    price: 64_000,
    listed,
  } as const
  const dated = { ...market, symbol: 'ETHUSDT_991231', base: 'ETH', delivery: Date.UTC(2099, 11, 31, 8) }
  const spot = { ...market, venue: 'spot' } as const
  binance = await startBinance({
    clock: () => now,
    markets: [market, dated, spot, { ...spot, symbol: 'SOLUSDT', base: 'SOL' }],
  })
  for (const path of ['/fapi/v1/fundingRate', '/futures/data/openInterestHist'])
    binance.fail(path, { kind: 'list', change: rows => change(rows, binance.seen.at(-1) as URL) })
  const bybit = await startBybit({ clock: () => now, listed, change: (list, url) => change(list, url) })
  const connect = (id: string, options: Record<string, unknown>) =>
    new ResampledSource(
      new CcxtSource(id, { options, backoffMs: 1, onAnomaly: anomaly => anomalies.push(anomaly) }),
      id,
    )
  sources = {
    binance: connect('binance', ccxtOptions(binance.url)),
    binanceusdm: connect('binanceusdm', ccxtOptions(binance.url)),
    bybit: connect('bybit', bybitOptions(bybit.url)),
  }
  open.push(...Object.values(sources), binance, bybit)
})
afterEach(() => {
  change = faithful
  anomalies = []
})
afterAll(async () => {
  for (const each of open) await each.close?.()
})

/** The newest `count` candles that the values of an exchange make. */
const truth = (
  kind: 'funding' | 'openinterest',
  timeframe: Timeframe,
  count: number,
  period = periods[kind],
) => candlesOfValues(kind, timeframe, listed, now, period).slice(-count)

describe.each(['binanceusdm', 'bybit'] as const)('the derivatives of %s', exchange => {
  const fetch = (symbol: string, timeframe: Timeframe, count: number, until?: number) =>
    sources[exchange].candles(symbol, timeframe, count, until === undefined ? {} : { until })

  it('have funding rates in the candle within which they are settled, over many pages', async () => {
    expect(await fetch('BTCUSDT.FUNDING', '8h', 500)).toEqual(truth('funding', '8h', 500))
    expect(await fetch('btc/usdt.funding', '1d', 300), 'the last settlement of each day').toEqual(
      truth('funding', '1d', 300),
    )
    const minutes = await fetch('BTCUSDT.FUNDING', '1m', 1000)
    expect(minutes.length, 'one before each of a thousand minutes at least').toBeGreaterThan(3)
    expect(minutes).toEqual(truth('funding', '1m', minutes.length))
  })

  it('have open interest in periods of a quarter of a timeframe at most', async () => {
    expect(await fetch('BTCUSDT.OPENINTEREST', '1h', 200)).toEqual(truth('openinterest', '1h', 200, hour / 4))
    expect(await fetch('BTCUSDT.OPENINTEREST', '1m', 300)).toEqual(truth('openinterest', '1m', 61))
  })

  it('have those before a time', async () => {
    const until = now - 60 * day
    const before = candlesOfValues('funding', '8h', listed, until - 1).slice(-150)
    expect(await fetch('BTCUSDT.FUNDING', '8h', 150, until / 1000)).toEqual(before)
  })

  it('have mark and index prices as candles without volume, also in timeframes that are made of others', async () => {
    const [trades, mark, index, hours] = await Promise.all([
      exchange === 'bybit' ? [] : fetch('BTCUSDT', '30m', 600),
      fetch('BTCUSDT.MARKPRICE', '30m', 600),
      fetch('BTCUSDT.INDEXPRICE', '30m', 600),
      fetch('BTCUSDT.INDEXPRICE', '8h', 3),
    ])
    expect(mark.map(({ volume }) => volume)).toEqual(mark.map(() => 0))
    expect(index.map(({ timestamp }) => timestamp)).toEqual(mark.map(({ timestamp }) => timestamp))
    expect(mark).toHaveLength(600)
    for (const [k, { close }] of mark.entries())
      expect(close / (index[k]?.close ?? 0)).toBeCloseTo(1.0002 / 0.9995, 6)
    for (const [k, { close }] of trades.entries())
      expect(mark[k]?.close).toBeCloseTo(close * (priceShares.markPriceKlines as number), 4)
    const forming = Math.floor(now / (8 * hour)) * 28_800
    expect(hours.map(({ timestamp }) => timestamp)).toEqual([2, 1, 0].map(k => forming - k * 28_800))
  })

  it('have no hole where pages are missing, or parts of them', async () => {
    const seen = new Set<string>()
    change = (list, url) => {
      const start = url.searchParams.get('startTime')
      const page = `${url.pathname} ${start}`
      // What the newest page lacks is what the next refresh fetches.
      if (start === null || seen.has(page)) return list
      seen.add(page)
      // Each page lacks something at first: all of it, its middle, or its end.
      if (seen.size % 3 === 0) return []
      return seen.size % 3 === 1
        ? list.filter((_, k) => k < 20 || k > 60)
        : list.slice(0, Math.ceil(list.length / 2))
    }
    expect(await fetch('BTCUSDT.FUNDING', '8h', 700)).toEqual(truth('funding', '8h', 700))
    expect(await fetch('BTCUSDT.OPENINTEREST', '1h', 160)).toEqual(truth('openinterest', '1h', 160, hour / 4))
    expect(new Set(anomalies), 'what was missing at first is counted').toEqual(new Set(['filled-gap']))
  })

  it('have a hole that is counted where the exchange never gives a value', async () => {
    const lost = new Set(truth('funding', '8h', 150).slice(20, 23).map(({ timestamp }) => timestamp * 1000))
    change = list =>
      list.filter(row => {
        const { fundingTime, fundingRateTimestamp } = row as Record<string, unknown>
        const time = Number(fundingTime ?? fundingRateTimestamp)
        return !lost.has(Math.floor(time / hour) * hour)
      })
    const expected = truth('funding', '8h', 150).filter(({ timestamp }) => !lost.has(timestamp * 1000))
    expect((await fetch('BTCUSDT.FUNDING', '8h', 147)).slice(-expected.length)).toEqual(expected)
    expect(anomalies).toEqual(['gap'])
  })
})

describe('what an exchange does not have', () => {
  it('is refused in words', async () => {
    const refused = async (exchange: keyof typeof sources | 'kraken', symbol: string) => {
      const source = exchange === 'kraken' ? new CcxtSource('kraken') : sources[exchange]
      return Promise.resolve(source.candles(symbol, '1h', 10)).then(
        () => undefined,
        ({ kind, message }) => [kind, message],
      )
    }
    expect(await refused('kraken', 'BTCUSD.FUNDING')).toEqual([
      'no-series',
      'No funding: kraken gives no history of funding rates',
    ])
    expect(await refused('binance', 'SOLUSDT.MARKPRICE')).toEqual([
      'no-series',
      'No markprice: SOLUSDT on binance is not a derivative',
    ])
    expect(await refused('binanceusdm', 'ETHUSDT.FUNDING')).toEqual([
      'no-series',
      'No funding: ETHUSDT on binanceusdm is not a perpetual',
    ])
    expect(await refused('binance', 'NOTHING.FUNDING')).toEqual([
      'unknown-symbol',
      'Symbol not found: NOTHING on binance',
    ])
  })

  it('is that of the perpetual where the symbol is also one of a spot market', async () => {
    expect(await sources.binance.candles('BTCUSDT.FUNDING', '8h', 3)).toEqual(truth('funding', '8h', 3))
  })

  it('is fresh for a minute where it has values at single times', () => {
    const source = { freshSeconds: 15 } as Source
    expect(
      ['BTCUSDT.FUNDING', 'BTCUSDT.OPENINTEREST', 'BTCUSDT.MARKPRICE', 'BTCUSDT'].map(symbol =>
        freshSecondsOf(source, symbol),
      ),
    ).toEqual([60, 60, 15, 15])
  })

  it('is not streamed', async () => {
    const { signal } = new AbortController()
    for (const symbol of ['BTCUSDT.FUNDING', 'BTCUSDT.MARKPRICE'])
      expect(await sources.binance.watch?.(symbol, '1h', signal)).toBeUndefined()
  })
})
