import { afterEach, describe, expect, test, vi } from 'vitest'
import { readAlertRequest } from '../../src/alerts/request.js'
import type { Candle } from '../../src/candles/candle.js'
import { type Timeframe, timeframes } from '../../src/candles/timeframe.js'
import { Expressions } from '../../src/compute/expressions/expressions.js'
import type { Account } from '../../src/contract/account.js'
import { readBulk } from '../../src/contract/bulk.js'
import { type adjustments, nameOfAdjustment } from '../../src/contract/market.js'
import { readMessage } from '../../src/live/protocol.js'
import { type Exchange, ExchangeRegistry } from '../../src/markets/exchanges/registry.js'
import { type Source, SourceFailure } from '../../src/markets/exchanges/source.js'
import { stocksFactory } from '../../src/markets/exchanges/source-factory.js'
import {
  type StocksKeys,
  type StocksSettings,
  stocksExchanges,
} from '../../src/markets/exchanges/stocks/stocks.js'
import { FeedRegistry } from '../../src/markets/feeds/feed-registry.js'
import { History } from '../../src/markets/history/history.js'
import { MarketData } from '../../src/markets/history/market-data.js'
import { PersonalUse } from '../../src/operate/parts.js'
import { pause } from '../../src/runtime/pause.js'
import { readBreadth } from '../../src/screens/breadth/request.js'
import { readEvaluation } from '../../src/screens/evaluation/request.js'
import { readScreen } from '../../src/screens/request.js'
import { closedOf } from '../support/scripted-source.js'
import {
  alpacaProtocol,
  massiveProtocol,
  type Protocol,
  type ProviderFault,
  StockProvider,
  twelveDataProtocol,
} from '../support/stock-providers.js'
import { type Fault, type Truth, Yahoo } from '../support/yahoo.js'

vi.mock('../../src/runtime/pause.js', { spy: true })

// The laws of every provider of stocks. Tests of Yahoo's specifics are in test/unit/markets/exchanges/stocks.test.ts.

/** A Wednesday, 11:34:56 in New York; the next day is a holiday, and the 3rd of July ends at 13:00. */
const morning = Date.UTC(2025, 5, 18, 15, 34, 56)
const directory = [
  'Nasdaq Traded|Symbol|Security Name|Test Issue',
  'Y|AAPL|Apple Inc.|N',
  'Y|BRK.B|Berkshire Hathaway Inc.|N',
  'Y|FOUR|Four Corp.|N',
  'Y|THIN|Thin Corp.|N',
  'File Creation Time: 0618202511:32|||',
].join('\r\n')
const splits = [{ date: '2025-06-09', numerator: 4, denominator: 1 }]

let now = morning
let provider: StockProvider
/** Properties that all providers have in common. */
let subject: Pick<StockProvider, 'settings' | 'fail' | 'pageSize' | 'dividend'> & {
  readonly protocol: Pick<Protocol, 'keys'>
}
let open: { close?(): Promise<void> }[] = []

async function serve(protocol: Protocol | typeof yahooProtocol): Promise<Yahoo> {
  const market = await Yahoo.start({
    clock: () => now,
    securities: {
      ...{ AAPL: { seed: 1 }, 'BRK.B': { seed: 2 }, 'BRK-B': { seed: 2 }, FOUR: { seed: 8, splits } },
      // Two minutes of three have trades, as where trading is halted again and again.
      THIN: { seed: 4, pauses: 3 },
    },
    directory,
    holidays: ['2025-06-19', '2025-07-04'],
    halfDays: ['2025-07-03'],
  })
  open.push(market)
  if (protocol.name !== 'yahoo') {
    provider = await StockProvider.start(protocol, market)
    open.unshift(provider)
    subject = provider
    return market
  }
  subject = {
    ...{ protocol, pageSize: 0, dividend: undefined },
    settings: { ...market.settings, requestsPerSecond: 1000 },
    fail(...faults) {
      const inForm = (fault: ProviderFault): Fault =>
        Array.isArray(fault) ? { status: fault[0], body: JSON.stringify(fault[1]) } : (fault as Fault)
      market.fail(/chart/, ...faults.map(inForm))
    },
  }
  return market
}

