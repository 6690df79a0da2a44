import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Candle } from '../../../../src/candles/candle.js'
import { type Timeframe, timeframes } from '../../../../src/candles/timeframe.js'
import {
  type FetchOptions,
  type OnSpellings,
  type Source,
  SourceFailure,
} from '../../../../src/markets/exchanges/source.js'
import type { StocksSettings } from '../../../../src/markets/exchanges/stocks/stocks.js'
import { StocksSource } from '../../../../src/markets/exchanges/stocks/stocks-source.js'
import { pause } from '../../../../src/runtime/pause.js'
import { passMonotonic, resetMonotonic } from '../../../support/monotonic-clock.js'
import { type Fault, type Security, Yahoo } from '../../../support/yahoo.js'

vi.mock('../../../../src/runtime/pause.js', { spy: true })

/** A Wednesday, 11:34:56 in New York; the next day is a holiday, and the 3rd of July a half day. */
const morning = Date.UTC(2025, 5, 18, 15, 34, 56)
const evening = Date.UTC(2025, 5, 18, 22, 5)
const securities: Readonly<Record<string, Security>> = {
  AAPL: { seed: 1 },
  'BRK-B': { seed: 2 },
  SPY: { seed: 3, type: 'ETF', first: '2021-03-01' },
  THIN: { seed: 4, pauses: 3 },
  NEW: { seed: 5, first: '2025-06-12' },
  'BTC-USD': { seed: 6, type: 'CRYPTOCURRENCY', timezone: 'UTC' },
  BTCUSD: { seed: 6, type: 'CRYPTOCURRENCY', timezone: 'UTC' },
  VFIAX: { seed: 7, type: 'MUTUALFUND' },
  FOUR: { seed: 8, splits: [{ date: '2025-06-09', numerator: 4, denominator: 1 }] },
}
const directory = [
  'Nasdaq Traded|Symbol|Security Name|Listing Exchange|Market Category|ETF|Round Lot Size|Test Issue|Financial Status|CQS Symbol|NASDAQ Symbol|NextShares',
  'Y|SPY|S&P 500 Trust|P| |Y|100|N||SPY|SPY|N',
  'Y|AAPL|Apple Inc. - Common Stock|Q|Q|N|100|N|N||AAPL|N',
  'Y|BRK.B|Berkshire Hathaway Inc. Class B|N| |N|100|N||BRK.B|BRK.B|N',
  'Y|ABR$D|Arbor Realty Trust Preferred Series D|N| |N|100|N||ABRpD|ABR-D|N',
  'Y|ACHR.W|Archer Aviation Warrants|N| |N|100|N||ACHR.WS|ACHR+|N',
  'Y|ZVZZT|NASDAQ TEST STOCK|G|G|N|100|Y|N||ZVZZT|N',
  'Y|ODD#|When issued|N| |N|100|N||ODDw|ODD#|N',
  'Y|NEW|New Corp.|Q|S|N|100|N|N||NEW|N',
  'File Creation Time: 0618202511:32|||||||||||',
  '',
].join('\r\n')

let now = morning
let yahoo: Yahoo
let open: { close?(): Promise<void> }[] = []

async function serve(settings: Partial<Parameters<typeof Yahoo.start>[0]> = {}): Promise<Yahoo> {
  yahoo = await Yahoo.start({
    clock: () => now,
    securities,
    directory,
    holidays: ['2025-06-19'],
    halfDays: ['2025-07-03'],
    ...settings,
  })
  open.push(yahoo)
  return yahoo
}

function connect(settings: StocksSettings = {}, onSpellings?: OnSpellings): Source {
  const speed = { requestsPerSecond: 1000, backoffMs: 1, clock: () => now / 1000 }
  const source = new StocksSource({ ...yahoo.settings, ...speed, ...settings }, onSpellings)
  open.unshift(source)
  return source
}

async function failureOf(work: () => unknown): Promise<SourceFailure> {
  const result = await Promise.resolve()
    .then(work)
    .then(
      value => ({ value }),
      error => ({ error }),
    )
  expect(result, 'the call fails').toHaveProperty('error')
  const { error } = result as { error: SourceFailure }
  expect(error).toBeInstanceOf(SourceFailure)
  return error
}

const timesOf = (candles: readonly { timestamp: number }[]) =>
  candles.map(({ timestamp }) => new Date(timestamp * 1000).toISOString().slice(0, 16))

afterEach(async () => {
  now = morning
  vi.restoreAllMocks()
  resetMonotonic()
  for (const resource of open) await resource.close?.()
  open = []
})

