import { readFileSync } from 'node:fs'
import { get as getHttp, type IncomingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:https'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { codeBlocksOf, documentAt } from '../support/documents.js'
import { needs } from '../support/needs.js'
import { isNginxAvailable, type Nginx, startNginx } from '../support/nginx.js'
import { freePort } from '../support/service-process.js'
import { StreamingClient } from '../support/streaming-client.js'
import { startTestService, type TestService } from '../support/test-service.js'

const fileOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const configuration = fileOf('deploy/nginx.conf')

const agent = new Agent({ keepAlive: true, rejectUnauthorized: false })
const rsi = '/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h'

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Sends a request over TLS. A body without a length is sent in chunks. */
const ask = (
  url: string,
  { body, headers = {} }: { body?: string | Buffer; headers?: Record<string, string | number> } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const options = {
      agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: 'Bearer many',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    }
    const sent = request(url, options, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      )
    })
    sent.on('error', reject)
    if (body !== undefined) sent.write(body)
    sent.end()
  })

class InsecureSocket extends WebSocket {
  constructor(url: string) {
    super(url, { rejectUnauthorized: false })
  }
}

const statusesOf = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(match => Number(match[1]))

describe.skipIf(!isNginxAvailable)('deploy/nginx.conf', needs('nginx'), () => {
  let service: TestService
  let nginx: Nginx
  beforeAll(async () => {
    service = await startTestService()
    nginx = await startNginx(configuration, new URL(service.url).port)
  })
  afterAll(async () => {
    nginx.close()
    agent.destroy()
    await service.close()
  })

  it('passes requests on over TLS, and sends those over HTTP there', async () => {
    const { status, headers, body } = await ask(nginx.httpsUrl + rsi)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json')
    expect(headers['ratelimit-policy']).toBeDefined()
    expect(JSON.parse(body)).toEqual(await service.get(rsi))
    const redirect = await new Promise<string | undefined>(resolve =>
      getHttp(`${nginx.httpUrl}${rsi}`, response => {
        response.resume()
        resolve(response.headers.location)
      }),
    )
    expect(redirect).toBe(`https://localhost${rsi}`)
  })

  it('names requests that have no name, and keeps the names of others', async () => {
    const named = await ask(nginx.httpsUrl + rsi, { headers: { 'x-request-id': 'mine-1' } })
    expect(named.headers['x-request-id']).toBe('mine-1')
    const unnamed = [await ask(nginx.httpsUrl + rsi), await ask(nginx.httpsUrl + rsi)]
    const names = unnamed.map(({ headers }) => headers['x-request-id'])
    expect(names).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)])
    expect(names[0]).not.toBe(names[1])
  })

  const candles = [1, 2, 4].map(price => ({ o: price, h: price, l: price, c: price, v: 1 }))
  const sma = { period: 2, results: 'max', candles }

  it('passes bodies on, also those that come in chunks', async () => {
    const url = `${nginx.httpsUrl}/indicator/sma`
    const body = JSON.stringify(sma)
    const whole = await ask(url, { body, headers: { 'content-length': Buffer.byteLength(body) } })
    expect(whole).toMatchObject({ status: 200, body: '{"value":[1.5,3],"timestamp":[1,2]}' })
    expect(await ask(url, { body })).toMatchObject({ status: 200, body: whole.body })
  })

  it('refuses a body above 4 MiB like the service', async () => {
    const body = Buffer.alloc(4 * 1024 * 1024 + 1, ' ')
    const options = { body: '', headers: { 'content-length': body.length, connection: 'close' } }
    const { status, headers, body: text } = await ask(`${nginx.httpsUrl}/bulk-candles`, options)
    expect(status).toBe(413)
    expect(headers['content-type']).toBe('application/json')
    const direct = await fetch(`${service.url}/bulk-candles`, {
      method: 'POST',
      headers: { authorization: 'Bearer many', 'content-type': 'application/json' },
      body,
    })
    expect(JSON.parse(text)).toEqual(await direct.json())
  })

  it('passes WebSockets on in both directions', async () => {
    const client = await StreamingClient.open(nginx.httpsUrl, InsecureSocket)
    client.send({ type: 'auth', token: 'Bearer many' })
    expect(await client.next()).toEqual({ type: 'auth_ok' })
    const market = { exchange: 'demo', symbol: 'BTCUSDT', interval: '1m', indicator: 'rsi', params: {} }
    client.send({ type: 'subscribe', id: 'a', ...market })
    expect(await client.next()).toMatchObject({ type: 'update', subscription: 'demo:btcusdt:1m' })
    client.socket.close()
    await client.closed
  })

  const head = `GET /health/live HTTP/1.1\r\nHost: localhost\r\n`

  it('passes a request line on that comes in parts', async () => {
    const parts = ['GET', ' /health/live HT', 'TP/1.1\r', '\nHost: localhost\r\nConnection: close\r\n\r\n']
    expect(statusesOf(await nginx.raw(parts))).toEqual([200])
  })

  const post = 'POST /health/live HTTP/1.1\r\nHost: localhost\r\n'
  it.each([
    ['two lengths', `${post}Content-Length: 0\r\nContent-Length: 40\r\n\r\n`],
    ['a length and chunks', `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['an unknown transfer encoding', `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['a chunk longer than announced', `${post}Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n`],
  ])('does not pass on a request with %s, nor one that is hidden behind it', async (_, bytes) => {
    const statuses = statusesOf(await nginx.raw([`${bytes}${head}Connection: close\r\n\r\n`]))
    expect(statuses).toHaveLength(1)
    expect([400, 501]).toContain(statuses[0])
  })

  it('answers requests that follow each other without waiting, in their order', async () => {
    const heavy = `GET ${rsi}&results=max HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer many\r\n\r\n`
    const text = await nginx.raw([heavy + heavy + heavy + head, 'Connection: close\r\n\r\n'])
    expect(statusesOf(text)).toEqual([200, 200, 200, 200])
    expect(text.indexOf('"status":"ok"')).toBeGreaterThan(text.lastIndexOf('"timestamp":'))
  })

  it('bounds the connections of one address', async () => {
    const clients = await Promise.all(
      Array.from({ length: 100 }, () => StreamingClient.open(nginx.httpsUrl, InsecureSocket)),
    )
    const { status, headers, body } = await ask(nginx.httpsUrl + rsi)
    expect(status).toBe(429)
    expect(headers['retry-after']).toBe('1')
    expect(JSON.parse(body)).toEqual({ error: 'Too many requests or connections from your address' })
    for (const client of clients) client.socket.close()
    await Promise.all(clients.map(client => client.closed))
  })
})