/** Feeds of markets, by the clock of the test. */
function openFeeds(): FeedRegistry {
  const clock = () => now / 1000
  const history = new History({ depth: 100, bytes: 1e8, refreshSeconds: 5, clock })
  const feeds = new FeedRegistry({
    ...{ history, clock, formingPerSecond: 50, pollSeconds: 1, lingerSeconds: 0, backoffMs: 1 },
  })
  open.unshift(feeds)
  return feeds
}

/** Creates sources of the provider, which share its connection. */
function connect(keys = subject.protocol.keys, settings: StocksSettings = {}) {
  const create = stocksFactory(keys, {
    ...subject.settings,
    backoffMs: 1,
    timeoutMs: 5000,
    clock: () => now / 1000,
    ...settings,
  })
  return (adjustment: (typeof adjustments)[number] = 'split'): Source => {
    const place = stocksExchanges(keys).get(nameOfAdjustment(adjustment))
    const source = create(place?.id ?? '')
    if (source === undefined) throw new Error(`no source for ${adjustment}`)
    open.unshift(source)
    return source
  }
}

async function failureOf(work: () => unknown): Promise<SourceFailure> {
  const failure: unknown = await Promise.resolve()
    .then(work)
    .catch(error => error)
  expect(failure).toBeInstanceOf(SourceFailure)
  return failure as SourceFailure
}

/** All texts that a failure shows. */
const textOf = (failure: Error): string =>
  `${failure.message} ${failure.cause instanceof Error ? textOf(failure.cause) : ''}`

/** The next event of a stream. */
async function next(stream: AsyncIterator<readonly Candle[]>): Promise<readonly Candle[]> {
  const { value, done } = await stream.next()
  expect(done, 'the stream goes on').not.toBe(true)
  return value
}

afterEach(async () => {
  now = morning
  vi.restoreAllMocks()
  for (const resource of open) await resource.close?.()
  open = []
})

/** Yahoo has no key and splits only; it talks as `Yahoo` does. */
const yahooProtocol = { name: 'yahoo', id: 'stocks', keys: {}, adjustments: ['split'] } as const
const protocols = [alpacaProtocol, massiveProtocol, twelveDataProtocol]
const named = protocols.map(protocol => [protocol.name, protocol] as const)
const sources = [...named, [yahooProtocol.name, yahooProtocol] as const]
const streaming = named.filter(([, { stream }]) => stream)

