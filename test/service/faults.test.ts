import { afterEach, describe, expect, test } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import { type Timeframe, timeframes } from '../../src/candles/timeframe.js'
import { type CcxtSettings, CcxtSource } from '../../src/markets/exchanges/ccxt/ccxt-source.js'
import { ResampledSource, resample } from '../../src/markets/exchanges/resample.js'
import { type Anomaly, type Source, SourceFailure } from '../../src/markets/exchanges/source.js'
import { History } from '../../src/markets/history/history.js'
import type { Reading } from '../../src/markets/history/reading.js'
import {
  type BinanceMarket,
  ccxtOptions,
  defaultMarkets,
  type Fault,
  faults,
  startBinance,
} from '../support/binance.js'
import { inThread } from '../support/exchange-thread.js'
import { type KrakenFault, krakenMarkets, krakenOptions, startKraken } from '../support/kraken.js'
import { passMonotonic, resetMonotonic } from '../support/monotonic-clock.js'

/** A Wednesday, 26 seconds into its minute, in Unix seconds. */
const noon = Date.UTC(2025, 5, 18, 12, 34, 26) / 1000
const depth = 300

/** One of the loopback exchanges with a market, in words that fit both. */
interface Exchange {
  readonly options: object
  /** Lets the next requests for candles suffer a fault. */
  fail(fault: Fault | KrakenFault, times?: number): () => void
  requests(): number
  truth(timeframe: Timeframe, count: number): Candle[]
  delist(): void
  close(): Promise<void>
}

interface Kind {
  readonly id: 'binance' | 'kraken'
  readonly symbol: string
  /** `clock` in Unix seconds; `gaps` in which nothing is traded, likewise. */
  start(clock: () => number, gaps?: readonly (readonly [from: number, to: number])[]): Promise<Exchange>
}

const inMs = (gaps: readonly (readonly [number, number])[]) =>
  gaps.map(([from, to]) => [from * 1000, to * 1000] as const)

const kinds: readonly Kind[] = [
  {
    id: 'binance',
    symbol: 'BTCUSDT',
    async start(clock, gaps = []) {
      const path = '/api/v3/klines'
      const market: BinanceMarket = { ...(defaultMarkets[0] as BinanceMarket), gaps: inMs(gaps) }
      const markets = [market, ...defaultMarkets.slice(1)]
      const server = await startBinance({ clock: () => clock() * 1000, markets })
      return {
        options: ccxtOptions(server.url),
        fail: (fault, times) => server.fail(path, fault as Fault, times),
        requests: () => server.requests(path),
        truth: (timeframe, count) => server.truth('BTCUSDT', timeframe, count),
        delist: () => {
          markets[0] = { ...market, isTrading: false }
          server.fail(path, faults.invalidSymbol)
        },
        close: () => server.close(),
      }
    },
  },
  {
    id: 'kraken',
    symbol: 'BTCUSD',
    async start(clock, gaps = []) {
      const path = '/0/public/OHLC'
      const [market, ...others] = krakenMarkets
      const markets = [{ ...(market as (typeof krakenMarkets)[0]), gaps: inMs(gaps) }, ...others]
      const server = await startKraken({ clock: () => clock() * 1000, markets })
      return {
        options: krakenOptions(server.url),
        fail: (fault, times) => server.fail(path, fault as KrakenFault, times),
        requests: () => server.requests(path),
        truth: (timeframe, count) => server.truth('XXBTZUSD', timeframes[timeframe] / 60, count),
        delist: () => server.delist('XXBTZUSD'),
        close: () => server.close(),
      }
    },
  },
]

let open: { close?(): Promise<void> }[] = []
afterEach(async () => {
  resetMonotonic()
  for (const resource of open) await resource.close?.()
  open = []
})

/** An exchange, its source and the history that keeps its candles, on clocks that only the test moves. */
async function setUp(
  kind: Kind,
  { skew = 0, gaps, ...settings }: CcxtSettings & { skew?: number; gaps?: [number, number][] } = {},
) {
  const time = { now: noon }
  const exchange = await kind.start(() => time.now + skew, gaps)
  const anomalies: Anomaly[] = []
  const onAnomaly = (anomaly: Anomaly) => anomalies.push(anomaly)
  const options = { ...exchange.options, rateLimit: 1 }
  const source: Source = inThread(
    new ResampledSource(
      new CcxtSource(kind.id, { backoffMs: 1, timeoutMs: 10_000, onAnomaly, ...settings, options }),
      kind.id,
      onAnomaly,
    ),
    kind.id,
  )
  open.push(source, exchange)
  const history = new History({ depth, bytes: 10_000_000, refreshSeconds: 5, clock: () => time.now })
  /** Reads the answered candles, or throws the failure that is answered instead. */
  const read = async (timeframe: Timeframe = '1m'): Promise<Reading> => {
    const reading = await history.read({ exchange: kind.id, symbol: kind.symbol, timeframe }, source)
    return 'ready' in reading ? reading.ready : reading
  }
  return { time, exchange, anomalies, source, read }
}

