import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { HttpClient } from '../../../src/client/http.js'
import type { StreamingClient } from '../../../src/markets/exchanges/ccxt/candle-streams.js'
import { CandleStreams } from '../../../src/markets/exchanges/ccxt/candle-streams.js'
import { RefreshedValue } from '../../../src/markets/exchanges/refreshed-value.js'
import { RequestQueue } from '../../../src/markets/exchanges/request-queue.js'
import { type Source, SourceFailure } from '../../../src/markets/exchanges/source.js'
import { CandleFetcher, noopCounters } from '../../../src/markets/history/candle-fetcher.js'
import { History } from '../../../src/markets/history/history.js'
import type { Pending } from '../../../src/markets/history/reading.js'
import { moveMonotonic, passMonotonic, resetMonotonic } from '../../support/monotonic-clock.js'

// The time of day is set while the service runs. Durations become neither longer nor shorter.

const { signal } = new AbortController()
const market = { exchange: 'x', symbol: 'BTCUSDT', timeframe: '1m' } as const
const hourMs = 3_600_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 15, 12) })
})
afterEach(() => {
  vi.useRealTimers()
  resetMonotonic()
})

/** Mechanisms that last for some time. Each begins, the clock is set back, and it ends. */
const mechanisms: Readonly<Record<string, (setBack: () => void) => Promise<void>>> = {
  'a pause of the requests to an exchange': async setBack => {
    const queue = new RequestQueue({
      ...{ exchange: 'x', spacingMs: 1, concurrency: 1, maxWaitMs: 1000, maxPauseMs: 60_000, signal },
    })
    queue.pauseFor(50)
    setBack()
    expect(await queue.run(async () => 'sent', 1, 'client')).toBe('sent')
  },
  'the freshness of a list of markets': async setBack => {
    let fetches = 0
    const value = new RefreshedValue(async () => ++fetches, signal)
    expect(await value.get()).toBe(1)
    setBack()
    await passMonotonic(24 * hourMs)
    expect(value.sinceFetchMs).toBeGreaterThanOrEqual(24 * hourMs)
    expect(await value.get()).toBe(2)
  },
  'the pause before a stream is opened again': async setBack => {
    class NetworkError extends Error {
      override readonly name = 'NetworkError'
    }
    let opened = 0
    const client: StreamingClient = {
      ...{ has: {}, clients: {}, ohlcvs: {} },
      watchOHLCV: async () => {
        throw new NetworkError('reset')
      },
      unWatchOHLCV: async () => {},
      close: async () => {},
    }
    const create = async () => {
      opened++
      return { ...client }
    }
    const streams = new CandleStreams({ id: 'x', create, read: () => undefined, backoffMs: 20 })
    for (let i = 0; i < 3; i++) {
      const stream = await streams.watch('BTC/USDT', '1m', signal)
      await expect(stream?.[Symbol.asyncIterator]().next()).rejects.toThrow('broke off')
      if (i === 1) setBack()
    }
    expect(opened).toBe(3)
    await streams.close()
  },
  'the time for which the client repeats a request': async setBack => {
    let requests = 0
    const fetch = async () => {
      requests++
      if (requests === 2) setBack()
      if (requests === 4) moveMonotonic(hourMs)
      return new Response('{"error":"busy"}', { status: 503, headers: { 'Retry-After': '0' } })
    }
    const client = new HttpClient({ url: 'http://127.0.0.1', key: '', waitSeconds: 60, fetch })
    await expect(client.send({ path: '/' })).rejects.toThrow('busy')
    expect(requests).toBe(4)
  },
  'the memory of a first fetch that failed': async setBack => {
    const failure = new SourceFailure('unavailable', 'down')
    const candles = vi.fn<Source['candles']>(() => Promise.reject(failure))
    const source: Source = { symbols: () => ['BTCUSDT'], candles }
    const clock = () => Date.now() / 1000
    const history = new History({ depth: 100, bytes: 1e6, refreshSeconds: 5, clock })
    await expect((history.read(market, source) as Pending).ready).rejects.toBe(failure)
    setBack()
    expect(() => history.read(market, source)).toThrow(failure)
    await passMonotonic(5000)
    await expect((history.read(market, source) as Pending).ready).rejects.toBe(failure)
    expect(candles).toHaveBeenCalledTimes(2)
  },
  'the time for which an exchange is taken to be down': async setBack => {
    const fetcher = new CandleFetcher({ counters: noopCounters, downSeconds: 10 })
    fetcher.markDown(market)
    setBack()
    expect(fetcher.isDown(market)).toBe(true)
    await passMonotonic(10_000)
    expect(fetcher.isDown(market)).toBe(false)
  },
}

describe.each([
  ['back', -hourMs],
  ['ahead', hourMs],
])('a clock that is set %s by an hour does not change', (_, byMs) => {
  test.each(Object.keys(mechanisms))('%s', async name => {
    await mechanisms[name]?.(() => vi.setSystemTime(Date.now() + byMs))
  })
})

describe('the time of day', () => {
  /**
   * Files that read the time of day themselves, with the purpose. All other files are given a clock or read the
   * monotonic one.
   */
  const readers: Readonly<Record<string, string>> = {
    'markets/archive/archive.ts': 'when a series was used last, also by an earlier process',
    'candles/files/time.ts': 'numbers are times only if they are plausible',
    'cli/arguments.ts': 'the age of candles',
    'cli/backfill.ts': 'the time of candles',
    'cli/import.ts': 'candles of the future are refused',
    'cli/keys.ts': 'the times that keys show, and the days whose requests are shown',
    'client/continuity.ts': 'how many candles there are since one',
    'markets/exchanges/ccxt/ccxt-source.ts': 'the age of a list that an earlier process stored',
    'markets/exchanges/ccxt/paged-history.ts': 'the time of candles',
    'markets/exchanges/demo/demo-source.ts': 'the time of candles',
    'markets/exchanges/exchange-clock.ts': 'the time of candles',
    'markets/exchanges/request-queue.ts': 'a Retry-After that is a date',
    'markets/exchanges/stocks/bar-streams.ts': 'the time of candles, and opening hours',
    'operate/metrics/tracing-sdk.ts': 'the time of a span',
    'http/drivers/certificate.ts': 'when a certificate ends',
    'operate/replies.ts': 'the time of a line of the access log',
    'operate/service.ts': 'the clock that is given to all parts',
    'store/embedded/backup.ts': 'the time of a backup, and the name of a directory',
  }

  test('is read only where it is meant', () => {
    const root = new URL('../../../src/', import.meta.url)
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(file =>
      file.endsWith('.ts'),
    )
    const reading = files.filter(file =>
      /\bDate\.now\b|new Date\(\)|\bDate\(\)/.test(readFileSync(new URL(file, root), 'utf8')),
    )
    expect(reading.sort()).toEqual(Object.keys(readers).sort())
  })
})
