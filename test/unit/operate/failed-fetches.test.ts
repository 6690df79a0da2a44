import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CcxtSource } from '../../../src/markets/exchanges/ccxt/ccxt-source.js'
import { type Binance, ccxtOptions, type Fault, faults, startBinance } from '../../support/binance.js'
import { startTestService, type TestService } from '../../support/test-service.js'

interface Line {
  readonly message: string
  readonly [field: string]: unknown
}

const klines = '/api/v3/klines'
const lines: Line[] = []
let binance: Binance
let service: TestService
let metricsPort: number

/** A host whose name has a part that is too long, which is found without a network. */
const nowhere = `http://${'x'.repeat(64)}.invalid`
/** Known without a request, so that requests for candles are the only ones. */
const listed = { id: 'BTCUSDT', symbol: 'BTC/USDT', base: 'BTC', quote: 'USDT', spot: true, active: true }
const fetchMarkets = async () => [listed]

const sourceAt = (url: string, timeoutMs = 10_000) =>
  new CcxtSource('binance', { retries: 0, timeoutMs, options: { ...ccxtOptions(url), fetchMarkets } })

async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}

beforeAll(async () => {
  binance = await startBinance()
  const note = (context: object, message: string) => {
    lines.push({ ...context, message })
  }
  const sources = {
    binance: sourceAt(binance.url),
    slow: sourceAt(binance.url, 150),
    closed: sourceAt(`http://127.0.0.1:${await closedPort()}`),
    unnamed: sourceAt(nowhere),
  }
  service = await startTestService({ metricsPort: 0 }, sources, {
    log: { info: note, warn: note, error: note },
  })
  metricsPort = lines.find(({ message }) => message === 'metrics are shown')?.port as number
})
afterAll(async () => {
  await service.close()
  await binance.close()
})

const ask = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${service.url}${path}`, { headers: { authorization: 'Bearer many', prefer: 'wait=10', ...headers } })

const failures = async () => {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const found = text.matchAll(/^candela_fetch_failures_total\{exchange="(\w+)",reason="([\w-]+)"\} (\d+)$/gm)
  return new Map([...found].map(([, exchange, reason, count]) => [`${exchange} ${reason}`, Number(count)]))
}

const error = (status: number, code: number, msg: string): Fault => ({ kind: 'error', status, code, msg })
/** Each at a timeframe of its own, because a failure is remembered for a market. */
const kinds: readonly (readonly [
  reason: string,
  exchange: string,
  timeframe: string,
  fault: Fault | undefined,
  shown: object,
  words: string,
])[] = [
  ['name-not-resolved', 'unnamed', '1m', undefined, {}, 'binance: name not resolved'],
  ['connection-refused', 'closed', '1m', undefined, {}, 'binance: connection refused'],
  ['connection-broken', 'binance', '1m', faults.drop, {}, 'connection broken'],
  ['timed-out', 'slow', '1m', faults.silence, {}, 'binance did not answer within 150 ms'],
  ['down', 'binance', '5m', faults.internal, { status: 500, code: '-1000' }, 'is not available (HTTP 500)'],
  [
    'place-refused',
    'binance',
    '15m',
    faults.restricted,
    { status: 451, code: '0', detail: expect.stringContaining('restricted location') },
    'refuses requests from this country or network (HTTP 451)',
  ],
  [
    'keys-needed',
    'binance',
    '1h',
    error(401, -2008, 'Invalid Api-Key ID.'),
    { status: 401, code: '-2008' },
    'wants valid API keys for this (HTTP 401)',
  ],
  [
    'not-permitted',
    'binance',
    '4h',
    error(401, -1002, 'You are not authorized to execute this request.'),
    { status: 401, detail: expect.stringContaining('You are not authorized') },
    'does not permit this request (HTTP 401)',
  ],
  [
    'request-refused',
    'binance',
    '1d',
    faults.illegal,
    { status: 400, code: '-1100' },
    'refused the request (HTTP 400)',
  ],
  [
    'rate-limited',
    'binance',
    '1w',
    faults.tooManyRequests(),
    { status: 429, code: '-1003' },
    'limits the rate of requests (HTTP 429)',
  ],
]

test.each(kinds)('%s: a line of the log, a count and a reply that say so', async (...kind) => {
  const [reason, exchange, timeframe, fault, shown, words] = kind
  const endFault = fault && binance.fail(klines, fault)
  const before = (await failures()).get(`${exchange} ${reason}`) ?? 0
  lines.length = 0
  const path = `/candles?exchange=${exchange}&symbol=BTCUSDT&timeframe=${timeframe}`
  const reply = await ask(path)
  endFault?.()
  expect([reply.status, await reply.json()]).toEqual([
    503,
    { error: `Exchange unavailable: ${exchange} (${words})` },
  ])
  const id = reply.headers.get('x-request-id')
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  expect(lines).toEqual([
    {
      ...{ exchange, symbol: 'BTCUSDT', timeframe, reason, request: id, ...shown },
      ...{ seconds: expect.any(Number), detail: expect.any(String), ...shown },
      message: expect.stringMatching(/^candles could not be fetched: binance/),
    },
    {
      ...{ request: id, method: 'get', path: '/candles', status: 503 },
      answer: expect.stringContaining(words),
      message: 'a request could not be served',
    },
  ])
  expect((await failures()).get(`${exchange} ${reason}`)).toBe(before + 1)
})

test('a request with an id is answered with it, and its line names that of the failed fetch, which is remembered', async () => {
  lines.length = 0
  const path = '/indicator/rsi?exchange=closed&symbol=BTCUSDT&timeframe=1h'
  const first = await ask(path)
  const second = await ask(path, { 'x-request-id': 'mine-1' })
  const cause = first.headers.get('x-request-id')
  expect(second.headers.get('x-request-id')).toBe('mine-1')
  expect(lines).toMatchObject([{ request: cause }, { request: cause }, { request: 'mine-1', cause }])
})

test('a bulk request whose construct has _error is answered with the id of the failed fetch, or with its own, which a line joins to it', async () => {
  const construct = (timeframe: string) => ({
    ...{ id: 'a', exchange: 'closed', symbol: 'BTCUSDT', timeframe },
    indicators: [{ id: 'r', indicator: 'rsi' }],
  })
  const bulk = (headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${service.url}/bulk`, {
      method: 'POST',
      headers: { authorization: 'Bearer many', 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ constructs: [construct('1d')] }),
    })
  lines.length = 0
  const first = await bulk()
  const second = await bulk({ 'x-request-id': 'mine-2' })
  const cause = first.headers.get('x-request-id')
  expect(cause).toMatch(/^[0-9a-f-]{36}$/)
  expect([first.status, await first.json()]).toEqual([
    200,
    { a: { _error: expect.stringContaining('connection refused'), r: null } },
  ])
  expect(second.headers.get('x-request-id')).toBe('mine-2')
  const message = 'a part of a request could not be served'
  expect(lines).toMatchObject([
    { request: cause, reason: 'connection-refused' },
    { request: cause, path: '/bulk', status: 200, message },
    { request: 'mine-2', cause, path: '/bulk', status: 200, message },
  ])
})

test('what is wrong with a request of the caller is not logged', async () => {
  lines.length = 0
  const unknown = await ask('/candles?exchange=binance&symbol=NOPE&timeframe=1h')
  expect([unknown.status, unknown.headers.get('x-request-id')]).toEqual([404, null])
  expect(lines).toEqual([])
})
