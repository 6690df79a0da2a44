import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import { catalogue } from '../../src/catalogue/index.js'
import { Expressions } from '../../src/compute/expressions/expressions.js'
import { readMessage } from '../../src/live/protocol.js'
import type { Source } from '../../src/markets/exchanges/source.js'
import { fetchDocumented } from '../support/documented.js'
import { midnight, startTestService, type TestService } from '../support/test-service.js'

const bar = (timestamp: number): Candle => ({
  timestamp,
  open: 900,
  high: 900,
  low: 900,
  close: 900,
  volume: 1,
})

/** Prices for which asin, acos, exp and others have no value, the last candle forming. */
const flat: Source = {
  symbols: () => ['FLAT'],
  candles: () => [bar(midnight - 7200), bar(midnight - 3600), bar(midnight)],
}
/** Shares whose list is fetched: BRKB is another name of BRK.B, AAB is not one of AA.B. */
let isListKnown = false
const shares: Source = {
  symbols: () => {
    isListKnown = true
    return ['AA.B', 'AAB', 'BRK.B']
  },
  spellings: () => (isListKnown ? new Map([['BRKB', 'BRK.B']]) : undefined),
  candles: () => [bar(midnight - 3600)],
}

let service: TestService
beforeAll(async () => {
  service = await startTestService({}, { flat, shares })
})
afterAll(() => service.close())

async function ask(path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetchDocumented(service.url, path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: 'Bearer many',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
}
const errorOf = async (path: string, body?: unknown, headers?: Record<string, string>) => {
  const { status, body: reply } = await ask(path, body, headers)
  return [status, reply.error]
}
const remaining = (headers: Headers) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])

const market = 'exchange=demo&symbol=BTCUSDT&timeframe=1h'
const construct = (more: object = {}) => ({
  id: 'a',
  exchange: 'demo',
  symbol: 'BTCUSDT',
  timeframe: '1h',
  indicators: [{ id: 'b', indicator: 'rsi' }],
  ...more,
})
const bulk = (...constructs: readonly object[]) => ({ constructs })

describe('the arrays of one answer', () => {
  it('have one length for results=max, also where no candle has a value', async () => {
    const indicators = ['asin', 'acos', 'exp', 'cosh', 'sinh', 'sma']
    for (const indicator of indicators) {
      const query = `exchange=flat&symbol=FLAT&timeframe=1h&results=max${indicator === 'sma' ? '&period=2' : ''}`
      // The first of them fetches the candles.
      const { body } = await ask(`/indicator/${indicator}?${query}`, undefined, { prefer: 'wait=5' })
      expect(body.timestamp, indicator).toHaveLength(body.value.length)
    }
    const items = indicators
      .slice(0, 5)
      .map(indicator => ({ id: indicator, indicator, results: 'max', backtrack: 0 }))
    const { body } = await ask(
      '/bulk',
      bulk(construct({ exchange: 'flat', symbol: 'FLAT', indicators: items })),
    )
    for (const { id } of items) expect(body.a[id].timestamp, id).toHaveLength(body.a[id].value.length)
  })
})

