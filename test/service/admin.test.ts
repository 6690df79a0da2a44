import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashOf, idOf } from '../../src/contract/account.js'
import { dayOf } from '../../src/contract/accounts.js'
import { Candela } from '../support/service-process.js'

/** A change of a key takes effect within a second; a busy machine may need longer to notice. */
const soon = { timeout: 10_000, interval: 50 }

let candela: Candela
let admin: { readonly authorization: string }
beforeAll(async () => {
  candela = await Candela.start()
  admin = bearer(
    await candela.cli('keys', 'create', '--plan', 'enterprise', '--name', 'boss', '--scopes', 'admin'),
  )
})
afterAll(() => candela.stop())

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const send = (method: string, path: string, body?: unknown) =>
  candela.ask(method, path, { headers: admin, ...(body !== undefined && { body: JSON.stringify(body) }) })
const make = async (body: object) => (await send('POST', '/admin/keys', body)).body
const statusOf = async (key: string) => (await candela.get('/exchanges', bearer(key))).status

describe('the administration of keys', () => {
  it('is refused to ordinary keys, those of every plan included, and without a key', async () => {
    const refused = await candela.get('/admin/keys')
    expect([refused.status, refused.body.error]).toEqual([
      403,
      expect.stringContaining('The key has no scope admin'),
    ])
    expect((await candela.get('/admin/keys', { authorization: '' })).status).toBe(401)
  })

  it('makes a key, which is shown once and works', async () => {
    const { status, body } = await send('POST', '/admin/keys', {
      plan: 'pro',
      name: ' bot ',
      scopes: ['read'],
    })
    expect(status).toBe(201)
    const { key, ...account } = body
    expect(account).toEqual({
      id: idOf(hashOf(key)),
      ...{ name: 'bot', plan: 'pro', requests: 30, constructs: 3, subscriptions: 30 },
      scopes: ['read'],
      created: expect.any(Number),
      keys: [{ id: idOf(hashOf(key)), created: account.created }],
    })
    expect(await statusOf(key)).toBe(200)
    expect((await send('GET', `/admin/keys/${account.id}`)).body).toEqual(account)
    const all = await send('GET', '/admin/keys?limit=1000')
    expect(all.body.keys).toContainEqual(account)
    expect(all.body).toMatchObject({ total: all.body.keys.length, corrupt: [] })
    expect(JSON.stringify(all.body), 'no more of a hash than the id').not.toContain(hashOf(key).slice(0, 9))
    const { body: part } = await send('GET', '/admin/keys?limit=1&offset=1')
    expect(part.keys).toEqual([all.body.keys[1]])
    expect((await make({ plan: 'free' })).name).toMatch(/^free \d{4}-\d\d-\d\d$/)
  })

  it('changes a key, and takes its end away', async () => {
    const { id, key } = await make({ plan: 'basic', expires: 4_000_000_000 })
    const changed = await send('PATCH', `/admin/keys/${id}`, {
      plan: 'expert',
      constructs: 4,
      scopes: ['alerts'],
    })
    expect(changed.body).toMatchObject({ plan: 'expert', requests: 75, constructs: 4, scopes: ['alerts'] })
    await expect.poll(() => statusOf(key), soon).toBe(403)
    expect(changed.body.expires).toBe(4_000_000_000)
    const endless = await send('PATCH', `/admin/keys/${id}`, { expires: null, scopes: ['read'] })
    expect(endless.body).not.toHaveProperty('expires')
    await expect.poll(() => statusOf(key), soon).toBe(200)
    await send('PATCH', `/admin/keys/${id}`, { expires: 1000 })
    await expect.poll(() => statusOf(key), soon).toBe(401)
  })

  it('revokes a key, which stays in the list', async () => {
    const { id, key } = await make({ plan: 'basic' })
    const { body } = await send('DELETE', `/admin/keys/${id}`)
    expect(body.revoked).toBeGreaterThanOrEqual(body.created)
    await expect.poll(() => statusOf(key), soon).toBe(401)
    expect((await send('GET', `/admin/keys/${id}`)).body).toEqual(body)
    expect((await send('POST', `/admin/keys/${id}/rotate`, {})).status).toBe(409)
  })

  it('gives a key another one in its place: both work until the overlap is over, with one window and one set of lists', async () => {
    const { id, key } = await make({ plan: 'pro', requests: 1000 })
    await candela.post('/lists', { name: 'mine', symbols: ['BTCUSDT'] }, bearer(key))
    const before = await candela.get('/exchanges', bearer(key))
    const rotated = await send('POST', `/admin/keys/${id}/rotate`, { overlap: 2 })
    expect(rotated.body).toMatchObject({ id, keys: [{ id, ends: expect.any(Number) }, {}] })
    const present = rotated.body.key
    const leftIn = ({ headers }: typeof before) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
    const { body, headers, status } = await candela.get('/lists', bearer(present))
    expect([body.lists.length, leftIn({ body, headers, status })]).toEqual([1, leftIn(before) - 1])
    await expect.poll(() => statusOf(key), soon).toBe(401)
    const ended = await candela.get('/exchanges', bearer(key))
    expect(ended.body.error).toMatch(
      /^Invalid or inactive token\. A newer key has taken its place; it worked until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/,
    )
    expect(await statusOf(present)).toBe(200)
  })

  it.each([
    ['POST', '/admin/keys', {}, 400, 'Missing required: plan'],
    [
      'POST',
      '/admin/keys',
      { plan: 'gold' },
      400,
      'Invalid plan: "gold". Expected one of free, basic, pro, expert, enterprise',
    ],
    [
      'POST',
      '/admin/keys',
      { plan: 'pro', name: 'a\nb' },
      400,
      'Invalid name: "a\\nb". Expected 1 to 64 characters on one line',
    ],
    [
      'POST',
      '/admin/keys',
      { plan: 'pro', constructs: 21 },
      400,
      'Invalid constructs: 21. Expected integer, 1 to 20',
    ],
    [
      'POST',
      '/admin/keys',
      { plan: 'pro', scopes: ['write'] },
      400,
      'Invalid scopes: ["write"]. Expected a list of read, stream, alerts, admin',
    ],
    [
      'POST',
      '/admin/keys',
      { plan: 'pro', scopes: [] },
      400,
      'Invalid scopes: []. Expected a list of read, stream, alerts, admin',
    ],
    [
      'POST',
      '/admin/keys',
      { plan: 'pro', expire: 1 },
      400,
      'Unknown parameter: expire. /admin/keys accepts: plan, name, requests, constructs, subscriptions, expires, scopes. Did you mean expires?',
    ],
    [
      'PATCH',
      '/admin/keys/ffffffff',
      {},
      400,
      'Nothing to change. Expected some of plan, name, requests, constructs, subscriptions, expires, scopes',
    ],
    [
      'PATCH',
      '/admin/keys/ffffffff',
      { expires: 'never' },
      400,
      'Invalid expires: "never". Expected integer, 0 or more, or null',
    ],
    ['PATCH', '/admin/keys/ffffffff', { requests: 5 }, 404, 'No key with the id "ffffffff"'],
    ['GET', '/admin/keys/ffff', undefined, 404, 'No key with the id "ffff"'],
    ['DELETE', '/admin/keys/ffffffff', undefined, 404, 'No key with the id "ffffffff"'],
    ['POST', '/admin/keys/ffffffff/rotate', {}, 404, 'No key with the id "ffffffff"'],
    [
      'POST',
      '/admin/keys/ffffffff/rotate',
      { overlap: -1 },
      400,
      'Invalid overlap: -1. Expected integer, 0 to 31622400',
    ],
    ['GET', '/admin/keys?limit=0', undefined, 400, 'Invalid limit: 0. Expected integer, 1 to 1000'],
    ['GET', '/admin/usage?key=ffffffff', undefined, 404, 'No key with the id "ffffffff"'],
    ['GET', '/admin/usage?days=93', undefined, 400, 'Invalid days: 93. Expected integer, 1 to 92'],
  ])('answers %s %s %j with %i', async (method, path, given, status, error) => {
    const answer = await send(method, path, given)
    expect([answer.status, answer.body]).toEqual([status, { error }])
  })
})

