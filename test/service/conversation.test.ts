import { afterAll, beforeAll, expect, it } from 'vitest'
import { StreamingClient } from '../support/streaming-client.js'
import { startTestService, type TestService } from '../support/test-service.js'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const auth = (key: string) => ({ type: 'auth', token: `Bearer ${key}` })
const rsi = {
  type: 'subscribe',
  id: 'Fast',
  exchange: 'demo',
  symbol: 'BTCUSDT',
  interval: '1h',
  indicator: 'rsi',
  params: { period: 7 },
}

/** Sends messages, each after the reply to the one before. */
async function sendEach(client: StreamingClient, ...messages: unknown[]): Promise<void> {
  for (const message of messages) {
    client.send(message)
    await client.next()
  }
}

/** Compares the conversation with its golden file. */
const expectGolden = async (client: StreamingClient, name: string) =>
  expect(`${client.transcript.join('\n')}\n`).toMatchFileSnapshot(`../golden/conversations/${name}.txt`)

it('authenticates clients with a key, and no others', async () => {
  const client = await StreamingClient.open(service.url)
  await sendEach(
    client,
    { type: 'list' },
    rsi,
    'nonsense',
    { type: 'auth' },
    { type: 'auth', token: 5 },
    { type: 'auth', token: 'many' },
    { type: 'auth', token: 'bearer many' },
    auth('nobody'),
    auth('many'),
    auth('many'),
    auth('nobody'),
  )
  await expectGolden(client, 'authentication')
  expect(await client.close()).toMatchObject({ code: 1005 })
})

it('subscribes, updates, lists and unsubscribes', async () => {
  const client = await StreamingClient.open(service.url)
  await sendEach(client, auth('many'), rsi)
  await sendEach(client, {
    ...rsi,
    id: 'bands',
    symbol: 'btc/usdt',
    exchange: 'Demo',
    indicator: 'BBands',
    params: {},
  })
  await sendEach(client, { ...rsi, id: 'mean', indicator: 'ema', params: { period: 3, source: 'hlc3' } })
  await sendEach(client, { ...rsi, id: 'shape', indicator: 'doji', params: undefined, candleClose: true })
  await sendEach(client, { type: 'list' })
  client.send({ type: 'unsubscribe', id: 'demo_btcusdt_1h_bands' })
  client.send({ type: 'unsubscribe', id: 'DEMO_BTCUSDT_1H_Mean' })
  await sendEach(client, { type: 'list' })
  client.send({ type: 'unsubscribe', id: 'demo_btcusdt_1h_shape' })
  service.pass(1800)
  await client.next()
  service.pass(1800)
  await client.next()
  await client.next()
  await expectGolden(client, 'subscription')
  await client.close()
})

it('sends closed candles only, where that is wanted', async () => {
  const client = await StreamingClient.open(service.url)
  const other = await StreamingClient.connect(service.url, 'many')
  await sendEach(client, auth('many'), { ...rsi, interval: '1m', candleClose: true })
  await sendEach(other, { ...rsi, interval: '1m' })
  for (let i = 0; i < 3; i++) {
    service.pass(20)
    await other.next()
  }
  await client.next()
  service.pass(60)
  await client.next()
  await expectGolden(client, 'closed-candles')
  await Promise.all([client.close(), other.close()])
})

it('refuses invalid messages', async () => {
  const client = await StreamingClient.open(service.url)
  const { id: _, ...nameless } = rsi
  await sendEach(
    client,
    auth('many'),
    'nonsense',
    '',
    '[]',
    'null',
    '7',
    {},
    { type: 'ping' },
    { type: 5 },
    { type: 'subscribe' },
    nameless,
    { ...rsi, symbol: '', interval: null },
    { ...rsi, id: 7 },
    { ...rsi, id: 'x'.repeat(101) },
    { ...rsi, exchange: ['demo'] },
    { ...rsi, interval: 60 },
    { ...rsi, period: 7 },
    { ...rsi, indicator: 'nonsense' },
    { ...rsi, interval: '2h' },
    { ...rsi, interval: '1H' },
    { ...rsi, params: 7 },
    { ...rsi, params: [7] },
    { ...rsi, params: { period: '7' } },
    { ...rsi, params: { period: 1 } },
    { ...rsi, params: { length: 7 } },
    { ...rsi, params: { results: 5 } },
    { ...rsi, params: { backtrack: 1 } },
    { ...rsi, params: { period: 7, optInTimePeriod: 7 } },
    { ...rsi, params: { source: 'middle' } },
    { ...rsi, candleClose: 'yes' },
    { ...rsi, exchange: 'nowhere' },
    { ...rsi, symbol: 'NOPE' },
    { ...rsi, params: { period: 5000 } },
    { ...rsi, indicator: 'ma', params: { period: 500, maType: 8 } },
    { type: 'unsubscribe' },
    { type: 'unsubscribe', id: 7 },
    { type: 'unsubscribe', id: 'Fast' },
    { type: 'unsubscribe', id: 'demo_btcusdt_1h_fast' },
    { type: 'list', id: 'unread' },
    rsi,
    { ...rsi, id: 'FAST', params: { period: 9 } },
  )
  await expectGolden(client, 'errors')
  await client.close()
})

it('bounds the subscriptions of a key over all its connections', async () => {
  const first = await StreamingClient.connect(service.url, 'few')
  const second = await StreamingClient.open(service.url)
  await sendEach(first, rsi, { ...rsi, id: 'other' })
  await sendEach(second, auth('few'), rsi, { ...rsi, id: 'other' })
  await first.close()
  while ((await service.get('/streaming/health')).subscriptions > 1);
  await sendEach(second, { ...rsi, id: 'other' }, { ...rsi, id: 'third' }, { ...rsi, id: 'fourth' })
  await expectGolden(second, 'plan')
  await second.close()
})
