import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openOf, timeframes } from '../../../../src/candles/timeframe.js'
import { type CcxtSettings, CcxtSource } from '../../../../src/markets/exchanges/ccxt/ccxt-source.js'
import { exchangeIds, resolveExchangeId } from '../../../../src/markets/exchanges/ccxt/exchange-list.js'
import { type Source, SourceFailure } from '../../../../src/markets/exchanges/source.js'
import { createSymbolCache } from '../../../../src/markets/exchanges/symbol-cache.js'
import { pause } from '../../../../src/runtime/pause.js'
import {
  type Binance,
  type BinanceMarket,
  type BinanceSettings,
  ccxtOptions,
  defaultMarkets,
  type Fault,
  faults,
  startBinance,
} from '../../../support/binance.js'
import { moveMonotonic, passMonotonic, resetMonotonic } from '../../../support/monotonic-clock.js'

vi.mock('../../../../src/runtime/pause.js', { spy: true })

const spotInfo = '/api/v3/exchangeInfo'
const spotKlines = '/api/v3/klines'
const linearKlines = '/fapi/v1/klines'

/** A Wednesday, 26 seconds into its minute. */
const noon = Date.UTC(2025, 5, 18, 12, 34, 26)
let now = noon
let binance: Binance
let open: { close(): Promise<void> }[] = []

async function serve(settings: BinanceSettings = {}): Promise<Binance> {
  const server = await startBinance({ clock: () => now, ...settings })
  open.push(server)
  return server
}

function connect(
  settings: CcxtSettings = {},
  { id = 'binance', to = binance } = {},
): Source & { close(): Promise<void> } {
  const options = { ...ccxtOptions(to.url), rateLimit: 1, ...settings.options }
  const source = new CcxtSource(id, { backoffMs: 1, ...settings, options })
  open.unshift(source as { close(): Promise<void> })
  return source as Source & { close(): Promise<void> }
}

async function failureOf(answer: unknown): Promise<SourceFailure> {
  const result = await Promise.resolve(answer).then(
    value => ({ value }),
    error => ({ error }),
  )
  expect(result, 'the call fails').toHaveProperty('error')
  const { error } = result as { error: SourceFailure }
  expect(error).toBeInstanceOf(SourceFailure)
  return error
}

beforeEach(async () => {
  now = noon
  binance = await serve()
})

afterEach(async () => {
  vi.useRealTimers()
  vi.resetAllMocks()
  resetMonotonic()
  for (const resource of open) await resource.close()
  open = []
})

describe('the list of exchanges', () => {
  test('holds lower-case identifiers of exchanges with candles, sorted, without duplicates', () => {
    const ids = exchangeIds
    expect(ids).toEqual([...new Set(ids)].sort())
    expect(ids.filter(id => !/^[a-z0-9]+$/.test(id))).toEqual([])
    for (const id of ['binance', 'binanceusdm', 'bitstamp', 'bybit', 'coinbase', 'gate', 'kraken', 'okx']) {
      expect(ids).toContain(id)
    }
    expect(ids, 'ccxt cannot fetch candles from bitflyer').not.toContain('bitflyer')
  })

  test('knows binancefutures as another name that is not listed', () => {
    expect(resolveExchangeId('binancefutures')).toBe('binanceusdm')
    expect(resolveExchangeId('BinanceFutures')).toBe('binanceusdm')
    expect(exchangeIds).not.toContain('binancefutures')
  })

  test('resolves names in any case and nothing that is not listed', () => {
    expect(resolveExchangeId('KRAKEN')).toBe('kraken')
    for (const name of ['', 'nowhere', 'constructor', '__proto__', '../ccxt', 'base/Exchange']) {
      expect(resolveExchangeId(name), name).toBeUndefined()
    }
  })

  test('holds all exchanges that a source can be created of', () => {
    expect(() => new CcxtSource('../ccxt')).toThrow(
      new SourceFailure('unavailable', 'Exchange not found: ../ccxt'),
    )
  })
})

