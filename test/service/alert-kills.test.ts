import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import { type Binance, type BinanceMarket, ccxtOptions, startBinance } from '../support/binance.js'
import { reportFigure } from '../support/figure.js'
import { Candela, CandelaProcess } from '../support/service-process.js'

/** `ALERT_KILLS=50 ALERT_SERIES=100 ALERTS_OF_EACH=10 ALERT_SPEED=20` runs the whole promise. */
const numbersOfKills = process.env.ALERT_KILLS === undefined ? [1, 3] : [Number(process.env.ALERT_KILLS)]
const series = Number(process.env.ALERT_SERIES ?? 10)
const alertsOfEach = Number(process.env.ALERTS_OF_EACH ?? 4)

/** Speed of the exchange's clock relative to real time. With 60, a candle of a minute ends every second. */
const speed = Number(process.env.ALERT_SPEED ?? 60)
const began = Date.now()
const exchangeClock = () => began + (Date.now() - began) * speed

const allMarkets: readonly BinanceMarket[] = Array.from({ length: series }, (_, i) => ({
  venue: 'spot',
  symbol: `C${i}USDT`,
  base: `C${i}`,
  quote: 'USDT',
  price: 10_000 + i,
  listed: Date.UTC(2020, 0, 1),
}))

/**
 * Conditions, with functions that decide them from a candle and the previous one, independently of the language of
 * expressions.
 */
const conditions: readonly [expression: string, isTrue: (candle: Candle, before: Candle) => boolean][] = [
  ['close > open', ({ open, close }) => close > open],
  ['close > close[1]', ({ close }, before) => close > before.close],
  ['high < high[1] or low > low[1]', ({ high, low }, before) => high < before.high || low > before.low],
]

interface Made {
  readonly id: string
  readonly symbol: string
  readonly trigger: 'edge' | 'level'
  readonly isTrue: (candle: Candle, before: Candle) => boolean
}

/** The keys of the messages of each path, in the order of their first arrival. */
const received = new Map<string, string[]>()
const known = new Set<string>()
let arrivals = 0
const receiver = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    const key = String(request.headers['idempotency-key'])
    const path = request.url as string
    arrivals++
    if (!known.has(key)) {
      known.add(key)
      received.set(path, [...(received.get(path) ?? []), key])
    }
    response.end()
  })
})

