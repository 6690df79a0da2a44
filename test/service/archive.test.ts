import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import { type Binance, ccxtOptions, faults, startBinance } from '../support/binance.js'
import { type Answer, Candela, CandelaProcess } from '../support/service-process.js'

const klines = '/api/v3/klines'
let binance: Binance
let dataDir: string
let settings: Record<string, string>

beforeAll(async () => {
  binance = await startBinance()
  dataDir = mkdtempSync(join(tmpdir(), 'candela-test-'))
  settings = {
    EXCHANGES: JSON.stringify({ binance: ccxtOptions(binance.url) }),
    HISTORY_DEPTH: '300',
    REFRESH_SECONDS: '1',
    DATA_DIR: dataDir,
  }
})
afterAll(async () => {
  await binance.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const markets = ['BTCUSDT', 'ETHUSDT', 'ETHBTC'].flatMap(symbol =>
  ['1m', '1h', '1d'].map(timeframe => `exchange=binance&symbol=${symbol}&timeframe=${timeframe}`),
)

describe('after a kill and a restart', () => {
  let key: string
  const before = new Map<string, Answer>()

  beforeAll(async () => {
    const first = await CandelaProcess.start(settings)
    key = first.key
    await Promise.all(
      markets.map(async market => {
        before.set(market, await first.whenReady(`/candles?${market}&results=max&backtrack=1`))
      }),
    )
    await first.kill()
  })

  it('every archived series is answered at once, with a warning while the exchange is down, and then updated', async () => {
    const heal = ['/api/v3/exchangeInfo', klines].map(path => binance.fail(path, faults.drop))
    const candela = await Candela.start(settings, key)
    onTestFinished(async () => {
      await candela.end('SIGTERM')
    })
    for (const [market, { body }] of before) {
      const answer = await candela.get(`/candles?${market}&results=max`)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('warning')).toBe('110 - "Response is Stale"')
      expect(answer.body.slice(0, body.length)).toEqual(body)
    }
    for (const end of heal) end()
    const { length } = binance.seen
    for (const [market, { body }] of before) {
      const ask = () => candela.get(`/candles?${market}&results=max&backtrack=1`)
      let answer = await ask()
      // After a failure, an exchange is asked again within a second.
      while (answer.headers.get('warning') !== null) {
        await sleep(50)
        answer = await ask()
      }
      expect(answer.status).toBe(200)
      // If a minute has ended since the first answer, there is one candle more at the end, and the first one may be gone.
      const newest = body.at(-1).timestamp
      const known = answer.body.filter(({ timestamp }: Candle) => timestamp <= newest)
      expect(known).toEqual(body.slice(-known.length))
      expect(known.length).toBeGreaterThanOrEqual(body.length - 1)
      expect(answer.body.length - known.length).toBeLessThanOrEqual(1)
    }
    const queries = binance.seen
      .slice(length)
      .flatMap(({ pathname, searchParams }) => (pathname === klines ? [searchParams] : []))
    const updated = queries.map(query => [query.get('symbol'), query.get('interval')].join())
    expect(new Set(updated).size, 'each is updated').toBe(markets.length)
    for (const query of queries) expect(Number(query.get('limit')), 'the tail alone').toBeLessThan(20)
  })

  it('the service does not start over a damaged file, and names it', async () => {
    const file = join(dataDir, 'candles', 'data.mdb')
    const bytes = readFileSync(file)
    writeFileSync(file, 'not a database')
    await expect(Candela.start(settings, key)).rejects.toThrow(`"${file}" is not an LMDB file`)
    writeFileSync(file, bytes)
  })
})