describe.each(sources)('%s', (_name, protocol) => {
  test.each(['1m', '3m', '30m', '1h', '4h', '1d', '1w', '1M'] as const)(
    '%s candles are what was traded in the sessions, the forming one included',
    async timeframe => {
      const market = await serve(protocol)
      const seconds = timeframes[timeframe]
      const from =
        timeframe === '1M' ? '2024-06-01' : seconds < timeframes['1d'] ? '2025-05-27' : '2024-12-30'
      const expected = market.truth('AAPL', seconds, from)
      const count = timeframe === '1M' ? 10 : 20
      const candles = await connect()().candles('AAPL', timeframe, count)
      expect(candles).toEqual(expected.slice(-count))
    },
  )

  test('a session that ends at 13:00 has no candle after it', async () => {
    now = Date.UTC(2025, 6, 7, 14)
    const market = await serve(protocol)
    const candles = await connect()().candles('AAPL', '30m', 9)
    expect(candles).toEqual(market.truth('AAPL', 1800, '2025-07-01').slice(-9))
    expect(candles.map(({ timestamp }) => new Date(timestamp * 1000).toISOString().slice(5, 16))).toContain(
      '07-03T16:30',
    )
  })

  test('a history of several responses has no gap, and ends where it is asked to', async () => {
    const market = await serve(protocol)
    subject.pageSize = 100
    const until = Date.UTC(2025, 5, 12, 16) / 1000
    const expected = market.truth('AAPL', 900, '2025-05-01').filter(({ timestamp }) => timestamp < until)
    expect(await connect()().candles('AAPL', '15m', 300, { until })).toEqual(expected.slice(-300))
  })

  test.each(protocol.adjustments)('%s prices are those of their own exchange', async adjustment => {
    const market = await serve(protocol)
    const exDate = Date.UTC(2025, 5, 12) / 1000
    subject.dividend = { exDate, share: 0.01 }
    const expected = market
      .truth('FOUR', timeframes['1d'], '2025-06-01', adjustment !== 'raw')
      .map(candle => {
        if (adjustment !== 'all' || candle.timestamp >= exDate) return candle
        const [open, high, low, close] = [candle.open, candle.high, candle.low, candle.close].map(
          price => price * 0.99,
        )
        return { ...candle, open, high, low, close }
      })
    expect(await connect()(adjustment).candles('FOUR', '1d', 10)).toEqual(expected.slice(-10))
  })

  test('a class of shares is found without its separator', async () => {
    const market = await serve(protocol)
    expect(await connect()().candles('BRKB', '1d', 3)).toEqual(
      market.truth('BRK.B', timeframes['1d'], '2025-06-01').slice(-3),
    )
  })

  test('a symbol that no exchange lists is unknown', async () => {
    await serve(protocol)
    const failure = await failureOf(() => connect()().candles('NOSUCH', '1d', 3))
    expect(failure).toMatchObject({
      kind: 'unknown-symbol',
      message: `Symbol not found: NOSUCH on ${protocol.id}`,
    })
  })

  test('a limit of requests pauses them for as long as the provider says', async () => {
    await serve(protocol)
    subject.fail({ status: 429, headers: { 'retry-after': '1' } })
    const source = connect()()
    await source.candles('AAPL', '1d', 3)
    expect(Math.max(...vi.mocked(pause).mock.calls.map(([ms]) => ms ?? 0))).toBeGreaterThan(500)
    subject.fail({ status: 429, headers: { 'retry-after': '3600' } })
    const failure = await failureOf(() => source.candles('AAPL', '1w', 3))
    expect(failure.message).toBe(
      `${protocol.id} limits the rate of requests (HTTP 429), it can be asked again in 3600 s`,
    )
  })

  test.each(['hang up', 'cut JSON', 'HTML page', [500, {}], [503, {}]] as const)(
    'after %j the request is repeated',
    async fault => {
      const market = await serve(protocol)
      subject.fail(fault, fault)
      expect(await connect()().candles('AAPL', '1d', 3)).toEqual(
        market.truth('AAPL', timeframes['1d'], '2025-06-01').slice(-3),
      )
    },
  )
})

const polled = sources.filter(([, protocol]) => !('stream' in protocol))

test.each(polled)(
  '%s, which has no stream, leaves no gap in a followed market after failures',
  async (_name, protocol) => {
    const market = await serve(protocol)
    const feeds = openFeeds()
    const place = { exchange: protocol.id, symbol: 'AAPL', timeframe: '1m' } as const
    const feed = await feeds.follow(place, connect()(), () => {})
    for (const minutes of [1, 4]) {
      subject.fail('hang up', 'cut JSON', [503, {}], 'HTML page')
      now += minutes * 60_000
      const last = Math.floor(now / 60_000) * 60 - 60
      await vi.waitFor(
        () => {
          // Polls are due by the clock of the market.
          now += 500
          const closed = closedOf(feed.inputs()[0])
          const newest = closed.at(-1)?.timestamp ?? 0
          expect(newest).toBeGreaterThanOrEqual(last)
          const traded = market.truth('AAPL', 60, '2025-06-17').filter(({ timestamp }) => timestamp <= newest)
          expect(closed).toEqual(traded.slice(-closed.length))
        },
        { timeout: 10_000 },
      )
    }
  },
)

