import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { Candela } from '../../../src/client/index.js'
import { playRequest, type RequestScenario } from '../../support/request-scenario.js'

interface Sent {
  readonly path: string
  readonly method: string
  readonly headers: Headers
}

const reply = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })

/** A client whose requests get these replies in turn. */
function start(replies: readonly (() => Response)[]) {
  const sent: Sent[] = []
  const client = new Candela({
    url: 'http://candela/',
    key: 'cnd_1',
    fetch: async (url, { signal, method = 'GET', headers } = {}) => {
      signal?.throwIfAborted()
      sent.push({ path: String(url).replace('http://candela', ''), method, headers: new Headers(headers) })
      return (replies[sent.length - 1] as () => Response)()
    },
  })
  return { client, sent }
}

const market = { exchange: 'demo', symbol: 'BTC/USDT', timeframe: '1h' } as const
beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const scenarios: readonly RequestScenario[] = parseYaml(
  readFileSync(new URL('../../scenarios/requests.yaml', import.meta.url), 'utf8'),
  { merge: true },
).scenarios

describe('of requests', () => {
  it.each(scenarios.map(each => [each.title, each] as const))('%s', (_, each) => playRequest(each))
})

describe('a request of the client', () => {
  it('says that nobody answers, with the cause', async () => {
    const cause = new TypeError('fetch failed')
    const { client } = start([
      () => {
        throw cause
      },
    ])
    await expect(client.exchanges()).rejects.toMatchObject({
      name: 'CandelaError',
      message: 'Candela does not answer at http://candela',
      status: 0,
      cause,
    })
  })

  it('says that the body broke off', async () => {
    const { client } = start([
      () => new Response(new ReadableStream({ start: body => body.error(new Error('reset')) })),
    ])
    await expect(client.exchanges()).rejects.toMatchObject({
      message: 'Candela does not answer at http://candela',
    })
  })

  it.each(['GET', 'POST'])(
    '%s ends with the reason of its signal, before and while it waits',
    async method => {
      const { client, sent } = start([
        () => reply(429, { error: 'Rate limit exceeded.' }, { 'Retry-After': '9' }),
      ])
      const controller = new AbortController()
      const { signal } = controller
      const send = () =>
        method === 'GET'
          ? client.indicator('rsi', market, {}, { signal })
          : client.bulk([{ ...market, id: 'a', indicators: [] }], { signal })
      const reason = new Error('enough')
      const waiting = expect(send()).rejects.toBe(reason)
      await vi.advanceTimersByTimeAsync(5000)
      controller.abort(reason)
      await waiting
      expect(vi.getTimerCount()).toBe(0)
      await expect(send()).rejects.toBe(reason)
      expect(sent).toHaveLength(1)
    },
  )

  it('ends with the reason of its signal while the body arrives', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const { client } = start([
      () => {
        const body = new ReadableStream({
          pull: stream => {
            controller.abort(reason)
            stream.error(new Error('aborted'))
          },
        })
        return new Response(body)
      },
    ])
    await expect(client.exchanges({ signal: controller.signal })).rejects.toBe(reason)
  })
})