describe('symbols', () => {
  test('are the open markets without the slash and without doubles, spot first', async () => {
    expect(await connect().symbols()).toEqual(['BTCUSDT', 'ETHBTC', 'ETHUSDT', '1000PEPEUSDT', 'BTCUSD'])
  })

  test('of binancefutures are those of the USDⓈ-M contracts', async () => {
    expect(await connect({}, { id: 'binancefutures' }).symbols()).toEqual(['1000PEPEUSDT', 'BTCUSDT'])
    expect(binance.requests(spotInfo)).toBe(0)
  })

  test('are fetched once for concurrent calls', async () => {
    const source = connect()
    await Promise.all([
      source.symbols(),
      source.symbols(),
      source.candles('BTCUSDT', '1m', 1),
      source.symbols(),
    ])
    await source.symbols()
    expect(binance.requests(spotInfo)).toBe(1)
  })

  test('are fetched again by the next call after a failure', async () => {
    binance.fail(spotInfo, faults.internal, 1)
    const source = connect({ retries: 0 })
    const failures = await Promise.all([failureOf(source.symbols()), failureOf(source.symbols())])
    expect(failures.map(({ message }) => message)).toEqual(
      Array(2).fill('binance is not available (HTTP 500)'),
    )
    expect(binance.requests(spotInfo), 'both calls shared the failing fetch').toBe(1)
    expect(await source.symbols()).toContain('BTCUSDT')
  })

  test('are fetched again after a day', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: noon })
    const source = connect()
    await source.symbols()
    await passMonotonic(86_390_000)
    await source.symbols()
    expect(binance.requests(spotInfo), 'within the day').toBe(1)
    await passMonotonic(10_000)
    await source.symbols()
    expect(binance.requests(spotInfo), 'a day later').toBe(2)
  })

  test('are fetched again for a missing one, when they are half a minute old', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: noon })
    const [btc, eth] = defaultMarkets as [BinanceMarket, BinanceMarket]
    const markets = [btc]
    const source = connect({}, { to: await serve({ markets }) })
    expect(await source.symbols()).toEqual(['BTCUSDT'])
    markets.push(eth)
    await passMonotonic(29_000)
    expect((await failureOf(source.candles('ETHUSDT', '1h', 1))).kind).toBe('unknown-symbol')
    await passMonotonic(1_000)
    expect(await source.candles('ETHUSDT', '1h', 1)).toHaveLength(1)
  })

  test('know which markets an earlier list had, and which are closed', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: noon })
    const [btc, eth] = defaultMarkets as [BinanceMarket, BinanceMarket]
    const markets = [btc, eth]
    const source = connect({}, { to: await serve({ markets }) })
    await source.symbols()
    markets.pop()
    await passMonotonic(86_400_000)
    const gone = await failureOf(source.candles('ETHUSDT', '1h', 1))
    expect([gone.kind, gone.isDelisted, gone.near]).toEqual(['unknown-symbol', true, []])
    const unknown = await failureOf(source.candles('ETHUSDC', '1h', 1))
    expect([unknown.kind, unknown.isDelisted]).toEqual(['unknown-symbol', false])
    markets.push(eth)
    await passMonotonic(30_000)
    expect(await source.candles('ETHUSDT', '1h', 1), 'it is listed again').toHaveLength(1)
  })

  test('stay known when they cannot be fetched again, and candles with them', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: noon })
    const source = connect({ retries: 0 })
    const symbols = await source.symbols()
    const heal = binance.fail(spotInfo, faults.unavailable)
    await passMonotonic(86_400_000)
    expect(await source.symbols()).toEqual(symbols)
    expect(await source.candles('BTCUSDT', '1m', 3)).toEqual(binance.truth('BTCUSDT', '1m', 3))
    expect(binance.requests(spotInfo), 'one attempt').toBe(2)
    heal()
    await passMonotonic(60_000)
    await source.symbols()
    expect(binance.requests(spotInfo), 'another attempt a minute later').toBe(3)
  })

  test('that are outdated work with ccxt clients that load the markets before every request', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: noon })
    async function fetchOHLCV(this: { loadMarkets(): Promise<unknown> }) {
      await this.loadMarkets()
      return [[noon, 1, 2, 1, 2, 3]]
    }
    const source = connect({ retries: 0, options: { fetchOHLCV } })
    await source.symbols()
    binance.fail(spotInfo, faults.unavailable)
    await passMonotonic(86_400_000)
    expect(await source.candles('BTCUSDT', '1m', 1)).toHaveLength(1)
  })

  test('are a failure where the exchange lists none', async () => {
    const empty = await serve({ markets: [] })
    expect((await failureOf(connect({}, { to: empty }).symbols())).message).toBe('binance lists no markets')
  })
})

