import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Timeframe, timeframes } from '../../../../src/candles/timeframe.js'
import { CcxtSource } from '../../../../src/markets/exchanges/ccxt/ccxt-source.js'
import { ResampledSource } from '../../../../src/markets/exchanges/resample.js'
import { freshSecondsOf, type Source } from '../../../../src/markets/exchanges/source.js'
import { type Binance, ccxtOptions, priceShares, startBinance } from '../../../support/binance.js'
import { type DerivativeExchangeId, startDerivativeExchange } from '../../../support/derivative-exchanges.js'
import { candlesOfValues, periods } from '../../../support/derivatives.js'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** 26 seconds into a minute that has passed: some of ccxt's clients read the clock of the machine. */
const now = Math.floor(Date.now() / minute - 1) * minute + 26_000
const listed = now - 400 * day

/** Data that the exchanges under test offer, and its amount, according to their documentation. */
const offered = {
  binanceusdm: { settled: 8, settlements: 500, interest: { minutes: 15, candles: 200 } },
  bybit: { settled: 8, settlements: 500, interest: { minutes: 15, candles: 200 } },
  // Three months of funding rates, and two days of open interest of five minutes.
  okx: { settled: 8, settlements: 270, interest: { minutes: 5, candles: 40 } },
  bitget: { settled: 8, settlements: 500, interest: undefined },
  gate: { settled: 8, settlements: 500, interest: { minutes: 15, candles: 200 } },
  krakenfutures: { settled: 1, settlements: 500, interest: undefined },
} as const
type Tested = keyof typeof offered
const tested = Object.keys(offered) as Tested[]

/** Changes the lists of the exchange under test. */
let change: (list: readonly unknown[], url: URL) => readonly unknown[] = list => list
const faithful = change
const open: { close?(): Promise<void> }[] = []
/** Anomalies that the sources have counted since the last test. */
let anomalies: string[] = []
let binance: Binance
let sources: Readonly<Record<Tested | 'binance', Source>>

const connect = (id: string, options: Readonly<Record<string, unknown>>) =>
  new ResampledSource(
    new CcxtSource(id, { options, backoffMs: 1, onAnomaly: anomaly => anomalies.push(anomaly) }),
    id,
  )

async function startOther(id: DerivativeExchangeId): Promise<Source> {
  const exchange = await startDerivativeExchange(id, {
    ...{ clock: () => now, listed },
    change: (list, url) => change(list, url),
  })
  const source = connect(id, exchange.options)
  open.push(source, exchange)
  return source
}

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
  sources = {
    binance: connect('binance', ccxtOptions(binance.url)),
    binanceusdm: connect('binanceusdm', ccxtOptions(binance.url)),
    bybit: await startOther('bybit'),
    okx: await startOther('okx'),
    bitget: await startOther('bitget'),
    gate: await startOther('gate'),
    krakenfutures: await startOther('krakenfutures'),
  }
  open.push(sources.binance, sources.binanceusdm, binance)
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
) => {
  // One candle more than are wanted, because the first one may lack values.
  const from = now - (count + 1) * Math.max(period, timeframes[timeframe] * 1000)
  return candlesOfValues(kind, timeframe, Math.max(listed, from), now, period).slice(-count)
}

