import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import WebSocket from 'ws'
import { createFuzzMessages } from '../../bench/fuzz-messages.js'
import { createRandom } from '../../bench/random.js'
import { catalogue } from '../../src/catalogue/index.js'
import { Candela, CandelaProcess } from '../support/service-process.js'
import { rawSocket, StreamingClient } from '../support/streaming-client.js'

let candela: Candela
const start = async (settings: Record<string, string> = {}) => {
  candela = await Candela.start({ LOG_LEVEL: 'silent', ...settings })
}

const request = {
  type: 'subscribe',
  id: 'a',
  exchange: 'demo',
  symbol: 'BTCUSDT',
  interval: '1m',
  indicator: 'rsi',
}
const health = async () => (await candela.get('/streaming/health')).body

describe('the streaming service', () => {
  beforeAll(() => start())
  afterAll(() => candela.stop())

  it('reports its state to clients with a key', async () => {
    expect((await candela.get('/streaming/health', { authorization: '' })).status).toBe(401)
    const client = await StreamingClient.connect(candela.url, candela.key)
    client.send(request)
    await client.next()
    const { status, body } = await candela.get('/streaming/health')
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'ok',
      connections: 1,
      subscriptions: 1,
      feeds: 1,
      uptime: expect.any(Number),
    })
    expect(Object.keys(body)).toEqual(['status', 'connections', 'subscriptions', 'feeds', 'uptime'])
  })

  it('asks for a WebSocket where there is none', async () => {
    const { status, headers, body } = await candela.get('/streaming')
    expect(status).toBe(426)
    expect(headers.get('upgrade')).toBe('websocket')
    expect(body).toEqual({ error: 'Upgrade required. Connect to this path with a WebSocket.' })
    expect((await candela.ask('POST', '/streaming', { body: '{}' })).status).toBe(405)
  })

  it('sends updates of a market that moves, with the values of REST', async () => {
    const client = await StreamingClient.connect(candela.url, candela.key)
    // This market trades in every second of the day. Its price may stand still for minutes, its volume does not.
    client.send({ ...request, symbol: 'PEPEUSDT', indicator: 'vosc' })
    // A busy machine may answer a request a few updates later, so each value of REST is looked for among all updates.
    const streamed = new Set<string>()
    const answered = new Set<string>()
    const agreed = () => [...answered].filter(value => streamed.has(value)).length
    while (streamed.size < 3 || agreed() < 2) {
      for (const { data } of [await client.next(), ...client.unread()])
        streamed.add(`${data.timestamp} ${data.vosc}`)
      const { body } = await candela.get(
        '/indicator/vosc?exchange=demo&symbol=PEPEUSDT&timeframe=1m&results=2',
      )
      for (const [i, value] of body.value.entries()) answered.add(`${body.timestamp[i]} ${value}`)
    }
  })

  it.skipIf(typeof globalThis.WebSocket === 'undefined')(
    "speaks with Node's own WebSocket (Node 22)",
    async () => {
      const client = await StreamingClient.open(candela.url, globalThis.WebSocket)
      client.send({ type: 'auth', token: `Bearer ${candela.key}` })
      expect(await client.next()).toEqual({ type: 'auth_ok' })
      client.send(request)
      expect((await client.next()).data.rsi).toEqual(expect.any(Number))
      client.send({ type: 'unsubscribe', id: 'demo_btcusdt_1m_a' })
      await client.settled()
      expect((await client.close()).code).toBe(1005)
    },
  )

  it('speaks with the client of the documents', async () => {
    const page = readFileSync(new URL('../../docs/streaming.md', import.meta.url), 'utf8')
    const example = /```js\n(const socket[\s\S]*?)```/.exec(page)?.[1] as string
    const program = `import WebSocket from 'ws'\n${example.replace('ws://127.0.0.1:8080', candela.url.replace('http', 'ws'))}`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      env: { ...process.env, KEY: candela.key },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      output += chunk
      if (output.split('\n').length > 2) break
    }
    child.kill()
    const [first, second] = output.split('\n').map(line => JSON.parse(line || 'null'))
    expect(first).toEqual({ type: 'auth_ok' })
    const data = { rsi: expect.any(Number), timestamp: expect.any(Number) }
    expect(second).toEqual({
      type: 'update',
      id: 'fast',
      subscription: 'demo:btcusdt:1m',
      indicator: 'rsi',
      params: { period: 7 },
      closed: expect.any(Boolean),
      data,
    })
  })

  it('closes the connections of a key within seconds after its revocation', async () => {
    const key = await candela.cli('keys', 'create', '--plan', 'basic', '--name', 'short-lived')
    const client = await StreamingClient.connect(candela.url, key)
    const [id] =
      (await candela.cli('keys', 'list'))
        .split('\n')
        .find(line => line.includes('short-lived'))
        ?.split(/\s+/) ?? []
    await candela.cli('keys', 'revoke', id as string)
    expect(await client.closed).toEqual({ code: 4401, reason: 'Invalid or inactive token' })
  })
})

it('the streaming service closes a connection that does not answer pings', async () => {
  await start({ STREAM_IDLE_SECONDS: '8' })
  onTestFinished(async () => void (await candela.stop()))
  const alive = await StreamingClient.connect(candela.url, candela.key)
  const dead = await rawSocket(candela.url, { autoPong: false })
  const closed = once(dead, 'close')
  await closed
  await alive.settled()
  await expect.poll(health, { timeout: 5000 }).toMatchObject({ connections: 1 })
})