describe('a list of symbols that outlives the process', () => {
  const shelf = new Map<string, Uint8Array>()
  const failures: string[] = []
  const symbolCache = createSymbolCache(
    {
      get: key => shelf.get(key),
      write: changes => {
        for (const [key, bytes] of changes()) shelf.set(key, bytes as Uint8Array)
      },
    },
    exchange => failures.push(exchange),
  )
  const expected = ['BTCUSDT', 'ETHBTC', 'ETHUSDT', '1000PEPEUSDT', 'BTCUSD']

  beforeEach(async () => {
    shelf.clear()
    failures.length = 0
    vi.useFakeTimers({ toFake: ['Date'], now: noon })
    await connect({ symbolCache }).symbols()
  })

  test('is used for a day without a request', async () => {
    const before = binance.requests()
    expect(await connect({ symbolCache }).symbols()).toEqual(expected)
    expect(binance.requests()).toBe(before)
    vi.setSystemTime(noon + 86_400_000)
    expect(await connect({ symbolCache }).symbols()).toEqual(expected)
    expect(binance.requests(), 'a day later').toBeGreaterThan(before)
  })

  test('is used when it is older and the exchange is down, and fetched once a minute', async () => {
    vi.setSystemTime(noon + 2 * 86_400_000)
    binance.fail(spotInfo, faults.unavailable)
    const source = connect({ symbolCache, retries: 0 })
    const before = binance.requests(spotInfo)
    expect(await source.symbols()).toEqual(expected)
    expect(await source.symbols()).toEqual(expected)
    expect(binance.requests(spotInfo) - before).toBe(1)
    await passMonotonic(60_000)
    expect(await source.symbols()).toEqual(expected)
    expect(binance.requests(spotInfo) - before).toBe(2)
  })

  test('is unknown where it cannot be read, and that is reported', async () => {
    shelf.set('symbols/binance', Buffer.from('{"listed":1,'))
    expect(await connect({ symbolCache }).symbols()).toEqual(expected)
    expect(failures).toEqual(['binance'])
    binance.fail(spotInfo, faults.unavailable)
    shelf.set('symbols/binance', Buffer.from('{"listed":1,"symbols":[]}'))
    expect((await failureOf(connect({ symbolCache, retries: 0 }).symbols())).message).toBe(
      'binance is not available (HTTP 503)',
    )
  })

  test('that cannot be written is reported, and the symbols are answered', async () => {
    const full = createSymbolCache(
      {
        get: () => undefined,
        write: () => {
          throw new Error('no space left')
        },
      },
      exchange => failures.push(exchange),
    )
    expect(await connect({ symbolCache: full }).symbols()).toEqual(expected)
    expect(failures).toEqual(['binance'])
  })
})

describe('a symbol that several markets share', () => {
  const listed = Date.UTC(2024, 0, 1)
  const linear = { venue: 'linear', symbol: 'BTCUSD', base: 'BTC', quote: 'USD', price: 2, listed } as const
  const dated = { ...linear, symbol: 'BTCUSD_A', price: 3, delivery: Date.UTC(2099, 5, 1) } as const
  const later = { ...linear, symbol: 'BTCUSD_B', price: 4, delivery: Date.UTC(2099, 11, 1) } as const
  const inverse = {
    venue: 'inverse',
    symbol: 'BTCUSD_PERP',
    base: 'BTC',
    quote: 'USD',
    price: 5,
    listed,
  } as const
  const spot = { venue: 'spot', symbol: 'BTCUSD', base: 'BTC', quote: 'USD', price: 1, listed } as const

  const winner = async (markets: readonly BinanceMarket[]) => {
    const server = await serve({ markets })
    const source = connect({}, { to: server })
    expect(await source.symbols()).toEqual(['BTCUSD'])
    const candles = await source.candles('BTCUSD', '1h', 5)
    return markets.find(({ symbol, venue }) => {
      const [last] = server.truth(symbol, '1h', 1, venue)
      return last?.close === candles.at(-1)?.close
    })
  }

  test('belongs to the spot market', async () => {
    expect(await winner([later, inverse, linear, dated, spot])).toBe(spot)
  })

  test('belongs to the linear swap before the inverse one', async () => {
    expect(await winner([inverse, later, dated, linear])).toBe(linear)
  })

  test('belongs to the swap settled in its quote, then to another one, then to the inverse one', async () => {
    const swap = (settle: string) => {
      const symbol = `BTC/USD:${settle}`
      return {
        id: symbol,
        symbol,
        base: 'BTC',
        quote: 'USD',
        settle,
        swap: true,
        inverse: settle === 'BTC',
        active: true,
      }
    }
    const winnerOf = async (...settles: string[]) => {
      const requested: string[] = []
      const fetchMarkets = async () => settles.map(swap)
      const fetchOHLCV = async (symbol: string) => {
        requested.push(symbol)
        return []
      }
      await connect({ options: { fetchMarkets, fetchOHLCV } }).candles('BTCUSD', '1h', 1)
      return requested
    }
    expect(await winnerOf('BTC', 'ETH', 'USD')).toEqual(['BTC/USD:USD'])
    expect(await winnerOf('BTC', 'ETH')).toEqual(['BTC/USD:ETH'])
  })

  test('belongs to the inverse swap before a dated future', async () => {
    expect(await winner([later, dated, inverse])).toBe(inverse)
  })

  test('belongs to the future that is delivered first', async () => {
    expect(await winner([later, dated])).toBe(dated)
  })

  test('is left to a swap when the spot market is closed', async () => {
    expect(await winner([{ ...spot, isTrading: false }, linear])).toBe(linear)
  })
})

