import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogue } from '../../src/catalogue/index.js'
import { fetchDocumented } from '../support/documented.js'
import { documentedExpressions } from '../support/expressions/documented.js'
import { Candela, tuningOf } from '../support/service-process.js'
import { StreamingClient } from '../support/streaming-client.js'
import { startTestService, type TestService } from '../support/test-service.js'

const market = 'exchange=demo&symbol=BTCUSDT&timeframe=1h'
const asset = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1h' }
/** One service computes everything on the event loop, at a time that stands still, the other one in a thread. */
let service: TestService
let threaded: Candela

beforeAll(async () => {
  service = await startTestService()
  threaded = await Candela.start(tuningOf({ inlineBudgetUs: 0, inlineBodyBytes: 1024 }))
})
afterAll(async () => {
  await threaded?.stop()
  await service?.close()
})

type Asked = (path: string, body?: unknown) => Promise<{ readonly status: number; readonly body: Answered }>
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the service sent
type Answered = any

const askOne: Asked = async (path, body) => {
  const headers = { authorization: 'Bearer many', 'content-type': 'application/json' }
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetchDocumented(service.url, path, init)
  return { status: response.status, body: await response.json() }
}
const askThreaded: Asked = (path, body) => threaded.post(path, body)

const path = (expression: string, more = '') =>
  `/expression?${market}&expression=${encodeURIComponent(expression)}${more}`
const get = async (expression: string, more = '') => (await askOne(path(expression, more))).body

describe('POST /expression/check', () => {
  const check = (body: object) => askOne('/expression/check', body)

  it('says what is known of an expression, and where it is wrong', async () => {
    const { status, body } = await check({ expression: 'rsi(14)@4h > 50', timeframe: '1h' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      outputs: [{ name: 'value', type: 'boolean' }],
      timeframes: ['4h'],
      indicators: [{ indicator: 'rsi', params: { period: 14 } }],
      cost: { candles: 1000, microseconds: expect.any(Number) },
    })
    const faults = ['rsi(14) <', 'clsoe > 5', 'rsi(14)@4h', '']
    for (const expression of faults) {
      const { status: wrong, body: refusal } = await check({ expression, timeframe: '4h' })
      const asked = `/expression?exchange=demo&symbol=BTCUSDT&timeframe=4h&expression=${encodeURIComponent(expression)}`
      if (expression !== 'rsi(14)@4h') expect([wrong, refusal]).toEqual([400, (await askOne(asked)).body])
    }
    expect((await check({ expression: 'rsi(14)@4h' })).body.error).toMatch(
      /^Invalid expression at character 9: the timeframe of the candles is not known/,
    )
    expect((await check({ expression: 'close', timeframe: '7h' })).body.error).toMatch(
      /^Invalid timeframe: 7h/,
    )
    expect((await check({ expression: 'close', symbol: 'A' })).body.error).toBe(
      'Unknown parameter: symbol. expression/check accepts: expression, timeframe, chart',
    )
  })
})

describe('POST /expression/pine', () => {
  const translate = (body: object) => askOne('/expression/pine', body)

  it('has an expression for each value of a script, and the lines without one', async () => {
    const script = '//@version=6\nindicator("Mine")\nplot(ta.rsi(close, 14), "RSI")\nplot(bar_index)\n'
    const { status, body } = await translate({ script, timeframe: '1h' })
    expect(status).toBe(200)
    expect(body).toEqual({
      title: 'Mine',
      inputs: [],
      expressions: [{ line: 3, from: 'plot', title: 'RSI', expression: 'rsi(close, 14)', type: 'number' }],
      differences: [],
      refused: [
        { line: 4, text: 'plot: bar_index: the number of a candle depends on where the history begins' },
      ],
    })
    expect((await translate({ script: 'plot(close)' })).body).toMatchObject({
      expressions: [],
      refused: [{ line: 1, text: expect.stringContaining('only versions 5 and 6') }],
    })
  })

  it('refuses what is no script', async () => {
    expect((await translate({ script: 5 })).body).toEqual({ error: 'Invalid script: 5. Expected text' })
    expect((await translate({})).body).toEqual({ error: 'Missing required: script' })
    expect((await translate({ script: 'x', timeframe: '7h' })).status).toBe(400)
  })

  it('reads less of a script than the command line, which no other request waits for', async () => {
    const calls = Array.from({ length: 12 }, (_, i) => `f${i + 1}(x) => f${i}(x) + f${i}(x)`)
    const script = ['//@version=6', 'f0(x) => x', ...calls, 'plot(f12(close))'].join('\n')
    const { body } = await translate({ script })
    expect(body.refused).toEqual([{ line: expect.any(Number), text: 'the script has too many parts' }])
  })
})

