import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, type Scope, scopes } from '../../src/contract/account.js'
import { clientMessages } from '../../src/contract/messages.js'
import { missingKey } from '../../src/contract/refusals.js'
import { checkDocumented } from '../support/documented.js'
import { StreamingClient } from '../support/streaming-client.js'
import { startTestService, type TestService } from '../support/test-service.js'

/** Required scope of each route of the OpenAPI document; undefined if the route needs no key. */
const routes: Readonly<Record<string, Scope | undefined>> = {
  'POST /bulk': 'read',
  'POST /bulk-candles': 'read',
  'GET /candles': 'read',
  'GET /exchanges': 'read',
  'GET /exchanges/{exchange}/symbols': 'read',
  'GET /indicators': 'read',
  'GET /openapi.json': undefined,
  'GET /asyncapi.json': undefined,
  'POST /mcp': 'read',
  'GET /alerts': 'alerts',
  'POST /alerts': 'alerts',
  'GET /alerts/dead-letters': 'alerts',
  'POST /alerts/{id}': 'alerts',
  'POST /alerts/{id}/test': 'alerts',
  'DELETE /alerts/{id}': 'alerts',
  'GET /lists': 'read',
  'POST /lists': 'read',
  'GET /lists/{name}': 'read',
  'DELETE /lists/{name}': 'read',
  'GET /admin/keys': 'admin',
  'POST /admin/keys': 'admin',
  'GET /admin/keys/{id}': 'admin',
  'PATCH /admin/keys/{id}': 'admin',
  'DELETE /admin/keys/{id}': 'admin',
  'POST /admin/keys/{id}/rotate': 'admin',
  'GET /admin/usage': 'admin',
  'GET /streaming': undefined,
  'GET /streaming/health': 'stream',
  'GET /health/live': undefined,
  'GET /health/ready': undefined,
  'GET /expression': 'read',
  'POST /expression': 'read',
  'POST /expression/check': 'read',
  'POST /expression/pine': 'read',
  'POST /screen': 'read',
  'POST /breadth': 'read',
  'POST /evaluate': 'read',
  'GET /indicator/{name}': 'read',
  'POST /indicator/{name}': 'read',
}

/** The same for paths that the document leaves to other programs. */
const others: Readonly<Record<string, Scope>> = {
  'GET /taapi-v1/rsi?exchange=demo&symbol=BTC/USDT&interval=1h': 'read',
  'POST /taapi-v1/bulk': 'read',
  'GET /udf/search?query=BTC&exchange=demo': 'read',
  'GET /openbb/candles?exchange=demo&symbol=BTCUSDT&timeframe=1h': 'read',
}

/** Required scope of each streaming message, and a message that a key with this scope may send. */
const messages: Readonly<Record<string, readonly [Scope | undefined, object]>> = {
  auth: [undefined, {}],
  list: [undefined, {}],
  unsubscribe: [undefined, { id: 'x' }],
  screen_stop: [undefined, { id: 'x' }],
  breadth_stop: [undefined, { id: 'x' }],
  subscribe: ['stream', { id: 'x' }],
  screen: ['stream', { id: 'x' }],
  breadth: ['stream', { id: 'x' }],
  alerts: ['alerts', {}],
  alert_ack: ['alerts', { id: 'x' }],
}

const account = (own: readonly Scope[]): Account => ({
  ...{ id: '1a2b3c4d', name: 'me', plan: 'enterprise', created: 0 },
  ...{ requests: 100_000, constructs: 20, subscriptions: 100, scopes: own },
})
/** A key of the test, which is its scopes. */
const keyOf = (own: readonly Scope[]) => own.join('+')
const all = keyOf(scopes)
const without = (scope: Scope) => keyOf(scopes.filter(other => other !== scope))

let service: TestService
beforeAll(async () => {
  const authenticate = (header: string) => {
    const own = /^Bearer ([a-z+]+)$/.exec(header)?.[1]?.split('+') as Scope[] | undefined
    return own?.every(scope => scopes.includes(scope)) ? account(own) : missingKey()
  }
  service = await startTestService(
    { udfDatafeed: true, openbbWidgets: true },
    {},
    { access: { recall: () => undefined, authenticate } },
  )
})
afterAll(() => service.close())

/** Sends a request with a key that has these scopes; a path with variables gets values. */
async function ask(route: string, key: string) {
  const [method = '', path = ''] = route.split(' ')
  const own = path.replace('/indicator/{name}', '/indicator/rsi').replaceAll(/\{\w+\}/g, 'nothing')
  const hasBody = method === 'POST' || method === 'PATCH'
  const response = await fetch(service.url + own, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(hasBody && { 'content-type': 'application/json' }) },
    ...(hasBody && { body: '{}' }),
  })
  const { status, headers } = response
  return { method, path: own, status, headers, text: await response.text() }
}