describe('candles', () => {
  test.each(Object.keys(timeframes) as (keyof typeof timeframes)[])(
    'of %s end with the forming one',
    async timeframe => {
      const candles = await connect().candles('BTCUSDT', timeframe, 20)
      expect(candles).toEqual(binance.truth('BTCUSDT', timeframe, 20))
      expect(candles.at(-1)?.timestamp).toBe(openOf(timeframe, now / 1000))
    },
  )

  test('show the forming one as it moves on', async () => {
    const source = connect()
    const [first] = await source.candles('BTCUSDT', '1h', 1)
    now += 600_000
    const [second] = await source.candles('BTCUSDT', '1h', 1)
    expect(second).toEqual(binance.truth('BTCUSDT', '1h', 1)[0])
    expect(second?.timestamp).toBe(first?.timestamp)
    expect(second?.volume).toBeGreaterThan(first?.volume as number)
    now += 3_600_000
    expect((await source.candles('BTCUSDT', '1h', 2))[0]?.timestamp).toBe(first?.timestamp)
  })

  test('are paged to a depth of 2500 without gaps or duplicates', async () => {
    const candles = await connect().candles('BTCUSDT', '1m', 2500)
    expect(candles).toEqual(binance.truth('BTCUSDT', '1m', 2500))
    expect(candles).toHaveLength(2500)
    expect(new Set(candles.map(({ timestamp }) => timestamp)).size).toBe(2500)
    expect(binance.requests(spotKlines)).toBe(3)
  })

  test('are the same when the minute ends between two pages', async () => {
    const expected = binance.truth('BTCUSDT', '1m', 2500)
    let requests = 0
    binance.fail(spotKlines, {
      kind: 'rows',
      change: (row, index) => {
        if (index === 0 && ++requests === 1) now += 60_000
        return row
      },
    })
    expect(await connect().candles('BTCUSDT', '1m', 2500)).toEqual(expected)
  })

  test.each([
    ['at its end', 90, 100],
    ['at its beginning', 0, 10],
    ['in its middle', 40, 60],
  ])('are complete when the second page lacks some %s', async (_, from, to) => {
    binance.fail(spotKlines, { kind: 'list', change: rows => rows }, 1)
    binance.fail(spotKlines, { kind: 'list', change: rows => rows.toSpliced(from, to - from) }, 1)
    expect(await connect({ pageLimit: 100 }).candles('BTCUSDT', '1m', 300)).toEqual(
      binance.truth('BTCUSDT', '1m', 300),
    )
  })

  test('are paged by the page limit', async () => {
    const candles = await connect({ pageLimit: 100 }).candles('ETHUSDT', '5m', 450)
    expect(candles).toEqual(binance.truth('ETHUSDT', '5m', 450))
    expect(
      binance.seen
        .filter(({ pathname }) => pathname === spotKlines)
        .map(url => url.searchParams.get('limit')),
    ).toEqual(Array(5).fill('100'))
  })

  test('are complete when pages are shorter than requested', async () => {
    const stingy = await serve({ rowLimit: 130 })
    expect(await connect({}, { to: stingy }).candles('BTCUSDT', '15m', 700)).toEqual(
      stingy.truth('BTCUSDT', '15m', 700),
    )
  })

  test('have no gap when the maximum of pages is reached', async () => {
    const stingy = await serve({ rowLimit: 130 })
    const candles = await connect({ maxPages: 5 }, { to: stingy }).candles('BTCUSDT', '15m', 700)
    expect(candles).toEqual(stingy.truth('BTCUSDT', '15m', candles.length))
    expect(stingy.requests(spotKlines)).toBe(5)
    expect(candles.length).toBeGreaterThanOrEqual(130)
  })

  test('need no more requests than the maximum', async () => {
    const candles = await connect({ pageLimit: 50, maxPages: 4 }).candles('BTCUSDT', '1m', 1000)
    expect(binance.requests(spotKlines)).toBe(4)
    expect(candles).toEqual(binance.truth('BTCUSDT', '1m', candles.length))
  })

  test('end where the history begins', async () => {
    const young: BinanceMarket = { ...(defaultMarkets[0] as BinanceMarket), listed: noon - 40 * 3_600_000 }
    const server = await serve({ markets: [young] })
    const candles = await connect({ pageLimit: 30 }, { to: server }).candles('BTCUSDT', '1h', 500)
    expect(candles).toHaveLength(41)
    expect(candles).toEqual(server.truth('BTCUSDT', '1h', 500))
  })

  test('of weeks go back to the listing, whatever the count', async () => {
    const candles = await connect().candles('BTCUSDT', '1w', 5000)
    expect(candles).toEqual(binance.truth('BTCUSDT', '1w', 5000))
    expect(candles[0]?.timestamp).toBe(Date.UTC(2017, 7, 14) / 1000)
    const starts = binance.seen.map(url => url.searchParams.get('startTime')).filter(start => start !== null)
    expect(starts, 'no request goes back before the first Bitcoin').toEqual([String(Date.UTC(2009, 0, 3))])
  })

  test('go on before ranges without trades', async () => {
    const halted: BinanceMarket = {
      ...(defaultMarkets[0] as BinanceMarket),
      gaps: [
        [noon - 150 * 60_000, noon - 90 * 60_000],
        [noon - 400 * 60_000, noon - 390 * 60_000],
      ],
    }
    const server = await serve({ markets: [halted] })
    expect(await connect({ pageLimit: 100 }, { to: server }).candles('BTCUSDT', '1m', 600)).toEqual(
      server.truth('BTCUSDT', '1m', 600),
    )
  })

  test('end where the exchange refuses to look further back', async () => {
    binance.fail(spotKlines, { kind: 'rows', change: row => row }, 2)
    binance.fail(spotKlines, faults.illegal)
    const candles = await connect({ pageLimit: 100 }).candles('BTCUSDT', '1m', 500)
    expect(candles).toEqual(binance.truth('BTCUSDT', '1m', 199))
  })

  test('are never a part when a later page fails', async () => {
    binance.fail(spotKlines, { kind: 'rows', change: row => row }, 1)
    binance.fail(spotKlines, faults.unavailable)
    expect((await failureOf(connect().candles('BTCUSDT', '1m', 2500))).message).toBe(
      'binance is not available (HTTP 503)',
    )
  })

  test('are found by a symbol in any case, with slash or hyphen', async () => {
    const source = connect()
    for (const symbol of ['btcusdt', 'BTC/USDT', 'Btc-Usdt']) {
      expect(await source.candles(symbol, '1h', 4), symbol).toEqual(binance.truth('BTCUSDT', '1h', 4))
    }
  })

  test('of binanceusdm are those of the contract', async () => {
    const candles = await connect({}, { id: 'binanceusdm' }).candles('BTCUSDT', '4h', 1200)
    expect(candles).toEqual(binance.truth('BTCUSDT', '4h', 1200, 'linear'))
    expect(binance.requests(linearKlines)).toBeGreaterThan(1)
  })

  test('of an inverse contract have its prices', async () => {
    const candles = await connect().candles('BTCUSD', '1d', 700)
    expect(candles).toEqual(binance.truth('BTCUSD_PERP', '1d', 700, 'inverse'))
  })

  test('without a whole set of finite prices are left out, a missing volume is 0', async () => {
    binance.fail(spotKlines, {
      kind: 'rows',
      change: (row, index) => {
        const changed: unknown[] = [...row]
        if (index === 2) changed[1] = null
        if (index === 3) changed[2] = 'NaN'
        if (index === 4) changed[3] = ''
        if (index === 5) changed[4] = 'Infinity'
        if (index === 6) changed[5] = null
        if (index === 7) changed[0] = null
        return changed
      },
    })
    const expected = binance
      .truth('BTCUSDT', '1m', 12)
      .map((candle, index) => (index === 6 ? { ...candle, volume: 0 } : candle))
      .filter((_, index) => index < 2 || index === 6 || index > 7)
    expect(await connect({ maxPages: 1 }).candles('BTCUSDT', '1m', 12)).toEqual(expected)
  })

  test('of the future are left out, up to the next one', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: noon })
    const minuteMs = 60_000
    const current = Math.floor(noon / minuteMs) * minuteMs
    const opens = [-1, 0, 1, 2, 60, 1439].map(minutes => current + minutes * minuteMs)
    const fetchOHLCV = async () => opens.map(time => [time, 10, 12, 9, 11, 5])
    const source = connect({ options: { fetchOHLCV } })
    const candles = await source.candles('BTCUSDT', '1m', 10)
    expect(candles.map(({ timestamp }) => timestamp * 1000)).toEqual(opens.slice(0, 3))
  })

  test('of a machine whose clock is an hour behind are those of the exchange', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: noon - 3_600_000 })
    expect(await connect().candles('BTCUSDT', '1m', 5)).toEqual(binance.truth('BTCUSDT', '1m', 5))
  })

  test.each([40, 3600, 86_400 * 400])(
    'that have ended are those that have by the exchange, on a machine whose clock is %i s ahead',
    async ahead => {
      vi.useFakeTimers({ toFake: ['Date'], now: noon + ahead * 1000 })
      const until = Math.floor(noon / 60_000) * 60 + ahead
      const candles = await connect().candles('BTCUSDT', '1m', 3, { until, isEnded: true })
      expect(candles).toEqual(binance.truth('BTCUSDT', '1m', 4).slice(0, 3))
    },
  )

  test('are sorted and without duplicates', async () => {
    const expected = binance.truth('BTCUSDT', '1m', 12)
    const rows = [...expected, ...expected].reverse().map(({ timestamp, open, high, low, close, volume }) => {
      return [timestamp * 1000, open, high, low, close, volume]
    })
    const source = connect({ options: { fetchOHLCV: async () => rows } })
    expect(await source.candles('BTCUSDT', '1m', 12)).toEqual(expected)
  })

  test('come from exchanges that require both ends of the range', async () => {
    const expected = binance.truth('BTCUSDT', '1m', 300)
    const { ArgumentsRequired } = await import('ccxt')
    vi.useFakeTimers({ toFake: ['Date'], now: noon })
    const fetchOHLCV = async (
      _: string,
      __: string,
      since?: number,
      limit?: number,
      { until }: { until?: number } = {},
    ) => {
      if (since === undefined || until === undefined) throw new ArgumentsRequired('both ends, please')
      return expected
        .filter(({ timestamp }) => timestamp * 1000 >= since && timestamp * 1000 <= until)
        .slice(0, limit)
        .map(({ timestamp, open, high, low, close, volume }) => [
          timestamp * 1000,
          open,
          high,
          low,
          close,
          volume,
        ])
    }
    const source = connect({ pageLimit: 100, options: { fetchOHLCV } })
    expect(await source.candles('BTCUSDT', '1m', 300)).toEqual(expected)
  })

  test('have no gap where the exchange leaves out the candle that opens at the start of a page', async () => {
    const expected = binance.truth('BTCUSDT', '1m', 300)
    const fetchOHLCV = async (_: string, __: string, since?: number, limit = 100) => {
      const rows = expected.map(({ timestamp, open, high, low, close, volume }) => {
        return [timestamp * 1000, open, high, low, close, volume]
      })
      if (since === undefined) return rows.slice(-limit)
      return rows.filter(([time = 0]) => time > since).slice(0, limit)
    }
    const source = connect({ pageLimit: 100, options: { fetchOHLCV } })
    expect(await source.candles('BTCUSDT', '1m', 300)).toEqual(expected)
  })

  test('are requested by at least ten, because some exchanges find none in a range of one', async () => {
    expect(await connect().candles('BTCUSDT', '1m', 1)).toEqual(binance.truth('BTCUSDT', '1m', 1))
    expect(binance.seen.at(-1)?.searchParams.get('limit')).toBe('10')
  })

  test('are none for a count of zero', async () => {
    expect(await connect().candles('BTCUSDT', '1m', 0)).toEqual([])
    expect(binance.requests(spotKlines)).toBe(0)
  })
})