describe.skipIf(!isNginxAvailable)('the part of a site in docs/deploying.md', needs('nginx'), () => {
  it('passes requests and WebSockets below its path on to the service', async () => {
    const [block] = codeBlocksOf(documentAt('docs/deploying.md')).filter(
      ({ language }) => language === 'nginx',
    )
    const shared = configuration.slice(0, configuration.indexOf('server {\n    listen 80;'))
    const service = await startTestService()
    const nginx = await startNginx(
      `${shared}\nserver {\n    listen 80;\n${block?.code}}\n`,
      new URL(service.url).port,
    )
    try {
      const response = await fetch(`${nginx.httpUrl}/candela${rsi}`, {
        headers: { authorization: 'Bearer many' },
      })
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual(await service.get(rsi))
      expect((await fetch(`${nginx.httpUrl}${rsi}`)).status, 'the rest of the site is not the service').toBe(
        404,
      )
      const moved = await fetch(`${nginx.httpUrl}/candela/docs/`, { redirect: 'manual' })
      expect(moved.status).toBe(308)
      const target = new URL(moved.headers.get('location') ?? '', `${nginx.httpUrl}/candela/docs/`)
      expect(target.pathname, 'a redirect stays below the path').toBe('/candela/docs')
      const client = await StreamingClient.connect(`${nginx.httpUrl}/candela`, 'many')
      client.socket.close()
      await client.closed
    } finally {
      nginx.close()
      await service.close()
    }
  })
})

describe.skipIf(!isNginxAvailable)('nginx without a service behind it', needs('nginx'), () => {
  it('answers with 503 in the form of the service', async () => {
    const nginx = await startNginx(configuration, String(await freePort()))
    const { status, headers, body } = await ask(nginx.httpsUrl + rsi).finally(() => nginx.close())
    expect(status).toBe(503)
    expect(headers['retry-after']).toBe('5')
    expect(headers['content-type']).toBe('application/json')
    expect(JSON.parse(body)).toEqual({ error: 'The service cannot be reached' })
  })
})