describe('candles', () => {
  test.each(Object.keys(timeframes) as Timeframe[])(
    '%s are what was traded, the forming one included',
    async timeframe => {
      await serve()
      const source = connect()
      const isShort = timeframes[timeframe] < timeframes['1d']
      const from = timeframe === '1M' ? '2023-09-01' : isShort ? '2025-05-19' : '2024-12-30'
      const expected = yahoo.truth('AAPL', timeframes[timeframe], from).slice(-20)
      expect(expected).toHaveLength(20)
      expect(await source.candles('AAPL', timeframe, 20)).toEqual(expected)
    },
  )

  test.each(['1m', '1h', '1d', '1w'] as const)(
    '%s of a closed market end with its last trade',
    async timeframe => {
      now = evening
      await serve()
      const expected = yahoo.truth('AAPL', timeframes[timeframe], '2025-04-28').slice(-7)
      expect(await connect().candles('AAPL', timeframe, 7)).toEqual(expected)
    },
  )

  test('open when their part of the session does: half past the hour, days at 00:00 UTC, weeks on Monday', async () => {
    await serve()
    const source = connect()
    expect(timesOf(await source.candles('AAPL', '1h', 4))).toEqual([
      '2025-06-17T19:30',
      '2025-06-18T13:30',
      '2025-06-18T14:30',
      '2025-06-18T15:30',
    ])
    expect(timesOf(await source.candles('AAPL', '4h', 3))).toEqual([
      '2025-06-17T13:30',
      '2025-06-17T17:30',
      '2025-06-18T13:30',
    ])
    expect(timesOf(await source.candles('AAPL', '1d', 4))).toEqual([
      '2025-06-13T00:00',
      '2025-06-16T00:00',
      '2025-06-17T00:00',
      '2025-06-18T00:00',
    ])
    expect(timesOf(await source.candles('AAPL', '1w', 2))).toEqual(['2025-06-09T00:00', '2025-06-16T00:00'])
  })

  test('leave out nights, weekends, holidays and the afternoon of half days', async () => {
    now = Date.UTC(2025, 6, 7, 14, 0, 30)
    await serve({ holidays: ['2025-06-19', '2025-07-04'] })
    const source = connect()
    expect(timesOf(await source.candles('AAPL', '4h', 5))).toEqual([
      '2025-07-01T17:30',
      '2025-07-02T13:30',
      '2025-07-02T17:30',
      '2025-07-03T13:30',
      '2025-07-07T13:30',
    ])
    expect(timesOf(await source.candles('AAPL', '1d', 11)).slice(0, 3)).toEqual([
      '2025-06-20T00:00',
      '2025-06-23T00:00',
      '2025-06-24T00:00',
    ])
    // On the evening of a half day the current quote is dated 13:00.
    now = Date.UTC(2025, 6, 3, 20)
    const hours = await connect().candles('AAPL', '1h', 4)
    expect(hours).toEqual(yahoo.truth('AAPL', 3600, '2025-07-03'))
    expect(timesOf(hours).at(-1)).toBe('2025-07-03T16:30')
    const minutes = await connect().candles('AAPL', '1m', 210)
    expect(minutes).toEqual(yahoo.truth('AAPL', 60, '2025-07-03'))
    expect(timesOf(minutes).at(-1)).toBe('2025-07-03T16:59')
  })

  test.each([
    ['spring', '2025-03-03', Date.UTC(2025, 2, 14, 19)],
    ['autumn', '2025-10-27', Date.UTC(2025, 10, 7, 19)],
  ])('keep to New York when its clocks change in %s', async (_season, from, then) => {
    now = then
    await serve()
    const source = connect()
    for (const timeframe of ['1h', '4h', '1d', '1w'] as const) {
      const expected = yahoo.truth('AAPL', timeframes[timeframe], from)
      expect(await source.candles('AAPL', timeframe, expected.length), timeframe).toEqual(expected)
    }
    expect(new Set(timesOf(await source.candles('AAPL', '4h', 20)).map(time => time.slice(11)))).toEqual(
      new Set(['13:30', '17:30', '14:30', '18:30']),
    )
  })

  test('leave out rows outside the regular session that Yahoo sends without a request', async () => {
    await serve({ leaks: true })
    const expected = yahoo.truth('AAPL', 900, '2025-06-16').slice(-60)
    expect(await connect().candles('AAPL', '15m', 60)).toEqual(expected)
    expect(yahoo.requests()[0]?.searchParams.get('includePrePost')).toBe('false')
  })

  test('do not exist where there was no trade', async () => {
    await serve()
    const expected = yahoo.truth('THIN', 60, '2025-06-17').slice(-300)
    const candles = await connect().candles('THIN', '1m', 300)
    expect(candles).toEqual(expected)
    expect((candles.at(-1)?.timestamp ?? 0) - (candles[0]?.timestamp ?? 0)).toBeGreaterThan(300 * 60)
  })

  test('include the current quote in the candle that it belongs to', async () => {
    // 11:30:05: the last trade was in the minute before, so its quote is no candle of 11:30.
    now = Date.UTC(2025, 5, 18, 15, 30, 5)
    await serve()
    const source = connect()
    for (const timeframe of ['1m', '5m', '15m', '1h', '1d'] as const) {
      const expected = yahoo.truth('AAPL', timeframes[timeframe], '2025-06-16').slice(-3)
      expect(await source.candles('AAPL', timeframe, 3), timeframe).toEqual(expected)
    }
  })

  test('are as many as there are when history is shorter', async () => {
    await serve()
    const source = connect()
    expect(await source.candles('NEW', '1d', 1000)).toEqual(yahoo.truth('NEW', 86_400, '2025-06-12'))
    expect(await source.candles('NEW', '1m', 10_000)).toEqual(yahoo.truth('NEW', 60, '2025-06-12'))
    expect(await source.candles('NEW', '1w', 5)).toHaveLength(2)
  })

  test('go back as far as Yahoo looks, in requests that it allows', async () => {
    await serve()
    const source = connect()
    // Yahoo looks back 30, 60 and 730 days; a day less for the difference of the clocks.
    expect(await source.candles('AAPL', '1m', 50_000)).toEqual(yahoo.truth('AAPL', 60, '2025-05-21'))
    expect(yahoo.requests()).toHaveLength(5)
    expect(await source.candles('AAPL', '5m', 50_000)).toEqual(yahoo.truth('AAPL', 300, '2025-04-21'))
    expect(await source.candles('AAPL', '1h', 50_000)).toEqual(yahoo.truth('AAPL', 3600, '2023-06-21'))
    expect((await source.candles('AAPL', '4h', 1000)).length).toBe(1000)
    expect(yahoo.requests()).toHaveLength(8)
  })

  test('of many years come in one request', async () => {
    await serve()
    expect(await connect().candles('SPY', '1d', 1000)).toEqual(
      yahoo.truth('SPY', 86_400, '2021-03-01').slice(-1000),
    )
    expect(yahoo.requests()).toHaveLength(1)
  })

  test('before a time are whole and end there', async () => {
    await serve()
    const source = connect()
    for (const [timeframe, time] of [
      ['1m', '2025-06-13T15:00'],
      ['1h', '2025-05-20T15:30'],
      ['4h', '2025-05-20T17:30'],
      ['1d', '2024-02-06T00:00'],
      ['1w', '2024-02-05T00:00'],
    ] as const) {
      const until = Date.parse(`${time}Z`) / 1000
      const expected = yahoo
        .truth(
          'AAPL',
          timeframes[timeframe],
          timeframe === '1w'
            ? '2023-10-02'
            : new Date((until - 20 * 86_400) * 1000).toISOString().slice(0, 10),
        )
        .filter(({ timestamp }) => timestamp < until)
        .slice(-10)
      const wanted: FetchOptions = { until, isBackground: true }
      expect(await source.candles('AAPL', timeframe, 10, wanted), timeframe).toEqual(expected)
    }
    expect(await source.candles('AAPL', '1m', 10, { until: Date.UTC(2024, 0, 5) / 1000 })).toEqual([])
    expect(await source.candles('NEW', '1d', 10, { until: Date.UTC(2025, 4, 5) / 1000 })).toEqual([])
  })

  test('go further back when there were no trades for long', async () => {
    await serve({
      holidays: Array.from({ length: 30 }, (_, i) =>
        new Date(Date.UTC(2025, 4, 20 + i)).toISOString().slice(0, 10),
      ),
    })
    expect(timesOf(await connect().candles('AAPL', '1d', 2))).toEqual([
      '2025-05-16T00:00',
      '2025-05-19T00:00',
    ])
  })

  test.each(['1m', '1h', '1d'] as const)(
    'that have ended (%s) are those that have by Yahoo, although this clock is hours ahead',
    async timeframe => {
      now = morning
      await serve()
      const [all, ended] = await Promise.all(
        [{ isEnded: false }, { isEnded: true }].map(options =>
          connect({ clock: () => now / 1000 + (options.isEnded ? 3 * 3600 : 0) }).candles(
            'AAPL',
            timeframe,
            5,
            {
              until: now / 1000 + 3 * 3600,
              ...options,
            },
          ),
        ),
      )
      const expected = all?.filter(({ timestamp }) => timestamp + timeframes[timeframe] <= now / 1000)
      expect(expected?.length).toBeGreaterThan(0)
      expect(ended?.slice(-(expected?.length ?? 0))).toEqual(expected)
    },
  )

  test('are complete although this clock is minutes off', async () => {
    await serve()
    const expected = yahoo.truth('AAPL', 60, '2025-06-18').slice(-10)
    for (const skew of [-600, 600]) {
      const source = connect({ clock: () => now / 1000 + skew })
      expect(await source.candles('AAPL', '1m', 10), `${skew} s`).toEqual(expected)
    }
  })

  test('have the volume and the prices of today’s shares, whether or not Yahoo has caught up with a split', async () => {
    await serve()
    const source = connect()
    for (const timeframe of ['1h', '1d', '1w'] as const) {
      const expected = yahoo.truth('FOUR', timeframes[timeframe], '2025-05-05').slice(-6)
      yahoo.securities.FOUR = { ...(securities.FOUR as Security), storedIsNewer: false }
      expect(await source.candles('FOUR', timeframe, 6), timeframe).toEqual(expected)
      yahoo.securities.FOUR = { ...(securities.FOUR as Security), storedIsNewer: true }
      const late = yahoo.truth('FOUR', timeframes[timeframe], '2025-05-05', false)
      expect(late[0]?.open, 'the rows are late').toBeGreaterThan(3 * (expected[0]?.open ?? 0))
      expect(await source.candles('FOUR', timeframe, 6), timeframe).toEqual(expected)
    }
  })

  test('of today are fetched without the days before', async () => {
    await serve()
    const source = connect()
    const today = Date.UTC(2025, 5, 18) / 1000
    const starts = () => yahoo.requests().map(({ searchParams }) => Number(searchParams.get('period1')))
    expect(await source.candles('AAPL', '1m', 100)).toEqual(yahoo.truth('AAPL', 60, '2025-06-18').slice(-100))
    expect(starts()).toEqual([today])
    await source.candles('AAPL', '1m', 125)
    expect(starts()[1], 'there are no 125 minutes yet').toBeLessThan(today)
    // On a holiday the expected session is missing.
    now = Date.UTC(2025, 5, 19, 18)
    expect(await connect().candles('AAPL', '1m', 100)).toEqual(
      yahoo.truth('AAPL', 60, '2025-06-18').slice(-100),
    )
  })

  test('for a count of zero are none, without a request', async () => {
    await serve()
    expect(await connect().candles('AAPL', '1d', 0)).toEqual([])
    expect(yahoo.received).toEqual([])
  })
})

