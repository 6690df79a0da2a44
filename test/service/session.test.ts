import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { Listener, rawSocket } from '../support/streaming-client.js'
import { startTestService, type TestService } from '../support/test-service.js'

let service: TestService
const open: Listener[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(listener => listener.close()))
  await service.close()
})

const enter = async (key = 'many') => {
  const listener = await Listener.enter(service.url, key)
  open.push(listener)
  return listener
}
const wish = (id: string, more: object = {}) => ({
  type: 'subscribe',
  id,
  exchange: 'demo',
  symbol: 'BTCUSDT',
  interval: '1m',
  indicator: 'rsi',
  ...more,
})
const isUpdate = ({ type }: { type: string }) => type === 'update'
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
const someoneIsSlow = async () => {
  while (service.sessions.slow.size === 0) await sleep(10)
}
const refusedWith = async (socket: WebSocket) => {
  socket.on('error', () => {})
  const [, response] = await once(socket, 'unexpected-response')
  let body = ''
  for await (const chunk of response) body += chunk
  return [response.statusCode, JSON.parse(body)]
}

describe('one client with several subscriptions to the same question', () => {
  it('hears each update once, and goes on when it ends one of them', async () => {
    service = await startTestService()
    const listener = await enter()
    for (const message of [wish('a'), wish('b', { symbol: 'btc-usdt', params: { period: 14 } })]) {
      listener.say(message)
      await listener.next(isUpdate)
    }
    service.pass(60)
    await listener.next(isUpdate)
    await listener.next(isUpdate)
    await listener.settled()
    expect(listener.unread()).toEqual([])
    listener.say({ type: 'unsubscribe', id: 'demo_btcusdt_1m_a' })
    listener.say({ type: 'list' })
    const { data } = await listener.next()
    expect(data.map(({ id }: { id: string }) => id)).toEqual(['demo_btcusdt_1m_b'])
    service.pass(60)
    expect((await listener.next()).type).toBe('update')
    listener.say({ type: 'unsubscribe', id: 'demo_btcusdt_1m_b' })
    await until({ connections: 1, subscriptions: 0 })
    service.pass(60)
    await sleep(400)
    await listener.settled()
    expect(listener.unread().filter(isUpdate)).toHaveLength(0)
  })

  it('hears a closed candle once where it asked for all updates and for closed ones', async () => {
    service = await startTestService()
    const listener = await enter()
    const closes = wish('closes', { candleClose: true })
    for (const message of [closes, wish('all')]) {
      listener.say(message)
      await listener.next(isUpdate)
    }
    service.pass(60)
    const [closed, forming] = [await listener.next(), await listener.next()]
    expect(forming.data.timestamp - closed.data.timestamp).toBe(60)
    listener.say({ type: 'unsubscribe', id: 'demo_btcusdt_1m_all' })
    await listener.settled()
    expect(listener.unread()).toEqual([])
    service.pass(60)
    expect((await listener.next()).data.timestamp).toBe(forming.data.timestamp)
    await sleep(400)
    await listener.settled()
    expect(listener.unread(), 'the forming candle is no longer told').toEqual([])
  })
})

