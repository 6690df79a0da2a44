import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import WebSocket from 'ws'
import { rawSocket, StreamingClient } from '../support/streaming-client.js'
import { startTestService, type TestService } from '../support/test-service.js'

let service: TestService
const open: StreamingClient[] = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(open.splice(0).map(client => client.close()))
  await service.close()
})

const connect = async (key = 'many') => {
  const client = await StreamingClient.connect(service.url, key)
  open.push(client)
  return client
}
const subscribe = (id: string, more: object = {}) => ({
  type: 'subscribe',
  id,
  exchange: 'demo',
  symbol: 'BTCUSDT',
  interval: '1m',
  indicator: 'rsi',
  ...more,
})
const isUpdate = ({ type }: { type: string }) => type === 'update'
/** Lets a candle close, and waits until another client has its updates. */
async function passSeenByAnother(): Promise<void> {
  const other = await connect()
  other.send(subscribe('other'))
  await other.next(isUpdate)
  service.pass(60)
  await other.next(isUpdate)
  await other.next(isUpdate)
}
const health = () => service.get('/streaming/health')
/** Waits until the service shows these figures. */
async function until(expected: object): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const shown = await health()
    if (Object.entries(expected).every(([key, value]) => shown[key] === value)) return
    await sleep(20)
  }
  expect(await health()).toMatchObject(expected)
}
const waitUntilSlow = async () => {
  while (service.sessions.slow.size === 0) await sleep(10)
}
const refusedWith = async (socket: WebSocket) => {
  socket.on('error', () => {})
  const [, response] = await once(socket, 'unexpected-response')
  let body = ''
  for await (const chunk of response) body += chunk
  return [response.statusCode, JSON.parse(body)]
}

describe('one client with several subscriptions to the same topic', () => {
  it('gets each update once, also after it ends one of them', async () => {
    service = await startTestService()
    const client = await connect()
    for (const message of [subscribe('a'), subscribe('b', { symbol: 'btc-usdt', params: { period: 14 } })]) {
      client.send(message)
      await client.next(isUpdate)
    }
    service.pass(60)
    await client.next(isUpdate)
    await client.next(isUpdate)
    await client.settled()
    expect(client.unread()).toEqual([])
    client.send({ type: 'unsubscribe', id: 'demo_btcusdt_1m_a' })
    client.send({ type: 'list' })
    const { data } = await client.next()
    expect(data.map(({ id }: { id: string }) => id)).toEqual(['demo_btcusdt_1m_b'])
    service.pass(60)
    expect((await client.next()).type).toBe('update')
    client.send({ type: 'unsubscribe', id: 'demo_btcusdt_1m_b' })
    await until({ connections: 1, subscriptions: 0 })
    await passSeenByAnother()
    await client.settled()
    expect(client.unread().filter(isUpdate)).toHaveLength(0)
  })

  it('gets a closed candle once for each of its subscriptions, with the id of each', async () => {
    service = await startTestService()
    const client = await connect()
    const closes = subscribe('closes', { candleClose: true })
    for (const message of [closes, subscribe('all')]) {
      client.send(message)
      await client.next(isUpdate)
    }
    service.pass(60)
    const closed = [await client.next(), await client.next()]
    expect(closed.map(({ id }) => id)).toEqual(['closes', 'all'])
    expect(closed[0].data).toEqual(closed[1].data)
    const forming = await client.next()
    expect([forming.id, forming.data.timestamp - closed[0].data.timestamp]).toEqual(['all', 60])
    client.send({ type: 'unsubscribe', id: 'demo_btcusdt_1m_all' })
    await client.settled()
    expect(client.unread()).toEqual([])
    service.pass(60)
    expect((await client.next()).data.timestamp).toBe(forming.data.timestamp)
    await passSeenByAnother()
    expect((await client.next()).data.timestamp).toBe(forming.data.timestamp + 60)
    await client.settled()
    expect(client.unread(), 'the forming candle is no longer sent').toEqual([])
  })
})