describe('a failure is the caller’s', () => {
  test.each(['NOPEUSDT', 'nope/usdt', 'LUNAUSDT'])(
    'where the exchange has no open market %s',
    async symbol => {
      const { kind, message } = await failureOf(connect().candles(symbol, '1m', 5))
      expect(kind).toBe('unknown-symbol')
      expect(message).toBe(`Symbol not found: ${symbol.toUpperCase().replace('/', '')} on binance`)
      expect(binance.requests(spotKlines)).toBe(0)
    },
  )

  test('where the exchange refuses a market that it has listed', async () => {
    binance.fail(spotKlines, faults.invalidSymbol)
    const failure = await failureOf(connect().candles('BTCUSDT', '1m', 5))
    expect(failure.kind).toBe('unknown-symbol')
    expect(failure.message).toBe('Symbol not found: BTCUSDT on binance')
    expect(failure.cause).toHaveProperty('name', 'BadSymbol')
    expect([failure.isDelisted, failure.near]).toEqual([true, []])
    expect(binance.requests(spotKlines), 'one request').toBe(1)
  })
})

describe('a failure is the exchange’s', () => {
  const cases: Record<string, { fault: Fault; message: string; attempts: number; cause: string }> = {
    'it limits the rate': {
      fault: faults.tooManyRequests(),
      message: 'binance limits the rate of requests (HTTP 429)',
      attempts: 3,
      cause: 'DDoSProtection',
    },
    'it is broken': {
      fault: faults.internal,
      message: 'binance is not available (HTTP 500)',
      attempts: 3,
      cause: 'OperationFailed',
    },
    'it is overloaded': {
      fault: faults.unavailable,
      message: 'binance is not available (HTTP 503)',
      attempts: 3,
      cause: 'ExchangeError',
    },
    'a gateway answers with a page': {
      fault: faults.gatewayPage,
      message: 'binance is not available (HTTP 502)',
      attempts: 3,
      cause: 'ExchangeNotAvailable',
    },
    'a page comes in place of data': {
      fault: faults.page,
      message: 'binance sent a reply that cannot be read',
      attempts: 3,
      cause: 'BadResponse',
    },
    'its JSON is cut off': {
      fault: faults.truncated,
      message: 'binance sent a reply that cannot be read',
      attempts: 3,
      cause: 'BadResponse',
    },
    'it drops the connection': {
      fault: faults.drop,
      message: 'binance: connection broken',
      attempts: 3,
      cause: 'NetworkError',
    },
    'the connection breaks in the body': {
      fault: faults.break,
      message: 'binance: connection broken',
      attempts: 3,
      cause: 'NetworkError',
    },
    'it refuses the request': {
      fault: faults.illegal,
      message: 'binance refused the request (HTTP 400)',
      attempts: 1,
      cause: 'BadRequest',
    },
    'it refuses the place': {
      fault: faults.restricted,
      message: 'binance refuses requests from this country or network (HTTP 451)',
      attempts: 1,
      cause: 'ExchangeNotAvailable',
    },
  }

  for (const [path, ask] of [
    [spotKlines, (source: Source) => source.candles('BTCUSDT', '1m', 5)],
    [spotInfo, (source: Source) => source.symbols()],
  ] as const) {
    test.each(Object.entries(cases))(`where %s: ${path}`, async (_, { fault, message, attempts, cause }) => {
      binance.fail(path, fault)
      const failure = await failureOf(ask(connect()))
      expect(failure.kind).toBe('unavailable')
      expect(failure.message).toBe(message)
      expect(failure.cause).toHaveProperty('name', cause)
      expect(binance.requests(path), 'attempts').toBe(attempts)
    })

    test.each(['silence', 'stall'] as const)(`where it takes too long (%s): ${path}`, async fault => {
      // Known without a request, which could take too long as well.
      const market = {
        id: 'BTCUSDT',
        symbol: 'BTC/USDT',
        base: 'BTC',
        quote: 'USDT',
        spot: true,
        active: true,
      }
      const options = path === spotKlines ? { fetchMarkets: async () => [market] } : {}
      const source = connect({ timeoutMs: 150, retries: 0, options })
      binance.fail(path, faults[fault])
      const failure = await failureOf(ask(source))
      expect(failure.kind).toBe('unavailable')
      expect(failure.message).toBe('binance did not answer within 150 ms')
    })
  }

  test('where no server listens', async () => {
    const source = connect({ retries: 1 })
    await binance.close()
    open = open.filter(resource => resource !== binance)
    const { kind, message } = await failureOf(source.symbols())
    expect({ kind, message }).toEqual({ kind: 'unavailable', message: 'binance: connection refused' })
  })

  test('where it wants API keys', async () => {
    const { AuthenticationError } = await import('ccxt')
    const fetchOHLCV = async () => {
      throw new AuthenticationError('binance requires "apiKey" credential')
    }
    const { kind, message } = await failureOf(
      connect({ options: { fetchOHLCV } }).candles('BTCUSDT', '1m', 5),
    )
    expect({ kind, message }).toEqual({
      kind: 'unavailable',
      message: 'binance wants valid API keys for this',
    })
  })

  test('where it does not offer the timeframe', async () => {
    const source = new CcxtSource('coinbase')
    const { kind, message } = await failureOf(source.candles('BTCUSD', '4h', 5))
    expect({ kind, message }).toEqual({
      kind: 'unavailable',
      message: 'Timeframe 4h is not offered by coinbase',
    })
  })

  test('and its text holds nothing that the exchange sent', async () => {
    binance.fail(spotInfo, faults.gatewayPage)
    expect((await failureOf(connect({ retries: 0 }).symbols())).message).not.toMatch(/<|http:/)
  })
})