describe.each(named)('%s, which needs a key', (_name, protocol) => {
  test('the exchanges of adjustments are those that it has, under identifiers that name it', () => {
    const places = stocksExchanges({ ...protocol.keys, stocksSources: [protocol.name] })
    expect([...places.values()].map(({ adjustment }) => adjustment)).toEqual(protocol.adjustments)
    expect(places.get('stocks')?.id).toBe(protocol.id)
  })

  test('a wrong key is said in words, once, without the key', async () => {
    await serve(protocol)
    provider.fail(protocol.refusals['wrong key'])
    const failure = await failureOf(() => connect()().candles('AAPL', '1d', 3))
    expect(failure.message).toMatch(
      new RegExp(`^${protocol.id}: the provider refuses \\w+( or \\w+)? \\(HTTP 401\\)$`),
    )
    expect(provider.received).toHaveLength(1)
    for (const secret of protocol.secrets) expect(textOf(failure)).not.toContain(secret)
  })

  test('what the plan of the key lacks is said in words, and no other source answers', async () => {
    await serve(protocol)
    for (let requests = 0; requests < 20; requests++) provider.fail(protocol.refusals.entitlement)
    const failure = await failureOf(() => connect()().candles('AAPL', '1d', 300))
    expect(failure.message).toMatch(/^stocks-\S+: the plan of \w+_KEY does not include .+ \(HTTP 403\)/)
    expect(failure.fault?.reason).toBe('not-permitted')
  })

  test('a plan that reaches less far back than a page gives what it has', async () => {
    const market = await serve(protocol)
    provider.fail(protocol.refusals.entitlement, protocol.refusals.entitlement)
    const candles = await connect()().candles('AAPL', '1d', 100)
    expect(candles).toEqual(market.truth('AAPL', timeframes['1d'], '2025-01-01').slice(-candles.length))
    expect(candles.length).toBeGreaterThan(20)
  })
})