describe('while the market is closed', () => {
  test('the same candles are not fetched again before the next hour', async () => {
    now = evening
    await serve()
    const source = connect()
    const candles = await source.candles('AAPL', '1m', 50)
    for (let i = 0; i < 100; i++) {
      now += 30_000
      expect(source.candles('AAPL', '1m', 5)).toEqual(candles.slice(-5))
    }
    expect(yahoo.requests()).toHaveLength(1)
    now = evening + 3_600_000
    await source.candles('AAPL', '1m', 50)
    expect(yahoo.requests()).toHaveLength(2)
  })

  test('candles that were fetched while the clock was ahead are fetched again', async () => {
    await serve()
    const source = connect()
    now = evening
    await source.candles('AAPL', '1m', 5)
    const { length } = yahoo.requests()
    now = morning
    expect(await source.candles('AAPL', '1m', 5)).toEqual(yahoo.truth('AAPL', 60, '2025-06-18').slice(-5))
    expect(yahoo.requests().length).toBeGreaterThan(length)
  })

  test('more candles, another timeframe, another symbol and the past are fetched', async () => {
    now = evening
    await serve()
    const source = connect()
    await source.candles('AAPL', '1d', 5)
    expect(yahoo.requests()).toHaveLength(1)
    expect(await source.candles('AAPL', '1d', 500)).toHaveLength(500)
    expect(yahoo.requests()).toHaveLength(2)
    await source.candles('AAPL', '1w', 1)
    await source.candles('SPY', '1d', 1)
    await source.candles('AAPL', '1d', 1, { until: evening / 1000 - 86_400 })
    expect(yahoo.requests()).toHaveLength(5)
    await source.candles('NEW', '1d', 500)
    expect(await source.candles('NEW', '1d', 1000), 'there is no more').toHaveLength(5)
    expect(yahoo.requests()).toHaveLength(6)
  })

  test('the candles are fetched again at the opening', async () => {
    now = Date.UTC(2025, 5, 20, 13, 20)
    await serve()
    const source = connect()
    expect(timesOf(await source.candles('AAPL', '1m', 1))).toEqual(['2025-06-18T19:59'])
    now = Date.UTC(2025, 5, 20, 13, 30, 15)
    expect(timesOf(await source.candles('AAPL', '1m', 1))).toEqual(['2025-06-20T13:30'])
  })

  test('on a holiday candles are fetched once a minute', async () => {
    now = Date.UTC(2025, 5, 19, 15)
    await serve()
    const source = connect()
    const expected = yahoo.truth('AAPL', 300, '2025-06-18').slice(-5)
    expect(await source.candles('AAPL', '5m', 5)).toEqual(expected)
    const { length } = yahoo.requests()
    now += 59_000
    expect(source.candles('AAPL', '5m', 5)).toEqual(expected)
    now += 1000
    expect(await source.candles('AAPL', '5m', 5)).toEqual(expected)
    expect(yahoo.requests()).toHaveLength(2 * length)
  })

  test('and while it is open every call fetches', async () => {
    await serve()
    const source = connect()
    await source.candles('AAPL', '5m', 5)
    await source.candles('AAPL', '5m', 5)
    expect(yahoo.requests()).toHaveLength(2)
  })
})