describe('a time with more candles than a reply has', () => {
  const refusal = (count: number, from: string, end: string) => () =>
    reply(400, {
      error: `The range has ${count} candles, and an answer at most 2. Ask for it in parts: the first one from ${from} to ${end}`,
    })
  const second = Date.UTC(2026, 0, 1) / 1000
  const replies = [
    refusal(5, '2026-01-01 00:00:00', '2026-01-01 01:00:00'),
    () => reply(200, { value: [1, 2], timestamp: [second, second + 3600] }),
    refusal(3, '2026-01-01 01:00:01', '2026-01-01 03:00:00'),
    () => reply(200, { value: [3, null], timestamp: [second + 7200, second + 10800] }),
    () => reply(200, { value: [5], timestamp: [second + 14400] }),
  ]

  it('is requested in parts, which are joined', async () => {
    const { client, sent } = start(replies)
    const progress: object[] = []
    const range = { from: '2026-01-01', to: '2026-01-02', period: 7 }
    const result = await client.indicator('rsi', market, range, { onProgress: each => progress.push(each) })
    expect(result).toEqual({
      value: [1, 2, 3, null, 5],
      timestamp: [0, 1, 2, 3, 4].map(at => second + at * 3600),
    })
    expect(progress).toEqual([
      { done: 2, total: 5 },
      { done: 4, total: 5 },
    ])
    const windows = sent.map(({ path }) => {
      const query = new URLSearchParams(path.split('?')[1])
      return [query.get('from'), query.get('to'), query.get('period')]
    })
    expect(windows).toEqual([
      ['2026-01-01', '2026-01-02', '7'],
      ['2026-01-01', `${second + 3600}`, '7'],
      [`${second + 3601}`, '2026-01-02', '7'],
      [`${second + 3601}`, `${second + 10800}`, '7'],
      [`${second + 10801}`, '2026-01-02', '7'],
    ])
  })

  it('has candles in one array', async () => {
    const { client } = start([
      replies[0] as () => Response,
      () => reply(200, [{ timestamp: 1 }, { timestamp: 2 }]),
      () => reply(200, [{ timestamp: 3 }]),
    ])
    const candles = await client.candles(market, { from: 0 })
    expect(candles.map(({ timestamp }) => timestamp)).toEqual([1, 2, 3])
  })
})

describe('fetch of the client', () => {
  it('resolves with any reply at once, and keeps what it is given', async () => {
    const { client, sent } = start([
      () => reply(202, { pending: true }, { 'Retry-After': '1' }),
      () => reply(404, { error: 'Not found' }),
    ])
    expect((await client.fetch('/candles')).status).toBe(202)
    const headers = { Authorization: 'Bearer other', 'If-None-Match': '"1"' }
    const response = await client.fetch('/nope', { method: 'DELETE', headers })
    expect([response.status, await response.json()]).toEqual([404, { error: 'Not found' }])
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'DELETE'])
    expect(sent.map(each => each.headers.get('authorization'))).toEqual(['Bearer cnd_1', 'Bearer other'])
    expect(sent[1]?.headers.get('if-none-match')).toBe('"1"')
  })
})

describe('a bulk request of the client', () => {
  it('tells its progress between its parts, and keeps ids that are names of objects', async () => {
    const refusal = { error: 'Too many constructs. Your plan allows 1 construct(s) per bulk request.' }
    const { client } = start([
      () => reply(429, refusal),
      () => reply(200, '{"__proto__":{"i":1}}'),
      () => reply(200, '{"constructor":{"i":2}}'),
    ])
    const named = ['__proto__', 'constructor'].map((id, at) => ({
      ...{ ...market, symbol: `S${at}`, id },
      indicators: [{ id: 'i', indicator: 'rsi' as const }],
    }))
    const progress: object[] = []
    const results = await client.bulk(named, { onProgress: each => progress.push(each) })
    expect(Object.entries(results)).toEqual([
      ['__proto__', { i: 1 }],
      ['constructor', { i: 2 }],
    ])
    expect(progress).toEqual([{ done: 1, total: 2 }])
  })
})

it('refuses an address that is none, and a key that no header field can have', () => {
  for (const url of ['', '127.0.0.1:8080', 'localhost:8080', 'ftp://candela', 'http://'])
    expect(() => new Candela({ url, key: 'k' }), url).toThrow(
      `Invalid url: ${url}. Expected an address such as http://localhost:8080`,
    )
  expect(() => new Candela({ key: 'k' } as never)).toThrow('Invalid url: undefined. ')
  for (const key of ['schlüssel€', 'a b', 'a\nb', 'é'])
    expect(() => new Candela({ url: 'http://candela', key }), key).toThrow(
      'Invalid key: it has characters that no key has',
    )
})
