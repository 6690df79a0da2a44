import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Binance, ccxtOptions, startBinance } from '../support/binance.js'
import { krakenOptions } from '../support/kraken.js'
import { Candela } from '../support/service-process.js'

let binance: Binance
let candela: Candela

/** A port of this machine without a server. */
async function vacant(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

beforeAll(async () => {
  binance = await startBinance()
  candela = await Candela.start({
    EXCHANGES: JSON.stringify({
      binance: ccxtOptions(binance.url),
      kraken: krakenOptions(`http://127.0.0.1:${await vacant()}`),
    }),
  })
})
afterAll(async () => {
  await candela.stop()
  await binance.close()
})

describe('GET /exchanges/{exchange}/symbols', () => {
  it('lists open markets, spot first, with one request to the exchange', async () => {
    const before = binance.requests('/api/v3/exchangeInfo')
    for (let k = 0; k < 3; k++) {
      const { status, body } = await candela.get('/exchanges/binance/symbols')
      expect(status).toBe(200)
      expect(body).toEqual({ count: 5, symbols: ['BTCUSDT', 'ETHBTC', 'ETHUSDT', '1000PEPEUSDT', 'BTCUSD'] })
    }
    expect(binance.requests('/api/v3/exchangeInfo') - before).toBe(1)
  })

  it('answers 503 for an exchange that could never be reached', async () => {
    const { status, body, headers } = await candela.get('/exchanges/kraken/symbols')
    expect([status, body]).toEqual([
      503,
      { error: 'Exchange unavailable: kraken (kraken cannot be reached)' },
    ])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('answers for demo always', async () => {
    expect((await candela.get('/exchanges/demo/symbols')).body.symbols).toContain('BTCUSDT')
  })

  it('still lists after a restart while the exchange is down', async () => {
    const server = await startBinance()
    const settings = {
      DATA_DIR: mkdtempSync(join(tmpdir(), 'candela-test-')),
      EXCHANGES: JSON.stringify({ binance: ccxtOptions(server.url) }),
    }
    const first = await Candela.start(settings)
    const { body } = await first.get('/exchanges/binance/symbols')
    await first.kill()
    await server.close()
    const second = await Candela.start(settings, first.key)
    expect(await second.get('/exchanges/binance/symbols')).toMatchObject({ status: 200, body })
    await second.stop()
  })

  it('answers 404 for an exchange that is not listed', async () => {
    expect((await candela.get('/exchanges/nowhere/symbols')).status).toBe(404)
  })
})