describe('a connection', () => {
  it('is closed when it sends no key in time', async () => {
    service = await startTestService()
    const silent = await Listener.open(service.url)
    const known = await enter()
    const wrong = await Listener.open(service.url)
    wrong.say({ type: 'auth', token: 'Bearer nobody' })
    expect(await wrong.next()).toEqual({ type: 'auth_error', error: 'Invalid or missing API key.' })
    service.passMs(9_000)
    await sleep(700)
    expect(await health()).toMatchObject({ connections: 3 })
    service.passMs(1_500)
    const farewell = { code: 4408, reason: 'Not authenticated in time' }
    expect(await silent.closed).toEqual(farewell)
    expect(await wrong.closed).toEqual(farewell)
    await known.settled()
    expect(await health()).toMatchObject({ connections: 1 })
  })

  it('is closed when its key is revoked, and no other', async () => {
    service = await startTestService()
    const [revoked, other] = [await enter('few'), await enter()]
    revoked.say(wish('a'))
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
    const listener = await enter('few')
    for (let i = 0; i < 30; i++) listener.say(wish(`s${i}`))
    expect(await listener.closed).toEqual({ code: 1008, reason: 'Too many messages' })
    const said = listener.unread()
    expect(said.filter(isUpdate)).toHaveLength(3)
    const errors = new Set(said.filter(({ type }) => type === 'error').map(({ error }) => error))
    expect([...errors]).toEqual([
      'Too many subscriptions. Your plan allows 3 subscription(s).',
      'Too many messages. At most 5 per second are accepted.',
    ])
    await until({ connections: 0, subscriptions: 0 })
  })

  it('may go on when it has waited', async () => {
    service = await startTestService({ streamMessagesPerSecond: 5 })
    const listener = await enter('few')
    for (let i = 0; i < 10; i++) listener.say({ type: 'list' })
    await listener.next(({ type }) => type === 'error')
    service.passMs(2_000)
    listener.unread()
    listener.say({ type: 'list' })
    expect(await listener.next()).toEqual({ type: 'subscriptions', data: [] })
  })

  it('is refused when there are too many', async () => {
    service = await startTestService({ streamMaxConnections: 2 })
    await enter()
    await enter()
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/streaming`)
    const error = 'Service busy. Too many streaming connections.'
    expect(await refusedWith(socket)).toEqual([503, { error }])
  })

  it('is refused when too many have not said who they are, and accepted when those have gone', async () => {
    service = await startTestService({ streamMaxUnauthenticated: 1 })
    await enter()
    const stranger = await Listener.open(service.url)
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/streaming`)
    expect((await refusedWith(socket))[0]).toBe(503)
    await stranger.close()
    await until({ connections: 1 })
    await enter()
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
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      socket.write(Buffer.from(bytes, 'latin1'))
      await sleep(20)
      socket.resetAndDestroy()
    }
    await until({ connections: 0 })
  })
})

describe('a client that does not read', () => {
  it('misses updates, holds up nobody, and is told to go after a while', async () => {
    service = await startTestService({ streamMessagesPerSecond: 100_000, streamMaxBackpressure: 65_536 })
    const slow = await rawSocket(service.url)
    const closed = once(slow, 'close')
    slow.send(JSON.stringify({ type: 'auth', token: 'Bearer many' }))
    for (let i = 0; i < 300; i++) slow.send(JSON.stringify(wish(`s${i}`)))
    await until({ subscriptions: 300 })
    slow.pause()
    const other = await enter()
    other.say(wish('other', { symbol: 'ETHUSDT' }))
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
    await someoneIsSlow()
    expect(await health(), 'it is given time').toMatchObject({ connections: 2 })
    service.passMs(16_000)
    slow.resume()
    const [code, reason] = await closed
    await until({ connections: 1, subscriptions: 1 })
    expect([code, String(reason)]).toEqual([1013, 'Updates are not read fast enough'])
    expect(lists, 'what the buffers took, and no more').toBeLessThan(900)
  })

  it('is cut off when it does not even read that it shall go', async () => {
    service = await startTestService({ streamMessagesPerSecond: 100_000, streamMaxBackpressure: 65_536 })
    const deaf = await rawSocket(service.url)
    deaf.send(JSON.stringify({ type: 'auth', token: 'Bearer many' }))
    for (let i = 0; i < 300; i++) deaf.send(JSON.stringify(wish(`s${i}`)))
    await until({ subscriptions: 300 })
    deaf.pause()
    for (let i = 0; i < 1000; i++) deaf.send('{"type":"list"}')
    await someoneIsSlow()
    service.passMs(31_000)
    await until({ connections: 0, subscriptions: 0, feeds: 0 })
    deaf.terminate()
  })

  it('is forgiven when it catches up', async () => {
    service = await startTestService({ streamMessagesPerSecond: 100_000, streamMaxBackpressure: 65_536 })
    const slow = await rawSocket(service.url)
    slow.send(JSON.stringify({ type: 'auth', token: 'Bearer many' }))
    for (let i = 0; i < 300; i++) slow.send(JSON.stringify(wish(`s${i}`)))
    await until({ subscriptions: 300 })
    let errors = 0
    slow.on('message', text => {
      if (String(text).startsWith('{"type":"error"')) errors++
    })
    slow.pause()
    for (let i = 0; i < 1000; i++) slow.send('{"type":"list"}')
    await someoneIsSlow()
    slow.resume()
    // A reply arrives again when what waited before it was read.
    for (; errors === 0; await sleep(20)) slow.send('nonsense')
    service.passMs(20_000)
    await sleep(1_200)
    expect(await health()).toMatchObject({ connections: 1, subscriptions: 300 })
    slow.terminate()
    await until({ connections: 0, subscriptions: 0 })
  })
})