describe('symbols', () => {
  test('are those of the directory, sorted, without test issues and what Yahoo has no name for', async () => {
    await serve()
    expect(await connect().symbols()).toEqual(['AAPL', 'ABR$D', 'ACHR.W', 'BRK.B', 'NEW', 'SPY'])
  })

  test('are fetched once a day and for concurrent calls once', async () => {
    await serve()
    const source = connect()
    await Promise.all([source.symbols(), source.symbols(), source.symbols()])
    await source.symbols()
    expect(yahoo.requests(/nasdaqtraded/)).toHaveLength(1)
    await passMonotonic(86_400_001)
    yahoo.directory = directory.replace('|NEW|', '|NEWER|')
    expect(await source.symbols()).toContain('NEWER')
    expect(yahoo.requests(/nasdaqtraded/)).toHaveLength(2)
  })

  test('of yesterday are used when today’s cannot be fetched', async () => {
    await serve()
    const source = connect({ retries: 0 })
    const symbols = await source.symbols()
    await passMonotonic(86_400_001)
    yahoo.fail(/nasdaqtraded/, { status: 503 })
    expect(await source.symbols()).toBe(symbols)
    expect(await source.symbols(), 'not fetched again at once').toBe(symbols)
    expect(yahoo.requests(/nasdaqtraded/)).toHaveLength(2)
  })

  test.each(['cut JSON', 'HTML page'] as const)(
    'are not taken from half a list or a page (%s)',
    async fault => {
      await serve()
      yahoo.fail(/nasdaqtraded/, fault)
      const error = await failureOf(() => connect({ retries: 0 }).symbols())
      expect(error).toMatchObject({ kind: 'unavailable', message: 'stocks sent a reply that cannot be read' })
    },
  )

  test('need not be known for candles', async () => {
    await serve({ directory: '' })
    const source = connect({ retries: 0 })
    expect(await source.candles('AAPL', '1d', 1)).toHaveLength(1)
    expect(await source.candles('BRK.B', '1d', 1)).toEqual(yahoo.truth('BRK-B', 86_400, '2025-06-18'))
    expect(yahoo.requests(/nasdaqtraded/)).toHaveLength(0)
  })

  test('that come without their dash or slash are found by the directory', async () => {
    await serve()
    let spellings: ReadonlyMap<string, string> | undefined
    const source = connect({}, found => {
      spellings = found
    })
    await source.candles('AAPL', '1d', 1)
    expect(spellings, 'before the list is in memory').toBeUndefined()
    expect(await source.candles('BRKB', '1d', 1)).toEqual(yahoo.truth('BRK-B', 86_400, '2025-06-18'))
    expect(spellings?.get('BRKB')).toBe('BRK.B')
    for (const listed of ['BRK.B', 'AAPL', 'NOPE']) expect(spellings?.get(listed)).toBeUndefined()
    const names = yahoo.requests().map(({ pathname }) => pathname.split('/').at(-1))
    expect(names).toEqual(['AAPL', 'BRKB', 'BRK-B'])
  })

  test.each(['GONE', 'ZVZZT', '^GSPC', '7203.T', 'VOD.LN', 'BTCUSD', 'VFIAX', 'EURUSD=X', '../../../x', ''])(
    'like %j are unknown',
    async symbol => {
      await serve()
      const error = await failureOf(() => connect().candles(symbol, '1d', 1))
      expect(error).toMatchObject({
        kind: 'unknown-symbol',
        message: `Symbol not found: ${symbol.toUpperCase()} on stocks`,
      })
    },
  )

  test('that are unknown are not fetched again', async () => {
    await serve()
    await failureOf(() => connect().candles('GONE', '1d', 1))
    expect(yahoo.requests()).toHaveLength(1)
    await failureOf(() => connect().candles('VFIAX', '1d', 1))
    expect(yahoo.requests()).toHaveLength(2)
  })
})