describe('a repeated request', () => {
  test.each(['tooManyRequests', 'internal', 'gatewayPage', 'page', 'truncated', 'drop', 'break'] as const)(
    'succeeds after %s',
    async name => {
      const fault = faults[name]
      binance.fail(spotKlines, typeof fault === 'function' ? fault() : fault, 2)
      expect(await connect().candles('BTCUSDT', '1m', 5)).toEqual(binance.truth('BTCUSDT', '1m', 5))
      expect(binance.requests(spotKlines)).toBe(3)
    },
  )

  test('succeeds after a timeout', async () => {
    const source = connect({ timeoutMs: 500 })
    await source.symbols()
    binance.fail(spotKlines, faults.silence, 1)
    expect(await source.candles('BTCUSDT', '1m', 5)).toEqual(binance.truth('BTCUSDT', '1m', 5))
  })

  test('is made for the failing page only', async () => {
    binance.fail(spotKlines, { kind: 'rows', change: row => row }, 1)
    binance.fail(spotKlines, faults.internal, 2)
    expect(await connect().candles('BTCUSDT', '1m', 2500)).toEqual(binance.truth('BTCUSDT', '1m', 2500))
    expect(binance.requests(spotKlines)).toBe(5)
  })

  test('is made as often as configured', async () => {
    binance.fail(spotKlines, faults.internal)
    await failureOf(connect({ retries: 4 }).candles('BTCUSDT', '1m', 5))
    expect(binance.requests(spotKlines)).toBe(5)
  })

  /** Lets pauses pass at once; their lengths in milliseconds. */
  const skipPauses = () => {
    const pauses: number[] = []
    vi.mocked(pause).mockImplementation(async (ms, signal) => {
      moveMonotonic(ms)
      // The others are the spaces between requests.
      if (signal) pauses.push(ms)
    })
    return pauses
  }

  test('waits for the time that Retry-After asks for', async () => {
    const pauses = skipPauses()
    const began = performance.now()
    binance.fail(spotKlines, faults.tooManyRequests(7), 1)
    expect(await connect({ backoffMs: 100 }).candles('BTCUSDT', '1m', 5)).toHaveLength(5)
    expect(pauses).toHaveLength(2)
    expect(performance.now() - began).toBeGreaterThanOrEqual(7000)
    const waited = pauses.reduce((sum, ms) => sum + ms, 0)
    expect(waited, 'backing off counts as waiting').toBeLessThanOrEqual(7000)
  })

  test('comes after pauses that double and are shortened by up to half', async () => {
    const pauses = skipPauses()
    binance.fail(spotKlines, faults.internal)
    await failureOf(connect({ retries: 4, backoffMs: 100 }).candles('BTCUSDT', '1m', 5))
    expect(pauses).toHaveLength(4)
    for (const [attempt, ms] of pauses.entries()) {
      expect(ms).toBeGreaterThan(50 * 2 ** attempt)
      expect(ms).toBeLessThanOrEqual(100 * 2 ** attempt)
    }
  })

  test('is not made while a longer Retry-After runs, nor is any other', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: noon })
    binance.fail(spotKlines, faults.tooManyRequests(60), 1)
    const source = connect()
    expect((await failureOf(source.candles('BTCUSDT', '1m', 5))).message).toBe(
      'binance limits the rate of requests (HTTP 429), it can be asked again in 60 s',
    )
    await passMonotonic(20_000)
    expect((await failureOf(source.candles('ETHUSDT', '1m', 5))).message).toMatch(
      /^binance limits the rate of requests, it can be asked again in (40|3\d) s$/,
    )
    expect(binance.requests(spotKlines)).toBe(1)
    await passMonotonic(40_000)
    expect(await source.candles('BTCUSDT', '1m', 5)).toHaveLength(5)
  })

  test('understands a Retry-After that is a date', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: noon })
    binance.fail(spotKlines, faults.tooManyRequests(new Date(noon + 90_000).toUTCString()), 1)
    expect((await failureOf(connect().candles('BTCUSDT', '1m', 5))).message).toContain('asked again in 90 s')
  })

  test('waits three days at most', async () => {
    binance.fail(spotKlines, faults.tooManyRequests(1e12), 1)
    expect((await failureOf(connect().candles('BTCUSDT', '1m', 5))).message).toContain(
      'asked again in 259200 s',
    )
  })

  test('is never made under a ban', async () => {
    binance.fail(spotKlines, faults.banned(3))
    const failure = await failureOf(connect().candles('BTCUSDT', '1m', 5))
    expect(failure.message).toBe(
      'binance limits the rate of requests (HTTP 418), it can be asked again in 3 s',
    )
    expect(binance.requests(spotKlines)).toBe(1)
  })
})

