import { describe, expect, it } from 'vitest'
import type { Candle } from '../../../../src/candles/candle.js'
import type { Market } from '../../../../src/contract/market.js'
import { type Source, SourceFailure } from '../../../../src/markets/exchanges/source.js'
import type { SeriesHandle } from '../../../../src/markets/history/cache-entry.js'
import { History } from '../../../../src/markets/history/history.js'
import { MarketData, type PendingMarket } from '../../../../src/markets/history/market-data.js'

const now = 1_700_006_400
const market: Market = { exchange: 'slow', symbol: 'BTCUSDT', timeframe: '1h' }
const pair = (i: number): Market => ({ ...market, symbol: `S${i}` })
const candle: Candle = { timestamp: now, open: 1, high: 1, low: 1, close: 1, volume: 1 }

/** Market data of an exchange `slow`, also named `sluggish`, whose next answers are settled by the test. */
function setUp(firstFetchLimits = { total: 3, perCaller: 2 }) {
  const answers: { resolve(candles: readonly Candle[]): void; reject(error: unknown): void }[] = []
  const state = { failure: undefined as unknown, isComputed: false, now }
  const source: Source = {
    get isComputed() {
      return state.isComputed
    },
    symbols: () => [],
    candles: () => {
      if (state.failure) throw state.failure
      if (state.isComputed) return [candle]
      return new Promise((resolve, reject) => answers.push({ resolve, reject }))
    },
  }
  const slow = { id: 'slow', source }
  const exchanges = {
    ids: () => ['slow'],
    find: (name: string) => (name === 'slow' || name === 'sluggish' ? slow : undefined),
    close: async () => {},
  }
  const history = new History({
    depth: 100,
    bytes: 1e6,
    refreshSeconds: 5,
    clock: () => state.now,
    firstFetchLimits,
  })
  return { marketData: new MarketData(exchanges, history), answers, state }
}

describe('MarketData', () => {
  it('returns fresh candles at once', async () => {
    const { marketData, state } = setUp()
    state.isComputed = true
    expect(await marketData.read(market)).toMatchObject({ kind: 'candles' })
    expect(marketData.read(market)).toMatchObject({ kind: 'candles', stale: false, inputs: [{ count: 1 }] })
  })

  it('refuses an unknown exchange', () => {
    expect(setUp().marketData.read({ ...market, exchange: 'nowhere' })).toEqual({
      kind: 'refused',
      refusal: { status: 404, error: 'Exchange not found: nowhere' },
    })
  })

  it('is pending until the first fetch has ended', async () => {
    const { marketData, answers } = setUp()
    const pending = marketData.read(market) as PendingMarket
    expect(pending).toMatchObject({ kind: 'pending', key: 'candles:slow:BTCUSDT:1h' })
    answers[0]?.resolve([candle])
    expect(await pending.ready()).toMatchObject({ kind: 'candles', inputs: [{ count: 1 }] })
  })

  it('reads a market once under all names of its exchange', () => {
    const { marketData, answers } = setUp()
    expect(marketData.read({ ...market, exchange: 'sluggish' })).toMatchObject({
      key: 'candles:slow:BTCUSDT:1h',
    })
    marketData.read(market)
    expect(answers).toHaveLength(1)
  })

  it('finds a series again without its names, for as long as it is in memory', async () => {
    const { marketData, state } = setUp()
    state.isComputed = true
    const known: { series?: SeriesHandle } = {}
    expect(marketData.readNow(market, known), 'it was never fetched').toBeUndefined()
    await marketData.read(market)
    expect(marketData.readNow(market, known)).toMatchObject([{ count: 1 }])
    const nameless = { ...market, exchange: 'nowhere' }
    expect(marketData.readNow(nameless, known)).toMatchObject([{ count: 1 }])
    expect(marketData.readNow(nameless)).toBeUndefined()
    state.now += 6
    expect(marketData.readNow(nameless, known), 'it is to be refreshed').toBeUndefined()
    state.failure = new SourceFailure('unavailable', 'down')
    expect(await marketData.read(market), 'the exchange was asked').toMatchObject({ stale: true })
    expect(marketData.readNow(nameless, known), 'it is stale').toBeUndefined()
    state.failure = undefined
    for (let i = 0; i < 60; i++) await marketData.read(pair(i))
    expect(known.series?.entry).toBeUndefined()
    expect(marketData.readNow(market, known)).toBeUndefined()
  })

  it('refuses a market that its exchange does not have, or cannot give', async () => {
    const { marketData, answers, state } = setUp()
    const pending = marketData.read(market) as PendingMarket
    answers[0]?.reject(new SourceFailure('unknown-symbol', 'no such symbol'))
    const unknown = { status: 404, error: 'Symbol not found: BTCUSDT on slow' }
    expect(await pending.ready()).toEqual({ kind: 'refused', refusal: unknown })
    expect(marketData.read(market), 'from memory').toEqual({ kind: 'refused', refusal: unknown })
    const down = new SourceFailure('unavailable', 'it is down', { retryAfter: 7 })
    state.failure = down
    expect(await (marketData.read(pair(1)) as PendingMarket).ready()).toEqual({
      kind: 'refused',
      refusal: {
        status: 503,
        error: 'Exchange unavailable: slow (it is down)',
        headers: { 'Retry-After': '7', 'X-Request-Id': down.id },
      },
    })
  })

  it('refuses more first fetches than one account, or all accounts, may have under way', () => {
    const { marketData } = setUp({ total: 3, perCaller: 2 })
    for (const i of [1, 2]) expect(marketData.read(pair(i), 'one')).toMatchObject({ kind: 'pending' })
    expect(marketData.read(pair(3), 'one')).toEqual({
      kind: 'refused',
      refusal: {
        status: 429,
        error: 'Too many first requests. At most 2 markets may be fetched for the first time at once.',
        headers: { 'Retry-After': '1' },
      },
    })
    expect(marketData.read(pair(3), 'two')).toMatchObject({ kind: 'pending' })
    expect(marketData.read(pair(4), 'two')).toMatchObject({
      kind: 'refused',
      refusal: {
        status: 503,
        error: expect.stringMatching(/^Exchange unavailable: slow \(.+\)$/),
        headers: { 'Retry-After': '1', 'X-Request-Id': expect.stringMatching(/^[0-9a-f-]{36}$/) },
      },
    })
  })
})