describe.each(tested)('the derivatives of %s', exchange => {
  const { settled, settlements, interest } = offered[exchange]
  const symbol = exchange === 'krakenfutures' ? 'BTCUSD' : 'BTCUSDT'
  const fetch = (series: string, timeframe: Timeframe, count: number, until?: number) =>
    sources[exchange].candles(`${symbol}${series}`, timeframe, count, until === undefined ? {} : { until })
  const funding = (timeframe: Timeframe, count: number) => truth('funding', timeframe, count, settled * hour)

  it('have funding rates in the candle within which they are settled, over many pages', async () => {
    expect(await fetch('.FUNDING', '8h', settlements)).toEqual(funding('8h', settlements))
    expect(await fetch('.funding', '1d', 80), 'the last settlement of each day').toEqual(funding('1d', 80))
    const minutes = await fetch('.FUNDING', '1m', 1000)
    expect(minutes.length, 'one before each of a thousand minutes at least').toBeGreaterThan(3)
    expect(minutes).toEqual(funding('1m', minutes.length))
  })

  it('have open interest in periods of a quarter of a timeframe at most, or say that there is none', async () => {
    if (!interest) {
      const words = `No openinterest: ${exchange} gives no history of open interest`
      return expect(fetch('.OPENINTEREST', '1h', 5)).rejects.toThrow(words)
    }
    const { minutes, candles } = interest
    expect(await fetch('.OPENINTEREST', '1h', candles)).toEqual(
      truth('openinterest', '1h', candles, minutes * minute),
    )
    expect(await fetch('.OPENINTEREST', '1m', 300)).toEqual(truth('openinterest', '1m', 61))
  })

  it('have those before a time', async () => {
    const until = now - 30 * day
    const before = candlesOfValues('funding', '8h', listed, until - 1, settled * hour).slice(-150)
    expect(await fetch('.FUNDING', '8h', 150, until / 1000)).toEqual(before)
  })

  it('have mark and index prices as candles without volume, also in timeframes that are made of others', async () => {
    const [trades, mark, index, hours] = await Promise.all([
      exchange === 'binanceusdm' ? fetch('', '30m', 600) : [],
      fetch('.MARKPRICE', '30m', 600),
      fetch('.INDEXPRICE', '30m', 600),
      fetch('.INDEXPRICE', '8h', 3),
    ])
    expect(mark.map(({ volume }) => volume)).toEqual(mark.map(() => 0))
    const newest = Math.floor(now / (30 * minute)) * 1800
    expect(mark.map(({ timestamp }) => timestamp)).toEqual(mark.map((_, k) => newest - (599 - k) * 1800))
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
    let requests = 0
    change = (list, { pathname, search }) => {
      // Candles missing in the newest page are fetched by the next refresh.
      const isFirst = !seen.has(`${pathname}${search}`)
      seen.add(`${pathname}${search}`)
      if (requests++ === 0 || !isFirst) return list
      // Each page lacks something at first: all of it, its middle, or its end.
      if (seen.size % 3 === 0) return []
      return seen.size % 3 === 1
        ? list.filter((_, k) => k < 20 || k > 60)
        : list.slice(0, Math.ceil(list.length / 2))
    }
    expect(await fetch('.FUNDING', '8h', settlements)).toEqual(funding('8h', settlements))
    const wasFilled = [...anomalies]
    if (interest) {
      requests = 0
      const { minutes, candles } = interest
      expect(await fetch('.OPENINTEREST', '1h', candles)).toEqual(
        truth('openinterest', '1h', candles, minutes * minute),
      )
    }
    // Kraken answers with all at once.
    if (exchange !== 'krakenfutures') expect(wasFilled).toContain('filled-gap')
    expect(anomalies, 'what was missing at first is no gap').not.toContain('gap')
  })

  it('have a hole that is counted where the exchange never gives a value', async () => {
    const lost = new Set(
      funding('8h', 150)
        .slice(20, 23)
        .map(({ timestamp }) => timestamp * 1000),
    )
    const timeFields = ['fundingTime', 'fundingRateTimestamp', 'timestamp', 't']
    change = list =>
      list.filter(row => {
        const values = timeFields.map(name => (row as Record<string, string | number | undefined>)[name])
        const value = values.find(each => each !== undefined) ?? 0
        const time = Number.isNaN(Number(value)) ? Date.parse(String(value)) : Number(value)
        const ms = time < 1e11 ? time * 1000 : time
        return !lost.has(Math.floor(ms / (8 * hour)) * 8 * hour)
      })
    const expected = funding('8h', 150).filter(({ timestamp }) => !lost.has(timestamp * 1000))
    expect((await fetch('.FUNDING', '8h', 147)).slice(-expected.length)).toEqual(expected)
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
    const source = { traits: { freshSeconds: 15 } } as Source
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
