import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDemoSource } from '../../src/markets/exchanges/demo/demo-source.js'
import type { Source } from '../../src/markets/exchanges/source.js'
import { fetchDocumented } from '../support/documented.js'
import { StreamingClient } from '../support/streaming-client.js'
import { midnight, startTestService, type TestService } from '../support/test-service.js'

let service: TestService
let release = () => {}
const held = new Promise<void>(resolve => {
  release = resolve
})
const demo = createDemoSource(() => midnight)
/** An exchange that answers when a test lets it. */
const slow: Source = {
  symbols: () => ['AUSDT', 'BUSDT'],
  async candles(_symbol, timeframe, count) {
    await held
    return demo.candles('BTCUSDT', timeframe, count)
  },
}
beforeAll(async () => {
  service = await startTestService({}, { slow })
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

/** Sends messages, each after the reply to the previous one. */
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
    { ...rsi, interval: '7h' },
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

describe('live screens', () => {
  const screen = {
    type: 'screen',
    id: 'up',
    exchange: 'demo',
    timeframe: '1m',
    symbols: ['BTC/USDT', 'ETHUSDT', 'SOLUSDT', 'BNBUSDT'],
    where: 'close > open',
    select: { close: 'close' },
  }

  it('say which markets enter, change and leave', async () => {
    const client = await StreamingClient.open(service.url)
    await sendEach(client, auth('many'))
    client.send(screen)
    await client.next(({ type }) => type === 'screen_ok')
    const matches = new Map<string, unknown>()
    const take = (rows: readonly { symbol: string }[]) => {
      for (const row of rows) matches.set(row.symbol, row)
    }
    take(JSON.parse(client.texts.at(-1) as string).matches)
    const seen = { entered: 0, changed: 0, left: 0 }
    for (let i = 0; i < 4; i++) {
      service.pass(20)
      const update = await client.next()
      for (const kind of ['entered', 'changed', 'left'] as const) seen[kind] += update[kind].length
      take(update.entered)
      take(update.changed)
      for (const symbol of update.left) expect(matches.delete(symbol)).toBe(true)
      const { exchange, timeframe, symbols, where, select } = screen
      const request = { exchange, timeframe, symbols, where, select }
      const response = await fetchDocumented(service.url, '/screen', {
        method: 'POST',
        headers: { authorization: 'Bearer many', 'content-type': 'application/json' },
        body: JSON.stringify(request),
      })
      const answer = await response.json()
      const bySymbol = (rows: Iterable<unknown>) =>
        [...rows].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      expect(bySymbol(matches.values()), 'as POST /screen answers').toEqual(bySymbol(answer.matches))
    }
    expect(Math.min(seen.entered, seen.changed, seen.left)).toBeGreaterThan(0)
    client.send({ type: 'screen_stop', id: 'up' })
    const other = await StreamingClient.connect(service.url, 'many')
    other.send(screen)
    await other.next(({ type }) => type === 'screen_ok')
    service.pass(20)
    await other.next(({ type }) => type === 'screen_update')
    await client.settled()
    expect(client.unread(), 'after its end').toEqual([])
    await other.close()
    await expectGolden(client, 'screen')
    await client.close()
  })

  it('say how far the candles are, while they are fetched', async () => {
    const client = await StreamingClient.open(service.url)
    const symbols = ['AUSDT', 'BUSDT']
    await sendEach(client, auth('many'), { ...screen, exchange: 'slow', symbols })
    release()
    await client.next(({ type }) => type === 'screen_ok')
    await expectGolden(client, 'screen-pending')
    await client.close()
  })

  it('are refused with the texts of POST /screen, and bounded', async () => {
    const client = await StreamingClient.open(service.url)
    const { id: _, ...nameless } = screen
    await sendEach(
      client,
      auth('many'),
      nameless,
      { ...screen, id: 7 },
      { ...screen, id: 'x'.repeat(101) },
      { ...screen, where: undefined },
      { ...screen, where: 'rsi(14)' },
      { ...screen, where: 'rsi(14) <' },
      { ...screen, orderBy: 'close' },
      { ...screen, interval: '1m' },
      { ...screen, exchange: 'nowhere' },
      { ...screen, symbols: undefined, quote: 'NOPE' },
      { type: 'screen_stop' },
      { type: 'screen_stop', id: 7 },
      { type: 'screen_stop', id: 'up' },
      screen,
      screen,
      { type: 'list' },
    )
    await expectGolden(client, 'screen-errors')
    await client.close()
    const poor = await StreamingClient.connect(service.url, 'one')
    await sendEach(poor, screen, { ...screen, id: 'second' })
    expect(JSON.parse(poor.texts.at(-1) as string)).toEqual({
      type: 'error',
      id: 'second',
      error: 'Too many subscriptions. Your plan allows 1 subscription(s).',
    })
    await poor.close()
    const other = await StreamingClient.connect(service.url, 'many')
    const type = ({ type }: { type: string }) => type !== 'screen_update'
    const ask = async (id: string) => {
      other.send({ ...screen, id, where: `close > ${id}` })
      return other.next(type)
    }
    for (const id of '12345') expect(await ask(id)).toMatchObject({ type: 'screen_ok', id })
    expect(await ask('6')).toEqual({
      type: 'error',
      id: '6',
      error: 'Too many live screens. Your key may have 5 at a time.',
    })
    other.send({ type: 'screen_stop', id: '3' })
    await other.settled()
    expect(await ask('6')).toMatchObject({ type: 'screen_ok', id: '6' })
    await other.close()
    await expect.poll(async () => (await service.get('/streaming/health')).subscriptions).toBe(0)
  })

  it('of a breadth have the values of POST /breadth after each message', async () => {
    const { where, select, type, ...of } = screen
    const measures = { up: 'breadth(close > open)', average: 'sma(total(volume), 3)' }
    const client = await StreamingClient.open(service.url)
    await sendEach(client, auth('many'))
    client.send({ ...of, type: 'breadth', measures, results: 5 })
    const rows = new Map<number, unknown>()
    for (let i = 0; i < 4; i++) {
      const message = await client.next()
      expect([message.type, message.failed]).toEqual([i === 0 ? 'breadth_ok' : 'breadth_update', []])
      const take = ({ timestamp, measures: found }: typeof message, into: Map<number, unknown>) => {
        for (const [at, time] of timestamp.entries())
          into.set(time, [found.up.value[at], found.average.value[at], found.up.markets[at]])
        return into
      }
      take(message, rows)
      const { id: _, ...request } = of
      const response = await fetchDocumented(service.url, '/breadth', {
        method: 'POST',
        headers: { authorization: 'Bearer many', 'content-type': 'application/json' },
        body: JSON.stringify({ ...request, measures, results: 5 }),
      })
      const answer = take(await response.json(), new Map<number, unknown>())
      expect([...rows].slice(-5), 'as POST /breadth answers').toEqual([...answer])
      service.pass(20)
    }
    client.send({ type: 'breadth_stop', id: screen.id })
    client.send({ type: 'breadth_stop', id: screen.id })
    expect(await client.next(each => each.type === 'error')).toEqual({
      type: 'error',
      id: screen.id,
      error: 'Screen not found: up',
    })
    await client.close()
  })
})