describe.each(streaming)('the stream of %s', (_name, protocol) => {
  const { entitlement, wrongKey, connectionLimit } = protocol.stream as NonNullable<Protocol['stream']>
  const minute = 60
  /** The minute that has just ended. */
  const ended = () => Math.floor(now / 60_000) * minute - minute
  const barAt = (timestamp: number, close: number): Truth => ({
    ...{ timestamp, open: close, high: close + 1, low: close - 1, close, volume: 5 },
  })

  async function watch(
    source: Source,
    symbol: string,
    timeframe: Timeframe,
    signal = new AbortController().signal,
  ) {
    const stream = await source.watch?.(symbol, timeframe, signal)
    return stream?.[Symbol.asyncIterator]()
  }
  const subscribed = (...symbols: readonly string[]) =>
    expect
      .poll(() => [...provider.sessions.values()].map(list => [...list].sort()))
      .toEqual([[...symbols].sort()])

  test('has the minutes of sessions, and corrections of them', async () => {
    await serve(protocol)
    const stream = await watch(connect()(), 'AAPL', '1m')
    await subscribed('AAPL')
    const at = ended()
    provider.push('AAPL', barAt(Date.UTC(2025, 5, 18, 12) / 1000, 7))
    provider.push('AAPL', barAt(at, 50))
    expect(await next(stream as AsyncIterator<readonly Candle[]>)).toEqual([barAt(at, 50)])
    provider.push('AAPL', barAt(at, 51), 'correction')
    expect(await next(stream as AsyncIterator<readonly Candle[]>)).toEqual([barAt(at, 51)])
  })

  test('makes longer candles of them, with the minutes before', async () => {
    const market = await serve(protocol)
    const stream = await watch(connect()(), 'AAPL', '1h')
    await subscribed('AAPL')
    const minutes = market.truth('AAPL', minute, '2025-06-18')
    provider.push('AAPL', minutes.at(-2) as Truth)
    expect(await next(stream as AsyncIterator<readonly Candle[]>)).toEqual(
      market.truth('AAPL', 3600, '2025-06-18').slice(-1),
    )
  })

  test('is one connection for all symbols and adjustments, which ends with the last', async () => {
    await serve(protocol)
    const create = connect()
    const endings = [new AbortController(), new AbortController(), new AbortController()]
    const [split, raw] = [create('split'), create('raw')]
    await watch(split, 'AAPL', '1m', endings[0]?.signal)
    await watch(raw, 'AAPL', '5m', endings[1]?.signal)
    await watch(raw, 'FOUR', '5m', endings[2]?.signal)
    await subscribed('AAPL', 'FOUR')
    endings[0]?.abort()
    endings[2]?.abort()
    await subscribed('AAPL')
    endings[1]?.abort()
    await expect.poll(() => provider.sessions.size).toBe(0)
    expect(provider.connections).toBe(1)
  })

  test.each([
    ['a wrong key', wrongKey, /no stream, because the provider refuses/],
    ['a plan without it', entitlement, /no stream, because the plan of \w+ does not include/],
    [
      'another connection of the account',
      connectionLimit,
      /no stream, because another program has the one connection/,
    ],
  ])('is refused in words for %s, and candles are fetched', async (_why, refusal, words) => {
    await serve(protocol)
    const source = connect()()
    provider.refusal = refusal
    const stream = await watch(source, 'AAPL', '1m')
    const failure = await failureOf(() => stream?.next())
    expect(failure.message).toMatch(words)
    for (const secret of protocol.secrets) expect(textOf(failure)).not.toContain(secret)
    expect(await watch(source, 'AAPL', '1m')).toBeUndefined()
    expect(await source.candles('AAPL', '1m', 3)).toHaveLength(3)
  })

  test('shows nothing after a session that ends at 13:00, nor before 9:30', async () => {
    now = Date.UTC(2025, 6, 3, 17, 0, 5)
    const market = await serve(protocol)
    const source = connect()()
    const minutes = await watch(source, 'AAPL', '1m')
    const halves = await watch(source, 'AAPL', '30m')
    await subscribed('AAPL')
    const last = market.truth('AAPL', minute, '2025-07-03').at(-1) as Truth
    expect(last.timestamp).toBe(Date.UTC(2025, 6, 3, 16, 59) / 1000)
    for (const at of [Date.UTC(2025, 6, 3, 13, 29) / 1000, last.timestamp + minute, last.timestamp + 1860])
      provider.push('AAPL', barAt(at, 70))
    provider.push('AAPL', last)
    expect(await next(minutes as AsyncIterator<readonly Candle[]>)).toEqual([last])
    expect(await next(halves as AsyncIterator<readonly Candle[]>)).toEqual(
      market.truth('AAPL', 1800, '2025-07-03').slice(-1),
    )
  })

  test('of a share that is halted again and again has the minutes in which it was traded', async () => {
    const market = await serve(protocol)
    const feeds = openFeeds()
    const place = { exchange: protocol.id, symbol: 'THIN', timeframe: '1m' } as const
    const feed = await feeds.follow(place, connect()(), () => {})
    await subscribed('THIN')
    for (let minutes = 0; minutes < 6; minutes++) {
      now += 60_000
      const traded = market.truth('THIN', minute, '2025-06-17')
      const bar = traded.find(({ timestamp }) => timestamp === ended())
      if (bar) provider.push('THIN', bar)
    }
    const traded = market.truth('THIN', minute, '2025-06-17').filter(({ timestamp }) => timestamp <= ended())
    await vi.waitFor(() => {
      const closed = closedOf(feed.inputs()[0])
      expect(closed).toEqual(traded.slice(-closed.length))
    }, 10_000)
    const opens = closedOf(feed.inputs()[0]).map(({ timestamp }) => timestamp)
    expect((opens.at(-1) ?? 0) - (opens[0] ?? 0), 'minutes are missing').toBeGreaterThan(
      opens.length * minute,
    )
  })

  test('that broke leaves no gap in a followed market', async () => {
    const market = await serve(protocol)
    const feeds = openFeeds()
    const feed = await feeds.follow(
      { exchange: protocol.id, symbol: 'AAPL', timeframe: '1m' },
      connect()(),
      () => {},
    )
    const isWhole = () =>
      vi.waitFor(
        () => {
          const closed = closedOf(feed.inputs()[0])
          const truth = market.truth('AAPL', minute, '2025-06-17')
          expect(closed.at(-1)?.timestamp).toBe(ended())
          expect(closed).toEqual(truth.slice(0, -1).slice(-closed.length))
        },
        { timeout: 10_000 },
      )
    await subscribed('AAPL')
    for (const brokenMinutes of [0, 3, 1]) {
      provider.breakStreams()
      now += brokenMinutes * 60_000
      await subscribed('AAPL')
      now += 60_000
      provider.push('AAPL', market.truth('AAPL', minute, '2025-06-18').at(-2) as Truth)
      await isWhole()
    }
  })
})