describe('GET /expression', () => {
  it('answers as an indicator does, and an indicator with its values', async () => {
    const window = '&results=50&backtrack=1'
    const { body: rsi } = await askOne(`/indicator/rsi?${market}${window}`)
    expect(await get('rsi(14)', window)).toEqual(rsi)
    expect(await get('RSI', window)).toEqual(rsi)
    expect(Object.keys(await get('rsi(14)'))).toEqual(['value', 'timestamp'])
    expect((await get('rsi(14)')).value).toHaveLength(1)
  })

  it('answers conditions as true, false and null', async () => {
    const { body: rsi } = await askOne(`/indicator/rsi?${market}&results=200&backtrack=1`)
    const { value, timestamp } = await get('rsi(14) < 50', '&results=200&backtrack=1')
    expect(value).toEqual(rsi.value.map((each: number) => each < 50))
    expect(timestamp).toEqual(rsi.timestamp)
    expect((await get('close / 0 > 1', '&results=2')).value).toEqual([null, null])
  })

  it('answers the same from results that are kept', async () => {
    const expression = 'sma(rsi(14), 5)@4h > 50 and close > ema(200)'
    const first = await get(expression, '&results=max&backtrack=1')
    expect(first.value.length).toBeGreaterThan(700)
    for (let k = 0; k < 3; k++) expect(await get(expression, '&results=max&backtrack=1')).toEqual(first)
    expect((await get(expression, '&results=5&backtrack=2')).value).toEqual(first.value.slice(-6, -1))
  })

  it('refuses what is wrong, with the place of it', async () => {
    const { status, body } = await askOne(path('rsi(14) < 30 and clsoe > 5'))
    expect(status).toBe(400)
    expect(body).toEqual({
      error:
        'Invalid expression at character 18: unknown name "clsoe". Did you mean close? Nearest valid form: rsi(14) < 30 and close > 5',
    })
    for (const [query, error] of [
      [market, 'Missing required: expression'],
      [`${market}&expression=`, 'Missing required: expression'],
      ['symbol=BTCUSDT&expression=close', 'Missing required: exchange, timeframe'],
      [`${market}&expression=close&period=3`, 'Unknown parameter: period. expression accepts: expression'],
      [`${market}&expression=close&results=0`, 'Invalid results: 0. Expected integer, 1 or more, or max'],
      [`${market}&expression=close@15m`, 'Invalid expression at character 7: @15m is shorter'],
      [`${market}&expression=ema(200)@1w`, 'Not enough candles: expression needs 33,'.replace(',', '')],
    ] as const) {
      const refused = await askOne(`/expression?${query}`)
      expect(refused.status, query).toBe(400)
      expect(refused.body.error, query).toContain(error)
    }
  })

  it.each(documentedExpressions())('answers the example %s of the documents', async expression => {
    const { value, timestamp } = await get(expression, '&results=300&backtrack=1')
    expect(timestamp).toHaveLength(300)
    const types = new Set(value.map((each: unknown) => typeof each))
    expect([...types]).toEqual([/[<>]|cross/.test(expression) ? 'boolean' : 'number'])
  })
})

describe('POST /expression', () => {
  it('has the values of GET over the same candles, on the event loop and in a thread', async () => {
    const { body: candles } = await askOne(`/candles?${market}&results=500&backtrack=1`)
    for (const expression of ['rsi(14)', 'sma(rsi(14), 5)@4h > 50 or close > open', 'close[1]']) {
      const body = { expression, candles, results: 300 }
      const { body: answered } = await askOne('/expression', body)
      expect(answered.value).toHaveLength(300)
      expect((await askThreaded('/expression', body)).body).toEqual(answered)
      if (!expression.startsWith('rsi'))
        expect(answered.value.slice(-50)).toEqual((await get(expression, '&results=50&backtrack=1')).value)
    }
  })

  it('refuses a longer timeframe of candles without a timeframe', async () => {
    const candles = [1, 2, 3].map(close => ({ open: close, high: close, low: close, close, volume: 1 }))
    const post = (expression: unknown) => askOne('/expression', { expression, candles })
    expect((await post('close > 2')).body).toEqual({ value: [true], timestamp: [2] })
    expect((await post('close@4h')).body.error).toContain(
      'character 7: the timeframe of the candles is not known',
    )
    expect((await post(5)).body.error).toBe('Invalid expression: 5. Expected text')
    expect((await post(undefined)).body.error).toBe('Missing required: expression')
    const missing = await askOne('/expression', { expression: 'close' })
    expect(missing.body.error).toBe('candles is missing')
  })
})