describe('the end of the service', () => {
  let candela: CandelaProcess
  const start = async (settings: Record<string, string> = {}) => {
    candela = await CandelaProcess.start({ LOG_LEVEL: 'silent', ...settings })
  }
  afterEach(() => candela.stop())

  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    it(`closes every connection on ${signal}`, signal === 'SIGINT' ? { tags: ['faults'] } : {}, async () => {
      await start()
      const clients = await Promise.all(
        Array.from({ length: 20 }, () => StreamingClient.connect(candela.url, candela.key)),
      )
      for (const client of clients) client.send(request)
      await Promise.all(clients.map(client => client.next()))
      const stopped = candela.stop(signal)
      for (const client of clients)
        expect(await client.closed).toEqual({ code: 1001, reason: 'The service is stopping' })
      expect(await stopped).toBe(0)
    })

  /** A request whose body never comes. */
  const linger = async () => {
    const { hostname, port } = new URL(candela.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(
      `POST /bulk HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${candela.key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    )
    await candela.get('/health/live')
    return socket
  }

  it('comes in time, whatever requests are under way', async () => {
    await start({ SHUTDOWN_SECONDS: '1' })
    await linger()
    const began = performance.now()
    expect(await candela.stop()).toBe(0)
    expect(performance.now() - began, 'it waited for the request').toBeGreaterThan(900)
  })

  it('comes at once on a second signal', async () => {
    await start({ SHUTDOWN_SECONDS: '600' })
    const client = await StreamingClient.connect(candela.url, candela.key)
    await linger()
    candela.child.kill('SIGTERM')
    await client.closed
    const ended = once(candela.child, 'exit')
    candela.child.kill('SIGTERM')
    expect((await ended)[0]).toBe(143)
  })
})

describe('malicious clients', () => {
  beforeAll(() => start({ STREAM_MESSAGES_PER_SECOND: '100000', STREAM_MAX_UNAUTHENTICATED: '20000' }))
  afterAll(() => candela.stop())

  for (const [at, seed] of [20_261_121, 20_261_122].entries()) {
    const options = at === 0 ? {} : { tags: ['faults'] }
    it(`end in an error or a close, never in a crash or a leak (seed ${seed})`, options, async () => {
      const nextMessage = createFuzzMessages(createRandom(seed), [...catalogue.keys()])
      const connections = at === 0 ? 10 : 20
      let errors = 0
      /** Resolves when all messages before have been answered. */
      const answered = (socket: WebSocket) =>
        new Promise<void>(resolve => {
          socket.on('message', text => {
            if (String(text).includes('"id":"the last"')) resolve()
          })
          socket.send(JSON.stringify({ type: 'unsubscribe', id: 'the last' }))
        })
      await Promise.all(
        Array.from({ length: connections }, async (_, i) => {
          const socket = await rawSocket(candela.url)
          const closed = once(socket, 'close')
          socket.on('message', text => {
            if (String(text).startsWith('{"type":"error"')) errors++
          })
          if (i % 4 === 3) socket.pause()
          if (i % 5 > 0) socket.send(JSON.stringify({ type: 'auth', token: `Bearer ${candela.key}` }))
          for (let k = 0; k < 150 && socket.readyState === WebSocket.OPEN; k++) {
            socket.send(nextMessage())
            if (k % 10 === 0) await sleep(1)
          }
          if (i % 3 === 0) socket.terminate()
          socket.resume()
          if (socket.readyState === WebSocket.OPEN && i % 5 > 0)
            await Promise.race([closed, answered(socket)])
          socket.close()
          await closed
        }),
      )
      expect(errors).toBeGreaterThan(25 * connections)
      // Nothing is left of them, and the service keeps running.
      await expect.poll(health).toMatchObject({ connections: 0, subscriptions: 0 })
      const client = await StreamingClient.connect(candela.url, candela.key)
      client.send(request)
      expect((await client.next()).data.rsi).toEqual(expect.any(Number))
      await client.close()
    })
  }

  it('may subscribe and unsubscribe a thousand times', async () => {
    const client = await StreamingClient.connect(candela.url, candela.key)
    for (let i = 0; i < 1_000; i++) {
      const indicator = i % 2 === 0 ? 'ema' : 'rsi'
      client.send({ ...request, indicator, params: { period: 2 + (i % 100) } })
      client.send({ type: 'unsubscribe', id: 'demo_btcusdt_1m_a' })
    }
    await client.settled()
    expect(client.unread().filter(({ type }) => type === 'error')).toEqual([])
    expect(await health()).toMatchObject({ connections: 1, subscriptions: 0 })
  })
})

it('malicious clients cannot subscribe ten thousand times', async () => {
  await start()
  onTestFinished(async () => void (await candela.stop()))
  const key = await candela.cli('keys', 'create', '--plan', 'pro', '--name', 'greedy')
  const client = await StreamingClient.connect(candela.url, key)
  // The first ones are answered; how many of the others are depends on when the connection ends.
  for (let i = 0; i < 30; i++) client.send({ ...request, id: `s${i}` })
  for (let i = 0; i < 30; i++) expect(await client.next()).toMatchObject({ type: 'update' })
  for (let i = 30; i < 10_000; i++) client.send({ ...request, id: `s${i}` })
  expect((await client.closed).code).toBe(1008)
  await expect.poll(health, { timeout: 5000 }).toMatchObject({ connections: 0, subscriptions: 0 })
})
