import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import type { Source } from '../../src/markets/exchanges/source.js'
import { runCommand } from '../support/command-line.js'
import { flatCandle } from '../support/flat-candle.js'
import { StreamingClient } from '../support/streaming-client.js'
import { midnight, startTestService, type TestService } from '../support/test-service.js'

// Every place that shows values of a market, where the market has had no new candle for a year. The page is in
// test/page/picture.test.ts, alerts are in test/unit/alerts/alerts.test.ts.

const hour = 3600
const age = 365 * 24 * hour
const newest = midnight - age - hour
const market = { exchange: 'gone', symbol: 'BTCUSDT', timeframe: '1h' }
const isOld = { warning: expect.stringContaining('110 - "Response is Stale"'), age: String(age) }
const ago = 'the last candle ended 365 days ago'
const tooOld = `The candles of gone BTCUSDT 1h are too old: the last one ended 365 days ago, and maxAge is ${hour} seconds`

/** An exchange that answers, with candles up to a year ago. */
const gone: Source = {
  symbols: () => ['BTCUSDT'],
  candles: (_symbol, _timeframe, count): Candle[] =>
    Array.from({ length: Math.min(count, 300) }, (_, back) => ({
      ...flatCandle(0, 100 + (back % 7)),
      timestamp: newest - back * hour,
    })).reverse(),
}

let service: TestService
beforeAll(async () => {
  service = await startTestService({ udfDatafeed: true, openbbWidgets: true }, { gone, kraken: gone })
  for (const exchange of ['gone', 'kraken'])
    await send('/candles', { ...market, exchange }, undefined, 'wait=10')
})
afterAll(() => service.close())

async function send(
  path: string,
  query: Readonly<Record<string, string | number>>,
  body?: unknown,
  prefer = 'wait=0',
) {
  const given = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const response = await fetch(`${service.url}${path}?${given}`, {
    headers: {
      authorization: 'Bearer many',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      prefer,
    },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  const { status, headers } = response
  const marks = { warning: headers.get('warning'), age: headers.get('age') }
  return { status, headers: marks, text: await response.text() }
}
const json = ({ text }: { readonly text: string }) => JSON.parse(text)

it.each([
  ['/candles', {}, undefined],
  ['/indicator/rsi', {}, undefined],
  ['/indicator/rsi', { format: 'csv' }, undefined],
  ['/expression', { expression: 'close > 1' }, undefined],
  ['/evaluate', {}, { ...market, entry: 'close > 101' }],
])('%s %o says how old candles are, or refuses them by maxAge', async (path, own, body) => {
  const ask = (bound: object) =>
    body ? send(path, own, { ...body, ...bound }) : send(path, { ...market, ...own, ...bound })
  expect(await ask({})).toMatchObject({ status: 200, headers: isOld })
  expect(await ask({ maxAge: age })).toMatchObject({ status: 200, headers: isOld })
  const refused = await ask({ maxAge: hour })
  expect([refused.status, json(refused)]).toEqual([503, { error: tooOld }])
})

it('of a bulk request says it with each construct', async () => {
  const indicators = [{ id: 'a', indicator: 'rsi' }]
  const constructs = [
    { ...market, id: 'old', indicators },
    { ...market, exchange: 'demo', id: 'new', indicators },
  ]
  for (const verbose of [false, true]) {
    const answer = await send('/bulk', {}, { constructs, verbose })
    expect(answer).toMatchObject({ status: 200, headers: isOld })
    expect([json(answer).old._age, json(answer).new._age]).toEqual([age, undefined])
  }
  const bounded = constructs.map(each => ({ ...each, maxAge: hour }))
  const { old, new: current } = json(await send('/bulk', {}, { constructs: bounded }))
  expect(old).toEqual({ _error: `Failed to fetch candles: 503 Service Unavailable - ${tooOld}`, a: null })
  expect(current.a.value).toHaveLength(1)
  const table = await send('/bulk', { format: 'csv' }, { constructs })
  expect(table.headers).toEqual(isOld)
})

it.each([
  ['/screen', { where: 'close > 0' }, { matches: [] }],
  ['/breadth', { measures: { up: 'advances' } }, { timestamp: [] }],
])('%s names the markets with old candles, or counts them as failed by maxAge', async (path, asked, none) => {
  const body = { exchange: 'gone', timeframe: '1h', symbols: ['BTCUSDT'], ...asked }
  const answer = await send(path, {}, body, 'wait=10')
  expect(answer.headers).toEqual(isOld)
  expect(json(answer).stale).toEqual([{ symbol: 'BTCUSDT', age }])
  const bounded = json(await send(path, {}, { ...body, maxAge: hour }, 'wait=10'))
  expect(bounded).toMatchObject({
    ...none,
    failed: [{ symbol: 'BTCUSDT', error: expect.stringContaining(tooOld) }],
  })
  expect(bounded.stale).toBeUndefined()
})

it('streams say it in the first update and in the first state of a screen', async () => {
  const client = await StreamingClient.connect(service.url, 'many')
  client.send({
    type: 'subscribe',
    id: 'a',
    ...market,
    timeframe: undefined,
    interval: '1h',
    indicator: 'rsi',
  })
  expect(await client.next(({ type }) => type === 'update')).toMatchObject({ closed: true, age })
  client.send({
    type: 'screen',
    id: 's',
    exchange: 'gone',
    timeframe: '1h',
    where: 'close > 0',
    symbols: ['BTCUSDT'],
  })
  expect(await client.next(({ type }) => type === 'screen_ok')).toMatchObject({
    stale: [{ symbol: 'BTCUSDT', age }],
  })
  client.send({
    ...{ type: 'breadth', id: 'b', exchange: 'gone', timeframe: '1h', symbols: ['BTCUSDT'] },
    measures: { up: 'advances' },
  })
  expect(await client.next(({ type }) => type === 'breadth_ok')).toMatchObject({
    stale: [{ symbol: 'BTCUSDT', age }],
  })
  client.socket.close()
  await client.closed
})

it.each([
  ['/udf/history', { symbol: 'gone:BTCUSDT', resolution: '60', from: newest - 10 * hour, to: newest }],
  ['/openbb/indicator', { ...market, indicator: 'rsi' }],
  ['/taapi-v1/rsi', { exchange: 'gone', symbol: 'BTC/USDT', interval: '1h' }],
])('%s, in the form of another program, says it in its headers', async (path, query) => {
  expect(await send(path, query)).toMatchObject({ status: 200, headers: isOld })
})

it('tools for language models say it in words', async () => {
  const params = {
    name: 'compute',
    arguments: { indicator: 'rsi', exchange: 'gone', symbols: ['BTCUSDT'], timeframe: '1h' },
  }
  const { text } = await send('/mcp', {}, { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  expect(text).toContain(ago)
})

it.each([
  ['chart', 'gone', 'BTCUSDT', '1h'],
  ['watch', 'gone', 'BTCUSDT', '1h', 'rsi', '--updates', '1'],
  ['evaluate', 'gone', 'BTCUSDT', '1h', '--entry', 'close > 101'],
  ['screen', 'gone', '1h', 'close > 0', '--symbols', 'BTCUSDT'],
])('candela %s says it in a line', async (...words) => {
  // The exchange is none of this package, so that the command knows it by the name of another one.
  const { err } = await runCommand(
    words.map(word => (word === 'gone' ? 'kraken' : word)),
    { CANDELA_URL: service.url, CANDELA_KEY: 'many' },
  )
  expect(err).toMatch(/the last candle ended \d+ days ago/)
})