let binance: Binance
/** Markets of the exchange. */
let markets: readonly BinanceMarket[]
let dataDir: string
let candela: Candela | undefined
beforeAll(() => new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})
beforeEach(async () => {
  received.clear()
  known.clear()
  arrivals = 0
  dataDir = mkdtempSync(join(tmpdir(), 'candela-test-'))
})
afterEach(async () => {
  await candela?.stop()
  await binance.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function makeAlerts(candela: Candela, key: string): Promise<Made[]> {
  const { port } = receiver.address() as AddressInfo
  const made: Made[] = []
  await Promise.all(
    markets.map(async ({ symbol }) => {
      for (let at = 0; at < alertsOfEach; at++) {
        const [expression, isTrue] = conditions[at % conditions.length] as (typeof conditions)[number]
        const trigger = at % 2 === 0 ? 'edge' : 'level'
        const request = {
          ...{ exchange: 'binance', symbol, timeframe: '1m', expression, trigger },
          webhook: `http://127.0.0.1:${port}/${symbol}`,
        }
        const post = () => candela.post('/alerts', request, { authorization: `Bearer ${key}` })
        let { status, body } = await post()
        // The exchange of a busy machine may answer late, while the candles are fetched for the first time.
        for (let tries = 0; status === 503 && tries < 30; tries++) {
          await sleep(1000)
          ;({ status, body } = await post())
        }
        expect([status, body]).toEqual([201, expect.anything()])
        made.push({ id: body.id, symbol, trigger, isTrue })
      }
    }),
  )
  return [...made, ...(await makeScreen(candela, key))]
}

/** Makes one alert over all markets. Returns one entry per market. */
async function makeScreen(candela: Candela, key: string): Promise<Made[]> {
  const { port } = receiver.address() as AddressInfo
  const [expression, isTrue] = conditions[1] as (typeof conditions)[number]
  const request = {
    ...{ exchange: 'binance', quote: 'USDT', timeframe: '1m', expression, trigger: 'edge' },
    webhook: `http://127.0.0.1:${port}/screen`,
  }
  const { status, body } = await candela.post('/alerts', request, { authorization: `Bearer ${key}` })
  expect([status, body.symbols?.length]).toEqual([201, markets.length])
  return markets.map(({ symbol }) => ({ id: `${body.id}:${symbol}`, symbol, trigger: 'edge', isTrue }))
}

/** The market in the key of a message of an alert over several markets. */
const symbolOf = (key: string) => key.split(':').slice(1, -1).join(':')

/** The candle that the key of a message names. */
const timeOf = (key: string) => Number(key.split(':').at(-1))

/** Keys of the messages that an alert must fire for candles that open from `from` to `to` (Unix seconds). */
function expectedOf({ id, symbol, trigger, isTrue }: Made, from: number, to: number): string[] {
  const count = Math.ceil((exchangeClock() / 1000 - from) / 60) + 10
  const candles = binance.truth(symbol, '1m', count)
  const truth = candles.map((candle, at) => at > 0 && isTrue(candle, candles[at - 1] as Candle))
  expect(candles[1]?.timestamp).toBeLessThan(from)
  return candles.flatMap(({ timestamp }, at) =>
    timestamp >= from && timestamp <= to && truth[at] && (trigger === 'level' || !truth[at - 1])
      ? [`${id}:${timestamp}`]
      : [],
  )
}

for (const kills of numbersOfKills) {
  const options = { timeout: 60_000 + kills * 40_000, ...(kills === 3 && { tags: ['faults'] }) }
  it(`fires each alert once per condition and candle, in ${kills} kills`, options, async context => {
    // `npm test` runs one kill, with few series.
    markets = kills === 1 ? allMarkets.slice(0, 4) : allMarkets
    binance = await startBinance({ clock: exchangeClock, markets })
    const settings = {
      EXCHANGES: JSON.stringify({ binance: { ...ccxtOptions(binance.url), rateLimit: 1 } }),
      REFRESH_SECONDS: '1',
      ALERTS_PER_KEY: '10000',
      ALERTS_PRIVATE_TARGETS: 'true',
      DATA_DIR: dataDir,
    }
    let killed = await CandelaProcess.start(settings)
    candela = killed
    const key = await killed.cli(
      'keys',
      'create',
      '--plan',
      'enterprise',
      '--name',
      'a',
      '--requests',
      '1000000',
    )
    const made = await makeAlerts(killed, key)
    const from = exchangeClock() / 1000
    for (let kill = 0; kill < kills; kill++) {
      await sleep(400 + Math.random() * 2000)
      await killed.kill()
      // The last service is not killed.
      if (kill === kills - 1) candela = await Candela.start(settings, key)
      else candela = killed = await CandelaProcess.start(settings, key)
    }
    // Short pauses between the kills leave few candles to fire on: there are eight at least.
    const enough = from + 8 * 60
    await sleep(Math.max(0, ((enough + 60) * 1000 - exchangeClock()) / speed))
    const to = exchangeClock() / 1000 - 60
    await sleep(60_000 / speed)
    const expected = made.flatMap(alert => expectedOf(alert, from, to))
    const lacking = () => expected.filter(each => !known.has(each))
    // On a busy machine messages arrive late: the wait ends when none has arrived for half a minute.
    let fewest = expected.length
    for (let idle = 0; fewest > 0 && idle < 30; idle++) {
      await sleep(1000)
      if (lacking().length < fewest) idle = 0
      fewest = Math.min(fewest, lacking().length)
    }
    await candela.stop()
    candela = undefined
    expect(lacking().slice(0, 10), `${lacking().length} of ${expected.length} are lacking`).toEqual([])
    expect(expected.length).toBeGreaterThan(made.length)

    // Nothing was fired that is not true.
    const all = new Set(made.flatMap(alert => expectedOf(alert, from - 600, exchangeClock() / 1000)))
    const since = (each: string) => timeOf(each) >= from
    expect([...known].filter(each => since(each) && !all.has(each))).toEqual([])
    // Each place has got everything of a market in the order of the candles.
    for (const [path, keys] of received)
      for (const symbol of new Set(keys.map(symbolOf))) {
        const times = keys.filter(each => symbolOf(each) === symbol && since(each)).map(timeOf)
        expect(times, `${path} ${symbol}`).toEqual([...times].sort((a, b) => a - b))
      }
    reportFigure(
      context,
      `${kills} kills, ${made.length} alerts over ${series} series: ${expected.length} of ${expected.length} messages arrived, ${arrivals - known.size} of ${arrivals} twice under the same key`,
    )
  })
}
