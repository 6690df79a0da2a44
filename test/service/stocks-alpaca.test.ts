import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { CandelaProcess } from '../support/service-process.js'
import { alpacaProtocol, StockProvider } from '../support/stock-providers.js'
import { StreamingClient } from '../support/streaming-client.js'
import { Yahoo } from '../support/yahoo.js'

// A service in a process of its own with the key of an Alpaca account, on a Wednesday at 11:34 in New York.

const minute = 60
let shiftMs = Date.UTC(2025, 5, 18, 15, 34, 5) - Date.now()
const now = () => (Date.now() + shiftMs) / 1000
const symbols = ['AAPL', 'FOUR', ...Array.from('ABCDEFGHIJ', letter => `S${letter}`)]
const splits = [{ date: '2025-06-09', numerator: 4, denominator: 1 }]

let market: Yahoo
let provider: StockProvider
let dataDir: string
let candela: CandelaProcess | undefined
let client: StreamingClient | undefined

const start = (key?: string) =>
  CandelaProcess.start(
    {
      ...{ DATA_DIR: dataDir, HISTORY_DEPTH: '300', CLOCK_SHIFT_MS: String(shiftMs) },
      ...{ ALPACA_KEY: 'PKTESTKEY', ALPACA_SECRET: 'secret-of-alpaca' },
      STOCKS: JSON.stringify({
        ...provider.settings,
        alpaca: { ...provider.settings.alpaca, requestsPerSecond: 20 },
      }),
    },
    key,
    new URL('../support/shifted-clock.mjs', import.meta.url),
  )

beforeAll(async () => {
  market = await Yahoo.start({
    clock: () => now() * 1000,
    securities: Object.fromEntries(
      symbols.map((symbol, seed) => [symbol, { seed: seed + 1, ...(symbol === 'FOUR' && { splits }) }]),
    ),
    directory: [
      'Nasdaq Traded|Symbol|Security Name|Test Issue',
      ...symbols.map(symbol => `Y|${symbol}|${symbol} Corp.|N`),
      'File Creation Time: 0618202511:32|||',
    ].join('\r\n'),
    holidays: ['2025-06-19'],
  })
  provider = await StockProvider.start(alpacaProtocol, market)
  dataDir = mkdtempSync(join(tmpdir(), 'candela-'))
  candela = await start()
})
afterAll(async () => {
  await client?.close()
  await candela?.stop()
  await provider?.close()
  await market?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

interface Priced {
  readonly timestamp: number
  readonly close: number
}

/** Expects that the candles of a minute equal the traded ones; the last candle is forming. */
async function expectTraded(symbol: string, count: number): Promise<void> {
  const { status, body } = await (candela as CandelaProcess).whenReady(
    `/candles?exchange=stocks&symbol=${symbol}&timeframe=1m&results=${count}`,
    { prefer: 'wait=10' },
  )
  expect([status, body.length], JSON.stringify(body.error)).toEqual([200, count])
  const closed: Priced[] = body.slice(0, -1)
  const traded = market.truth(symbol, minute, '2025-06-16')
  const last = traded.findIndex(({ timestamp }) => timestamp === closed.at(-1)?.timestamp)
  const expected = traded.slice(last + 2 - count, last + 1)
  expect(closed.map(({ timestamp, close }) => [timestamp, close])).toEqual(
    expected.map(({ timestamp, close }) => [timestamp, close]),
  )
  expect(now() - (closed.at(-1)?.timestamp ?? 0)).toBeLessThan(4 * minute)
}

/** Follows the closes of a market, and expects the state of the present minute that the provider streams. */
async function expectStreamed(): Promise<void> {
  const { url, key } = candela as CandelaProcess
  client = await StreamingClient.connect(url, key)
  const place = { exchange: 'stocks', symbol: 'AAPL', interval: '1m', indicator: 'expression' }
  client.send({ type: 'subscribe', id: 's', ...place, params: { expression: 'close' } })
  await client.next(({ type }) => type === 'update')
  const streamed = () => [...provider.sessions.values()].map(each => [...each])
  await vi.waitFor(() => expect(streamed()).toEqual([['AAPL']]), 10_000)
  const timestamp = Math.floor(now() / minute) * minute
  const bar = { timestamp, open: 50, high: 60, low: 40, close: 50.25, volume: 1e9 }
  provider.push('AAPL', bar)
  const { data } = await client.next(
    ({ type, data }) => type === 'update' && data.timestamp === timestamp && data.expression === bar.close,
  )
  expect(data.expression).toBe(bar.close)
}

describe('stocks of Alpaca', () => {
  it('have a history of minutes, and one without adjustments', async () => {
    await expectTraded('AAPL', 200)
    const { body } = await (candela as CandelaProcess).whenReady(
      '/candles?exchange=stocks&adjustment=raw&symbol=FOUR&timeframe=1d&results=20',
      { prefer: 'wait=10' },
    )
    const raw = market.truth('FOUR', 86_400, '2025-05-01', false).slice(-20)
    const { url, key } = candela as CandelaProcess
    const drawn = await (candela as CandelaProcess).cli(
      ...['chart', 'stocks-raw', 'FOUR', '1d', '--url', url, '--key', key, '--json'],
    )
    expect(drawn).toContain(String(raw.at(-2)?.close))
    expect(body.slice(0, -1).map(({ close }: Priced) => close)).toEqual(
      raw.slice(0, -1).map(({ close }) => close),
    )
  })

  it('are screened with few requests', async () => {
    const before = provider.received.length
    const screen = {
      ...{ exchange: 'stocks', timeframe: '1d', symbols, where: 'close > 0' },
      select: { close: 'close[1]' },
    }
    let body = { screened: 0 } as { screened: number; matches: { symbol: string; close: number }[] }
    while (body.screened !== symbols.length)
      ({ body } = await (candela as CandelaProcess).post('/screen', screen, { prefer: 'wait=5' }))
    for (const { symbol, close } of body.matches)
      expect(close, symbol).toBe(market.truth(symbol, 86_400, '2025-06-01').at(-2)?.close)
    const requests = provider.received.slice(before).filter(({ pathname }) => pathname.endsWith('/bars'))
    const asked = requests.flatMap(({ searchParams }) => searchParams.get('symbols')?.split(','))
    expect(new Set(asked).size).toBe(symbols.length)
    // How many wait for one turn depends on this machine; test/contracts/stocks.test.ts counts them.
    expect(requests.length, 'securities share requests').toBeLessThan(symbols.length)
  })

  it('are streamed, and whole after kill -9 and three minutes without the service', async () => {
    await expectStreamed()
    const service = candela as CandelaProcess
    const { key } = service
    await service.kill()
    await client?.closed
    await vi.waitFor(() => expect(provider.sessions.size).toBe(0), 5000)
    shiftMs += 3 * minute * 1000
    const before = provider.received.length
    candela = await start(key)
    await expectTraded('AAPL', 200)
    const bars = provider.received
      .slice(before)
      .filter(({ searchParams }) => searchParams.get('symbols') === 'AAPL')
    const spans = bars.map(
      ({ searchParams: query }) => Date.parse(query.get('end') ?? '') - Date.parse(query.get('start') ?? ''),
    )
    expect(Math.max(...spans), 'what is archived is not requested again').toBeLessThan(2 * 86_400_000)
    await expectStreamed()
  })
})
