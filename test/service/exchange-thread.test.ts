import { Session } from 'node:inspector'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import { ExchangeRegistry } from '../../src/markets/exchanges/registry.js'
import { type Source, SourceFailure } from '../../src/markets/exchanges/source.js'
import { type Binance, ccxtOptions, faults, manyMarkets, startBinance } from '../support/binance.js'
import { type BinanceStream, startBinanceStream } from '../support/binance-stream.js'
import { Yahoo } from '../support/yahoo.js'

/** Module of the thread that the service starts for requests to exchanges. */
const worker = new URL('../../dist/markets/exchanges/worker/worker.js', import.meta.url)
/** Fewer characters than any document that may hold the event loop. */
const longText = 100_000

const now = Date.now()
let binance: Binance
let stream: BinanceStream
let yahoo: Yahoo
let registry: ExchangeRegistry
const find = (id: string) => registry.find(id)?.source as Source

beforeAll(async () => {
  binance = await startBinance({ markets: manyMarkets() })
  stream = await startBinanceStream()
  yahoo = await Yahoo.start({
    clock: () => now,
    securities: { 'BRK-B': { seed: 1 } },
    directory: [
      'Symbol|Security Name|Test Issue',
      'BRK.B|Berkshire Hathaway Inc.|N',
      'File Creation Time: 0618202511:32||',
    ].join('\r\n'),
  })
  const { urls } = ccxtOptions(binance.url)
  const options = { rateLimit: 1, urls: { api: { ...urls.api, ws: { spot: stream.url } } } }
  registry = new ExchangeRegistry({
    exchanges: { binance: options },
    stocks: yahoo.settings,
    fetchTimeoutMs: 10_000,
    worker,
  })
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(async () => {
  await registry.close()
  await Promise.all([binance.close(), stream.close(), yahoo.close()])
})

/** The files of the clients of exchanges that this thread has loaded. */
function loadedClients(): string[] {
  const files: string[] = []
  const session = new Session()
  session.connect()
  session.on('Debugger.scriptParsed', ({ params: { url } }) => {
    if (/\/node_modules\/(ccxt|yahoo-finance2)\//.test(url)) files.push(url)
  })
  session.post('Debugger.enable')
  session.disconnect()
  return files
}

test('a long list of markets is read in the thread, as ccxt is loaded there', async () => {
  const parsed = vi.spyOn(JSON, 'parse')
  const symbols = await find('binance').symbols()
  expect(symbols).toEqual(manyMarkets().map(({ symbol }) => symbol))
  expect(await find('binance').candles('C0999USDT', '1m', 1000)).toHaveLength(1000)
  expect(parsed.mock.calls.filter(([text]) => text.length > longText)).toEqual([])
  expect(loadedClients()).toEqual([])
})

test('a stream is read in the thread, and ends there with its signal', async () => {
  const controller = new AbortController()
  const candles = await find('binance').watch?.('C0000USDT', '1m', controller.signal)
  await vi.waitFor(() => expect(stream.has('c0000usdt@kline_1m')).toBe(true), { timeout: 10_000 })
  const [candle] = binance.truth('C0000USDT', '1m', 1) as [Candle]
  stream.publish('C0000USDT', '1m', 60_000, candle)
  for await (const received of candles ?? []) {
    expect(received).toEqual([candle])
    controller.abort()
  }
  await vi.waitFor(() => expect(stream.connections).toBe(0), { timeout: 10_000 })
  expect(loadedClients()).toEqual([])
})

test('charts and the list of shares are read in the thread', async () => {
  const source = find('stocks')
  expect(source.traits?.freshSeconds).toBe(15)
  expect(await source.candles('BRK.B', '1d', 5)).toEqual(yahoo.truth('BRK-B', 86_400, '2025-01-02').slice(-5))
  expect(await source.symbols()).toEqual(['BRK.B'])
  expect(source.spellings?.()?.get('BRKB')).toBe('BRK.B')
  expect(loadedClients()).toEqual([])
})

test('a failure of an exchange crosses to the service with its kind and reason', async () => {
  const heal = binance.fail('/api/v3/klines', faults.tooManyRequests(47))
  const failure = await Promise.resolve(find('binance').candles('C0001USDT', '1m', 5)).catch(error => error)
  heal()
  expect(failure).toBeInstanceOf(SourceFailure)
  expect(failure).toMatchObject({ kind: 'unavailable', retryAfter: 47, cause: { name: 'DDoSProtection' } })
  const unknown = await Promise.resolve(find('binance').candles('XC0001USDT', '1m', 5)).catch(error => error)
  expect(unknown).toMatchObject({ kind: 'unknown-symbol', near: expect.arrayContaining(['C0001USDT']) })
})
