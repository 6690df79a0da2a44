import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import {
  openStreamingClient,
  type StreamingClient,
} from '../../../../src/markets/exchanges/ccxt/candle-streams.js'
import { loadClientClass } from '../../../../src/markets/exchanges/ccxt/client.js'

let server: WebSocketServer
let client: StreamingClient | undefined
afterEach(async () => {
  await client?.close()
  for (const socket of server.clients) socket.terminate()
  server.close()
})

/** A stream of htx, whose messages are compressed; `messages` are sent one after the other, the first on subscription. */
async function open(...messages: readonly Buffer[]): Promise<StreamingClient> {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  server.on('connection', socket =>
    socket.on('message', () => {
      for (const message of messages) socket.send(message)
    }),
  )
  const address = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { Class } = await loadClientClass('htx')
  const rest = new Class({})
  rest.setMarkets([
    { id: 'btcusdt', symbol: 'BTC/USDT', base: 'BTC', quote: 'USDT', type: 'spot', spot: true, active: true },
  ] as never)
  client = await openStreamingClient(
    'htx',
    { urls: { api: { ws: { api: { spot: { public: address, feed: address } } } } } },
    rest,
  )
  return client as StreamingClient
}

const tick = { id: 1_700_006_400, open: 1, close: 2, low: 0.5, high: 3, amount: 4, vol: 5, count: 6 }
const candle = (padding: number) =>
  gzipSync(JSON.stringify({ ch: 'market.btcusdt.kline.1min', ts: 1, tick, padding: ' '.repeat(padding) }))

test('a compressed message is read', async () => {
  const rows = await (await open(candle(1_000))).watchOHLCV('BTC/USDT', '1m')
  expect(rows.at(-1)).toEqual([1_700_006_400_000, 1, 3, 0.5, 2, 4])
})

test.each([
  ['becomes longer than a message may be', candle(16 * 2 ** 20)],
  ['cannot be decompressed', Buffer.from('no gzip')],
])('a compressed message that %s ends its connection', async (_, message) => {
  const streaming = await open(message)
  await expect(streaming.watchOHLCV('BTC/USDT', '1m')).rejects.toThrow()
  await expect.poll(() => server.clients.size, { timeout: 10_000 }).toBe(0)
})