/** Lets seconds pass on the clock of the test and on the monotonic clock. */
async function passTime(time: { now: number }, seconds: number): Promise<void> {
  time.now += seconds
  await passMonotonic(1000 * seconds)
}

const listOf = ({ inputs: [{ columns, closed, forming }] }: Reading): Candle[] => [
  ...Array.from({ length: closed }, (_, at) => columns.read(at)),
  ...(forming ? [forming] : []),
]

interface Trouble {
  readonly binance: Fault
  readonly kraken: KrakenFault
  /** The failure's text while it lasts, after the exchange's identifier. */
  readonly words: string
  /** Whether the same request may succeed soon. */
  readonly isTransient: boolean
}

const both = <Shared extends Fault & KrakenFault>(fault: Shared) => ({ binance: fault, kraken: fault })
const failureText = (id: string, { words }: Trouble) =>
  words.startsWith(':') ? `${id}${words}` : `${id} ${words}`
const transient = (words: string) => ({ words, isTransient: true })

const troubles: Readonly<Record<string, Trouble>> = {
  'no answer': { ...both(faults.silence), ...transient('did not answer within 300 ms') },
  'an answer that stalls': { ...both(faults.stall), ...transient('did not answer within 300 ms') },
  'a connection that is dropped': { ...both(faults.drop), ...transient(': connection broken') },
  'a connection that breaks': { ...both(faults.break), ...transient(': connection broken') },
  'JSON that is cut off': { ...both(faults.truncated), ...transient('sent a reply that cannot be read') },
  'a page with 200': { ...both(faults.page), ...transient('sent a reply that cannot be read') },
  'a page with 502': { ...both(faults.gatewayPage), ...transient('is not available (HTTP 502)') },
  'status 500': {
    binance: faults.internal,
    kraken: { kind: 'error', error: 'EGeneral:Internal error', status: 500 },
    ...transient('is not available (HTTP 500)'),
  },
  'status 503': {
    binance: faults.unavailable,
    kraken: { kind: 'error', error: 'EService:Unavailable', status: 503 },
    ...transient('is not available (HTTP 503)'),
  },
  'status 429 with Retry-After': {
    binance: faults.tooManyRequests(1),
    kraken: { kind: 'error', error: 'EAPI:Rate limit exceeded', status: 429, retryAfter: 1 },
    ...transient('limits the rate of requests (HTTP 429), it can be asked again in 1 s'),
  },
  'a limit that does not say for how long': {
    binance: faults.tooManyRequests(),
    kraken: { kind: 'error', error: 'EGeneral:Too many requests' },
    ...transient('limits the rate of requests'),
  },
  'an outage that Kraken sends with status 200': {
    binance: faults.unavailable,
    kraken: { kind: 'error', error: 'EService:Unavailable' },
    ...transient('is not available'),
  },
  'status 418': {
    binance: faults.banned(1),
    kraken: { kind: 'error', error: 'EGeneral:Temporary lockout', status: 418, retryAfter: 1 },
    words: 'limits the rate of requests (HTTP 418), it can be asked again in 1 s',
    isTransient: false,
  },
  'a refusal': {
    binance: faults.illegal,
    kraken: { kind: 'error', error: 'EGeneral:Invalid arguments', status: 400 },
    words: 'refused the request',
    isTransient: false,
  },
}

/** Candles of a list as arrays or other objects that can be counted, independent of the exchange's field names. */
type Rows = readonly (readonly unknown[])[]
const withRows = (change: (rows: Rows) => Rows) => ({
  kind: 'list' as const,
  change: (rows: readonly unknown[]) => change(rows as Rows),
})
const shuffled = (rows: Rows): Rows =>
  rows
    .map((row, at) => [(at * 7919) % 997, row] as const)
    .sort(([a], [b]) => a - b)
    .map(([, row]) => row)

/** Lists in disorder that still hold the truth, with the anomalies that are counted in them. */
const disorders: Readonly<
  Record<string, readonly [fault: Fault & KrakenFault, counted: readonly Anomaly[]]>
> = {
  'every candle twice': [withRows(rows => rows.flatMap(row => [row, row])), ['duplicate']],
  'candles in any order': [withRows(shuffled), []],
  'the forming candle as it was before': [
    withRows(rows => [
      ...rows,
      (rows.at(-1) as Rows[0]).map((value, at) => (at === 0 ? value : at < 5 ? 1 : '0')),
    ]),
    ['duplicate'],
  ],
}

