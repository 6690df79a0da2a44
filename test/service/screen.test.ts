import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import { Candela as Client } from '../../src/client/index.js'
import { createDemoSource } from '../../src/markets/exchanges/demo/demo-source.js'
import { type Source, SourceFailure } from '../../src/markets/exchanges/source.js'
import { type BinanceMarket, ccxtOptions, startBinance } from '../support/binance.js'
import { fetchDocumented } from '../support/documented.js'
import { quietClock, startQuiet } from '../support/quiet-hour.js'
import { midnight, startTestService, type TestService } from '../support/test-service.js'

const demo = createDemoSource(() => midnight)
/** An exchange whose candles are fetched, with markets that cannot be had, or whose histories are short. */
const many: Source & {
  requests: number
  release: (() => void) | undefined
  held: Promise<void> | undefined
} = {
  requests: 0,
  release: undefined,
  held: undefined,
  symbols: () =>
    Array.from({ length: 104 }, (_, i) => `C${String(i).padStart(3, '0')}${i % 4 === 0 ? 'BTC' : 'USDT'}`),
  async candles(symbol, timeframe, count) {
    many.requests++
    await many.held
    if (symbol === 'C007USDT') throw new SourceFailure('unknown-symbol', 'there is none')
    const all = demo.candles('BTCUSDT', timeframe, count) as readonly Candle[]
    if (symbol === 'C009USDT') return all.slice(-12)
    const factor = 1 + Number(symbol.slice(1, 4)) / 1000
    return all.map(({ timestamp, open, high, low, close, volume }, i) => {
      // Markets differ in their prices and in their last candles.
      const scale = factor * (i > count - 10 ? 1 + (((i * Number(symbol.slice(1, 4))) % 13) - 6) / 200 : 1)
      return {
        timestamp,
        open: open * scale,
        high: high * scale,
        low: low * scale,
        close: close * scale,
        volume,
      }
    })
  },
}

let service: TestService
beforeAll(async () => {
  service = await startTestService({ historyDepth: 650 }, { many })
})
afterAll(() => service.close())

const post = (path: string, body: unknown, key = 'many', headers: Record<string, string> = {}) =>
  fetchDocumented(service.url, path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const screen = (body: unknown, key?: string, headers?: Record<string, string>) =>
  post('/screen', body, key, headers)
/** The answer to a screen whose candles may be fetched for the first time. */
async function screenWhenReady(request: unknown): Promise<string> {
  for (;;) {
    const response = await screen(request, 'many', { prefer: 'wait=10' })
    if (response.status === 202) continue
    expect(response.status).toBe(200)
    return response.text()
  }
}
const remaining = (response: Response) => Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1])

/** The value of an expression at the newest candle, from a request of its own. */
const expressionAt = async (exchange: string, symbol: string, expression: string, backtrack = 0) => {
  const query = new URLSearchParams({
    exchange,
    symbol,
    timeframe: '1h',
    expression,
    backtrack: `${backtrack}`,
  })
  const response = await fetchDocumented(service.url, `/expression?${query}`, {
    headers: { authorization: 'Bearer many', prefer: 'wait=5' },
  })
  const body = await response.json()
  return { value: body.value?.[0], timestamp: body.timestamp?.[0], error: body.error }
}

