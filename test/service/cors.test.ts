import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fetchDocumented } from '../support/documented.js'
import { startTestService, type TestService } from '../support/test-service.js'

const app = 'https://app.example.com'
const other = 'https://other.example.com'
const authorization = 'Bearer many'
const exposed =
  'Age, ETag, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, Settled-Candles, Settled-Digits, Warning, WWW-Authenticate, X-Request-Id'
const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }

interface Sent {
  readonly method?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Services that allow no origin, a list of origins, and all origins. */
let none: TestService
let listed: TestService
let all: TestService
beforeAll(async () => {
  none = await startTestService()
  listed = await startTestService({ corsOrigins: ['http://localhost:3000', app] })
  all = await startTestService({ corsOrigins: '*' })
})
afterAll(() => Promise.all([none, listed, all].map(service => service.close())))

const ask = (service: TestService, path: string, init: Sent) => fetchDocumented(service.url, path, init)

/** The header fields of CORS in a reply. */
const corsOf = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => /^access-control|^vary/.test(name)))

/** A request for each way in which the service replies: at once, after its body, by a file, and with a refusal. */
const requests: readonly (readonly [string, number, Sent])[] = [
  ['/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h', 200, { headers: { authorization } }],
  ['/health/live', 200, {}],
  ['/openapi.json', 200, {}],
  ['/nope', 404, {}],
  ['/exchanges', 401, {}],
  ['/exchanges', 405, { method: 'DELETE' }],
  [
    '/bulk-candles',
    400,
    { method: 'POST', body: '{', headers: { authorization, 'content-type': 'application/json' } },
  ],
  [
    '/indicator/rsi',
    413,
    {
      method: 'POST',
      body: ' '.repeat(4 * 1024 * 1024 + 1),
      headers: { authorization, 'content-type': 'application/json' },
    },
  ],
]

describe.each(requests)('a reply of %s with %i', (path, status, init) => {
  const from = (service: TestService, origin?: string) =>
    ask(service, path, { ...init, headers: { ...init.headers, ...(origin && { origin }) } })

  it('may be read by a page of an allowed origin', async () => {
    const response = await from(listed, app)
    expect(response.status).toBe(status)
    expect(corsOf(response)).toEqual({
      'access-control-allow-origin': app,
      'access-control-expose-headers': exposed,
      vary: path.endsWith('.json') ? 'Accept-Encoding, Origin' : 'Origin',
    })
  })

  it('may be read by every page where all are allowed', async () => {
    expect(corsOf(await from(all, other))).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': exposed,
    })
  })

  it('may be read by no other page', async () => {
    for (const response of [await from(listed, other), await from(listed), await from(none, app)]) {
      expect(response.status).toBe(status)
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})

describe('what a browser asks before a request', () => {
  const preflight = (service: TestService, headers: Record<string, string>) =>
    fetch(`${service.url}/bulk`, { method: 'OPTIONS', headers })

  it('is allowed for an allowed origin', async () => {
    const response = await preflight(listed, { origin: app, ...asked })
    expect([response.status, response.headers.get('content-length')]).toEqual([204, null])
    expect(corsOf(response)).toEqual({
      'access-control-allow-origin': app,
      'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
      'access-control-allow-headers':
        'Authorization, Content-Type, If-None-Match, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id, Prefer, X-Request-Id',
      'access-control-expose-headers': exposed,
      'access-control-max-age': '7200',
      vary: 'Origin',
    })
    expect((await preflight(all, { origin: other, ...asked })).status).toBe(204)
  })

  it('is refused for every other origin, as any OPTIONS', async () => {
    for (const [service, headers] of [
      [listed, { origin: other, ...asked }],
      [listed, { origin: app }],
      [listed, asked],
      [none, { origin: app, ...asked }],
      [all, asked],
    ] as const) {
      const response = await preflight(service, headers)
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    }
  })
})

describe('the id of a request', () => {
  it.each(requests)('is repeated in the reply of %s with %i', async (path, status, init) => {
    const id = 'req_01/ab:c+d=e@f-9.x'
    const response = await ask(listed, path, { ...init, headers: { ...init.headers, 'x-request-id': id } })
    expect([response.status, response.headers.get('x-request-id')]).toEqual([status, id])
  })

  it('is at most 128 plain characters', async () => {
    const idOf = async (id: string) =>
      (await ask(none, '/health/live', { headers: { 'x-request-id': id } })).headers.get('x-request-id')
    expect(await idOf('a'.repeat(128))).toBe('a'.repeat(128))
    for (const id of ['a'.repeat(129), 'a b', '"a"', '<a>', 'a,b', 'é']) expect(await idOf(id), id).toBeNull()
  })

  it('is in the log of a request that failed', async () => {
    const logged: object[] = []
    const bug = new Error('a bug')
    const service = await startTestService(
      {},
      {},
      {
        log: { info() {}, warn() {}, error: context => logged.push(context) },
        access: {
          recall: () => undefined,
          authenticate() {
            throw bug
          },
        },
      },
    )
    const exchanges = `${service.url}/exchanges`
    const response = await fetch(exchanges, { headers: { 'x-request-id': 'mine' } })
    const without = await fetch(exchanges)
    await service.close()
    expect([response.status, response.headers.get('x-request-id')]).toEqual([500, 'mine'])
    expect(logged).toEqual([
      { err: bug, request: 'mine', method: 'get', path: '/exchanges' },
      { err: bug, request: without.headers.get('x-request-id'), method: 'get', path: '/exchanges' },
    ])
  })
})
