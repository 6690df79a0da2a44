import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Binance, type BinanceMarket, ccxtOptions, startBinance } from '../support/binance.js'
import { isWhole, maxHoldMs, reportFigure, rounded } from '../support/figure.js'
import { WatchedService } from '../support/watched-service.js'

// Effects of the responses of an exchange on a service in a process of its own.

const klines = '/api/v3/klines'
/** Memory limit of 16 responses of 32 MiB. At most 16 are read at once, and each of them only up to this length. */
const maxGrowthMb = 16 * 32
const timeoutMs = 500
const requests = isWhole ? 18 : 6

/** One market per request, because a failed series is not fetched again at once. */
const markets: BinanceMarket[] = Array.from({ length: 60 }, (_, i) => ({
  venue: 'spot',
  symbol: `C${i}USDT`,
  base: `C${i}`,
  quote: 'USDT',
  price: 10 + i,
  listed: Date.UTC(2020, 0, 1),
}))
let unasked = 0
const nextSymbol = () => markets[unasked++]?.symbol as string

let binance: Binance
let service: WatchedService
/** Key of an ordinary client. */
let key: string
beforeAll(async () => {
  binance = await startBinance({ clock: () => Date.now(), markets })
  service = await WatchedService.start({
    EXCHANGES: JSON.stringify({ binance: { ...ccxtOptions(binance.url), rateLimit: 1 } }),
    FETCH_TIMEOUT_MS: String(timeoutMs),
  })
  key = (await service.createKeys(1))[0] as string
  // The exchange is opened, its symbols are fetched and all code has run before anything is measured.
  expect(await statusOf(nextSymbol())).toBe(200)
})
afterAll(async () => {
  await service.stop()
  await binance.close()
})

const statusOf = async (symbol: string) => {
  const path = `/candles?exchange=binance&symbol=${symbol}&timeframe=1h`
  const headers = { authorization: `Bearer ${key}`, prefer: 'wait=10' }
  return (await service.candela.whenReady(path, headers)).status
}

const json = { 'content-type': 'application/json' }
const chunk = Buffer.alloc(2 ** 20, ' ')

let packed: Buffer | undefined
const bomb = () => {
  packed ??= gzipSync(Buffer.alloc(256 * 2 ** 20, ' '))
  return packed
}

const responses: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'without an end': response => {
    response.writeHead(200, json)
    const more = () => {
      while (!response.destroyed) if (!response.write(chunk)) return void response.once('drain', more)
    }
    more()
  },
  'of 256 MiB in a few KiB of gzip': response =>
    response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb()),
  'that come byte by byte': response => {
    response.writeHead(200, json)
    const timer = setInterval(() => response.write(' '), timeoutMs / 10)
    response.on('close', () => clearInterval(timer))
  },
}

for (const [kind, write] of Object.entries(responses)) {
  const isUsual = kind === 'that come byte by byte'
  const options = isUsual ? {} : { tags: ['faults'] }
  it(`responses ${kind} are given up, and nobody else waits`, options, async context => {
    const { resident } = await service.memory()
    const heal = binance.fail(klines, { kind: 'written', write })
    const began = performance.now()
    let isOver = false
    const asked = Promise.all(Array.from({ length: requests }, () => statusOf(nextSymbol()))).finally(() => {
      isOver = true
    })
    let longest = 0
    while (!isOver) {
      const sent = performance.now()
      const headers = { authorization: `Bearer ${key}` }
      const { status } = await service.candela.get(
        '/candles?exchange=demo&symbol=BTCUSDT&timeframe=1h',
        headers,
      )
      expect(status).toBe(200)
      longest = Math.max(longest, performance.now() - sent)
      // An ordinary client does not occupy a processor.
      await sleep(50)
    }
    const statuses = await asked
    const seconds = (performance.now() - began) / 1000
    const { held, peak } = await service.take()
    heal()
    reportFigure(
      context,
      `${requests} at once: 503 after at most ${rounded(seconds)} s; memory ${rounded(resident)} to ${rounded(peak)} MiB; loop held ${rounded(held)} ms; another client waited at most ${rounded(longest)} ms`,
    )
    expect([...new Set(statuses)]).toEqual([503])
    expect(peak - resident).toBeLessThan(maxGrowthMb)
    expect(held).toBeLessThan(maxHoldMs)
    expect(await statusOf(nextSymbol()), 'the exchange answers again').toBe(200)
  })
}