describe('deeply nested values', () => {
  it.each([1_000, 5_000, 8_000])('of candles and fields, %i deep, are refused with 400', async depth => {
    for (const deep of [
      '['.repeat(depth) + ']'.repeat(depth),
      `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
    ]) {
      const candles = `[{"open":1,"high":1,"low":1,"close":${deep},"volume":1}]`
      const item = '{"id":"b","indicator":"rsi"}'
      for (const [path, body] of [
        ['/indicator/rsi', `{"candles":${candles}}`],
        ['/indicator/rsi', `{"candles":[${deep}]}`],
        ['/indicator/rsi', `{"period":${deep}}`],
        ['/bulk-candles', `{"constructs":[{"id":"a","candles":${candles},"indicators":[${item}]}]}`],
        ['/bulk', `{"constructs":[{"id":${deep}}]}`],
      ] as const)
        expect((await ask(path, body)).status, path).toBe(400)
    }
  })
})

describe('two names of one market', () => {
  const two = (symbol: string, other: string) =>
    bulk(construct({ exchange: 'shares', symbol }), construct({ id: 'c', exchange: 'shares', symbol: other }))

  it('are a duplicate, which is named as it is listed, the list being fetched where it decides', async () => {
    expect(isListKnown).toBe(false)
    expect((await ask('/bulk', two('MSFT', 'AAPL'))).status).toBe(200)
    expect(isListKnown, 'no list is needed for names that cannot be the same').toBe(false)
    expect(await errorOf('/bulk', two('BRK.B', 'brk-b'))).toEqual([
      400,
      'Duplicate construct: exchange "shares", symbol "BRK.B", timeframe "1h" appears more than once. Merge the indicators into a single construct.',
    ])
    expect((await ask('/bulk', two('AA.B', 'AAB'))).status).toBe(200)
  })

  it('are distinguished from other timeframes and exchanges', async () => {
    const body = bulk(
      construct({ exchange: 'shares', symbol: 'BRK.B' }),
      construct({ id: 'c', exchange: 'shares', symbol: 'BRKB', timeframe: '4h' }),
      construct({ id: 'd', exchange: 'demo', symbol: 'BRKB' }),
    )
    expect((await ask('/bulk', body)).status).toBe(200)
  })

  it('are echoed in the listed spelling', async () => {
    const body = { ...bulk(construct({ exchange: 'Shares', symbol: 'brk/b' })), verbose: true }
    expect((await ask('/bulk', body)).body.a._asset).toEqual({
      exchange: 'shares',
      symbol: 'BRK.B',
      timeframe: '1h',
    })
  })
})

describe('query strings of paths with few parameters or none', () => {
  it.each([
    ['/exchanges', undefined, 'no parameters'],
    ['/exchanges/demo/symbols', undefined, 'no parameters'],
    ['/streaming/health', undefined, 'no parameters'],
    ['/openapi.json', undefined, 'no parameters'],
    ['/bulk', bulk(construct()), 'format, layout'],
    ['/bulk-candles', bulk(construct()), 'no parameters'],
    ['/indicator/rsi', { candles: [] }, 'format'],
  ])('%s refuses an unknown parameter under its name', async (path, body, accepted) => {
    const [status, error] = await errorOf(`${path}?period=3&x=1`, body)
    expect(status).toBe(400)
    expect(error).toMatch(/^Unknown parameter: period\. The query string of \S+ accepts: /)
    expect(error.split('accepts: ')[1]).toBe(accepted)
    expect(await errorOf(`${path}?period=%ZZ`, body)).toEqual([400, 'Malformed query string'])
  })

  it('of probes are ignored', async () => {
    for (const path of ['/health/live', '/health/ready'])
      expect((await ask(`${path}?from=proxy`)).status).toBe(200)
  })
})

describe('rate windows', () => {
  it('are sent on 404 and 405 with a key, and not without one', async () => {
    for (const [path, body, status] of [
      ['/nowhere', undefined, 404],
      ['/bulk', undefined, 405],
      ['/openapi.json', {}, 405],
    ] as const) {
      const answer = await ask(path, body)
      expect(answer.status).toBe(status)
      expect(answer.headers.get('ratelimit-policy'), path).toMatch(/^"window";q=\d+;w=15$/)
      expect(answer.headers.get('ratelimit'), path).toMatch(/^"window";r=\d+;t=\d+$/)
      for (const authorization of ['', 'Bearer unknown']) {
        const anonymous = await ask(path, body, { authorization })
        expect(anonymous.status).toBe(status)
        expect(anonymous.headers.get('ratelimit')).toBeNull()
      }
    }
  })

  it('are not used by what is refused before any work', async () => {
    // The window begins with the next request, so that it does not end during the test.
    service.passMs(15_000)
    const before = remaining((await ask('/exchanges')).headers)
    for (const [path, body, headers] of [
      ['/indicator/rsi'],
      [`/indicator/rsi?${market}&period=0`],
      [`/indicator/nope?${market}`],
      ['/indicator/rsi?exchange=nope&symbol=X&timeframe=1h'],
      ['/candles?x=1'],
      ['/exchanges/nope/symbols'],
      ['/exchanges?x=1'],
      ['/indicator/rsi', '{'],
      ['/indicator/rsi', { candles: [] }],
      ['/indicator/rsi?x=1', {}],
      ['/indicator/rsi', '{}', { 'content-type': 'text/plain' }],
      ['/bulk', {}],
      ['/bulk-candles', bulk(construct())],
    ] as const) {
      const answer = await ask(path, body, headers)
      expect(answer.status, path).toBeGreaterThanOrEqual(400)
      expect(remaining(answer.headers), path).toBe(before)
    }
    expect(remaining((await ask('/exchanges')).headers)).toBe(before - 1)
  })

  it('are not used by the bound of the plan, whose 429 says when the window ends', async () => {
    service.passMs(15_000)
    const before = remaining((await ask('/exchanges', undefined, { authorization: 'Bearer small' })).headers)
    const candles = [{ o: 1, h: 1, l: 1, c: 1, v: 1 }]
    const indicators = [{ id: 'b', indicator: 'abs' }]
    for (const [path, constructs] of [
      ['/bulk', Array.from({ length: 20 }, (_, i) => construct({ id: `a${i}`, symbol: `S${i}` }))],
      ['/bulk-candles', Array.from({ length: 20 }, (_, i) => ({ id: `a${i}`, candles, indicators }))],
    ] as const) {
      const answer = await ask(path, { constructs }, { authorization: 'Bearer small' })
      expect([answer.status, answer.body.error]).toEqual([
        429,
        'Too many constructs. Your plan allows 1 construct(s) per bulk request.',
      ])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(remaining(answer.headers)).toBe(before)
    }
  })
})

describe('ids', () => {
  const withIds = (id: unknown, item: unknown) =>
    bulk(construct({ id, indicators: [{ id: item, indicator: 'rsi' }] }))

  it('have at most 100 characters', async () => {
    const longest = 'x'.repeat(100)
    expect((await ask('/bulk', withIds(longest, longest))).status).toBe(200)
    expect(await errorOf('/bulk', withIds(`${longest}x`, 'b'))).toEqual([
      400,
      `Construct [0] id "${longest}x" is invalid. Expected text of at most 100 characters`,
    ])
    expect(await errorOf('/bulk', withIds('a', `${longest}x`))).toEqual([
      400,
      `Construct "a" indicator [0] id "${longest}x" is invalid. Expected text of at most 100 characters`,
    ])
  })

  it('that are no text are refused for their type', async () => {
    const expected = 'Expected text of at most 100 characters'
    expect(await errorOf('/bulk', withIds(5, 'b'))).toEqual([
      400,
      `Construct [0] id 5 is invalid. ${expected}`,
    ])
    expect(await errorOf('/bulk', withIds('a', 5))).toEqual([
      400,
      `Construct "a" indicator [0] id 5 is invalid. ${expected}`,
    ])
  })
})

it('a number without a digit before its point is a number', async () => {
  for (const value of ['.5', '-.5', '.5e1'])
    expect(await errorOf(`/indicator/bbands?${market}&stddev=${value}`)).toEqual(
      await errorOf(`/indicator/bbands?${market}&stddev=${value.replace('.', '0.')}`),
    )
  expect((await ask(`/indicator/bbands?${market}&stddev=.5`)).status).toBe(200)
})

describe('refusals say what would be right', () => {
  const timeframes = '1m, 3m, 5m, 15m, 30m, 1h, 2h, 4h, 6h, 8h, 12h, 1d, 3d, 1w, 1M'
  it.each([
    ['/indicator/rssi', 404, 'Unknown indicator: rssi. Did you mean rsi?'],
    ['/indicator/sTochRsi', 404, 'Unknown indicator: sTochRsi. Did you mean stochrsi?'],
    ['/indicator/nothing-like-it', 404, 'Unknown indicator: nothing-like-it'],
    [
      `/indicator/rsi?${market}&peroid=3`,
      400,
      /^Unknown parameter: peroid\. rsi accepts: .*\. Did you mean period\?$/,
    ],
    [`/indicator/rsi?${market}&interval=1h`, 400, /\. Did you mean timeframe\?$/],
    [
      `/indicator/rsi?${market}&secret=abc`,
      400,
      /\. Send the key in the header, as Authorization: Bearer <API_KEY>$/,
    ],
    [
      '/indicator/rsi?exchange=demo&symbol=BTCUSDT&interval=1h',
      400,
      'Missing required: timeframe. Write timeframe instead of interval',
    ],
    ['/indicator/rsi?exchange=demo&symbol=BTCUSDT&period=3', 400, 'Missing required: timeframe'],
    [
      '/candles?exchange=demo&symbol=BTCUSDT&timeframe=60m',
      400,
      `Invalid timeframe: 60m. Expected one of ${timeframes}`,
    ],
    [
      '/candles?exchange=dmeo&symbol=BTCUSDT&timeframe=1h',
      404,
      'Exchange not found: dmeo. Did you mean demo?',
    ],
    ['/exchanges/deno/symbols', 404, 'Exchange not found: deno. Did you mean demo?'],
    ['/exchanges/elsewhere/symbols', 404, 'Exchange not found: elsewhere'],
    [
      '/candles?exchange=demo&symbol=BTC_USDT&timeframe=1h',
      404,
      'Symbol not found: BTC_USDT on demo. Did you mean BTCUSDT?',
    ],
    ['/candles?exchange=demo&symbol=NOSUCH&timeframe=1h', 404, 'Symbol not found: NOSUCH on demo'],
  ])('%s', async (path, status, error) => {
    const answer = await errorOf(path)
    expect(answer).toEqual([status, typeof error === 'string' ? error : expect.stringMatching(error)])
  })

  it('in bulk', async () => {
    const item = (more: object) => bulk(construct({ indicators: [{ id: 'b', ...more }] }))
    expect(await errorOf('/bulk', item({ indicator: 'RSSI' }))).toEqual([
      400,
      'Construct "a" references unknown indicator: RSSI. Did you mean rsi?',
    ])
    const { timeframe: _, ...rest } = construct()
    expect(await errorOf('/bulk', bulk({ ...rest, interval: '1h' }))).toEqual([
      400,
      'Construct "a": Missing required: timeframe. Write timeframe instead of interval',
    ])
    expect(await errorOf('/bulk', { construct: construct() })).toEqual([
      400,
      "Request body must contain a non-empty 'constructs' array",
    ])
    const failed = (await ask('/bulk', bulk(construct({ symbol: 'BTC_USDT' })))).body.a
    expect(failed).toEqual({
      _error:
        'Failed to fetch candles: 404 Not Found - check exchange, symbol and timeframe. Did you mean BTCUSDT?',
      b: null,
    })
  })

  it('in streaming, where the timeframe is called interval', () => {
    const message = { type: 'subscribe', id: 'x', exchange: 'demo', symbol: 'BTCUSDT', indicator: 'rssi' }
    const errorTo = (more: object) => {
      const read = readMessage(JSON.stringify({ ...message, ...more }), new Expressions(), { id: 'one' })
      return read.type === 'invalid' ? read.refusal.error : undefined
    }
    expect(errorTo({ timeframe: '1h' })).toBe(
      'Missing required: interval. Write interval instead of timeframe',
    )
    expect(errorTo({ interval: '1h' })).toBe('Unknown indicator: rssi. Did you mean rsi?')
    expect(errorTo({ interval: '1h', timeframe: '1h' })).toMatch(
      /^Unknown parameter: timeframe\..*Did you mean interval\?$/,
    )
  })

  it('where the key is sent as a parameter', async () => {
    const hint =
      'Invalid or missing API key. Send the key in the header, as Authorization: Bearer <API_KEY>, not in the query string'
    for (const name of ['secret', 'api_key', 'apiKey'])
      expect(await errorOf(`/candles?${name}=abc`, undefined, { authorization: '' })).toEqual([401, hint])
    expect(await errorOf('/candles?symbol=abc', undefined, { authorization: '' })).toEqual([
      401,
      'Invalid or missing API key.',
    ])
    expect(await errorOf('/candles?secret=abc', undefined, { authorization: 'Bearer unknown' })).toEqual([
      401,
      'Invalid or missing API key.',
    ])
  })
})

describe('any JSON value in any place of a body is answered as documented', () => {
  const candles = Array.from({ length: 20 }, (_, i) => ({ o: 1 + i, h: 50, l: 1, c: 2 + i, v: 1 }))
  const asset = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1h' }
  const where = { exchange: 'demo', timeframe: '1h', symbols: ['BTCUSDT'] }
  const item = { id: 'b', indicator: 'rsi', period: 5, results: 2, backtrack: 1, source: 'close' }
  /** A valid body for each route that reads one as JSON. */
  const bodies: Readonly<Record<string, object>> = {
    'post /bulk': { constructs: [construct({ indicators: [item] })], verbose: true },
    'post /bulk-candles': { constructs: [{ id: 'a', candles, indicators: [item] }], verbose: true },
    'post /indicator/{name}': { candles, period: 5, results: 2, backtrack: 1, source: 'close' },
    'post /expression': { candles, expression: 'rsi(5) > 50', results: 2 },
    'post /expression/check': { expression: 'rsi(5) > 50' },
    'post /expression/pine': { script: '//@version=6\nplot(close)', timeframe: '1h' },
    'post /screen': { ...where, where: 'rsi(5) > 50', columns: { rsi: 'rsi(5)' }, sort: 'rsi' },
    'post /breadth': { ...where, measures: { up: 'breadth(close > open)' }, results: 2 },
    'post /evaluate': { ...asset, entry: 'rsi(14) < 40', exit: 'rsi(14) > 55', fee: 0.001, horizons: [5] },
    'post /alerts': { ...asset, expression: 'rsi(5) > 50', on: 'close', trigger: 'cross', name: 'n' },
    'post /lists': { name: 'mine', symbols: ['BTCUSDT'] },
    'post /admin/keys': { name: 'n', plan: 'pro', requests: 5, scopes: ['read'] },
    'patch /admin/keys/{id}': { name: 'n', requests: 5 },
  }
  const documented: { readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>> } =
    JSON.parse(readFileSync(new URL('../../build/openapi.json', import.meta.url), 'utf8'))
  /** Paths of which the body is described elsewhere, or has no fields. */
  const others = ['post /mcp', 'post /alerts/{id}', 'post /alerts/{id}/test', 'post /admin/keys/{id}/rotate']

  it('by each route', () => {
    const routes = Object.entries(documented.paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter(method => 'requestBody' in (methods[method] as object))
        .map(method => `${method} ${path.replace(/^\/indicator\/.*/, '/indicator/{name}')}`),
    )
    expect([...new Set(routes)].sort()).toEqual([...Object.keys(bodies), ...others].sort())
  })

  /** The body with a value in one of its places, of which it is the first. */
  function placed(body: unknown, value: unknown, place: { left: number }): unknown {
    if (place.left-- === 0) return value
    if (Array.isArray(body)) return body.map(each => placed(each, value, place))
    if (typeof body !== 'object' || body === null) return body
    return Object.fromEntries(Object.entries(body).map(([key, each]) => [key, placed(each, value, place)]))
  }

  it.each(Object.entries(bodies))('%s', async (route, body) => {
    const [method = '', path = ''] = route.split(' ')
    const places = JSON.stringify(body).match(/[:,[{]/g)?.length ?? 0
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.nat(places), async (value, place) => {
        const { status } = await fetchDocumented(
          service.url,
          path.replace('{name}', 'rsi').replace('{id}', 'x'),
          {
            method: method.toUpperCase(),
            headers: {
              authorization: `Bearer ${path.startsWith('/admin') ? 'admin' : 'many'}`,
              'content-type': 'application/json',
            },
            body: JSON.stringify(placed(body, value, { left: place })),
          },
        )
        expect(status).toBeLessThan(500)
      }),
      { numRuns: 40 },
    )
  })
})

for (const step of [10, 1]) {
  const title = `${step === 1 ? 'every' : 'every tenth'} indicator is understood under its own name only`
  it(title, step === 1 ? { tags: ['kernels'] } : {}, async () => {
    const names = [...catalogue.keys()].filter((_, at) => at % step === 0)
    for (const name of names) {
      const [status, error] = await errorOf(`/indicator/${name.toUpperCase()}_`)
      expect([status, error]).toEqual([404, expect.stringContaining(`${name.toUpperCase()}_`)])
      expect(error, name).toContain(`Did you mean ${name}?`)
    }
  })
}