describe('when Yahoo fails', () => {
  const passing: readonly Fault[] = [
    'hang up',
    'cut JSON',
    'HTML page',
    'empty result',
    { status: 429, body: 'Too Many Requests\r\n' },
    { status: 500, body: 'Internal Server Error' },
    { status: 502, body: '<html>502</html>' },
    {
      status: 503,
      body: '{"finance":{"result":null,"error":{"code":"Service Unavailable","description":"…"}}}',
    },
  ]
  const name = (fault: Fault) => (typeof fault === 'string' ? fault : `HTTP ${fault.status}`)

  test.each(passing.map(fault => [name(fault), fault] as const))(
    'twice by %s, the third request counts',
    async (_name, fault) => {
      await serve()
      const logged = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn'), vi.spyOn(console, 'log')]
      yahoo.fail(/chart/, fault, fault)
      expect(await connect().candles('AAPL', '1h', 9)).toEqual(
        yahoo.truth('AAPL', 3600, '2025-06-16').slice(-9),
      )
      expect(yahoo.requests()).toHaveLength(3)
      for (const spy of logged) expect(spy).not.toHaveBeenCalled()
    },
  )

  test.each([
    ['hang up', 'stocks: connection broken'],
    ['cut JSON', 'stocks sent a reply that cannot be read'],
    ['HTML page', 'stocks sent a reply that cannot be read'],
    ['empty result', 'stocks sent a reply that cannot be read'],
    [{ status: 429, body: 'Too Many Requests' }, 'stocks limits the rate of requests (HTTP 429)'],
    [{ status: 500 }, 'stocks is not available (HTTP 500)'],
  ] as const)('permanently by %j, the failure says how', async (fault, message) => {
    await serve()
    yahoo.fail(/chart/, fault, fault, fault)
    const error = await failureOf(() => connect().candles('AAPL', '1h', 9))
    expect(error).toMatchObject({ kind: 'unavailable', message })
    expect(error.cause).toBeInstanceOf(Error)
    expect(yahoo.requests()).toHaveLength(3)
  })

  test.each(['silence', 'stall'] as const)('by %s, the call fails in time', async fault => {
    await serve()
    yahoo.fail(/chart/, fault)
    const error = await failureOf(() => connect({ timeoutMs: 100, retries: 0 }).candles('AAPL', '1h', 9))
    expect(error.message).toBe('stocks did not answer within 100 ms')
  })

  test.each([
    [401, '{"finance":{"result":null,"error":{"code":"Unauthorized","description":"Invalid Cookie"}}}'],
    [403, '<html>Forbidden</html>'],
    [404, '<html>A proxy knows nothing of this</html>'],
    [422, '{"chart":{"result":null,"error":{"code":"Unprocessable Entity","description":"…"}}}'],
  ])('by HTTP %i, the request is not repeated', async (status, body) => {
    await serve()
    yahoo.fail(/chart/, { status, body })
    const error = await failureOf(() => connect().candles('AAPL', '1h', 9))
    expect(error).toMatchObject({
      kind: 'unavailable',
      message: `stocks refused the request (HTTP ${status})`,
    })
    expect(yahoo.requests()).toHaveLength(1)
  })

  test('and sends a Retry-After, the repetition waits for it', async () => {
    await serve()
    yahoo.fail(/chart/, { status: 429, headers: { 'retry-after': '1' } })
    await connect().candles('AAPL', '1d', 1)
    const waits = vi.mocked(pause).mock.calls.map(([ms]) => ms ?? 0)
    expect(Math.max(...waits)).toBeGreaterThan(500)
    expect(yahoo.requests()).toHaveLength(2)
  })

  test('and sends a long Retry-After, calls fail at once until then', async () => {
    await serve()
    yahoo.fail(/chart/, { status: 429, headers: { 'retry-after': '3600' } })
    const source = connect()
    const first = await failureOf(() => source.candles('AAPL', '1d', 1))
    expect(first.message).toBe(
      'stocks limits the rate of requests (HTTP 429), it can be asked again in 3600 s',
    )
    const second = await failureOf(() => source.candles('SPY', '1d', 1))
    expect(second.message).toMatch(/^stocks limits the rate of requests, it can be asked again in 3\d\d\d s$/)
    expect(yahoo.requests()).toHaveLength(1)
    await passMonotonic(3_600_001)
    expect(await source.candles('SPY', '1d', 1)).toHaveLength(1)
  })

  test('because no server listens, the failure says so', async () => {
    await serve()
    await yahoo.close()
    const error = await failureOf(() => connect().candles('AAPL', '1d', 1))
    expect(error).toMatchObject({ kind: 'unavailable', message: 'stocks: connection refused' })
  })
})

