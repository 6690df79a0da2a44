import { afterAll, beforeAll, expect, it } from 'vitest'
import { Listener } from '../support/streaming-client.js'
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

/** Says one thing after the other, each after the reply to the one before. */
async function ask(listener: Listener, ...messages: unknown[]): Promise<void> {
  for (const message of messages) {
    listener.say(message)
    await listener.next()
  }
}

/** Holds the conversation against its golden file. */
const expectGolden = async (listener: Listener, name: string) =>
  expect(`${listener.transcript.join('\n')}\n`).toMatchFileSnapshot(`../golden/conversations/${name}.txt`)

it('lets in who has a key and nobody else', async () => {
  const listener = await Listener.open(service.url)
  await ask(
    listener,
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
  await expectGolden(listener, 'authentication')
  expect(await listener.close()).toMatchObject({ code: 1005 })
})

it('subscribes, updates, lists and unsubscribes', async () => {
  const listener = await Listener.open(service.url)
  await ask(listener, auth('many'), rsi)
  await ask(listener, {
    ...rsi,
    id: 'bands',
    symbol: 'btc/usdt',
    exchange: 'Demo',
    indicator: 'BBands',
    params: {},
  })
  await ask(listener, { ...rsi, id: 'mean', indicator: 'ema', params: { period: 3, source: 'hlc3' } })
  await ask(listener, { ...rsi, id: 'shape', indicator: 'doji', params: undefined, candleClose: true })
  await ask(listener, { type: 'list' })
  listener.say({ type: 'unsubscribe', id: 'demo_btcusdt_1h_bands' })
  listener.say({ type: 'unsubscribe', id: 'DEMO_BTCUSDT_1H_Mean' })
  await ask(listener, { type: 'list' })
  listener.say({ type: 'unsubscribe', id: 'demo_btcusdt_1h_shape' })
  service.pass(1800)
  await listener.next()
  service.pass(1800)
  await listener.next()
  await listener.next()
  await expectGolden(listener, 'subscription')
  await listener.close()
})

it('tells closed candles only, where that is wanted', async () => {
  const listener = await Listener.open(service.url)
  const other = await Listener.enter(service.url, 'many')
  await ask(listener, auth('many'), { ...rsi, interval: '1m', candleClose: true })
  await ask(other, { ...rsi, interval: '1m' })
  for (let i = 0; i < 3; i++) {
    service.pass(20)
    await other.next()
  }
  await listener.next()
  service.pass(60)
  await listener.next()
  await expectGolden(listener, 'closed-candles')
  await Promise.all([listener.close(), other.close()])
})

it('says what is wrong with a message', async () => {
  const listener = await Listener.open(service.url)
  const { id: _, ...nameless } = rsi
  await ask(
    listener,
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
  await expectGolden(listener, 'errors')
  await listener.close()
})

it('bounds the subscriptions of a key over all its connections', async () => {
  const first = await Listener.enter(service.url, 'few')
  const second = await Listener.open(service.url)
  await ask(first, rsi, { ...rsi, id: 'other' })
  await ask(second, auth('few'), rsi, { ...rsi, id: 'other' })
  await first.close()
  while ((await service.get('/streaming/health')).subscriptions > 1);
  await ask(second, { ...rsi, id: 'other' }, { ...rsi, id: 'third' }, { ...rsi, id: 'fourth' })
  await expectGolden(second, 'plan')
  await second.close()
})
