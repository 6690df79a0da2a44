import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import WebSocket from 'ws'
import type { Connection } from '../../src/contract/connection.js'
import { isRefusal, tooManyConnections } from '../../src/contract/refusals.js'
import type { ServeOptions, Server } from '../../src/http/drivers/server.js'
import { FixedBody } from '../../src/http/files/fixed-body.js'
import type { Handle, HttpRequest, Reply } from '../../src/http/reply.js'
import type { Session } from '../../src/live/session.js'
import type { Publish } from '../../src/live/topic.js'
import { BodyFragments, BufferPool } from '../../src/runtime/buffer-pool.js'
import { drivers } from '../support/drivers.js'
import { RawClient } from '../support/raw-client.js'

const reply = (body: Reply['body'], status = 200, headers?: Reply['headers']): Reply =>
  headers ? { status, body, headers } : { status, body }

/** Handler that reads a body of at most `maxBytes` bytes and answers with `read`. */
const reading =
  (maxBytes: number, read: (body: Uint8Array, request: HttpRequest) => Reply | Promise<Reply>): Handle =>
  async request => {
    const body = await request.body(maxBytes)
    return isRefusal(body) ? reply(body.error, body.status) : read(body, request)
  }

/** Timeout for data from a connection. No test here measures the delay. */
const inTime = { timeout: 10_000 }

/** A promise and its `resolve`. */
function signal<Value = void>() {
  let resolve!: (value: Value) => void
  const promise = new Promise<Value>(done => {
    resolve = done
  })
  return { promise, resolve }
}

/** A session that records the calls of the server. */
class RecordedSession {
  readonly messages: string[] = []
  /** Pings and pongs. */
  controls = 0
  skippedCount = 0
  readonly drainedStates: boolean[] = []
  endedCount = 0
  onMessage: (text: string) => void = () => {}
  onDrained: () => void = () => {}
  onControl: () => void = () => {}
  readonly ended = signal()

  constructor(readonly connection: Connection) {}

  receive(message: Uint8Array, isBinary: boolean): void {
    const text = Buffer.from(message).toString()
    this.messages.push(isBinary ? `binary ${text}` : text)
    this.onMessage(text)
  }

  receiveControl(): void {
    this.controls++
    this.onControl()
  }

  skipped(): void {
    this.skippedCount++
  }

  drained(isCaughtUp: boolean): void {
    this.drainedStates.push(isCaughtUp)
    this.onDrained()
  }
}

/** The sessions of a server, as far as it uses them. */
class RecordedStreaming {
  readonly sessions: RecordedSession[] = []
  publish: Publish = () => {}
  isFull = false
  #onOpen: (session: RecordedSession) => void = () => {}

  publishTo(publish: Publish): void {
    this.publish = publish
  }

  refuse() {
    return this.isFull ? tooManyConnections(1) : undefined
  }

  open(connection: Connection): Session {
    const session = new RecordedSession(connection)
    this.sessions.push(session)
    this.#onOpen(session)
    return session as unknown as Session
  }

  ended(session: Session): void {
    const recorded = session as unknown as RecordedSession
    recorded.endedCount++
    recorded.ended.resolve()
  }

  /** The next session that opens. */
  next(): Promise<RecordedSession> {
    return new Promise(resolve => {
      this.#onOpen = resolve
    })
  }
}

