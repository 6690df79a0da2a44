import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import { finishCopy } from '../../src/cli/backup.js'
import { Archive } from '../../src/markets/archive/archive.js'
import { entriesOf, headsOf } from '../../src/markets/archive/archive-copy.js'
import { backUp, restore } from '../../src/store/embedded/backup.js'
import { openEmbedded } from '../../src/store/embedded/embedded.js'
import { type Binance, type BinanceMarket, ccxtOptions, faults, startBinance } from '../support/binance.js'
import { reportFigure } from '../support/figure.js'
import { Candela, CandelaProcess } from '../support/service-process.js'

/** Numbers of kills; `npm run test:faults` and `npm run bench -- crash` set more. */
const numbersOfKills = process.env.CRASHES === undefined ? [1, 3] : [Number(process.env.CRASHES)]

const depth = 100
const minuteMs = 60_000
/** Time of the exchange. A candle of a minute ends once the service has served the present one of all markets. */
let exchangeMs = Date.now()
const exchangeClock = () => exchangeMs

const allMarkets: BinanceMarket[] = Array.from({ length: 30 }, (_, i) => ({
  venue: 'spot',
  symbol: `C${i}USDT`,
  base: `C${i}`,
  quote: 'USDT',
  price: 10 + i,
  listed: Date.UTC(2020, 0, 1),
}))

let binance: Binance
let dataDir: string
let copies: string
beforeEach(async () => {
  binance = await startBinance({ clock: exchangeClock, markets: allMarkets })
  dataDir = mkdtempSync(join(tmpdir(), 'candela-test-'))
  copies = mkdtempSync(join(tmpdir(), 'candela-copies-'))
})
afterEach(async () => {
  await binance.close()
  for (const directory of [dataDir, copies]) rmSync(directory, { recursive: true, force: true })
})

/** Everything in a data directory but its id. */
async function contentsOf(directory: string) {
  const store = openEmbedded(directory)
  const heads = await headsOf(store.keyValues)
  const contents = {
    accounts: await store.accounts.entries(),
    alerts: await store.alerts.list(),
    series: heads.map(head => [head, entriesOf(store.keyValues, head)] as const),
  }
  await store.close()
  return contents
}

/** A restored backup is equal to it, and has every candle that was served before it was made. */
async function expectRestored(copy: string, promised: ReadonlyMap<string, readonly Candle[]>): Promise<void> {
  const directory = `${copy}-restored`
  await restore(copy, directory, false)
  const contents = await contentsOf(directory)
  if (statSync(copy).isDirectory()) expect(contents).toEqual(await contentsOf(copy))
  expect(contents.accounts, 'the first key and that of the test').toHaveLength(2)
  const store = openEmbedded(directory)
  const archive = new Archive(store.keyValues, {
    depth,
    onCorrupt: (...what) => expect.fail(what.join(' ')),
  })
  for (const [symbol, candles] of promised) {
    const { columns, closed } = archive.read(`binance:${symbol}:1m`) ?? expect.fail(symbol)
    const restored = new Map(
      Array.from({ length: closed }, (_, at) => columns.read(at)).map(each => [each.timestamp, each]),
    )
    const [oldest = 0] = restored.keys()
    for (const candle of candles)
      if (candle.timestamp >= oldest) expect(restored.get(candle.timestamp)).toEqual(candle)
  }
  await store.close()
}

const pathOf = (symbol: string) => `/candles?exchange=binance&symbol=${symbol}&timeframe=1m&results=max`