describe('a market as its exchange lists it', () => {
  const lists = (source: Partial<Source>) => {
    const slow = { id: 'slow', source: { symbols: () => [], candles: () => [], ...source } }
    const exchanges = {
      ids: () => ['slow'],
      find: (name: string) => (name === 'slow' || name === 'sluggish' ? slow : undefined),
      close: async () => {},
    }
    const history = new History({ depth: 100, bytes: 1e6, refreshSeconds: 5, clock: () => now })
    return new MarketData(exchanges, history)
  }
  const named = (exchange: string, symbol = market.symbol): Market => ({ ...market, exchange, symbol })

  it('has the identifier of the exchange', () => {
    const marketData = lists({})
    expect(marketData.canonical(named('sluggish'))).toEqual(market)
    expect(marketData.canonical(market)).toBe(market)
    expect(marketData.canonical(named('nowhere'))).toEqual(named('nowhere'))
  })

  it('has the spelling of the symbol, once the list was fetched', async () => {
    const spellings = new Map<string, string>()
    const marketData = lists({
      spellings: () => spellings,
      symbols: async () => [...spellings.set('BTCUSDT', 'BTC-USDT').values()],
    })
    expect(marketData.listed(named('sluggish'))).toEqual(market)
    expect(await marketData.fetchListed(named('sluggish'))).toEqual(named('slow', 'BTC-USDT'))
    expect(marketData.listed(named('slow', 'ETHUSDT'))).toEqual(named('slow', 'ETHUSDT'))
  })

  it('stays unchanged if the list cannot be fetched', async () => {
    const marketData = lists({
      spellings: () => undefined,
      symbols: async () => {
        throw new SourceFailure('unavailable', 'slow cannot be reached')
      },
    })
    expect(await marketData.fetchListed(named('slow'))).toEqual(named('slow'))
  })

  it('stays as it is where the exchange is unknown or has one spelling only', async () => {
    const marketData = lists({})
    for (const given of [market, named('nowhere')]) {
      expect(marketData.listed(given)).toBe(given)
      expect(await marketData.fetchListed(given)).toBe(given)
    }
  })
})

describe('candles for callers that wait', () => {
  it('are those of the first fetch, of a refresh and of memory', async () => {
    const { marketData, answers, state } = setUp()
    const first = marketData.readWhenReady(market)
    answers[0]?.resolve([candle])
    expect(await first).toMatchObject({ kind: 'candles', inputs: [{ count: 1 }] })
    expect(await marketData.readWhenReady(market)).toMatchObject({ kind: 'candles' })
    state.now += 10
    const refreshed = marketData.readWhenReady(market)
    expect(refreshed).toBeInstanceOf(Promise)
    answers[1]?.resolve([{ ...candle, close: 2 }])
    expect(await refreshed).toMatchObject({ kind: 'candles', inputs: [{ forming: { close: 2 } }] })
  })

  it('are refused where the first fetch fails', async () => {
    const { marketData, answers } = setUp()
    const first = marketData.readWhenReady(market)
    answers[0]?.reject(new SourceFailure('unknown-symbol', 'no'))
    expect(await first).toMatchObject({ kind: 'refused', refusal: { status: 404 } })
  })
})
