import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Timeframe, timeframes } from '../../src/candles/timeframe.js'
import { type Source, SourceFailure, type Wanted } from '../../src/market/source.js'
import { createStocks, type StocksSettings } from '../../src/market/stocks.js'
import { type Fault, type Security, Yahoo } from '../service/yahoo.js'

vi.mock('node:timers/promises', { spy: true })

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

function connect(settings: StocksSettings = {}): Source {
  const source = createStocks({
    ...yahoo.settings,
    requestsPerSecond: 1000,
    backoffMs: 1,
    clock: () => now / 1000,
    ...settings,
  })
  open.unshift(source)
  return source
}

async function failureOf(work: () => unknown): Promise<SourceFailure> {
  const outcome = await Promise.resolve()
    .then(work)
    .then(
      value => ({ value }),
      error => ({ error }),
    )
  expect(outcome, 'the call fails').toHaveProperty('error')
  const { error } = outcome as { error: SourceFailure }
  expect(error).toBeInstanceOf(SourceFailure)
  return error
}

const timesOf = (candles: readonly { timestamp: number }[]) =>
  candles.map(({ timestamp }) => new Date(timestamp * 1000).toISOString().slice(0, 16))

afterEach(async () => {
  now = morning
  vi.restoreAllMocks()
  for (const resource of open) await resource.close?.()
  open = []
})

describe('candles', () => {
  test.each(Object.keys(timeframes) as Timeframe[])('%s are what was traded, the forming one included', async timeframe => {
    await serve()
    const source = connect()
    const expected = yahoo.truth('AAPL', timeframes[timeframe], '2024-12-30').slice(-20)
    expect(expected).toHaveLength(20)
    expect(await source.candles('AAPL', timeframe, 20)).toEqual(expected)
  })

  test.each(['1m', '1h', '1d', '1w'] as const)('%s of a closed market end with its last trade', async timeframe => {
    now = evening
    await serve()
    const expected = yahoo.truth('AAPL', timeframes[timeframe], '2025-04-28').slice(-7)
    expect(await connect().candles('AAPL', timeframe, 7)).toEqual(expected)
  })

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
    await serve()
    const source = connect()
    expect(timesOf(await source.candles('AAPL', '4h', 5))).toEqual([
      '2025-07-01T17:30',
      '2025-07-02T13:30',
      '2025-07-02T17:30',
      '2025-07-03T13:30',
      '2025-07-07T13:30',
    ].filter(time => time !== ''))
    now = Date.UTC(2025, 5, 20, 14, 0, 30)
    const candles = await connect().candles('AAPL', '1d', 3)
    expect(timesOf(candles)).toEqual(['2025-06-17T00:00', '2025-06-18T00:00', '2025-06-20T00:00'])
  })
})
