import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Candela } from '../support/service-process.js'

let candela: Candela
beforeAll(async () => {
  candela = await Candela.start()
})
afterAll(() => candela.stop())

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** Repeats a request until its reply has a status. A change of a key takes effect before a request that is sent a second later. */
async function waitForStatus(status: number, key: string) {
  const until = Date.now() + 1000
  for (;;) {
    const isLast = Date.now() > until
    const answer = await candela.get('/exchanges', bearer(key))
    if (answer.status === status || isLast) return answer
    await sleep(50)
  }
}

const form = ' Send exactly "Bearer <API_KEY>", with a capital B and one space'

describe('keys', () => {
  it.each([
    ['no header', '', ''],
    ['another scheme', 'Basic abc', form],
    ['a bare key', 'KEY', form],
    ['another case', 'bearer KEY', form],
    ['capitals', 'BEARER KEY', form],
    ['a scheme without a space', 'bearerKEY', form],
    ['two spaces', 'Bearer  KEY', form],
    ['something behind the key', 'Bearer KEY x', form],
    ['an unknown key', 'Bearer cnd_00000000000000000000000000000000', ''],
    ['an empty key', 'Bearer ', form],
  ])('refuses %s with 401, and names the form where that is wrong', async (_, header, hint) => {
    const authorization = header.replace('KEY', candela.key)
    for (const path of [
      '/exchanges',
      '/exchanges/demo/symbols',
      '/candles',
      '/indicator/rsi',
      '/indicator/nope',
    ]) {
      const { status, body } = await candela.ask('GET', path, { headers: { authorization } })
      expect([status, body]).toEqual([401, { error: `Invalid or missing API key.${hint}` }])
    }
    const posted = await candela.ask('POST', '/indicator/rsi', { body: '{}', headers: { authorization } })
    expect(posted.status).toBe(401)
  })

  it('says where the key belongs that came as X-API-Key', async () => {
    const headers = { authorization: '', 'x-api-key': candela.key }
    const { status, body } = await candela.ask('GET', '/exchanges', { headers })
    const place = 'Send the key in the header, as Authorization: Bearer <API_KEY>, not in X-API-Key'
    expect([status, body]).toEqual([401, { error: `Invalid or missing API key. ${place}` }])
  })

  it('answers health probes without a key', async () => {
    for (const probe of ['/health/live', '/health/ready']) {
      expect((await candela.get(probe, { authorization: '' })).status).toBe(200)
    }
  })

  it('accepts a key within a second of its creation, and refuses it within a second of its revocation', async () => {
    const key = await candela.cli('keys', 'create', '--plan', 'expert', '--name', 'short')
    expect((await waitForStatus(200, key)).status).toBe(200)
    await candela.cli('keys', 'revoke', key)
    const { status, body } = await waitForStatus(401, key)
    expect([status, body]).toEqual([401, { error: 'Invalid or inactive token' }])
  })
})

describe('rate windows', () => {
  it('sends the policy and the remaining requests, and refuses the next request with Retry-After', async () => {
    const key = await candela.cli('keys', 'create', '--plan', 'basic', '--name', 'five')
    expect((await waitForStatus(200, key)).status).toBe(200)
    const seen: (string | null)[] = []
    let last = await candela.get('/exchanges', bearer(key))
    while (last.status === 200) {
      seen.push(last.headers.get('ratelimit'))
      expect(last.headers.get('ratelimit-policy')).toBe('"window";q=5;w=15')
      last = await candela.get('/exchanges', bearer(key))
    }
    expect(seen.map(text => /r=(\d+)/.exec(text ?? '')?.[1])).toEqual(['3', '2', '1', '0'])
    expect(last.status).toBe(429)
    expect(last.body).toEqual({ error: 'Rate limit exceeded. Your plan allows 5 requests per 15 seconds.' })
    const wait = Number(last.headers.get('retry-after'))
    expect(wait).toBeGreaterThanOrEqual(1)
    expect(wait).toBeLessThanOrEqual(15)
    expect(last.headers.get('ratelimit')).toBe(`"window";r=0;t=${wait}`)
  })

  it('counts neither what is refused before any work nor requests without a key', async () => {
    const key = await candela.cli('keys', 'create', '--plan', 'basic', '--requests', '3', '--name', 'three')
    await waitForStatus(200, key)
    for (const path of ['/indicator/nope', '/indicator/rsi', '/exchanges/nope/symbols', '/nowhere', '/bulk'])
      expect((await candela.get(path, bearer(key))).headers.get('ratelimit'), path).toContain('r=2')
    await candela.get('/exchanges', { authorization: '' })
    expect((await candela.get('/exchanges', bearer(key))).headers.get('ratelimit')).toContain('r=1')
  })
})