const errorOf = (scope: Scope) => {
  const left = scopes.filter(other => other !== scope)
  return `The key has no scope ${scope}, which this needs. "candela keys update 1a2b3c4d --scopes ${[...left, scope].join()}" adds it`
}

describe('the routes', () => {
  it('are those of the document, which says the scope of each', () => {
    const { paths } = JSON.parse(readFileSync('build/openapi.json', 'utf8'))
    const described: Record<string, Scope | undefined> = {}
    for (const [path, operations] of Object.entries(
      paths as Record<string, Record<string, { security: [] }>>,
    ))
      for (const [method, { security }] of Object.entries(operations)) {
        const [requirement] = security as readonly { readonly bearer: readonly Scope[] }[]
        const name = path.replace(/^\/indicator\/\w+$/, '/indicator/{name}')
        described[`${method.toUpperCase()} ${name}`] = requirement?.bearer[0]
      }
    expect(described).toEqual(routes)
  })

  it.each(Object.entries(routes))('%s needs the scope %s', async (route, scope) => {
    if (scope === undefined) {
      expect([401, 403]).not.toContain((await ask(route, 'nobody')).status)
      return
    }
    const refused = await ask(route, without(scope))
    expect([refused.status, JSON.parse(refused.text)]).toEqual([403, { error: errorOf(scope) }])
    checkDocumented(refused)
    expect(refused.headers.get('ratelimit'), 'it is not counted').toMatch(/^"window";r=\d+;t=\d+$/)
    const taken = await ask(route, scope)
    expect([401, 403], taken.text).not.toContain(taken.status)
  })

  it.each(Object.entries(others))('%s needs the scope %s', async (route, scope) => {
    const refused = await ask(route, without(scope))
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining(`The key has no scope ${scope}`),
    ])
    expect([401, 403]).not.toContain((await ask(route, scope)).status)
  })

  it('refuse without counting', async () => {
    const left = async (route: string, key: string) =>
      Number(/r=(\d+)/.exec((await ask(route, key)).headers.get('ratelimit') ?? '')?.[1])
    const before = await left('GET /exchanges', all)
    for (let i = 0; i < 3; i++) await ask('GET /alerts', without('alerts'))
    expect(await left('GET /exchanges', all)).toBe(before - 1)
  })
})

describe('the messages of a stream', () => {
  it('are those of the interface', () => {
    expect(Object.keys(messages).sort()).toEqual(Object.keys(clientMessages()).sort())
  })

  it.each(Object.entries(messages))('%s needs a scope, or none', async (type, [scope, fields]) => {
    if (type === 'auth') return
    const reply = async (key: string) => {
      const client = await StreamingClient.connect(service.url, key)
      client.send({ type, ...fields })
      client.send({ type: 'nothing', id: 'end' })
      const replies: { type: string; id?: string | null; error?: string }[] = []
      while (replies.at(-1)?.id !== 'end') replies.push(await client.next())
      await client.close()
      return replies.slice(0, -1).map(({ error }) => error ?? '')
    }
    const isRefused = (errors: readonly string[]) => errors.some(error => error.includes('has no scope'))
    if (scope === undefined) expect(isRefused(await reply('admin'))).toBe(false)
    else {
      expect(await reply(without(scope))).toEqual([errorOf(scope)])
      expect(isRefused(await reply(scope))).toBe(false)
    }
  })
})

describe('the tools for language models', () => {
  const mcp = async (key: string, method: string, params: object = {}) => {
    const response = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return ((await response.json()) as { result: never }).result
  }
  const namesOf = async (key: string) =>
    ((await mcp(key, 'tools/list')) as { tools: { name: string }[] }).tools.map(({ name }) => name)
  const callAlerts = (key: string) =>
    mcp(key, 'tools/call', { name: 'alerts', arguments: { action: 'list' } }) as Promise<{
      isError?: boolean
      content: { text: string }[]
    }>

  it('have alerts where the key has the scope, and only there', async () => {
    expect(await namesOf('read+alerts')).toContain('alerts')
    expect(await callAlerts('read+alerts')).toMatchObject({ content: [{ text: 'No alerts.' }] })
    expect(await namesOf('read')).not.toContain('alerts')
    const { isError, content } = await callAlerts('read')
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining('alerts')])
  })
})