describe('settings', () => {
  test('are passed to the client, but requests are still spaced', async () => {
    const seen: unknown[] = []
    function fetchOHLCV(this: Record<string, unknown>) {
      seen.push(
        this.enableRateLimit,
        this.apiKey,
        this.timeout,
        (this.options as Record<string, unknown>).adjustForTimeDifference,
      )
      return Promise.resolve([])
    }
    const options = {
      enableRateLimit: false,
      apiKey: 'k',
      options: { adjustForTimeDifference: true },
      fetchOHLCV,
    }
    await connect({ options, timeoutMs: 1234 }).candles('BTCUSDT', '1m', 5)
    expect(seen).toEqual([true, 'k', 1234, true])
  })
})

describe('close', () => {
  test('ends the connections', async () => {
    const source = connect()
    await source.candles('BTCUSDT', '1m', 5)
    expect(await binance.connections()).toBeGreaterThan(0)
    await source.close()
    await vi.waitFor(async () => expect(await binance.connections()).toBe(0), { timeout: 10_000 })
  })

  test('ends what is under way and refuses what comes later', async () => {
    const source = connect()
    await source.symbols()
    binance.fail(spotKlines, faults.silence)
    const answer = failureOf(source.candles('BTCUSDT', '1m', 5))
    await binance.requested(spotKlines)
    await source.close()
    expect((await answer).message).toBe('binance was closed')
    expect((await failureOf(source.candles('BTCUSDT', '1m', 5))).message).toBe('binance was closed')
    expect(binance.requests(spotKlines)).toBe(1)
  })

  test('ends a pause before a repetition', async () => {
    binance.fail(spotKlines, faults.internal)
    const source = connect({ backoffMs: 3_600_000 })
    const answer = failureOf(source.candles('BTCUSDT', '1m', 5))
    await binance.requested(spotKlines)
    await source.close()
    expect((await answer).message).toBe('binance was closed')
  })

  test('works before the first request', async () => {
    await connect().close()
    expect(binance.requests()).toBe(0)
  })
})