describe('a screen', () => {
  const where = 'rsi(14) > 45 and close > ema(50)'
  const select = { rsi: 'rsi(14)', distance: '(close - ema(50)) / close', isUp: 'close > open' }

  it.each([0, 3])('finds the markets that single expressions find, %d candles ago', async backtrack => {
    const request = { exchange: 'many', timeframe: '1h', quote: 'usdt', where, select, backtrack } as const
    const answers: string[] = []
    // The first one computes, the second one keeps results, the third one reads them.
    for (let i = 0; i < 3; i++) answers.push(await screenWhenReady(request))
    expect(new Set(answers).size).toBe(1)
    const { matches, screened, failed } = JSON.parse(answers[0] as string)
    const symbols = (many.symbols() as string[]).filter(symbol => symbol.endsWith('USDT'))
    expect(screened).toBe(symbols.length - 2)
    expect(failed).toEqual([
      {
        symbol: 'C007USDT',
        error: 'Failed to fetch candles: 404 Not Found - check exchange, symbol and timeframe',
      },
      { symbol: 'C009USDT', error: `Not enough candles: expression needs 50, ${12 - backtrack} available` },
    ])
    const expected: unknown[] = []
    for (const symbol of symbols) {
      const condition = await expressionAt('many', symbol, where, backtrack)
      if (condition.value !== true) continue
      const match: Record<string, unknown> = { symbol, timestamp: condition.timestamp }
      for (const [name, text] of Object.entries(select))
        match[name] = (await expressionAt('many', symbol, text, backtrack)).value
      expected.push(match)
    }
    expect(matches).toEqual(expected)
    expect(expected.length).toBeGreaterThan(5)
    expect(expected.length).toBeLessThan(symbols.length - 5)
  })

  it('is sorted by an expression or by a name, and cut', async () => {
    const select = { rsi: 'rsi(14)', root: 'pow(rsi(14) - 45, 0.5)' }
    const base = { exchange: 'many', timeframe: '1h', where: 'close > 0', select }
    const ask = async (more: object): Promise<{ symbol: string; rsi: number; root: number | null }[]> =>
      JSON.parse(await screenWhenReady({ ...base, ...more })).matches
    const rows = await ask({})
    expect(rows.length).toBe(103)
    const short = rows.find(({ symbol }) => symbol === 'C009USDT')
    expect(short?.rsi, 'with 12 candles').toBeNull()
    const others = rows.filter(row => row !== short).sort((a, b) => a.rsi - b.rsi)
    const byRsi = [...others, short]
    expect(await ask({ orderBy: 'rsi' })).toEqual(byRsi)
    expect(await ask({ orderBy: 'rsi asc' })).toEqual(byRsi)
    const descending = await ask({ orderBy: 'rsi(14) * 2 DESC' })
    expect(descending.map(({ rsi }) => rsi)).toEqual([...others.map(({ rsi }) => rsi).reverse(), null])
    expect(await ask({ orderBy: 'rsi desc', limit: 3 })).toEqual(descending.slice(0, 3))
    // Undefined values come last in both directions.
    const defined = rows.filter(({ root }) => root !== null).length
    expect(defined).toBeGreaterThan(5)
    expect(defined).toBeLessThan(rows.length - 5)
    for (const direction of ['asc', 'desc']) {
      const roots = (await ask({ orderBy: `root ${direction}` })).map(({ root }) => root)
      const numbers = roots.slice(0, defined) as number[]
      const sign = direction === 'asc' ? 1 : -1
      expect(numbers).toEqual([...numbers].sort((a, b) => sign * (a - b)))
      expect(new Set(roots.slice(defined))).toEqual(new Set([null]))
    }
  })

  it('reads given symbols in any spelling once, and the demo exchange', async () => {
    const request = {
      exchange: 'DEMO',
      timeframe: '4h',
      symbols: ['btc/usdt', 'BTCUSDT', 'eth-usdt'],
      where: 'true',
    }
    const response = await screen(request)
    expect(response.status).toBe(200)
    const { matches, screened } = await response.json()
    expect(matches.map(({ symbol }: { symbol: string }) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT'])
    expect(screened).toBe(2)
  })

  it('sees a candle that has closed, and asks the exchange again only then or when candles are old', async () => {
    const request = { exchange: 'many', timeframe: '15m', where: 'close > 0', limit: 1 }
    const ask = () => screenWhenReady(request)
    await ask()
    const before = many.requests
    await ask()
    expect(many.requests).toBe(before)
    service.pass(20)
    await ask()
    expect(many.requests, 'after 20 seconds').toBe(before)
    service.pass(20)
    await ask()
    // Missing older candles may be fetched in addition to the newest ones. The unknown symbol is not fetched for a minute.
    expect(many.requests - before, 'after 40 seconds').toBeGreaterThanOrEqual(103)
  })
})

describe('a screen whose candles are fetched for the first time', () => {
  it('is pending with counts, costs one request with its repetitions, and waits where that is preferred', async () => {
    many.held = new Promise(resolve => {
      many.release = () => {
        many.held = undefined
        resolve()
      }
    })
    const request = { exchange: 'many', timeframe: '1d', where: 'close > 0' }
    const first = await screen(request)
    expect(first.status).toBe(202)
    expect(first.headers.get('retry-after')).toBe('1')
    expect(await first.json()).toEqual({ pending: true, key: 'screen:many:1d', done: 0, total: 104 })
    const again = await screen(request, 'many', { prefer: 'wait=1' })
    expect([again.status, again.headers.get('preference-applied')]).toEqual([202, 'wait=1'])
    expect(remaining(again)).toBeGreaterThanOrEqual(remaining(first))
    const other = await screen({ ...request, where: 'close > 1' })
    expect(other.status, 'another question over the same markets').toBe(202)
    const requests = many.requests
    many.release?.()
    let answered = await screen(request, 'many', { prefer: 'wait=10' })
    while (answered.status === 202) answered = await screen(request, 'many', { prefer: 'wait=10' })
    expect(answered.status).toBe(200)
    expect(remaining(answered), 'the answer was paid for').toBeGreaterThanOrEqual(remaining(other))
    expect(many.requests - requests).toBeLessThan(104)
    expect((await answered.json()).screened).toBe(103)
  })

  it('is refused where the account has two others under way', async () => {
    many.held = new Promise(resolve => {
      many.release = () => {
        many.held = undefined
        resolve()
      }
    })
    const ask = (symbol: string, key: string) =>
      screen({ exchange: 'many', timeframe: '1w', symbols: [symbol], where: 'close > 0' }, key)
    expect((await ask('C001USDT', 'few')).status).toBe(202)
    expect((await ask('C002USDT', 'few')).status).toBe(202)
    const refused = await ask('C003USDT', 'few')
    expect([refused.status, (await refused.json()).error]).toEqual([
      429,
      'Too many screens. At most 2 of different markets may fetch candles at once.',
    ])
    expect((await ask('C002USDT', 'few')).status, 'one of the two').toBe(202)
    expect((await ask('C003USDT', 'many')).status, 'for another account').toBe(202)
    many.release?.()
  })

  it('takes as long as the rate limit of the exchange asks for, and lets other requests between', async () => {
    // A request for candles has the weight 0.4.
    const [count, spacingMs] = [20, 60]
    const markets = Array.from({ length: count }, (_, k): BinanceMarket => {
      const base = `C${String(k).padStart(2, '0')}`
      return {
        venue: 'spot',
        symbol: `${base}USDT`,
        base,
        quote: 'USDT',
        price: 10 + k,
        listed: Date.UTC(2017, 7, 17, 4),
      }
    })
    // If a candle closed during the test, every market would be fetched again.
    const binance = await startBinance({ markets, clock: quietClock })
    const settings = {
      EXCHANGES: JSON.stringify({ binance: { ...ccxtOptions(binance.url), rateLimit: spacingMs / 0.4 } }),
      HISTORY_DEPTH: '100',
    }
    const candela = await startQuiet(settings)
    try {
      const client = new Client({ url: candela.url, key: candela.key })
      const progress: number[] = []
      await client.symbols('binance')
      const start = performance.now()
      const screening = client.screen(
        {
          exchange: 'binance',
          timeframe: '1h',
          quote: 'USDT',
          where: 'close > 0',
          orderBy: 'close desc',
          select: { close: 'close' },
        },
        { onProgress: ({ done }) => progress.push(done) },
      )
      const single = await client.candles({ exchange: 'binance', symbol: 'C19USDT', timeframe: '5m' })
      expect(single).toHaveLength(1)
      const { matches, screened, failed } = await screening
      const seconds = (performance.now() - start) / 1000
      expect([screened, failed]).toEqual([count, []])
      expect(matches.map(({ close }) => close)).toEqual(
        [...matches.map(({ close }) => close as number)].sort((a, b) => b - a),
      )
      expect(seconds).toBeGreaterThanOrEqual((count * spacingMs) / 1000)
      expect(progress.every((done, i) => i === 0 || done >= (progress[i - 1] as number))).toBe(true)
      const fetched = binance.seen.filter(({ pathname }) => pathname === '/api/v3/klines')
      expect(fetched).toHaveLength(count + 1)
      expect(
        fetched.at(-1)?.searchParams.get('interval'),
        'the single request did not wait for the screen',
      ).toBe('1h')
      // Another screen of the same markets sends nothing.
      await client.screen({ exchange: 'binance', timeframe: '1h', quote: 'USDT', where: 'close < 0' })
      expect(binance.requests('/api/v3/klines')).toBe(count + 1)
    } finally {
      await candela.stop()
      await binance.close()
    }
  })
})

describe('a screen is refused', () => {
  const good = { exchange: 'many', timeframe: '1h', where: 'close > 0' }
  const long = Array.from({ length: 13 }, (_, i) => [`x${i}`, 'close'])
  it.each<[string, unknown, number, string]>([
    ['a list', [], 400, 'Request body must be a JSON object'],
    ['no JSON', '{', 400, 'Request body is not valid JSON'],
    ['nothing', {}, 400, 'Missing required: exchange, timeframe, where'],
    [
      'an unknown field',
      { ...good, wher: 'x' },
      400,
      'Unknown parameter: wher. screen accepts: exchange, timeframe, adjustment, symbols, quote, where',
    ],
    ['a timeframe', { ...good, timeframe: '2h2' }, 400, 'Invalid timeframe'],
    ['an exchange', { ...good, exchange: 'nowhere' }, 404, 'Exchange not found: nowhere'],
    [
      'a number',
      { ...good, where: 'rsi(14)' },
      400,
      'where must be a condition, which is true or false: compare it, as in rsi(14) < 30',
    ],
    ['no text', { ...good, where: { a: 1 } }, 400, 'Invalid where: {"a":1}. Expected an expression'],
    ['a fault', { ...good, where: 'rsi(14) <' }, 400, 'where: Invalid expression at character 10: expected'],
    [
      'a fault in select',
      { ...good, select: { a: 'clsoe' } },
      400,
      'select.a: Invalid expression at character 1: unknown name "clsoe". Did you mean close?',
    ],
    [
      'a list in select',
      { ...good, select: ['close'] },
      400,
      'Invalid select: ["close"]. Expected an object',
    ],
    [
      'a name in select',
      { ...good, select: { 'a b': 'close' } },
      400,
      'Invalid name in select: a b. Expected letters, digits and underscores, and none of symbol, timestamp',
    ],
    ['a reserved name', { ...good, select: { symbol: 'close' } }, 400, 'Invalid name in select: symbol.'],
    [
      'many of them',
      { ...good, select: Object.fromEntries(long) },
      400,
      'select may have at most 12 expressions',
    ],
    ['an order', { ...good, orderBy: 'close > 1' }, 400, 'orderBy must be a number'],
    ['an order by nothing', { ...good, orderBy: ' desc' }, 400, 'orderBy: Invalid expression'],
    ['an order that is none', { ...good, orderBy: 5 }, 400, 'Invalid orderBy: 5. Expected an expression'],
    ['a limit', { ...good, limit: 0 }, 400, 'Invalid limit: 0. Expected integer, 1 to 2000'],
    ['a backtrack', { ...good, backtrack: -1 }, 400, 'Invalid backtrack: -1. Expected integer, 0 or more'],
    [
      'symbols',
      { ...good, symbols: 'BTCUSDT' },
      400,
      'Invalid symbols: "BTCUSDT". Expected an array of symbols',
    ],
    [
      'no symbols',
      { ...good, symbols: [] },
      400,
      'Invalid symbols: "0 symbols". Expected an array of symbols',
    ],
    [
      'a symbol',
      { ...good, symbols: ['A', 5] },
      400,
      'Invalid symbols[1]: 5. Expected a symbol such as BTCUSDT',
    ],
    ['an empty symbol', { ...good, symbols: ['/'] }, 400, 'Invalid symbols[0]: "/". Expected a symbol'],
    [
      'symbols and quote',
      { ...good, symbols: ['A'], quote: 'USDT' },
      400,
      'Send either symbols or quote, not both',
    ],
    ['a quote', { ...good, quote: 'EUR' }, 404, 'No symbol of many ends with EUR'],
    [
      'deep lists',
      `{"exchange":"many","timeframe":"1h","where":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      400,
      'Invalid where: ',
    ],
    [
      'a long expression',
      { ...good, where: `close > ${'1+'.repeat(600)}1` },
      400,
      'where: Invalid expression at character 1001: an expression may have at most 1000 characters',
    ],
    [
      'deep brackets',
      { ...good, where: `${'('.repeat(90)}true${')'.repeat(90)}` },
      400,
      'where: Invalid expression at character ',
    ],
  ])('with %s', async (_, body, status, error) => {
    const response = await screen(body)
    const { error: text } = await response.json()
    expect([response.status, text.slice(0, error.length)]).toEqual([status, error])
  })

  it('with more markets than the plan allows, which costs nothing', async () => {
    const response = await screen(good, 'small')
    expect([response.status, await response.json()]).toEqual([
      429,
      { error: 'Too many markets: 104. Your plan allows 100 per screen; choose fewer by symbols or quote.' },
    ])
    expect(remaining(response)).toBe(1_000_000)
  })

  it('with a body that is too long', async () => {
    const response = await screen(JSON.stringify({ ...good, where: 'x'.repeat(300_000) }))
    expect(response.status).toBe(413)
  })
})

describe('a screen of a time over sockets', () => {
  it('has the values of GET /indicator with that time, and none of later candles', async () => {
    const series = 'exchange=demo&symbol=BTCUSDT&timeframe=1h'
    const [{ timestamp: to }] = await service.get(`/candles?${series}&results=1&backtrack=30`)
    const body = { exchange: 'demo', timeframe: '1h', symbols: ['BTCUSDT'], where: 'rsi(14) > 0' }
    const asked = {
      ...body,
      select: { rsi: 'rsi(14)' },
      at: new Date((to + 60) * 1000).toISOString().slice(0, 19),
    }
    const found = await (await screen(asked)).json()
    const { value, timestamp } = await service.get(`/indicator/rsi?${series}&from=${to}&to=${to}`)
    expect(timestamp).toEqual([to])
    expect(found.matches).toEqual([{ symbol: 'BTCUSDT', timestamp: to, rsi: value[0] }])
  })
})

describe('a breadth over sockets', () => {
  const measures = { up: 'breadth(close > close[1])', line: 'sma(advances, 2)' }
  const held = { exchange: 'many', timeframe: '8h', symbols: ['C001USDT', 'C002USDT', 'C007USDT'], measures }

  it('is pending with the symbols that have no candles, and counts those that have some', async () => {
    many.held = new Promise<void>(resolve => {
      many.release = resolve
    })
    const pending = await post('/breadth', held, 'many')
    expect([pending.status, await pending.json()]).toEqual([
      202,
      { pending: true, key: 'breadth:many:8h', done: 0, total: 3, missing: held.symbols },
    ])
    many.release?.()
    const response = await post('/breadth', { ...held, results: 3 }, 'many', { prefer: 'wait=10' })
    const { timestamp, measures: found, failed, screened } = await response.json()
    expect([response.status, timestamp.length, found.up.markets, screened]).toEqual([200, 3, [2, 2, 2], 2])
    expect(failed).toEqual([{ symbol: 'C007USDT', error: expect.stringContaining('404 Not Found') }])
    const rows = await Promise.all(
      ['C001USDT', 'C002USDT'].map(async symbol => {
        const path = `/expression?exchange=many&timeframe=8h&results=3&expression=${encodeURIComponent('close > close[1]')}&symbol=${symbol}`
        return (await service.get(path)).value as readonly boolean[]
      }),
    )
    expect(found.up.value).toEqual([0, 1, 2].map(i => rows.filter(row => row[i]).length / 2))
  })

  it('is a table where one is asked for', async () => {
    const csv = await fetch(`${service.url}/breadth?format=csv`, {
      method: 'POST',
      headers: { authorization: 'Bearer many', 'content-type': 'application/json', prefer: 'wait=10' },
      body: JSON.stringify({ ...held, results: 2 }),
    })
    expect((await csv.text()).split('\n')[0]).toBe('time,up,up_markets,line,line_markets')
  })

  it('is refused with the texts of the endpoint', async () => {
    const refused = await post('/breadth', { ...held, measures: { up: 'close' } })
    expect([refused.status, (await refused.json()).error]).toEqual([
      400,
      'up: Invalid expression at character 1: "close" is of a single market. Write it within breadth(…), count(…), total(…)',
    ])
  })
})

describe('named lists', () => {
  const call = async (path: string, key: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetchDocumented(service.url, path, { headers, ...init })
    return [response.status, await response.json()]
  }
  const store = (key: string, name: unknown, symbols: unknown) =>
    call('/lists', key, { method: 'POST', body: JSON.stringify({ name, symbols }) })
  const where = { exchange: 'demo', timeframe: '1h' }

  it('stand for their symbols in screens, breadths and alerts of their key', async () => {
    const list = { name: 'majors', symbols: ['BTCUSDT', 'ETHUSDT', 'many:C001USDT'] }
    expect(await store('many', 'Majors', ['btc/usdt', 'ETHUSDT', 'Many:C001-USDT', 'BTCUSDT'])).toEqual([
      200,
      list,
    ])
    expect(await call('/lists', 'many')).toEqual([200, { lists: [list] }])
    expect(await call('/lists/MAJORS', 'many')).toEqual([200, list])
    expect(await call('/lists', 'one')).toEqual([200, { lists: [] }])
    const client = new Client({ url: service.url, key: 'many' })
    expect(await client.lists()).toEqual([list])
    expect(await client.storeList({ name: 'b', symbols: ['A'] })).toEqual(await client.deleteList('B'))
    const rising = {
      exchange: 'demo',
      timeframe: '1h',
      symbols: ['list:majors'],
      measures: { all: 'count(true)' },
    } as const
    expect((await client.breadth(rising)).measures.all.markets).toEqual([2])
    const symbols = ['list:majors', 'SOLUSDT', 'ETHUSDT']
    const found = await screen({ ...where, symbols, where: 'close > 0' }, 'many', { prefer: 'wait=10' })
    const { matches } = await found.json()
    expect(matches.map(({ symbol }: { symbol: string }) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT', 'SOLUSDT'])
    const of = { ...where, symbols: ['List:Majors'], measures: { all: 'count(true)' } }
    expect(
      (await (await post('/breadth', of, 'many', { prefer: 'wait=10' })).json()).measures.all.value,
    ).toEqual([2])
    const alert = await post('/alerts', { ...where, symbols: ['list:majors'], expression: 'close < 0' })
    expect((await alert.json()).symbols).toEqual(['BTCUSDT', 'ETHUSDT'])
    const other = await screen({ ...where, symbols: ['list:majors'], where: 'close > 0' }, 'one')
    expect([other.status, await other.json()]).toEqual([
      404,
      { error: 'List not found: majors. POST /lists makes one' },
    ])
    expect(await call('/lists/majors', 'many', { method: 'DELETE' })).toEqual([200, list])
    expect((await call('/lists/majors', 'many', { method: 'DELETE' }))[0]).toBe(404)
  })

  it('are refused where they are none, or more than the plan allows', async () => {
    await store('small', 'elsewhere', ['many:C001USDT'])
    const empty = await screen({ ...where, symbols: ['list:elsewhere'], where: 'close > 0' }, 'small')
    const answers = [
      [empty.status, await empty.json()],
      await store('small', 'a b', ['BTCUSDT']),
      await store('small', 'a', []),
      await store('small', 'a', ['BTCUSDT', 'a:b:c']),
      await store(
        'small',
        'a',
        Array.from({ length: 101 }, (_, i) => `A${i}`),
      ),
    ]
    const names = Array.from({ length: 10 }, (_, i) => `name${i}`)
    for (const name of names) answers.push(await store('small', name, ['A']))
    await call('/lists/name0', 'small', { method: 'DELETE' })
    expect(answers.filter(([status]) => status !== 200)).toMatchInlineSnapshot(`
      [
        [
          404,
          {
            "error": "List elsewhere has no symbol of demo",
          },
        ],
        [
          400,
          {
            "error": "Invalid name: a b. Expected 1 to 50 letters, digits and underscores",
          },
        ],
        [
          400,
          {
            "error": "Invalid symbols: "0 symbols". Expected an array of symbols",
          },
        ],
        [
          400,
          {
            "error": "Invalid symbols[1]: "a:b:c". Expected a symbol such as BTCUSDT",
          },
        ],
        [
          429,
          {
            "error": "Too many symbols: 101. Your plan allows 100 in a list.",
          },
        ],
        [
          429,
          {
            "error": "Too many lists. Your plan allows 10; delete one, or replace one by its name.",
          },
        ],
      ]
    `)
  })
})

describe('an evaluation over sockets', () => {
  const market = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1h' }
  const conditions = { entry: 'rsi(14) < 40', exit: 'rsi(14) > 55', fee: 0.001 }

  it('of a market is that of its closed candles', async () => {
    const response = await post('/evaluate', { ...market, ...conditions })
    expect(response.status).toBe(200)
    const whole = await response.json()
    const candles = (
      await service.get('/candles?exchange=demo&symbol=BTCUSDT&timeframe=1h&results=401&backtrack=0')
    ).slice(0, -1)
    const supplied = await (await post('/evaluate', { candles, ...conditions })).json()
    expect(supplied.to).toBe(whole.to)
    expect(supplied.fired).toBeGreaterThan(3)
    const newest = whole.trades.list.at(-1)
    expect(supplied.trades.list.at(-1)).toEqual(newest)
    const opens = new Map(candles.map((candle: Candle) => [candle.timestamp, candle.open]))
    expect([opens.get(newest.entryTimestamp), opens.get(newest.exitTimestamp)]).toEqual([
      newest.entryPrice,
      newest.exitPrice,
    ])
    expect(newest.return).toBeCloseTo((newest.exitPrice * 0.999) / (newest.entryPrice * 1.001) - 1, 12)
  })

  it('of a time is that of the candles until then', async () => {
    const all = await service.get(
      '/candles?exchange=demo&symbol=BTCUSDT&timeframe=1h&results=300&backtrack=1',
    )
    const [from, to] = [all[120].timestamp, all[250].timestamp]
    const body = { ...conditions, from, to, settled: 0 }
    const ranged = await (await post('/evaluate', { ...market, ...body })).json()
    const { settled: _, ...rest } = body
    const cut = await (await post('/evaluate', { candles: all.slice(0, 251), ...rest, settled: 0 })).json()
    expect([ranged.from, ranged.to, ranged.candles]).toEqual([from, to, 131])
    expect(ranged).toEqual({ ...cut, trades: expect.anything(), equity: expect.anything() })
  })

  it('is pending while candles are fetched for the first time', async () => {
    many.held = new Promise(resolve => {
      many.release = () => {
        many.held = undefined
        resolve()
      }
    })
    const body = { ...market, exchange: 'many', symbol: 'C001USDT', timeframe: '4h', entry: 'close > 1' }
    // The rate window begins with the next request, so that it does not end during the test.
    service.passMs(15_000)
    const first = await post('/evaluate', body)
    expect([first.status, (await first.json()).key]).toEqual([202, 'candles:many:C001USDT:4h'])
    many.release?.()
    const answered = await post('/evaluate', body, 'many', { prefer: 'wait=5' })
    expect([answered.status, remaining(answered)]).toEqual([200, remaining(first)])
  })

  it.each<[string, object, number, string]>([
    ['nothing', {}, 400, 'Send either candles, or exchange, symbol and timeframe'],
    ['candles and a market', { ...market, candles: [], entry: 'close > 1' }, 400, 'Send either candles'],
    ['no entry', market, 400, 'Invalid entry: undefined. Expected an expression'],
    ['a number', { ...market, entry: 'close' }, 400, 'entry must be a condition'],
    ['a number to leave at', { ...market, entry: 'close > 1', exit: '5' }, 400, 'exit must be a condition'],
    [
      'a fault',
      { ...market, entry: 'close > 1', exit: 'clsoe > 1' },
      400,
      'exit: Invalid expression at character 1: unknown name',
    ],
    [
      'a side',
      { ...market, entry: 'close > 1', side: 'both' },
      400,
      'Invalid side: "both". Expected one of long, short',
    ],
    [
      'a side of Object',
      { ...market, entry: 'close > 1', side: 'constructor' },
      400,
      'Invalid side: "constructor"',
    ],
    ['a fee', { ...market, entry: 'close > 1', fee: 1 }, 400, 'Invalid fee: 1. Expected number, 0 to 0.1'],
    [
      'horizons',
      { ...market, entry: 'close > 1', horizons: [0] },
      400,
      'Invalid horizons: [0]. Expected an array of 1 to 5 integers, 1 to 500',
    ],
    ['a range backwards', { ...market, entry: 'close > 1', from: 2, to: 1 }, 400, 'from is after to'],
    ['an empty range', { ...market, entry: 'close > 1', to: 1 }, 400, 'No candles from the first one to'],
    [
      'a time',
      { ...market, entry: 'close > 1', from: 'x' },
      400,
      'Invalid from: x. Expected Unix seconds or a time',
    ],
    [
      'digits',
      { ...market, entry: 'close > 1', settled: 9 },
      400,
      'Invalid settled: 9. Expected integer, 0 to 8',
    ],
    ['a symbol', { ...market, symbol: 'NOPE', entry: 'close > 1' }, 404, 'Symbol not found: NOPE on demo'],
    ['candles', { candles: [{ open: 1 }], entry: 'close > 1' }, 400, 'candles[0]'],
    [
      'too few candles',
      { candles: [{ o: 1, h: 1, l: 1, c: 1, v: 1 }], entry: 'close > close[5]' },
      400,
      'Not enough candles: expression needs 6, 1 available',
    ],
    [
      'an unknown field',
      { ...market, entry: 'close > 1', stop: 5 },
      400,
      'Unknown parameter: stop. evaluate accepts: exchange',
    ],
  ])('is refused with %s', async (_, body, status, error) => {
    const response = await post('/evaluate', body)
    const { error: text } = await response.json()
    expect([response.status, text.slice(0, error.length)]).toEqual([status, error])
  })
})