describe('a connection', () => {
  it('is closed when it sends no key in time', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    service = await startTestService()
    const silent = await StreamingClient.open(service.url)
    const known = await connect()
    const wrong = await StreamingClient.open(service.url)
    wrong.send({ type: 'auth', token: 'Bearer nobody' })
    expect(await wrong.next()).toEqual({ type: 'auth_error', error: 'Invalid or missing API key.' })
    service.passMs(9_999)
    vi.advanceTimersByTime(9_999)
    expect(await health()).toMatchObject({ connections: 3 })
    service.passMs(1)
    vi.advanceTimersByTime(1000)
    const close = { code: 4408, reason: 'Not authenticated in time' }
    expect(await silent.closed).toEqual(close)
    expect(await wrong.closed).toEqual(close)
    await known.settled()
    expect(await health()).toMatchObject({ connections: 1 })
  })

  it('is closed when its key is revoked, and no other', async () => {
    service = await startTestService()
    const [revoked, other] = [await connect('few'), await connect()]
    revoked.send(subscribe('a'))
    await revoked.next()
    service.revoke('few')
    expect(await revoked.closed).toEqual({ code: 4401, reason: 'Invalid or inactive token' })
    await other.settled()
    await until({ connections: 1, subscriptions: 0, feeds: 0 })
  })

  it.each([
    ['binary messages', Buffer.from('{"type":"list"}'), 1003, 'Messages must be text'],
    ['messages over 16 KiB', 'x'.repeat(16 * 1024 + 1), 1009, 'Messages may have at most 16 KiB'],
  ])('is closed for %s', async (_, message, code, reason) => {
    service = await startTestService()
    const socket = await rawSocket(service.url)
    const closed = once(socket, 'close')
    socket.send(message)
    const [shownCode, shownReason] = await closed
    expect([shownCode, String(shownReason)]).toEqual([code, reason])
    await until({ connections: 0 })
  })

  it('is cut off for a message of 16 MB', async () => {
    service = await startTestService()
    const socket = await rawSocket(service.url)
    const closed = once(socket, 'close')
    socket.send(Buffer.alloc(16 * 2 ** 20, 'x').toString())
    await closed
    await until({ connections: 0 })
  })

  it('is cut off when a text is no UTF-8', async () => {
    service = await startTestService()
    const socket = await rawSocket(service.url)
    const closed = once(socket, 'close')
    socket.send(Buffer.from([0x22, 0xff, 0xfe, 0x22]), { binary: false })
    await closed
    await until({ connections: 0 })
  })

  it('may make all its subscriptions at once; messages beyond the bound are refused, then it is closed', async () => {
    service = await startTestService({ streamMessagesPerSecond: 5 })
    const client = await connect('few')
    for (let i = 0; i < 3; i++) client.send(subscribe(`s${i}`))
    const updates = [await client.next(isUpdate), await client.next(isUpdate), await client.next(isUpdate)]
    expect(updates).toHaveLength(3)
    for (let i = 3; i < 30; i++) client.send(subscribe(`s${i}`))
    expect(await client.closed).toEqual({ code: 1008, reason: 'Too many messages' })
    const messages = client.unread()
    expect(messages.filter(isUpdate)).toEqual([])
    const errors = new Set(messages.filter(({ type }) => type === 'error').map(({ error }) => error))
    expect([...errors]).toEqual([
      'Too many subscriptions. Your plan allows 3 subscription(s).',
      'Too many messages. At most 5 per second are accepted.',
    ])
    await until({ connections: 0, subscriptions: 0 })
  })

  it('may subscribe to as many topics in 15 seconds as its plan holds, and again to those it had', async () => {
    service = await startTestService()
    const client = await connect('one')
    const ask = async (id: string, symbol: string) => {
      client.send(subscribe(id, { symbol }))
      const { type, error } = await client.next(({ type }) => type === 'update' || type === 'error')
      client.send({ type: 'unsubscribe', id: `demo_${symbol}_1m_${id}` })
      await client.settled()
      return error ?? type
    }
    expect(await ask('a', 'BTCUSDT')).toBe('update')
    const tooMany = /^Too many new subscriptions\. Your plan allows 1 per 15 seconds; try again in \d+ s\.$/
    expect(await ask('b', 'ETHUSDT')).toMatch(tooMany)
    expect(await ask('c', 'BTCUSDT')).toBe('update')
    service.passMs(15_000)
    expect(await ask('d', 'ETHUSDT')).toBe('update')
    expect(await ask('e', 'BTCUSDT')).toMatch(tooMany)
  })

  it('may go on when it has waited', async () => {
    service = await startTestService({ streamMessagesPerSecond: 5 })
    const client = await connect('few')
    for (let i = 0; i < 10; i++) client.send({ type: 'list' })
    const types: string[] = []
    while (types.length < 10) types.push((await client.next()).type)
    expect(types.at(-1)).toBe('error')
    service.passMs(2_000)
    client.send({ type: 'list' })
    expect(await client.next()).toEqual({ type: 'subscriptions', data: [] })
  })

  it('is refused when there are too many', async () => {
    service = await startTestService({ streamMaxConnections: 2 })
    await connect()
    await connect()
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/streaming`)
    const error = 'Service busy. Too many streaming connections.'
    expect(await refusedWith(socket)).toEqual([503, { error }])
  })

  it('of a key is refused when that has too many, and taken when one of them has ended', async () => {
    service = await startTestService({ maxConnectionsPerKey: 2 })
    const first = await connect()
    await connect()
    const next = await StreamingClient.open(service.url)
    next.send({ type: 'auth', token: 'Bearer many' })
    const error = 'Too many streaming connections. At most 2 are allowed for one key.'
    expect(await next.next()).toEqual({ type: 'auth_error', error })
    const other = await StreamingClient.open(service.url)
    other.send({ type: 'auth', token: 'Bearer few' })
    expect(await other.next(), 'of another key').toEqual({ type: 'auth_ok' })
    await first.close()
    await expect.poll(() => service.sessions.connections).toBe(3)
    next.send({ type: 'auth', token: 'Bearer many' })
    expect(await next.next()).toEqual({ type: 'auth_ok' })
  })

  const displaced = { code: 1013, reason: 'Too many connections without a key' }

  it('makes room for a newer one while it has sent no key', async () => {
    service = await startTestService({ streamMaxUnauthenticated: 2 })
    const known = await connect()
    const [oldest, newer] = [await StreamingClient.open(service.url), await StreamingClient.open(service.url)]
    await connect()
    expect(await oldest.closed).toEqual(displaced)
    newer.send({ type: 'auth', token: 'Bearer many' })
    expect(await newer.next()).toEqual({ type: 'auth_ok' })
    await known.settled()
    await newer.close()
  })

  it('makes room for one with a key when there are too many', async () => {
    service = await startTestService({ streamMaxConnections: 1 })
    const silent = await StreamingClient.open(service.url)
    await connect()
    expect(await silent.closed).toEqual(displaced)
  })

  it('makes room for others of its address when that has too many without a key', async () => {
    service = await startTestService(
      { trustedProxies: 1 },
      {},
      { tuning: { maxUnauthenticatedPerAddress: 2 } },
    )
    const from = (...forwardedFor: string[]) =>
      StreamingClient.open(
        service.url,
        class extends WebSocket {
          constructor(to: string) {
            super(to, { headers: { 'X-Forwarded-For': forwardedFor as never } })
          }
        },
      )
    const other = await from('192.0.2.2')
    const first = await from('192.0.2.1')
    const second = await from('203.0.113.5', '203.0.113.6, 192.0.2.1')
    await from('192.0.2.1')
    expect(await first.closed).toEqual(displaced)
    for (const client of [other, second]) {
      client.send({ type: 'auth', token: 'Bearer many' })
      expect(await client.next()).toEqual({ type: 'auth_ok' })
    }
  })

  it('is refused while the service is stopping', async () => {
    service = await startTestService()
    service.sessions.close()
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/streaming`)
    expect(await refusedWith(socket)).toEqual([503, { error: 'The service is stopping' }])
  })

  it('that vanishes in the middle of a frame or of the handshake leaves nothing behind', async () => {
    service = await startTestService()
    const { hostname, port } = new URL(service.url)
    const handshake = `GET /streaming HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n`
    for (const bytes of [handshake, `${handshake}\r\n`, `${handshake}\r\n\x81\xfe\x10`]) {
      const socket = connectTcp(Number(port), hostname)
      await once(socket, 'connect')
      socket.write(Buffer.from(bytes, 'latin1'))
      await sleep(20)
      socket.resetAndDestroy()
    }
    await until({ connections: 0 })
  })
})