describe('the usage of keys', () => {
  it('counts by key, day and kind what costs a request, and what the window has refused', async () => {
    const { id, key } = await make({ plan: 'basic', requests: 3 })
    const paths = [
      '/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h',
      '/indicator/rsi',
      '/exchanges',
      `/taapi-v1/rsi?secret=${key}&exchange=demo&symbol=BTC/USDT&interval=1h`,
      '/exchanges',
      '/exchanges',
    ]
    for (const path of paths) await fetch(candela.url + path, { headers: bearer(key) })
    const { body } = await send('GET', `/admin/usage?key=${id}&days=1`)
    const requests = { indicator: 1, exchanges: 1, 'taapi-v1': 1, refused: 2 }
    expect(body).toEqual({ usage: [{ day: dayOf(Date.now() / 1000), id, requests }], more: false })
    expect(JSON.parse(await candela.cli('keys', 'usage', id, '--json'))).toMatchObject([{ requests }])
    const all = (await send('GET', '/admin/usage')).body
    expect(all.usage).toContainEqual(body.usage[0])
    expect(all.usage.length).toBeGreaterThan(2)
    const part = (await send('GET', '/admin/usage?limit=1&offset=1')).body
    // These requests are counted, too.
    const { day, id: second } = all.usage[1]
    expect(part).toMatchObject({ usage: [{ day, id: second }], more: true })
    expect(part.usage).toHaveLength(1)
  })
})