describe.each(streaming)('a split of a share that %s streams', (_name, protocol) => {
  /** Follows a share at the end of a Friday that is split before the session of Monday. */
  async function follow() {
    now = Date.UTC(2025, 5, 6, 19, 58, 56)
    const market = await serve(protocol)
    provider.hasSplit = false
    const feeds = openFeeds()
    const monday = Date.UTC(2025, 5, 9) / 1000
    const old = new Map(
      market.truth('FOUR', 60, '2025-06-06', false).map(candle => [candle.timestamp, candle] as const),
    )
    /** Sizes of snapshots that mix candles of the new scale with candles of the old scale. */
    const mixed: number[] = []
    const feed = await feeds.follow(
      { exchange: protocol.id, symbol: 'FOUR', timeframe: '1m' },
      connect()(),
      snapshot => {
        const closed = closedOf(snapshot[0])
        const newest = snapshot[0].forming ?? closed.at(-1)
        if ((newest?.timestamp ?? 0) < monday) return
        const before = closed.filter(({ timestamp }) => timestamp < monday)
        if (before.some(({ timestamp, close }) => close === old.get(timestamp)?.close))
          mixed.push(closed.length)
      },
    )
    expect(closedOf(feed.inputs()[0]).at(-1)?.close).toBe(
      old.get(closedOf(feed.inputs()[0]).at(-1)?.timestamp ?? 0)?.close,
    )
    await expect.poll(() => [...provider.sessions.values()].map(each => each.size)).toEqual([1])
    provider.hasSplit = true
    /** Streams the minute that ended `passed` minutes after the start of Monday's session. */
    const push = (passed: number) => {
      now = Date.UTC(2025, 5, 9, 13, 30 + passed, 5)
      const ended = market
        .truth('FOUR', 60, '2025-06-09')
        .findLast(({ timestamp }) => timestamp + 60 <= now / 1000) as Truth
      provider.push('FOUR', ended)
      return ended.timestamp
    }
    const isWhole = (ended: number) =>
      vi.waitFor(
        () => {
          const closed = closedOf(feed.inputs()[0])
          expect(closed.at(-1)?.timestamp).toBe(ended)
          expect(closed).toEqual(
            market
              .truth('FOUR', 60, '2025-06-05')
              .filter(({ timestamp }) => timestamp <= ended)
              .slice(-closed.length),
          )
        },
        { timeout: 10_000 },
      )
    return { feed, mixed, push, isWhole }
  }

  test('is fetched again until the provider answers, and the candles are stale until then', async () => {
    const { feed, mixed, push, isWhole } = await follow()
    const { pause: wait } = await vi.importActual<{ pause: typeof pause }>('../../src/runtime/pause.js')
    vi.mocked(pause).mockImplementation((ms, signal) => wait(ms / 10, signal))
    const before = feed.inputs()[0]
    // The feed is shown the new scale, and then nothing.
    provider.answers = 1
    push(2)
    await expect.poll(() => provider.answers).toBeLessThan(-6)
    push(3)
    await expect.poll(() => provider.answers).toBeLessThan(-9)
    expect(feed.inputs()[0]).toBe(before)
    expect(feed.age()).toBeGreaterThan(60)
    provider.answers = Number.POSITIVE_INFINITY
    await isWhole(push(4))
    expect(feed.age()).toBeUndefined()
    expect(mixed).toEqual([])
    vi.mocked(pause).mockReset()
  })

  test('changes all candles at once: none of the new scale stands beside one of the old', async () => {
    const { mixed, push, isWhole } = await follow()
    // While the history is fetched again, the stream continues.
    provider.delayMs = 200
    for (let passed = 2; passed < 5; passed++) await isWhole(push(passed))
    expect(mixed).toEqual([])
  })
})
/** Alerts that send to streaming connections. */
const noTargets = { privateTargets: false, mail: undefined }