describe('an expression in a bulk request', () => {
  const expression = 'crossover(ema(9), ema(21)) or rsi(14)@4h > 50'
  const item = { indicator: 'expression', expression, results: 100, backtrack: 1 }

  it('has the values of GET, on the event loop and in threads, first and later', async () => {
    const body = {
      verbose: true,
      constructs: [
        {
          id: 'a',
          ...asset,
          indicators: [
            { id: 'e', ...item },
            { id: 'r', indicator: 'rsi' },
          ],
        },
      ],
    }
    const { value } = await get(expression, '&results=100&backtrack=1')
    for (const ask of [askOne, askThreaded])
      for (let k = 0; k < 3; k++) {
        const { status, body: answered } = await ask('/bulk', body)
        expect(status, answered.error).toBe(200)
        expect(answered.a.e).toMatchObject({ indicator: 'expression', params: { expression }, errors: [] })
        expect(answered.a.e.result.value).toHaveLength(100)
        if (ask === askOne) expect(answered.a.e.result.value).toEqual(value)
        expect(answered.a.r.result.value).toHaveLength(1)
      }
  })

  it('over supplied candles has the values of POST', async () => {
    const { body: candles } = await askOne(`/candles?${market}&results=500&backtrack=1`)
    const { body: posted } = await askOne('/expression', { expression, candles, results: 100 })
    const indicators = [{ id: 'e', indicator: 'EXPRESSION', expression, results: 100 }]
    const body = { constructs: [{ id: 'a', candles, indicators }] }
    for (const ask of [askOne, askThreaded])
      expect((await ask('/bulk-candles', body)).body.a.e).toEqual(posted)
  })

  it('is refused with its construct, its id and the place of the fault', async () => {
    const refused = async (given: object) => {
      const indicators = [{ id: 'e', indicator: 'expression', ...given }]
      const { status, body: answered } = await askOne('/bulk', {
        constructs: [{ id: 'a', ...asset, indicators }],
      })
      expect(status).toBe(400)
      return answered.error
    }
    const where = 'Construct "a", indicator "e": '
    expect(await refused({ expression: 'close >' })).toBe(
      `${where}Invalid expression at character 8: expected a value, got the end`,
    )
    expect(await refused({})).toBe(`${where}Missing required: expression`)
    expect(await refused({ expression: 'close', period: 3 })).toContain(`${where}Unknown parameter: period`)
  })
})

describe('a subscription to an expression', () => {
  it('has the values of GET, and is listed and ended as that of an indicator', async () => {
    const client = await StreamingClient.connect(service.url, 'many')
    const expression = 'rsi(14)@4h - rsi(14)'
    const subscribe = { type: 'subscribe', id: 'x', exchange: 'demo', symbol: 'BTCUSDT', interval: '1h' }
    client.send({ ...subscribe, indicator: 'Expression', params: { expression } })
    const update = await client.next()
    expect(update).toMatchObject({
      type: 'update',
      subscription: 'demo:btcusdt:1h',
      indicator: 'expression',
      params: { expression },
    })
    const { value, timestamp } = await get(expression, update.closed ? '&backtrack=1' : '')
    expect(update.data.timestamp).toBe(timestamp[0])
    if (update.closed) expect(update.data.expression).toBe(value[0])
    else expect(update.data.expression).toBeTypeOf('number')
    client.send({ type: 'list' })
    const { data } = await client.next(({ type }) => type === 'subscriptions')
    expect(data).toEqual([{ id: 'demo_btcusdt_1h_x', ...listed, params: { expression } }])
    client.send({ ...subscribe, id: 'y', indicator: 'expression', params: { expression: 'clsoe' } })
    expect(await client.next(({ type }) => type === 'error')).toMatchObject({
      id: 'y',
      error:
        'Invalid expression at character 1: unknown name "clsoe". Did you mean close? Nearest valid form: close',
    })
    client.socket.close()
  })

  const listed = { exchange: 'demo', symbol: 'BTCUSDT', interval: '1h', indicator: 'expression' }
})

it('no indicator of the catalogue has the name of expressions', () => {
  expect(catalogue.has('expression')).toBe(false)
})