/** Lists that lack candles or have wrong ones, once. */
const damages: Readonly<Record<string, readonly [fault: Fault & KrakenFault, counted: readonly Anomaly[]]>> =
  {
    'a gap': [withRows(rows => rows.toSpliced(-220, 30)), ['filled-gap']],
    'two gaps': [withRows(rows => rows.toSpliced(-160, 1).toSpliced(-220, 2)), ['filled-gap']],
    'prices that are none': [
      withRows(rows =>
        rows.map((row, at) =>
          at % 9 === 4 ? row.with(1 + (at % 4), ['NaN', '0', '-5', '1e300'][at % 4]) : row,
        ),
      ),
      ['filled-gap', 'invalid'],
    ],
    'a high below the low': [
      withRows(rows =>
        rows.map((row, at) => (at === rows.length - 30 ? row.with(2, row[3]).with(3, row[2]) : row)),
      ),
      ['filled-gap', 'invalid'],
    ],
    'a candle from the far future': [
      withRows(rows => [...rows, (rows.at(-1) as Rows[0]).with(0, Number(rows[0]?.[0]) * 2)]),
      ['invalid'],
    ],
  }

describe.each(kinds)('$id', kind => {
  /** Option of tests in which both exchanges suffer alike: `npm test` runs them with the first one. */
  const alike = kind.id === 'binance' ? {} : { tags: ['faults'] }

  describe.each(Object.entries(troubles))('with %s', (_, trouble) => {
    const fault = trouble[kind.id]
    const options = trouble.binance === trouble.kraken ? alike : {}
    const isSilent = trouble.words.includes('300 ms')
    /**
     * Timeout of a request. It is short only for a silent exchange, because on a busy machine any answer may need 300
     * ms.
     */
    const timeoutMs = isSilent ? 300 : 10_000

    test(
      'once, is requested again if transient; the series is correct or the failure says why not',
      options,
      async () => {
        const { exchange, read, time } = await setUp(kind, { timeoutMs })
        exchange.fail(fault, 1)
        if (!trouble.isTransient) {
          await expect(read()).rejects.toThrow(failureText(kind.id, trouble))
          expect(exchange.requests(), 'one request').toBe(1)
          await passTime(time, 6)
        }
        expect(listOf(await read())).toEqual(exchange.truth('1m', depth))
      },
    )

    test('for long, fails with the reason, and is correct afterwards', options, async () => {
      const { exchange, read, time } = await setUp(kind, { retries: 1, timeoutMs })
      const heal = exchange.fail(fault)
      const failure = await read().then(undefined, error => error)
      expect(failure).toBeInstanceOf(SourceFailure)
      expect(failure.kind).toBe('unavailable')
      expect(failure.message).toContain(failureText(kind.id, trouble))
      expect(exchange.requests()).toBe(trouble.isTransient ? 2 : 1)
      heal()
      await passTime(time, 6)
      expect(listOf(await read())).toEqual(exchange.truth('1m', depth))
    })

    test(
      'after candles were fetched, answers these as stale, and is correct afterwards',
      options,
      async () => {
        const { exchange, read, time } = await setUp(kind, {
          retries: 0,
          timeoutMs: isSilent ? 1000 : 10_000,
        })
        const before = listOf(await read())
        const heal = exchange.fail(fault)
        await passTime(time, 90)
        const stale = await read()
        expect(stale.stale).toBe(true)
        expect(listOf(stale)).toEqual(before)
        heal()
        await passTime(time, 90)
        const fresh = await read()
        expect(fresh.stale).toBe(false)
        expect(listOf(fresh).slice(-depth)).toEqual(exchange.truth('1m', depth))
      },
    )
  })

  describe.each(Object.entries(disorders))('with %s', (_, [fault, counted]) => {
    test('is read correctly, for as long as it lasts', alike, async () => {
      const { exchange, anomalies, read, time } = await setUp(kind, { pageLimit: 100 })
      exchange.fail(fault)
      expect(listOf(await read())).toEqual(exchange.truth('1m', depth))
      expect([...new Set(anomalies)].sort()).toEqual(counted)
      await passTime(time, 3600)
      expect(listOf(await read()).slice(-depth)).toEqual(exchange.truth('1m', depth))
    })
  })

  describe.each(Object.entries(damages))('with %s', (_, [fault, counted]) => {
    test('is requested again, and the series is correct', alike, async () => {
      const { exchange, anomalies, read } = await setUp(kind)
      exchange.fail(fault, 1)
      expect(listOf(await read())).toEqual(exchange.truth('1m', depth))
      expect([...new Set(anomalies)].sort()).toEqual(counted)
    })
  })

  test('with a gap that stays is requested once more, and then the gap counts as real', async () => {
    const minute = Math.floor(noon / 60) * 60
    const gap: [number, number] = [minute - 60 * 60, minute - 40 * 60]
    const { exchange, anomalies, read, source } = await setUp(kind, { gaps: [gap] })
    const candles = listOf(await read())
    expect(candles).toEqual(exchange.truth('1m', depth))
    expect(candles.filter(({ timestamp }) => timestamp >= gap[0] && timestamp < gap[1])).toEqual([])
    expect(anomalies).toEqual(['gap'])
    const before = exchange.requests()
    await source.candles(kind.symbol, '1m', 200)
    expect(exchange.requests() - before, 'it is known').toBe(1)
  })

  test('with candles that are improbable is used as it is', async () => {
    const { exchange, anomalies, read } = await setUp(kind)
    exchange.fail(
      withRows(rows => rows.map((row, at) => (at === rows.length - 50 ? row.with(2, '99999999.5') : row))),
    )
    const highs = listOf(await read()).map(({ high }) => high)
    expect(highs.filter(high => high === 99_999_999.5)).toHaveLength(1)
    expect(highs).toHaveLength(depth)
    expect(anomalies).toEqual([])
  })

  test('that corrects a closed candle is followed', async () => {
    const { exchange, read, time } = await setUp(kind)
    exchange.fail(
      withRows(rows =>
        rows.map((row, at) => (at === rows.length - 2 ? row.with(2, '70000').with(4, '70000') : row)),
      ),
      1,
    )
    const wrong = listOf(await read())
    expect(wrong.at(-2)?.close).toBe(70_000)
    await passTime(time, 6)
    expect(listOf(await read())).toEqual(exchange.truth('1m', depth))
  })

  describe.each([
    ['five minutes', 18, {}],
    ['eleven minutes', 40, { tags: ['faults'] }],
  ])('for %s', (_, steps, options) => {
    test.each([-240, -60, 60, 240])(
      'whose clock differs by %i s has the same series',
      options,
      async skew => {
        const { exchange, read, time } = await setUp(kind, { skew })
        expect(listOf(await read())).toEqual(exchange.truth('1m', depth))
        for (let step = 0; step < steps; step++) {
          await passTime(time, 17)
          const reading = await read()
          expect(reading.stale, 'by a clock that is ahead, candles are old').toBe(skew === -240)
          expect(listOf(reading).slice(-depth), `${step}`).toEqual(exchange.truth('1m', depth))
        }
      },
    )
  })

  test('that delists a market: its cached candles are stale, and the symbol is unknown for others', async () => {
    const { exchange, read, time } = await setUp(kind)
    const before = listOf(await read())
    exchange.delist()
    // The list of markets is stale at that time.
    await passMonotonic(1_000_000)
    await passTime(time, 60)
    const reading = await read()
    expect(reading.stale).toBe(true)
    expect(listOf(reading)).toEqual(before)
    const { kind: reason, message } = await read('1h').then(undefined, error => error)
    expect([reason, message]).toEqual(['unknown-symbol', `Symbol not found: ${kind.symbol} on ${kind.id}`])
  })

  test('has weeks that open on Mondays, whatever it calls a week', async () => {
    const { exchange, source } = await setUp(kind)
    const weeks = resample(exchange.truth('1d', 7 * 30), '1w').slice(-20)
    const candles = await source.candles(kind.symbol, '1w', 20)
    expect(candles.map(({ timestamp }) => new Date(timestamp * 1000).getUTCDay())).toEqual(Array(20).fill(1))
    if (kind.id === 'kraken') expect(candles).toEqual(weeks)
    else expect(candles).toEqual(exchange.truth('1w', 20))
  })

  test('returns as many candles as it has', async () => {
    const { exchange, source } = await setUp(kind)
    const expected = exchange.truth('1m', kind.id === 'kraken' ? 721 : 2000)
    expect(await source.candles(kind.symbol, '1m', 2000)).toEqual(expected)
  })

  test('returns the candles before a time as far as it has them', async () => {
    const { exchange, source } = await setUp(kind, { pageLimit: 100 })
    const all = exchange.truth('1m', 700)
    const until = (all[400] as Candle).timestamp
    expect(await source.candles(kind.symbol, '1m', 250, { until })).toEqual(all.slice(150, 400))
    expect(await source.candles(kind.symbol, '1m', 3, { until: until + 59, isBackground: true })).toEqual(
      all.slice(398, 401),
    )
  })
})