describe.each(drivers)('the driver $name', ({ name, serve }) => {
  let server: Server | undefined
  let streaming: RecordedStreaming
  const logged: { context: object; message: string }[] = []
  const clients: (RawClient | WebSocket)[] = []
  const record = (context: object, message: string) => logged.push({ context, message })

  /** Starts the server with `handle`; resolves with its URL. */
  async function start(handle: Handle, options: Partial<ServeOptions> = {}): Promise<string> {
    streaming = new RecordedStreaming()
    logged.length = 0
    server = await serve({
      host: '127.0.0.1',
      port: 0,
      handle,
      streaming,
      maxConnections: 1000,
      ...(name === 'node' && { maxConnectionsPerAddress: 1000 }),
      trustedProxies: 0,
      maxUnsentBytes: 2 ** 28,
      maxBodies: { total: 2 ** 28, ofKey: 2 ** 28 },
      maxBackpressure: 2 ** 20,
      idleSeconds: 60,
      log: { info: record, warn: record, error: record },
      ...options,
    })
    return `http://127.0.0.1:${server.port}`
  }
  const raw = async () => {
    const client = await RawClient.open((server as Server).port)
    clients.push(client)
    return client
  }
  /** A WebSocket, and the session that the server has opened for it. */
  const stream = async (options: WebSocket.ClientOptions = {}) => {
    const opened = streaming.next()
    const socket = new WebSocket(`ws://127.0.0.1:${(server as Server).port}/streaming`, options)
    clients.push(socket)
    socket.on('error', () => {})
    const [session] = await Promise.all([opened, once(socket, 'open')])
    return { socket, session }
  }
  const closeOf = async (socket: WebSocket) => {
    const [code, reason] = (await once(socket, 'close')) as [number, Buffer]
    return { code, reason: reason.toString() }
  }
  afterEach(async () => {
    for (const client of clients.splice(0)) {
      if (client instanceof RawClient) await client.close()
      else client.terminate()
    }
    await server?.close(0)
    server = undefined
  })

  it('counts its HTTP connections, without WebSockets', async () => {
    await start(() => ({ status: 200, body: '{}' }))
    const counted = () => (server as Server).httpConnections()
    expect(counted()).toBe(0)
    const [kept, left] = [await raw(), await raw()]
    const { socket } = await stream()
    await expect.poll(counted).toBe(2)
    await left.close()
    await expect.poll(counted).toBe(1)
    socket.close()
    await once(socket, 'close')
    await expect.poll(counted).toBe(1)
    await kept.close()
    await expect.poll(counted).toBe(0)
  })

  describe('requests and replies', () => {
    it('passes the head of a request on', async () => {
      const heads: object[] = []
      const url = await start(({ method, path, queryString, authorization, contentType }) => {
        heads.push({ method, path, queryString, authorization, contentType })
        return reply('{}')
      })
      await fetch(`${url}/a/b%20c?x=1&y=%2F`, { headers: { Authorization: 'Bearer k' } })
      await fetch(`${url}/a`)
      expect(heads).toEqual([
        {
          method: 'get',
          path: '/a/b%20c',
          queryString: 'x=1&y=%2F',
          authorization: 'Bearer k',
          contentType: '',
        },
        { method: 'get', path: '/a', queryString: '', authorization: '', contentType: '' },
      ])
    })

    it('reads any other header field while the request is handled', async () => {
      const url = await start(head => reply(JSON.stringify([head.header('prefer'), head.header('x-none')])))
      const response = await fetch(url, { headers: { Prefer: 'wait=5' } })
      expect(await response.json()).toEqual(['wait=5', ''])
    })

    it('adds the header fields of all replies, but not in the place of those of the reply', async () => {
      const headersOf = () => ({ 'Cache-Control': 'all', Vary: 'Origin' })
      const url = await start(() => reply('{}', 200, { 'Cache-Control': 'own' }), { headersOf })
      const response = await fetch(url)
      expect(response.headers.get('cache-control')).toBe('own')
      expect(response.headers.get('vary')).toBe('Origin')
    })

    it.each([204, 304])('sends no body and no content type with status %i', async status => {
      const url = await start(() => reply('', status, { ETag: '"1"' }))
      const response = await fetch(url)
      expect(response.status).toBe(status)
      expect(response.headers.get('etag')).toBe('"1"')
      expect(response.headers.get('content-type')).toBe(null)
      expect(await response.text()).toBe('')
    })

    it('sends status, header fields and the length of the body', async () => {
      const url = await start(() => reply('{"é":1}', 404, { Allow: 'GET', 'Retry-After': '3' }))
      const response = await fetch(url)
      expect([response.status, response.statusText]).toEqual([404, 'Not Found'])
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(response.headers.get('allow')).toBe('GET')
      expect(response.headers.get('retry-after')).toBe('3')
      expect(response.headers.get('content-length')).toBe('8')
      expect(await response.text()).toBe('{"é":1}')
    })

    it.each(['DELETE', 'PUT', 'PATCH', 'OPTIONS', 'POST', 'HEAD'])('knows the method %s', async method => {
      const url = await start(head => reply(head.method, 405))
      const response = await fetch(url, { method })
      expect(response.status).toBe(405)
      expect(await response.text()).toBe(method === 'HEAD' ? '' : method.toLowerCase())
    })

    it('answers HEAD with fragments or a long text without a body, and goes on with the connection', async () => {
      const released = new BodyFragments([Buffer.from('x'.repeat(20_000))])
      const bodies = [released, 'y'.repeat(20_000), 'z']
      await start(() => reply(bodies.shift() as string))
      const client = await raw()
      for (const count of [1, 2, 3]) {
        await client.write('HEAD / HTTP/1.1\r\nHost: x\r\n\r\n')
        const text = await client.until(all => all.split('\r\n\r\n').length > count)
        expect(text.split('HTTP/1.1 200 OK').length - 1).toBe(count)
        expect(text).not.toMatch(/[xyz]{2}/)
      }
    })

    it.each([
      ['at once', (all: Reply) => all],
      ['later', async (all: Reply) => all],
    ] as const)('sends an empty body %s, be it a text or one of no fragments', async (_, when) => {
      const release = vi.fn()
      const none = () => Object.assign(new BodyFragments([]), { release })
      // Behind so much text, a short one is sent as fragments.
      const bodies = [none(), 'y'.repeat(65_000), 'z'.repeat(536), '', none()]
      const url = await start(() => when(reply(bodies.shift() as string)))
      for (const length of [0, 65_000, 536, 0, 0]) {
        const response = await fetch(url)
        expect([response.status, response.headers.get('content-length')]).toEqual([200, String(length)])
        expect((await response.text()).length).toBe(length)
      }
      expect(release, 'the memory of both bodies').toHaveBeenCalledTimes(2)
      expect(logged).toEqual([])
    })

    it('answers pipelined requests in their order', async () => {
      await start(head => reply(head.path))
      const client = await raw()
      const paths = Array.from({ length: 20 }, (_, i) => `/path${i}.`)
      await client.write(paths.map(path => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
      const text = await client.until(all => all.includes('/path19.'))
      expect([...text.matchAll(/\/path\d+\./g)].map(String)).toEqual(paths)
    })

    it('answers later, while other requests are answered', async () => {
      const later = signal<Reply>()
      const url = await start(head => (head.path === '/later' ? later.promise : reply('now')))
      const first = fetch(`${url}/later`)
      expect(await (await fetch(url)).text()).toBe('now')
      later.resolve(reply('then'))
      expect(await (await first).text()).toBe('then')
    })

    it.each([
      ['throws', () => bug()],
      ['rejects', async () => bug()],
      ['throws while it reads', reading(10, bug)],
      ['rejects while it reads', reading(10, async () => bug())],
    ])('answers 500 where the handler %s, with an id that is in the log', async (_, handle) => {
      const url = await start(handle)
      const response = await fetch(url, { method: 'POST', body: '{}' })
      expect(response.status).toBe(500)
      expect(await response.json()).toEqual({ error: 'Internal error' })
      expect(logged.map(({ context }) => context)).toEqual([
        expect.objectContaining({ request: response.headers.get('x-request-id'), method: 'post', path: '/' }),
      ])
    })

    it('reports the status of each reply once, and 500 where the handler fails', async () => {
      const reported: string[] = []
      const onReply = ({ route }: Pick<Required<HttpRequest>, 'route'>, { status }: Reply) =>
        void reported.push(`${route} ${status}`)
      const answers: Readonly<Record<string, Handle>> = {
        '/now': () => reply('{}', 404),
        '/later': async () => reply('{}'),
        '/throws': () => bug(),
        '/rejects': async () => bug(),
        '/body': reading(1, () => reply('{}')),
        '/refused': async request => {
          void request.body(10)
          return reply('{}', 401)
        },
      }
      const url = await start(
        request => {
          request.route = request.path
          return (answers[request.path] as Handle)(request)
        },
        { onReply },
      )
      for (const path of Object.keys(answers))
        await (await fetch(url + path, { method: 'POST', body: '{}' })).text()
      expect(reported).toEqual([
        '/now 404',
        '/later 200',
        '/throws 500',
        '/rejects 500',
        '/body 413',
        '/refused 401',
      ])
    })

    it('notifies the caller of a disconnection, and writes nothing after it', async () => {
      const called = signal<AbortSignal>()
      const answer = signal<Reply>()
      let releases = 0
      const fragments = new BodyFragments([Buffer.from('late')])
      const release = fragments.release.bind(fragments)
      fragments.release = () => {
        releases++
        release()
      }
      await start(
        reading(10, (_, { signal: disconnected }) => {
          called.resolve(disconnected)
          return answer.promise
        }),
      )
      const client = await raw()
      await client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}')
      const caller = await called.promise
      expect(caller.aborted).toBe(false)
      const aborted = once(caller, 'abort')
      await client.close()
      await aborted
      answer.resolve(reply(fragments))
      await new Promise(setImmediate)
      expect(releases).toBeGreaterThan(0)
      expect(logged).toEqual([])
    })
  })

  describe('bodies of requests', () => {
    const echo = reading(100_000, body => reply(Buffer.from(body).toString()))

    it.each([
      ['with a length', (text: string) => text],
      ['in chunks', (text: string) => new Blob([text]).stream()],
    ])('reads a body %s', async (_, bodyOf) => {
      const url = await start(echo)
      for (const text of ['', '{}', 'x'.repeat(99_999)]) {
        const init = { method: 'POST', body: bodyOf(text), duplex: 'half' } as RequestInit
        expect(await (await fetch(url, init)).text()).toBe(text)
      }
    })

    it('reads a body that arrives in many packets', async () => {
      await start(echo)
      const client = await raw()
      await client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\n')
      for (const part of ['ab', 'cd', 'ef']) {
        await client.write(part)
        await new Promise(setImmediate)
      }
      expect(await client.until(text => text.endsWith('abcdef'))).toMatch(/^HTTP\/1.1 200 OK/)
    })

    it('refuses a body that is too large, announced or not', async () => {
      const url = await start(echo)
      const body = 'x'.repeat(100_001)
      for (const init of [{ body }, { body: new Blob([body]).stream(), duplex: 'half' }]) {
        const response = await fetch(url, { method: 'POST', ...init } as RequestInit)
        expect(response.status).toBe(413)
      }
    })

    it('answers a request that is refused later before its body has arrived, and once', async () => {
      const refusal = signal<Reply>()
      const asked = signal()
      let reads = 0
      await start(request => {
        void request.body(100).then(() => reads++)
        asked.resolve()
        return refusal.promise
      })
      const client = await raw()
      await client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\nab')
      await asked.promise
      refusal.resolve(reply('refused', 401))
      expect(await client.until(text => text.endsWith('refused'))).toMatch(/^HTTP\/1.1 401/)
      const whole = await raw()
      await whole.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab')
      await whole.until(text => text.endsWith('refused'))
      await new Promise(setImmediate)
      expect(whole.text.match(/HTTP\/1.1/g)).toHaveLength(1)
      expect([reads <= 1, logged]).toEqual([true, []])
    })

    it('reads the body and the header of a request that is admitted later', async () => {
      const url = await start(async request => {
        const body = request.body(100)
        await nextTurn()
        const received = await body
        return isRefusal(received)
          ? reply('later', received.status)
          : reply(`${Buffer.from(received)} ${request.header('prefer')}`)
      })
      const headers = { Prefer: 'wait=5' }
      expect(await (await fetch(url, { method: 'POST', body: 'ab', headers })).text()).toBe('ab wait=5')
      const body = 'x'.repeat(101)
      for (const init of [{ body }, { body: new Blob([body]).stream(), duplex: 'half' }]) {
        const response = await fetch(url, { method: 'POST', ...init } as RequestInit)
        expect([response.status, await response.text()]).toEqual([413, 'later'])
      }
    })

    it('asks a client that waits for it to go on', async () => {
      await start(echo)
      const client = await raw()
      await client.write('POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n')
      await client.until(text => text.endsWith('\r\n\r\n'))
      expect(client.text).toBe('HTTP/1.1 100 Continue\r\n\r\n')
      await client.write('{}')
      expect(await client.until(text => text.endsWith('{}'))).toContain('HTTP/1.1 200 OK')
    })

    it('leaves out the body of a request that needs none', async () => {
      await start(head => reply(`path ${head.path} `))
      const client = await raw()
      await client.write(
        'GET /one. HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbodyGET /two. HTTP/1.1\r\nHost: x\r\n\r\n',
      )
      expect(
        [...(await client.until(text => text.includes('/two.'))).matchAll(/path (\S+)\. /g)].map(
          match => match[1],
        ),
      ).toEqual(['/one', '/two'])
    })

    it.each([
      ['replies', 200, () => reply('')],
      ['replies later', 200, async () => reply('')],
      ['throws', 500, () => bug()],
      ['rejects', 500, async () => bug()],
    ])('reuses the memory of a body after its reader %s', async (_, status, answer) => {
      const buffers: ArrayBufferLike[] = []
      const body = 'x'.repeat(20_000)
      const url = await start(
        reading(body.length, ({ buffer }) => {
          buffers.push(buffer)
          return answer()
        }),
      )
      for (let i = 0; i < 2; i++) {
        const response = await fetch(url, { method: 'POST', body })
        expect(response.status).toBe(status)
        await response.text()
      }
      expect(buffers[0]).toBeInstanceOf(SharedArrayBuffer)
      expect(buffers[1]).toBe(buffers[0])
    })

    it('has memory for a body while others are announced and never sent', async () => {
      const maxBytes = 4 * 1024 * 1024
      const announcing = 20
      const announced = signal()
      let requests = 0
      const answer = reading(maxBytes, ({ buffer, byteLength }) =>
        reply(`${byteLength} ${buffer instanceof SharedArrayBuffer}`),
      )
      const url = await start(request => {
        if (++requests === announcing) announced.resolve()
        return answer(request)
      })
      for (let i = 0; i < announcing; i++) {
        await (await raw()).write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${maxBytes}\r\n\r\n{`)
      }
      await announced.promise
      const response = await fetch(url, { method: 'POST', body: 'x'.repeat(maxBytes) })
      expect(await response.text()).toBe(`${maxBytes} true`)
    })

    describe('where bodies take too much memory', () => {
      const mib = 2 ** 20
      const bounds = { maxBodies: { total: 4 * mib, ofKey: 2 * mib } }
      const length = mib
      const head = (key: string, bytes = length) =>
        `POST / HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\nContent-Length: ${bytes}\r\n\r\n`
      const most = 'x'.repeat(length - 1)
      /** A handler that answers with the length of a body. */
      const lengthOf = reading(length, ({ byteLength }) => reply(`${byteLength}`))
      /** A client that has sent all of a body but its last byte. */
      const unfinished = async (key: string) => {
        const client = await raw()
        await client.write(head(key) + most)
        return client
      }
      const statusOf = async (client: RawClient) =>
        (await client.until(all => all.includes('\r\n\r\n'))).slice(9, 12)

      it('refuses the oldest of a key that is not complete, and receives the others', async () => {
        await start(lengthOf, bounds)
        const oldest = await unfinished('a')
        const next = await unfinished('a')
        const other = await unfinished('b')
        const newest = await unfinished('a')
        expect(await statusOf(oldest)).toBe('503')
        expect(logged.map(({ message }) => message)).toContainEqual(
          expect.stringContaining('HTTP_MAX_BODIES'),
        )
        for (const client of [next, newest, other]) {
          await client.write('x')
          expect(await statusOf(client)).toBe('200')
        }
        // The rest of the refused body is read and dropped.
        await oldest.write(`x${head('a', 1)}x`)
        expect(await oldest.until(all => all.includes(' 200 '))).toContain(' 503 ')
      })

      it('refuses the oldest one of the key that has the most, also of requests without a key', async () => {
        await start(lengthOf, bounds)
        const alone = await unfinished('a')
        const first = await unfinished('')
        const second = await unfinished('')
        const other = await unfinished('b')
        const last = await unfinished('c')
        expect(await statusOf(first)).toBe('503')
        for (const client of [alone, second, other, last]) {
          await client.write('x')
          expect(await statusOf(client)).toBe('200')
        }
      })

      it('refuses a new body while complete ones are being answered, and takes it when they are', async () => {
        const answering = signal()
        const arrived = [signal(), signal()]
        let received = 0
        await start(
          reading(length, async ({ byteLength }) => {
            arrived[received++]?.resolve()
            await answering.promise
            return reply(`${byteLength}`)
          }),
          bounds,
        )
        const complete = []
        for (const { promise } of arrived) {
          const client = await unfinished('a')
          await client.write('x')
          await promise
          complete.push(client)
        }
        const refused = await unfinished('a')
        expect(await statusOf(refused)).toBe('503')
        answering.resolve(undefined)
        for (const client of complete) expect(await statusOf(client)).toBe('200')
        const again = await unfinished('a')
        await again.write('x')
        expect(await statusOf(again)).toBe('200')
      })

      it('has no memory for those of clients that left', async () => {
        await start(lengthOf, bounds)
        for (let k = 0; k < 12; k++) await (await unfinished('a')).close()
        const clients = [await unfinished('a'), await unfinished('a')]
        for (const client of clients) {
          await client.write('x')
          expect(await statusOf(client)).toBe('200')
        }
      })
    })

    it('reuses the memory of a body that is cut off', async () => {
      const pools: ArrayBufferLike[] = []
      const url = await start(
        reading(20_000, ({ buffer }) => {
          pools.push(buffer)
          return reply('')
        }),
      )
      const body = 'x'.repeat(20_000)
      await (await fetch(url, { method: 'POST', body })).text()
      const client = await raw()
      await client.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\n${'x'.repeat(17_000)}`)
      await client.close()
      await (await fetch(url, { method: 'POST', body, headers: { Connection: 'close' } })).text()
      await (await fetch(url, { method: 'POST', body })).text()
      expect(new Set(pools).size).toBeLessThanOrEqual(2)
    })
  })

  describe('answers of many bytes', () => {
    /** Fragments of a pool that tell when they are released, and their bytes. */
    function pooled(count: number, bytes: number) {
      const pool = new BufferPool(count * bytes)
      const released = signal()
      const buffers = Array.from({ length: count }, (_, i) =>
        pool
          .take(bytes)
          .subarray(0, bytes)
          .fill(65 + (i % 26)),
      )
      const fragments = new BodyFragments(buffers)
      const release = fragments.release.bind(fragments)
      fragments.release = () => {
        release()
        released.resolve()
      }
      return { fragments, released: released.promise, text: Buffer.concat(buffers).toString() }
    }

    /** Resolves with the whole body of one answer, or with the part that arrived before the connection ended. */
    async function bodyArrived(client: RawClient, length: number): Promise<string> {
      const start = (await client.until(all => all.includes('\r\n\r\n'))).indexOf('\r\n\r\n') + 4
      return (await client.until(all => all.length >= start + length)).slice(start)
    }

    it('arrive whole, in their order, and their memory is released', async () => {
      const { fragments, released, text } = pooled(8, 65_536)
      const url = await start(() => reply(fragments))
      const response = await fetch(url)
      expect(response.headers.get('content-length')).toBe(String(8 * 65_536))
      expect(await response.text()).toBe(text)
      await released
    })

    it('do not keep other requests from being answered while they are not read', async () => {
      const { fragments, text } = pooled(64, 262_144)
      const url = await start(head => reply(head.path === '/big' ? fragments : 'small'))
      const slow = await raw()
      slow.pause()
      await slow.write('GET /big HTTP/1.1\r\nHost: x\r\n\r\n')
      for (let i = 0; i < 20; i++) expect(await (await fetch(url)).text()).toBe('small')
      expect(
        fragments.buffers.some(({ buffer }) => Atomics.load(new Int32Array(buffer, 0, 1), 0) === 1),
      ).toBe(true)
      slow.socket.resume()
      expect((await bodyArrived(slow, text.length)) === text).toBe(true)
    })

    it('release their memory when the client disconnects', async () => {
      const { fragments, released } = pooled(64, 262_144)
      await start(() => reply(fragments))
      const client = await raw()
      client.pause()
      await client.write('GET /big HTTP/1.1\r\nHost: x\r\n\r\n')
      await new Promise(setImmediate)
      await client.close()
      await released
    })

    it('are bounded in total: the one that has waited the longest goes', async () => {
      const answers = Array.from({ length: 3 }, () => pooled(64, 262_144))
      const started = [signal(), signal(), signal()]
      let at = 0
      await start(
        () => {
          started[at]?.resolve()
          return reply(answers[at++]?.fragments as BodyFragments)
        },
        { maxUnsentBytes: 40 * 2 ** 20 },
      )
      const slow: RawClient[] = []
      for (let i = 0; i < 3; i++) {
        const client = await raw()
        client.pause()
        slow.push(client)
        await client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
        await started[i]?.promise
      }
      await answers[0]?.released
      for (const client of slow) client.socket.resume()
      expect((await slow[0]?.closed)?.length).toBeLessThan(16 * 2 ** 20)
      for (const i of [1, 2]) {
        const text = answers[i]?.text as string
        expect((await bodyArrived(slow[i] as RawClient, text.length)) === text).toBe(true)
      }
      expect(logged.map(({ message }) => message)).toEqual([expect.stringContaining('HTTP_MAX_BACKPRESSURE')])
    })

    it('are not counted where all clients get the same bytes', async () => {
      const text = 'x'.repeat(16 * 2 ** 20)
      const body = new FixedBody(Buffer.from(text), { 'Content-Type': 'text/plain' })
      const started = Array.from({ length: 3 }, () => signal())
      let at = 0
      await start(
        head => {
          started[at++]?.resolve()
          return body.reply(head)
        },
        { maxUnsentBytes: 2 ** 20 },
      )
      const slow: RawClient[] = []
      for (const { promise } of started) {
        const client = await raw()
        client.pause()
        slow.push(client)
        await client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
        await promise
      }
      for (const client of slow) client.socket.resume()
      for (const client of slow) {
        expect((await bodyArrived(client, text.length)) === text).toBe(true)
      }
      expect(logged).toEqual([])
    })

    it('and requests without end, of a client that never reads, cost a bounded number of answers', async () => {
      let answered = 0
      const text = 'x'.repeat(126_000)
      const url = await start(head => {
        answered++
        return reply(head.path === '/alive' ? 'yes' : text)
      })
      const client = await raw()
      client.pause()
      await client.write('GET /big HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3000))
      expect(await (await fetch(`${url}/alive`)).text()).toBe('yes')
      // Only answers that fit into the buffers of the system are computed. The others would have to wait in memory.
      expect(answered).toBeLessThan(200)
    })

    it('nor do short answers that are never read pile up', async () => {
      let answered = 0
      const text = 'x'.repeat(1000)
      const url = await start(head => {
        answered++
        return reply(head.path === '/alive' ? 'yes' : text)
      })
      const client = await raw()
      client.pause()
      const bytes = 'GET /small HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200)
      // The system's buffers take some thousand answers. The service must not take the rest.
      for (let i = 0; i < 300 && !client.isClosed; i++) {
        client.socket.write(bytes)
        if (i % 10 === 0) await (await fetch(`${url}/alive`)).text()
      }
      expect(answered).toBeLessThan(30_000)
    })
  })

  it('refuses connections above their number, and says so', async () => {
    const url = await start(() => reply('{}'), { maxConnections: 3 })
    const kept = [await raw(), await raw(), await raw()]
    const refused = await raw()
    expect(await refused.closed).toBe('')
    expect(logged.map(({ message }) => message)).toEqual([expect.stringContaining('MAX_CONNECTIONS')])
    await kept[0]?.close()
    await expect
      .poll(
        () =>
          fetch(url).then(
            ({ status }) => status,
            () => 0,
          ),
        inTime,
      )
      .toBe(200)
  })

  // uWebSockets.js does not report which connection was closed.
  it.runIf(name === 'node')(
    'refuses connections of an address above their number, until others of it are closed',
    async () => {
      await start(() => reply('{}'), { maxConnectionsPerAddress: 4 })
      const { socket } = await stream()
      const kept: RawClient[] = []
      /** Opens a connection that is kept, and returns whether a request over it is answered. */
      const isServed = async (address?: string) => {
        const client = await RawClient.open((server as Server).port, address)
        kept.push(client)
        await client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
        return (await client.until(text => text.includes('{}'))).includes('200')
      }
      expect([await isServed(), await isServed(), await isServed()]).toEqual([true, true, true])
      expect(await isServed()).toBe(false)
      expect(logged.map(({ message }) => message)).toEqual([
        expect.stringContaining('MAX_CONNECTIONS_PER_ADDRESS'),
      ])
      expect(await isServed('127.0.0.2')).toBe(true)
      for (const client of kept.splice(0)) await client.close()
      await expect.poll(() => isServed(), inTime).toBe(true)
      expect(socket.readyState).toBe(WebSocket.OPEN)
      for (const client of kept) await client.close()
    },
  )

  it.runIf(name === 'uws')('warns that it cannot limit addresses', async () => {
    await start(() => reply('{}'), { maxConnectionsPerAddress: 4 })
    expect(logged.map(({ message }) => message)).toEqual([
      expect.stringContaining('MAX_CONNECTIONS_PER_ADDRESS has no effect'),
    ])
  })

  it('admits an address that opens and closes many connections', async () => {
    const url = await start(() => reply('{}'), { maxConnectionsPerAddress: 40 })
    for (let i = 0; i < 300; i++)
      expect((await fetch(url, { headers: { connection: 'close' } })).status).toBe(200)
  })

  it('does not limit addresses behind a proxy, which are all the same', async () => {
    await start(() => reply('{}'), { maxConnectionsPerAddress: 1, trustedProxies: 1 })
    const [, second] = [await raw(), await raw()]
    await second.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(await second.until(text => text.includes('{}'))).toContain('200')
  })

  it('counts streaming connections, and forgets those that ended', async () => {
    await start(() => reply('{}'), { maxConnections: 2 })
    for (let i = 0; i < 4; i++) {
      const { socket, session } = await stream()
      socket.close()
      await session.ended.promise
    }
    await stream()
    await stream()
    expect(await (await raw()).closed).toBe('')
  })

  describe('streaming', () => {
    it('passes messages on and sends replies', async () => {
      await start(() => reply('{}'))
      const { socket, session } = await stream()
      const messages: string[] = []
      socket.on('message', (data, isBinary) => messages.push(`${isBinary ? 'binary ' : ''}${data}`))
      session.onMessage = text => session.connection.send(`got ${text}`)
      for (const message of ['one', 'zwölf', '']) socket.send(message)
      socket.send(Buffer.from('two'))
      await expect.poll(() => messages, inTime).toHaveLength(4)
      expect(session.messages).toEqual(['one', 'zwölf', '', 'binary two'])
      expect(messages).toEqual(['got one', 'got zwölf', 'got ', 'got two'])
    })

    it('publishes a text to the subscribers of its topic, of every length', async () => {
      await start(() => reply('{}'))
      const [a, b, c] = [await stream(), await stream(), await stream()]
      const received = [a, b, c].map(({ socket }) => {
        const texts: string[] = []
        socket.on('message', data => texts.push(String(data)))
        return texts
      })
      a.session.connection.subscribe('x')
      b.session.connection.subscribe('x')
      b.session.connection.subscribe('y')
      c.session.connection.subscribe('y')
      const texts = [0, 1, 125, 126, 65_535, 65_536, 200_000].map(length =>
        'é'.repeat(length / 2).padEnd(length, '.'),
      )
      for (const text of texts) streaming.publish('x', text)
      streaming.publish('y', 'to y')
      streaming.publish('z', 'to nobody')
      b.session.connection.unsubscribe('x')
      await new Promise(setImmediate)
      streaming.publish('x', 'after')
      for (const { session } of [a, b, c]) session.connection.send('end')
      await expect.poll(() => received.every(all => all.at(-1) === 'end'), inTime).toBe(true)
      expect(received).toEqual([
        [...texts, 'after', 'end'],
        [...texts, 'to y', 'end'],
        ['to y', 'end'],
      ])
    })

    it('skips a client that does not read, and no other one, until it has caught up', async () => {
      await start(() => reply('{}'), { maxBackpressure: 2 ** 18 })
      const slow = await stream()
      const good = await stream()
      for (const { session } of [slow, good]) session.connection.subscribe('x')
      const received: string[] = []
      slow.socket.on('message', data => received.push(String(data).slice(0, 8)))
      let good_ = 0
      good.socket.on('message', () => good_++)
      slow.socket.pause()
      const rest = '.'.repeat(2 ** 17)
      let published = 0
      while (slow.session.skippedCount < 3 && published < 1000) {
        streaming.publish('x', `${String(published++).padStart(8)}${rest}`)
        await expect.poll(() => good_, inTime).toBe(published)
      }
      expect(slow.session.skippedCount).toBe(3)
      expect(good.session.skippedCount).toBe(0)
      expect(slow.session.drainedStates).not.toContain(true)
      const caughtUp = signal()
      slow.session.onDrained = () => {
        if (slow.session.drainedStates.at(-1)) caughtUp.resolve()
      }
      slow.socket.resume()
      await caughtUp.promise
      streaming.publish('x', 'the last')
      await expect.poll(() => received.at(-1), inTime).toBe('the last')
      const numbers = received.slice(0, -1).map(Number)
      expect(numbers).toEqual(numbers.map((_, i) => i))
      expect(numbers).toHaveLength(published - 3)
    })

    it('says whether a text was sent, or skipped because a client does not read', async () => {
      await start(() => reply('{}'), { maxBackpressure: 2 ** 18 })
      const { socket, session } = await stream()
      const received: string[] = []
      socket.on('message', data => received.push(String(data).slice(0, 8)))
      socket.pause()
      const rest = '.'.repeat(2 ** 17)
      const sent: string[] = []
      for (let number = 0; session.skippedCount < 3 && number < 1000; number++) {
        const text = String(number).padStart(8)
        const { skippedCount } = session
        const isSent = session.connection.send(text + rest)
        expect(isSent).toBe(session.skippedCount === skippedCount)
        if (isSent) sent.push(text)
        await nextTurn()
      }
      expect(session.skippedCount).toBe(3)
      socket.resume()
      await expect.poll(() => received.length, inTime).toBe(sent.length)
      expect(received).toEqual(sent)
      expect(session.connection.send('good')).toBe(true)
      socket.terminate()
      await session.ended.promise
      expect(session.connection.send('nothing')).toBe(false)
    })

    it('closes in order with a code and a reason, or at once', async () => {
      await start(() => reply('{}'))
      const [a, b] = [await stream(), await stream()]
      const closes = [a, b].map(({ socket }) => closeOf(socket))
      a.session.connection.close(4401, 'Invalid or inactive token')
      b.session.connection.cut()
      expect(await closes[0]).toEqual({ code: 4401, reason: 'Invalid or inactive token' })
      expect(await closes[1]).toEqual({ code: 1006, reason: '' })
      for (const { session } of [a, b]) {
        await session.ended.promise
        session.connection.send('nothing')
        session.connection.close(1000, '')
        session.connection.cut()
        expect(session.endedCount).toBe(1)
      }
    })

    it('notifies the session when the client closes or vanishes', async () => {
      await start(() => reply('{}'))
      const [a, b] = [await stream(), await stream()]
      for (const { session } of [a, b]) session.connection.subscribe('x')
      a.socket.close(1000)
      b.socket.terminate()
      await Promise.all([a.session.ended.promise, b.session.ended.promise])
      streaming.publish('x', 'to nobody')
      expect([a.session.endedCount, b.session.endedCount]).toEqual([1, 1])
      expect([a.session.skippedCount, b.session.skippedCount]).toEqual([0, 0])
    })

    it('answers pings with what they carry, and tells the session of each ping and pong', async () => {
      await start(() => reply('{}'))
      const { socket, session } = await stream()
      const pongs: string[] = []
      socket.on('pong', payload => pongs.push(String(payload)))
      for (const payload of ['', 'one', 'x'.repeat(125)]) socket.ping(payload)
      socket.pong('unasked')
      socket.send('{}')
      await expect.poll(() => session.messages.length, inTime).toBe(1)
      expect(session.controls).toBe(4)
      await expect.poll(() => pongs, inTime).toEqual(['', 'one', 'x'.repeat(125)])
    })

    it('closes the connection of a client whose pings come without an end, and says why', async () => {
      await start(() => reply('{}'))
      const { socket, session } = await stream()
      session.onControl = () => {
        if (session.controls === 100) session.connection.close(1008, 'Too many messages')
      }
      const closed = closeOf(socket)
      for (let sent = 0; sent < 5000; sent++) socket.ping('x')
      expect(await closed).toEqual({ code: 1008, reason: 'Too many messages' })
    })

    // uWebSockets.js answers pings itself, in 0.1 µs each.
    it.runIf(name === 'node')('takes frames that arrive in one read in a turn each', async () => {
      await start(() => reply('{}'))
      const opened = streaming.next()
      const client = await raw()
      const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
      await client.write(
        `GET /streaming HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n`,
      )
      const session = await opened
      let turns = 0
      let isOver = false
      const count = () => {
        turns++
        if (!isOver) setImmediate(count)
      }
      setImmediate(count)
      const ping = '\x89\x80\0\0\0\0'
      const text = '\x81\x82\0\0\0\0{}'
      await client.write(ping.repeat(200) + text.repeat(200))
      await expect.poll(() => session.messages.length, inTime).toBe(200)
      isOver = true
      expect(session.controls).toBe(200)
      expect(turns).toBeGreaterThanOrEqual(400)
    })

    it('ends a connection on which more than 64 KiB arrive as one message', async () => {
      await start(() => reply('{}'))
      const { socket, session } = await stream()
      socket.send('x'.repeat(64 * 1024))
      await expect.poll(() => session.messages.length, inTime).toBe(1)
      const closed = closeOf(socket)
      socket.send('x'.repeat(64 * 1024 + 1))
      expect([1006, 1009]).toContain((await closed).code)
      expect(session.messages).toHaveLength(1)
      await session.ended.promise
    })

    it('closes with 1011 and logs what a session throws', async () => {
      await start(() => reply('{}'))
      const { socket, session } = await stream()
      session.onMessage = bug
      const closed = closeOf(socket)
      socket.send('x')
      expect(await closed).toEqual({ code: 1011, reason: 'Internal error' })
      expect(logged).toHaveLength(1)
    })

    it('refuses a connection as a request where sessions are refused', async () => {
      await start(() => reply('{}'))
      streaming.isFull = true
      const socket = new WebSocket(`ws://127.0.0.1:${(server as Server).port}/streaming`)
      clients.push(socket)
      socket.on('error', () => {})
      const [, response] = await once(socket, 'unexpected-response')
      expect(response.statusCode).toBe(503)
      expect(response.headers['retry-after']).toBe('1')
      expect(streaming.sessions).toEqual([])
    })

    const upgrade = (path: string, fields: string) =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n${fields}\r\n`
    const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
    it.each([
      ['without an upgrade', 'GET /streaming HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['without a key', upgrade('/streaming', 'Upgrade: websocket\r\n')],
      ['to another protocol', upgrade('/other', 'Upgrade: h2c\r\n')],
      ['on another path', upgrade('/other', `Upgrade: websocket\r\n${key}`)],
    ])('leaves a request %s to the handler', async (_, bytes) => {
      await start(head => reply(`answer to ${head.path}`, 426))
      const client = await raw()
      await client.write(bytes)
      expect(await client.until(text => /answer to \/\w+$/.test(text))).toMatch(
        /^HTTP\/1.1 426 Upgrade Required/,
      )
      expect(streaming.sessions).toEqual([])
    })

    it('accepts a query behind the path', async () => {
      await start(() => reply('{}'))
      const client = await raw()
      await client.write(upgrade('/streaming?x=1', `Upgrade: websocket\r\n${key}`))
      expect(await client.until(text => text.includes('\r\n\r\n'))).toMatch(/^HTTP\/1.1 101 /)
    })

    // uWebSockets.js does this itself, and takes at least 8 seconds for it.
    it.runIf(name === 'node')('pings a silent client, and closes one that does not answer', async () => {
      // Time passes only here: with a real clock, an answer could come too late on a busy machine.
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
      try {
        const url = await start(() => reply('{}'), { idleSeconds: 60 })
        const silent = await stream({ autoPong: false })
        const answering = await stream()
        const closed = closeOf(silent.socket)
        for (let seconds = 30; seconds <= 150; seconds += 30) {
          expect(silent.session.endedCount).toBe(seconds <= 60 ? 0 : 1)
          const pinged = once(answering.socket, 'ping')
          vi.advanceTimersByTime(30_000)
          await pinged
          if (seconds === 60) await silent.session.ended.promise
          // The answer to the ping is read before this request.
          await (await fetch(url)).text()
        }
        expect((await closed).code).toBe(1006)
        expect(answering.session.endedCount).toBe(0)
      } finally {
        vi.useRealTimers()
      }
    })
  })

  describe('its port', () => {
    it('belongs to one server, also where both are of this driver', async () => {
      const url = await start(() => reply('first'))
      const { port } = server as Server
      const options = { host: '127.0.0.1', port, handle: () => reply('second') }
      const others = {
        streaming: new RecordedStreaming(),
        maxConnections: 10,
        maxConnectionsPerAddress: 10,
        trustedProxies: 0,
        maxUnsentBytes: 1,
        maxBodies: { total: 1, ofKey: 1 },
        maxBackpressure: 1,
        idleSeconds: 60,
        log: { info() {}, warn() {}, error() {} },
      }
      for (const driver of drivers) {
        await expect(driver.serve({ ...options, ...others })).rejects.toThrow(
          `cannot listen on 127.0.0.1:${port}: the address is in use or not allowed`,
        )
      }
      expect(await (await fetch(url)).text()).toBe('first')
    })

    it('is free again once it is closed', async () => {
      await start(() => reply('first'))
      const { port } = server as Server
      await server?.close(1)
      await start(() => reply('second'), { port })
      expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('second')
    })
  })

  describe('closing', () => {
    it('answers on open connections when it listens no more, and refuses new ones', async () => {
      await start(() => reply('answered'))
      const kept = await raw()
      await kept.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      await kept.until(text => text.endsWith('answered'))
      const { port } = server as Server
      ;(server as Server).stopListening()
      await nextTurn()
      await expect(RawClient.open(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
      await kept.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      expect(await kept.until(text => text.split('answered').length === 3)).toMatch(/answered$/)
    })

    it('answers what is open, closes streaming clients with 1001 and accepts nothing more', async () => {
      const later = signal<Reply>()
      const asked = signal()
      const url = await start(() => {
        asked.resolve()
        return later.promise
      })
      const { socket, session } = await stream()
      const answer = fetch(url)
      await asked.promise
      const closed = closeOf(socket)
      const closing = (server as Server).close(10)
      expect(await closed).toEqual({ code: 1001, reason: 'The service is stopping' })
      await session.ended.promise
      await expect(fetch(url)).rejects.toThrow()
      later.resolve(reply('in time'))
      expect(await (await answer).text()).toBe('in time')
      await closing
    })

    it('waits until a long answer is written', async () => {
      const text = 'x'.repeat(12 * 2 ** 20)
      const answered = signal()
      await start(() => {
        answered.resolve()
        return reply(text)
      })
      const client = await raw()
      client.pause()
      await client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      await answered.promise
      const closing = (server as Server).close(10)
      client.socket.resume()
      expect((await client.closed).length).toBeGreaterThan(text.length)
      await closing
    })

    it('gives up after its time', async () => {
      const asked = signal()
      const url = await start(() => {
        asked.resolve()
        return new Promise(() => {})
      })
      const answer = fetch(url).then(
        () => 'answered',
        () => 'cut',
      )
      await asked.promise
      await (server as Server).close(0.01)
      expect(await answer).toBe('cut')
    })
  })
})

function bug(): never {
  throw new Error('a bug')
}