for (const kills of numbersOfKills) {
  const title = `loses no closed candle that was served, in ${kills} kills while candles arrive and backups are made`
  const options = { timeout: 60_000 + kills * 10_000, ...(kills === 3 && { tags: ['faults'] }) }
  const markets = kills === 1 ? allMarkets.slice(0, 10) : allMarkets
  it(title, options, async context => {
    const settings = {
      EXCHANGES: JSON.stringify({ binance: { ...ccxtOptions(binance.url), rateLimit: 1 } }),
      REFRESH_SECONDS: '1',
      FETCH_TIMEOUT_MS: '2000',
      HISTORY_DEPTH: String(depth),
      DATA_DIR: dataDir,
    }
    /** Closed candles of the last reply, per symbol. */
    const served = new Map<string, Candle[]>()
    /** Number of candles compared with the candles served after a kill, from the archive alone. */
    let compared = 0
    let key = ''

    for (let kill = 0; kill <= kills; kill++) {
      const down = ['/api/v3/exchangeInfo', '/api/v3/klines'].map(path =>
        binance.fail(path, faults.restricted),
      )
      // The service after the last kill ends in order.
      const place = kill === kills ? Candela : CandelaProcess
      const candela = await place.start(settings, key === '' ? undefined : key)
      if (key === '')
        key = await candela.cli(
          'keys',
          'create',
          '--plan',
          'enterprise',
          '--name',
          'fast',
          '--requests',
          '1000000',
        )
      const get = (path: string) => candela.get(path, { authorization: `Bearer ${key}` })

      await Promise.all(
        [...served].map(async ([symbol, before]) => {
          const { status, headers, body } = await get(pathOf(symbol))
          expect([symbol, status, headers.get('warning')]).toEqual([symbol, 200, '110 - "Response is Stale"'])
          const now: Candle[] = body.map(
            ({ timestampHuman: _, ...candle }: Candle & { timestampHuman: string }) => candle,
          )
          const oldest = now[0]?.timestamp as number
          const expected = before.filter(({ timestamp }) => timestamp >= oldest)
          expect(now.length).toBeGreaterThanOrEqual(Math.min(before.length, depth))
          expect(now.at(-1)?.timestamp).toBeGreaterThanOrEqual(before.at(-1)?.timestamp as number)
          expect(now.slice(0, expected.length), symbol).toEqual(expected)
          expect(now.map(({ timestamp }) => timestamp)).toEqual(now.map((_, i) => oldest + 60 * i))
          compared += expected.length
        }),
      )
      for (const heal of down) heal()

      let isKilled = false
      let markRunning = (): void => {}
      const isRunning = new Promise<void>(resolve => {
        markRunning = resolve
      })
      const fresh = new Set<string>()
      const clients = markets.map(async ({ symbol }) => {
        while (!isKilled) {
          const answer = await get(pathOf(symbol)).catch(() => undefined)
          if (answer?.status === 200 && answer.headers.get('warning') === null) {
            served.set(
              symbol,
              answer.body
                .slice(0, -1)
                .map(({ timestampHuman: _, ...candle }: Candle & { timestampHuman: string }) => candle),
            )
            if (answer.body.at(-1).timestamp * 1000 > exchangeMs - minuteMs) fresh.add(symbol)
            if (kill > 0 || fresh.size === markets.length) markRunning()
            if (fresh.size === markets.length) {
              fresh.clear()
              exchangeMs += minuteMs
            }
          }
          await sleep(200)
        }
      })
      await isRunning
      const promised = new Map(served)
      const copy = join(copies, `copy-${kill}${kill % 2 === 0 ? '' : '.tar.gz'}`)
      const isCopied = kills > 3 || kill > kills - 2
      const copying = isCopied && backUp(dataDir, copy, draft => finishCopy(draft, depth))
      await sleep(Math.random() * 1500)
      await candela.end('SIGKILL')
      isKilled = true
      await Promise.all([...clients, copying])
      if (isCopied) await expectRestored(copy, promised)
    }
    expect(served.size).toBe(markets.length)
    expect(compared).toBeGreaterThan(kills * markets.length * 50)

    // The archive itself is undamaged and right, down to the last chunk.
    const store = openEmbedded(dataDir)
    const archive = new Archive(store.keyValues, {
      depth,
      onCorrupt: (...what) => expect.fail(what.join(' ')),
    })
    for (const { symbol } of markets) {
      const { columns, closed } = archive.read(`binance:${symbol}:1m`) ?? expect.fail(symbol)
      const truth = new Map(binance.truth(symbol, '1m', 1000).map(candle => [candle.timestamp, candle]))
      for (let i = 0; i < closed; i++) {
        const candle = columns.read(i)
        expect(candle).toEqual(truth.get(candle.timestamp) ?? candle)
      }
    }
    await store.close()
    reportFigure(context, `${kills} kills, ${compared} closed candles compared, 0 lost`)
  })
}