describe('alpaca alone', () => {
  test('fetches the candles of many securities with few requests, that of an unknown one too', async () => {
    const market = await serve(alpacaProtocol)
    const symbols = [
      'AAPL',
      'BRK.B',
      'FOUR',
      ...Array.from({ length: 37 }, (_, k) => `S${'ABCDEFGHIJ'[k % 10]}${'ABCD'[Math.floor(k / 10)]}`),
    ]
    for (const [k, symbol] of symbols.entries()) market.securities[symbol] ??= { seed: 100 + k }
    const source = connect()()
    provider.pageSize = 70
    const all = await Promise.all(symbols.map(symbol => source.candles(symbol, '1d', 5)))
    for (const [k, candles] of all.entries())
      expect(candles, symbols[k]).toEqual(
        market.truth(symbols[k] as string, timeframes['1d'], '2025-06-01').slice(-5),
      )
    // Each has about eleven candles in the time that is requested, and a response has 70.
    const bars = provider.received.filter(({ pathname }) => pathname.endsWith('/bars'))
    expect(bars.length).toBeLessThan(symbols.length / 4)
    const together = bars.map(({ searchParams }) => searchParams.get('symbols')?.split(',').length)
    expect(together).toContain(symbols.length - 1)
    provider.received.length = 0
    const settled = await Promise.allSettled(
      ['AAPL', 'SAA', 'SBA'].map(symbol => source.candles(symbol, '15m', 3)),
    )
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
    expect(provider.received).toHaveLength(2)
  })

  test('streams days and weeks', async () => {
    const market = await serve(alpacaProtocol)
    const source = connect()()
    const stream = (await source.watch?.('AAPL', '1d', new AbortController().signal))?.[
      Symbol.asyncIterator
    ]()
    await expect.poll(() => [...provider.sessions.values()].map(each => each.size)).toEqual([1])
    const today = market.truth('AAPL', timeframes['1d'], '2025-06-18').at(-1) as Truth
    provider.push('AAPL', today, 'day')
    expect((await stream?.next())?.value).toEqual([today])
    const week = (await source.watch?.('AAPL', '1w', new AbortController().signal))?.[Symbol.asyncIterator]()
    provider.push('AAPL', today, 'day')
    expect((await week?.next())?.value).toEqual(market.truth('AAPL', timeframes['1w'], '2025-06-16'))
  })

  test('with ALPACA_FEED=sip is another source', () => {
    const places = stocksExchanges({ ...alpacaProtocol.keys, alpacaFeed: 'sip' })
    expect(places.get('stocks-all')?.id).toBe('stocks-alpaca-sip-all')
  })
})

test('the first source of the order that has a key answers, and Yahoo only what it has', () => {
  const all = { ...alpacaProtocol.keys, ...massiveProtocol.keys }
  const idsOf = (keys: Parameters<typeof stocksExchanges>[0]) =>
    [...stocksExchanges(keys).values()].map(({ id }) => id)
  expect(idsOf({})).toEqual(['stocks'])
  expect(idsOf(all)).toEqual(['stocks-alpaca-iex', 'stocks-alpaca-iex-raw', 'stocks-alpaca-iex-all'])
  expect(idsOf({ ...all, stocksSources: ['yahoo', 'massive', 'alpaca'] })).toEqual([
    'stocks',
    'stocks-massive-raw',
    'stocks-alpaca-iex-all',
  ])
  expect(idsOf({ stocksSources: ['alpaca'] })).toEqual([])
})