describe('a client that does not read', () => {
  it('misses updates, delays no other client, and is closed after a while', async () => {
    service = await startTestService({ streamMessagesPerSecond: 100_000, streamMaxBackpressure: 65_536 })
    const slow = await rawSocket(service.url)
    const closed = once(slow, 'close')
    slow.send(JSON.stringify({ type: 'auth', token: 'Bearer many' }))
    for (let i = 0; i < 300; i++) slow.send(JSON.stringify(subscribe(`s${i}`)))
    await until({ subscriptions: 300 })
    slow.pause()
    const other = await connect()
    other.send(subscribe('other', { symbol: 'ETHUSDT' }))
    await other.next(isUpdate)
    let lists = 0
    slow.on('message', text => {
      if (String(text).startsWith('{"type":"subscriptions"')) lists++
    })
    // Each answer has about 40 kB: far more than the sockets' buffers take.
    for (let i = 0; i < 1000; i++) slow.send('{"type":"list"}')
    await other.settled()
    service.pass(60)
    await other.next(isUpdate)
    await waitUntilSlow()
    expect(await health(), 'it has some time to catch up').toMatchObject({ connections: 2 })
    service.passMs(16_000)
    slow.resume()
    const [code, reason] = await closed
    await until({ connections: 1, subscriptions: 1 })
    expect([code, String(reason)]).toEqual([1013, 'Updates are not read fast enough'])
    expect(lists, 'what the buffers took, and no more').toBeLessThan(900)
  })

  it('is cut off when it does not even read the close frame', async () => {
    service = await startTestService({ streamMessagesPerSecond: 100_000, streamMaxBackpressure: 65_536 })
    const unresponsive = await rawSocket(service.url)
    unresponsive.send(JSON.stringify({ type: 'auth', token: 'Bearer many' }))
    for (let i = 0; i < 300; i++) unresponsive.send(JSON.stringify(subscribe(`s${i}`)))
    await until({ subscriptions: 300 })
    unresponsive.pause()
    for (let i = 0; i < 1000; i++) unresponsive.send('{"type":"list"}')
    await waitUntilSlow()
    service.passMs(31_000)
    await until({ connections: 0, subscriptions: 0, feeds: 0 })
    unresponsive.terminate()
  })

  it('stays connected when it catches up', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    service = await startTestService({ streamMessagesPerSecond: 100_000, streamMaxBackpressure: 65_536 })
    const slow = await rawSocket(service.url)
    slow.send(JSON.stringify({ type: 'auth', token: 'Bearer many' }))
    for (let i = 0; i < 300; i++) slow.send(JSON.stringify(subscribe(`s${i}`)))
    await until({ subscriptions: 300 })
    let errors = 0
    slow.on('message', text => {
      if (String(text).startsWith('{"type":"error"')) errors++
    })
    slow.pause()
    for (let i = 0; i < 1000; i++) slow.send('{"type":"list"}')
    await waitUntilSlow()
    slow.resume()
    // A reply arrives again once the client has read the waiting messages.
    for (; errors === 0; await sleep(20)) slow.send('nonsense')
    service.passMs(20_000)
    vi.advanceTimersByTime(1000)
    expect(await health()).toMatchObject({ connections: 1, subscriptions: 300 })
    slow.terminate()
    await until({ connections: 0, subscriptions: 0 })
  })
})