describe('the charts', () => {
  const first = (body: { chart: { result: unknown[] } }) =>
    body.chart.result[0] as {
      meta: Record<string, unknown>
      timestamp: unknown[]
      indicators: { quote: Record<string, unknown[]>[]; adjclose?: unknown }
      [key: string]: unknown
    }

  test.each<[string, (chart: ReturnType<typeof first>) => void]>([
    ['without a first trade', ({ meta }) => Object.assign(meta, { firstTradeDate: null })],
    ['without a last trade', ({ meta }) => Object.assign(meta, { regularMarketTime: null })],
    ['without trading periods', ({ meta }) => Object.assign(meta, { tradingPeriods: undefined })],
    [
      'with trading periods of three kinds',
      ({ meta }) => Object.assign(meta, { tradingPeriods: { pre: [], regular: [], post: [] } }),
    ],
    ['with what is new', chart => Object.assign(chart, { comparisons: [], news: { a: 1 } })],
    ['with new fields of the market', ({ meta }) => Object.assign(meta, { yearRange: '1-2', moods: ['?'] })],
    ['with broken events', chart => Object.assign(chart, { events: { splits: { x: { date: 'soon' } } } })],
    ['without adjusted closes', ({ indicators }) => Object.assign(indicators, { adjclose: undefined })],
    [
      'with their rows from new to old',
      ({ timestamp, indicators }) => {
        timestamp.reverse()
        for (const column of Object.values(indicators.quote[0] ?? {})) column.reverse()
      },
    ],
    [
      'with their rows twice',
      ({ timestamp, indicators }) => {
        timestamp.push(...timestamp)
        for (const column of Object.values(indicators.quote[0] ?? {})) column.push(...column)
      },
    ],
  ])('%s are read all the same', async (_name, edit) => {
    await serve()
    const source = connect()
    yahoo.edit = body => {
      edit(first(body))
      return body
    }
    for (const timeframe of ['5m', '4h'] as const) {
      const expected = yahoo.truth('AAPL', timeframes[timeframe], '2025-05-01').slice(-30)
      expect(await source.candles('AAPL', timeframe, 30), timeframe).toEqual(expected)
    }
  })

  test('without a first trade on a holiday do not end the history', async () => {
    now = Date.UTC(2025, 5, 19, 18)
    await serve()
    yahoo.edit = body => {
      first(body).meta.firstTradeDate = null
      return body
    }
    const source = connect()
    expect(await source.candles('AAPL', '5m', 10)).toEqual(yahoo.truth('AAPL', 300, '2025-06-18').slice(-10))
  })

  test.each<[string, (chart: ReturnType<typeof first>) => void]>([
    ['without indicators', chart => Object.assign(chart, { indicators: undefined })],
    ['without meta', chart => Object.assign(chart, { meta: undefined })],
    ['with a text for times', chart => Object.assign(chart, { timestamp: 'none' })],
  ])('%s cannot be read', async (_name, edit) => {
    await serve()
    yahoo.edit = body => {
      edit(first(body))
      return body
    }
    const error = await failureOf(() => connect().candles('AAPL', '5m', 30))
    expect(error).toMatchObject({ kind: 'unavailable', message: 'stocks sent a reply that cannot be read' })
  })

  test('of the future are left out, up to the next one', async () => {
    await serve({ clock: () => now + 50 * 60_000, date: () => now })
    const [last] = (await connect().candles('AAPL', '1m', 5)).slice(-1)
    expect(last?.timestamp).toBe((Math.floor(morning / 60_000) + 1) * 60)
  })

  test('without volumes have candles without volume', async () => {
    await serve()
    yahoo.edit = body => {
      const [quote] = first(body).indicators.quote
      if (quote) quote.volume = quote.volume?.map((_, i) => [null, -5, 'many', undefined][i % 4]) ?? []
      return body
    }
    const expected = yahoo.truth('AAPL', 900, '2025-06-16').slice(-30)
    expect(await connect().candles('AAPL', '15m', 30)).toEqual(
      expected.map(candle => ({ ...candle, volume: 0 })),
    )
  })

  test('of random values never make an invalid candle', async () => {
    await serve()
    const source = connect()
    const nonsense = fc.constantFrom<unknown>(null, 0, -1, 1e300, -1e300, 'x', {}, [], true, 5, 60.5)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('5m', '1h', '4h', '1d', '1w' as const),
        fc.array(
          fc.tuple(
            fc.constantFrom('timestamp', 'open', 'high', 'low', 'close', 'volume'),
            fc.nat(200),
            nonsense,
          ),
          { minLength: 1, maxLength: 60 },
        ),
        async (timeframe, changes) => {
          yahoo.edit = body => {
            const { timestamp, indicators } = first(body)
            const columns: Record<string, unknown[]> = { ...indicators.quote[0], timestamp }
            for (const [name, at, value] of changes) {
              const column = columns[name] ?? []
              column[at % column.length] = value
            }
            return body
          }
          const candles = await source.candles('AAPL', timeframe as Timeframe, 50)
          const isSound = ({ timestamp, open, high, low, close, volume }: Candle, i: number) =>
            Number.isSafeInteger(timestamp) &&
            timestamp > (candles[i - 1]?.timestamp ?? 0) &&
            [open, high, low, close].every(price => price > 0 && Number.isFinite(price)) &&
            high === Math.max(open, high, low, close) &&
            low === Math.min(open, high, low, close) &&
            volume >= 0 &&
            Number.isFinite(volume)
          expect(candles.filter((candle, i) => !isSound(candle, i))).toEqual([])
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('the requests', () => {
  test('are few at a time, those of clients first', async () => {
    await serve()
    // Far enough apart to arrive in the order in which they are sent.
    const source = connect({ requestsPerSecond: 20 })
    await source.candles('SPY', '1d', 1)
    const release = yahoo.hold()
    const later = Array.from({ length: 12 }, () => source.candles('AAPL', '1h', 2, { isBackground: true }))
    await vi.waitFor(() => expect(yahoo.requests()).toHaveLength(5), { timeout: 10_000 })
    // The next background request gets its turn before the client's requests arrive.
    await pause(150)
    const soon = Array.from({ length: 6 }, () => source.candles('AAPL', '1d', 2))
    expect(yahoo.maxConcurrent).toBe(4)
    release()
    await Promise.all([...later, ...soon])
    const intervals = yahoo.requests().map(({ searchParams }) => searchParams.get('interval'))
    // Besides those under way one more has its turn already.
    expect(intervals.slice(1)).toEqual([
      ...Array.from({ length: 5 }, () => '1h'),
      ...Array.from({ length: 6 }, () => '1d'),
      ...Array.from({ length: 7 }, () => '1h'),
    ])
    expect(yahoo.maxConcurrent).toBe(4)
  })

  test('keep the rate limit', async () => {
    await serve()
    const source = connect({ requestsPerSecond: 2 })
    const began = performance.now()
    await Promise.all(['AAPL', 'SPY', 'NEW'].map(symbol => source.candles(symbol, '1d', 1)))
    expect(performance.now() - began, 'half a second lies between two of them').toBeGreaterThanOrEqual(1000)
    expect(yahoo.requests()).toHaveLength(3)
  })

  test('are ended by close, those that wait as well', async () => {
    await serve()
    yahoo.fail(/chart/, 'silence', 'silence', 'silence', 'silence')
    const source = connect()
    const failures = Array.from({ length: 8 }, () => failureOf(() => source.candles('AAPL', '1d', 1)))
    await vi.waitFor(() => expect(yahoo.requests()).toHaveLength(4), { timeout: 10_000 })
    await source.close?.()
    for (const failure of failures) expect((await failure).message).toBe('stocks was closed')
    expect((await failureOf(() => source.candles('AAPL', '1d', 1))).message).toBe('stocks was closed')
    expect(yahoo.requests()).toHaveLength(4)
  })
})