test('adjustment chooses the exchange in every request and message that names stocks', () => {
  const place = { exchange: 'stocks', timeframe: '1d', adjustment: 'raw' }
  const market = { ...place, symbol: 'AAPL' }
  const fieldsOf = (body: object) => new Map(Object.entries(body))
  const expressions = new Expressions()
  const indicators = [{ id: 'i', indicator: 'rsi' }]
  const { timeframe: interval, ...other } = market
  const subscribe = { ...other, interval, type: 'subscribe', id: 's', indicator: 'rsi' }
  const screen = { ...place, where: 'rsi(14) < 30' }
  const reads: Readonly<Record<string, unknown>> = {
    bulk: readBulk(fieldsOf({ constructs: [{ ...market, id: 'c', indicators }] })),
    evaluation: readEvaluation(fieldsOf({ ...market, entry: 'rsi(14) < 30' })),
    alert: readAlertRequest(fieldsOf({ ...market, expression: 'rsi(14) < 30' }), noTargets, 1000),
    alerts: readAlertRequest(
      fieldsOf({ ...place, symbols: ['AAPL', 'FOUR'], expression: 'rsi(14) < 30' }),
      noTargets,
      1000,
    ),
    breadth: readBreadth(fieldsOf({ ...place, measures: { m: 'breadth(close > open)' } }), expressions),
    screen: readScreen(fieldsOf(screen), expressions),
    subscription: readMessage(JSON.stringify(subscribe), expressions, { id: 'one' }),
    'live screen': readMessage(JSON.stringify({ ...screen, type: 'screen', id: 's' }), expressions, {
      id: 'one',
    }),
  }
  for (const [name, read] of Object.entries(reads))
    expect(JSON.stringify(read), name).toMatch(/"exchange":"stocks-raw"/)
  const wrong = readMessage(JSON.stringify({ ...subscribe, exchange: 'demo' }), expressions, { id: 'one' })
  expect(JSON.stringify(wrong)).toContain('adjustment can be used with exchange stocks only, not with demo')
})

describe('where a service has several keys', () => {
  const account = {
    id: 'a',
    name: 'a',
    plan: 'free',
    created: 0,
    requests: 1,
    constructs: 1,
    subscriptions: 1,
  } as const

  test('Yahoo is refused, also to readers of what is in memory and to feeds, and others are not', async () => {
    const create = (keys: StocksKeys) =>
      new ExchangeRegistry({
        ...{ exchanges: {}, stocks: {}, fetchTimeoutMs: 1000, ...keys },
        yahooRefusal: () => 'for personal use only',
      })
    const clock = () => now / 1000
    const history = new History({ depth: 100, bytes: 1e8, refreshSeconds: 5, clock })
    const market = { exchange: 'stocks', symbol: 'AAPL', timeframe: '1d' } as const
    const exchanges = create({})
    const reading = await new MarketData(exchanges, history).read(market)
    expect(reading).toMatchObject({
      refusal: { status: 503, error: 'Exchange unavailable: stocks (for personal use only)' },
    })
    const feeds = new FeedRegistry({ history, clock, formingPerSecond: 1, pollSeconds: 1, lingerSeconds: 0 })
    const { source } = exchanges.find('stocks') as Exchange
    await expect(feeds.follow(market, source, () => {})).rejects.toThrow('for personal use only')
    expect(exchanges.find('stocks-raw')?.source.traits?.refusal?.()?.message).toBe(
      'stocks-raw: no provider of STOCKS_SOURCES that has a key has such prices',
    )
    expect(exchanges.ids()).not.toContain('stocks-raw')
    const licensed = create(alpacaProtocol.keys)
    expect(licensed.find('stocks')?.source.traits?.refusal?.()).toBeUndefined()
    expect(licensed.find('stocks')?.id).toBe('stocks-alpaca-iex')
    expect(licensed.ids()).toContain('stocks-all')
    for (const closed of [feeds, exchanges, licensed]) await closed.close()
  })

  test('keys count that are not revoked, and a new one within seconds', async () => {
    let accounts: readonly Account[] = [account]
    let ms = 0
    const use = new PersonalUse({ list: async () => ({ accounts, corrupt: [] }) }, () => ms)
    await use.count()
    expect(use.refusal()).toBeUndefined()
    accounts = [account, { ...account, id: 'b', revoked: 5 }]
    await use.count()
    expect(use.refusal()).toBeUndefined()
    accounts = [account, { ...account, id: 'c' }]
    ms += 60_000
    use.refusal()
    await Promise.resolve()
    await expect.poll(() => use.refusal()).toMatch(/^Yahoo's terms allow personal use only/)
  })
})
