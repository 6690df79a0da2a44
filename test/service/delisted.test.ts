import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import { type Source, SourceFailure } from '../../src/markets/exchanges/source.js'
import { StreamingClient } from '../support/streaming-client.js'
import { midnight, startTestService, type TestService } from '../support/test-service.js'

/** An exchange without streams, which delists its markets one after the other. */
const delisted = new Set<string>()
const candleAt = (timestamp: number): Candle => ({ timestamp, open: 1, high: 1, low: 1, close: 1, volume: 1 })
const closing: Source = {
  symbols: () => ['AAAUSDT', 'BBBUSDT'].filter(symbol => !delisted.has(symbol)),
  async candles(symbol, _, count) {
    if (delisted.has(symbol))
      throw new SourceFailure('unknown-symbol', `Symbol not found: ${symbol} on closing`, {
        isDelisted: true,
      })
    return Array.from({ length: count }, (_, k) => candleAt(midnight - (count - 1 - k) * 3600))
  },
}

let service: TestService
beforeAll(async () => {
  service = await startTestService({}, { closing })
})
afterAll(() => service.close())

const market = (symbol: string) => ({ exchange: 'closing', symbol, interval: '1h' })
const error = 'Symbol not found: AAAUSDT on closing. The exchange has delisted it'

it('a delisted market ends its subscriptions with an error, and leaves those of others', async () => {
  const client = await StreamingClient.connect(service.url, 'many')
  const other = await StreamingClient.connect(service.url, 'few')
  const subscribe = (to: StreamingClient, id: string, symbol: string, more: object = {}) =>
    to.send({ type: 'subscribe', id, ...market(symbol), indicator: 'sma', params: { period: 2 }, ...more })
  subscribe(client, 'a', 'AAAUSDT')
  subscribe(client, 'closed', 'AAAUSDT', { candleClose: true })
  subscribe(client, 'several', 'BBBUSDT', {
    indicator: 'expression',
    params: { expression: 'close / close{AAAUSDT}' },
  })
  subscribe(client, 'b', 'BBBUSDT')
  subscribe(other, 'a', 'AAAUSDT')
  const isUpdate = (text: string) => JSON.parse(text).type === 'update'
  await expect.poll(() => [client, other].map(each => each.texts.filter(isUpdate).length)).toEqual([4, 1])

  delisted.add('AAAUSDT')
  service.pass(3600)
  const errorsOf = (of: StreamingClient) =>
    of.texts.map(text => JSON.parse(text)).filter(({ type }) => type === 'error')
  await expect.poll(() => errorsOf(other), { timeout: 10_000 }).toEqual([{ type: 'error', id: 'a', error }])
  await expect.poll(() => errorsOf(client).map(({ id }) => id)).toEqual(['a', 'closed', 'several'])
  expect(new Set(errorsOf(client).map(message => message.error))).toEqual(new Set([error]))

  client.send({ type: 'list' })
  await expect.poll(() => client.texts.at(-1)).toContain('bbbusdt')
  expect(client.texts.at(-1), 'the subscription to the other market goes on').not.toMatch(/aaausdt|several/i)
  // Subscriptions that have ended do not count.
  for (const id of ['x', 'y', 'z']) subscribe(other, id, 'BBBUSDT')
  await expect.poll(() => other.texts.filter(isUpdate).length).toBe(4)
  await Promise.all([client.close(), other.close()])
})

it('a delisted market is 404, and says so, without the same symbol as a guess', async () => {
  const response = await fetch(`${service.url}/candles?exchange=closing&symbol=AAAUSDT&timeframe=4h`, {
    headers: { authorization: 'Bearer many', prefer: 'wait=5' },
  })
  expect([response.status, await response.json()]).toEqual([404, { error }])
})
