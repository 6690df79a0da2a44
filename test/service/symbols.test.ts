import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Binance, ccxtOptions, startBinance } from '../support/binance.js'
import { krakenOptions } from '../support/kraken.js'
import { Candela, freePort } from '../support/service-process.js'

let binance: Binance
let candela: Candela

beforeAll(async () => {
  binance = await startBinance()
  candela = await Candela.start({
    EXCHANGES: JSON.stringify({
      binance: ccxtOptions(binance.url),
      kraken: krakenOptions(`http://127.0.0.1:${await freePort()}`),
    }),
  })
})
afterAll(async () => {
  await candela.stop()
  await binance.close()
})

describe('GET /exchanges/{exchange}/symbols', () => {
  it('lists open markets, spot markets first, and requests them from the exchange once', async () => {
    const before = binance.requests('/api/v3/exchangeInfo')
    for (let k = 0; k < 3; k++) {
      const { status, body } = await candela.get('/exchanges/binance/symbols')
      expect(status).toBe(200)
      expect(body).toEqual({ count: 5, symbols: ['BTCUSDT', 'ETHBTC', 'ETHUSDT', '1000PEPEUSDT', 'BTCUSD'] })
    }
    expect(binance.requests('/api/v3/exchangeInfo') - before).toBe(1)
  })

  it('answers that an exchange cannot be reached whose symbols were never fetched', async () => {
    const { status, body, headers } = await candela.get('/exchanges/kraken/symbols')
    expect([status, body]).toEqual([503, { error: 'Exchange unavailable: kraken (connection refused)' }])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('always lists the symbols of demo', async () => {
    expect((await candela.get('/exchanges/demo/symbols')).body.symbols).toContain('BTCUSDT')
  })

  it('lists the stored symbols after a restart while the exchange is down', async () => {
    const server = await startBinance()
    const settings = { EXCHANGES: JSON.stringify({ binance: ccxtOptions(server.url) }) }
    const first = await Candela.start(settings)
    const { body } = await first.get('/exchanges/binance/symbols')
    // What a kill leaves.
    const left = mkdtempSync(join(tmpdir(), 'candela-test-'))
    cpSync(first.dataDir, left, { recursive: true })
    await first.stop()
    await server.close()
    const second = await Candela.start({ ...settings, DATA_DIR: left }, first.key)
    expect(await second.get('/exchanges/binance/symbols')).toMatchObject({ status: 200, body })
    await second.stop()
  })

  it('answers 404 for an exchange that is not listed', async () => {
    expect((await candela.get('/exchanges/nowhere/symbols')).status).toBe(404)
  })
})

describe('the most traded symbols of a quote', () => {
  const breadth = async (exchange: string, symbols: readonly string[], quote?: string) => {
    const body = { exchange, timeframe: '1h', symbols, quote, measures: { up: 'count(close > 0)' } }
    const { status, body: answer } = await candela.post('/breadth', body, { prefer: 'wait=20' })
    return [status, answer.error ?? answer.screened]
  }

  it('are those of the tickers of the exchange, which are requested once', async () => {
    const before = binance.requests('/api/v3/ticker/24hr')
    expect(await breadth('binance', ['top:1'], 'USDT')).toEqual([200, 1])
    expect(await breadth('binance', ['top:1', 'ETHUSDT'], 'USDT')).toEqual([200, 2])
    expect(await breadth('binance', ['top:50', 'ETHUSDT'], 'USDT'), 'of two with a ticker').toEqual([200, 2])
    expect(binance.requests('/api/v3/ticker/24hr') - before).toBe(1)
    const asked = new Set(binance.seen.map(url => url.searchParams.get('symbol')))
    expect(asked.has('BTCUSDT') && !asked.has('1000PEPEUSDT'), 'the dearest one is the most traded one').toBe(
      true,
    )
  })

  it('are refused where an exchange gives no volumes, and without a quote', async () => {
    expect(await breadth('bitso', ['top:3'], 'MXN')).toEqual([
      404,
      'No volumes: bitso does not give those of all markets, which top:<n> needs. Name the symbols',
    ])
    expect(await breadth('stocks', ['top:3'], 'A')).toMatchObject([
      404,
      expect.stringMatching(/^No volumes: stocks/),
    ])
    expect(await breadth('binance', ['top:3'])).toEqual([
      400,
      'top:<n> needs quote, such as USDT: volumes in other currencies cannot be compared',
    ])
  })

  it('are those of the last day on demo', async () => {
    expect(await breadth('demo', ['top:5'], 'USDT')).toEqual([200, 5])
  })
})
