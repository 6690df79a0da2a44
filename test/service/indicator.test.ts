import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settledAfter } from '../../src/catalogue/fading.js'
import { catalogue, type Entry } from '../../src/catalogue/index.js'
import { longFor } from '../support/laws/settings.js'
import { startQuiet } from '../support/quiet-hour.js'
import type { Answer, Candela } from '../support/service-process.js'

const market = 'exchange=demo&symbol=BTCUSDT&timeframe=1d'
const kept = 'HISTORY_DEPTH is the number of candles that are kept, a request with from reads older ones'
let candela: Candela

// 500 candles, so that one POST can carry the whole history of the service.
beforeAll(async () => {
  candela = await startQuiet({ HISTORY_DEPTH: '500' })
  candela = Object.assign(candela, {
    key: await candela.cli(
      'keys',
      'create',
      '--plan',
      'enterprise',
      '--name',
      'test',
      '--requests',
      '1000000',
    ),
  })
})
afterAll(() => candela.stop())

describe('GET /indicator/<name>', () => {
  it('returns one value with its timestamp by default', async () => {
    const { status, body, headers } = await candela.get(`/indicator/rsi?${market}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json')
    expect(Object.keys(body)).toEqual(['value', 'timestamp'])
    expect(body.value).toHaveLength(1)
    expect(body.timestamp).toHaveLength(1)
    expect(body.value[0]).toBeGreaterThan(0)
    expect(body.value[0]).toBeLessThan(100)
    expect(body.timestamp[0] % 86_400).toBe(0)
  })

  it('takes exchange, symbol and name in any case, and symbols with a slash or a dash', async () => {
    const plain = await candela.get(`/indicator/atr?${market}&backtrack=1`)
    for (const spelled of [
      'exchange=DEMO&symbol=btcusdt&timeframe=1d',
      'exchange=Demo&symbol=BTC%2FUSDT&timeframe=1d',
      'exchange=demo&symbol=btc-usdt&timeframe=1d',
    ]) {
      expect((await candela.get(`/indicator/atr?${spelled}&backtrack=1`)).body).toEqual(plain.body)
    }
  })

  it('returns all values for results=max, and where results exceeds their number', async () => {
    const all = await candela.get(`/indicator/sma?${market}&period=20&results=max&backtrack=1`)
    expect(all.body.value).toHaveLength(499 - 19)
    expect(all.body.timestamp).toHaveLength(499 - 19)
    const more = await candela.get(`/indicator/sma?${market}&period=20&results=100000&backtrack=1`)
    expect(more.body).toEqual(all.body)
    expect(all.headers.get('warning')).toBe(null)
    expect(more.headers.get('warning')).toBe(`199 - "Fewer values than results: 480 of 100000: ${kept}"`)
    const candles = await candela.get(`/candles?${market}&results=501`)
    expect(candles.headers.get('warning')).toBe(`199 - "Fewer values than results: 500 of 501: ${kept}"`)
    const supplied = { candles: candles.body.slice(0, 20), results: 19, period: 5 }
    const few = await candela.post('/indicator/sma', supplied)
    expect(few.body.value).toHaveLength(16)
    expect(few.headers.get('warning')).toBe('199 - "Fewer values than results: 16 of 19"')
    const bulk = {
      verbose: true,
      constructs: [{ id: 'c', candles: supplied.candles, indicators: [] as object[] }],
    }
    bulk.constructs[0]?.indicators.push({ id: 'a', indicator: 'sma', period: 5, results: 19 })
    bulk.constructs[0]?.indicators.push({ id: 'b', indicator: 'sma', period: 5, results: 16 })
    const { a, b } = (await candela.post('/bulk-candles', bulk)).body.c
    expect([a.warnings, b.warnings]).toEqual([['Fewer values than results: 16 of 19'], undefined])
  })

  it('returns the slice of results=max that results and backtrack select', async () => {
    const all = (await candela.get(`/indicator/ema?${market}&period=9&results=max&backtrack=1`)).body
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 600 }),
        fc.integer({ min: 0, max: 488 }),
        async (results, back) => {
          const { status, body } = await candela.get(
            `/indicator/ema?${market}&period=9&results=${results}&backtrack=${back + 1}`,
          )
          const end = all.value.length - back
          expect(status).toBe(200)
          expect(body.value).toEqual(all.value.slice(Math.max(0, end - results), end))
          expect(body.timestamp).toEqual(all.timestamp.slice(Math.max(0, end - results), end))
        },
      ),
      { numRuns: 30 },
    )
  })

  it('returns with results=10 and backtrack=50 the values from 59 to 50 candles ago', async () => {
    const { body } = await candela.get(`/indicator/rsi?${market}&results=10&backtrack=50`)
    const candles = (await candela.get(`/candles?${market}&results=60`)).body
    expect(body.timestamp).toEqual(
      candles.slice(0, 10).map((candle: { timestamp: number }) => candle.timestamp),
    )
  })

  it('follows the chosen source', async () => {
    const high = (await candela.get(`/indicator/max?${market}&period=2&source=high&backtrack=1`)).body
      .value[0]
    const candles = (await candela.get(`/candles?${market}&results=2&backtrack=1`)).body
    expect(high).toBe(Math.max(candles[0].high, candles[1].high))
  })

  it('withholds what has not settled with settled, and says how many digits of the newest value have', async () => {
    const plain = await candela.get(`/indicator/ema?${market}&period=40&results=max&backtrack=1`)
    expect(plain.headers.get('settled-digits')).toBeNull()
    // Of the 499 closed candles, only the one at `first` and later ones are settled.
    const first = settledAfter(catalogue.get('ema') as Entry, { period: 40 }, 3) as number
    const settled = (at: number) =>
      `/indicator/ema?${market}&period=40&settled=3&results=10&backtrack=${499 - at}`
    const { body, headers } = await candela.get(settled(first + 2))
    expect(body.value.slice(0, 7)).toEqual(Array(7).fill(null))
    expect(body.value.slice(7)).toEqual(plain.body.value.slice(first - 39, first - 39 + 3))
    expect(headers.get('settled-digits')).toBe('3')
    // From kept results, and with the reply that is kept.
    for (let k = 0; k < 2; k++) {
      const again = await candela.get(settled(first + 2))
      expect(again.body).toEqual(body)
      expect(again.headers.get('settled-digits')).toBe('3')
    }
    const early = await candela.get(settled(first - 1))
    expect(early.status).toBe(400)
    expect(early.body.error).toMatch(
      `Not enough candles: ema needs ${first + 1} for 3 settled digits, ${first} available`,
    )
    const never = await candela.get(`/indicator/obv?${market}&settled=4`)
    expect(never.status).toBe(400)
    expect(never.body.error).toMatch(/^obv never settles/)
    const expression = await candela.get(`/expression?${market}&expression=ema(5)+%3E+close&settled=8`)
    expect(expression.headers.get('settled-digits')).toBe('8')
  })

  it('refuses an indicator that does not exist with 404', async () => {
    const { status, body } = await candela.get(`/indicator/nope?${market}`)
    expect(status).toBe(404)
    expect(body).toEqual({ error: 'Unknown indicator: nope' })
  })

  it.each([
    ['', 'Missing required: exchange, symbol, timeframe'],
    ['symbol=BTCUSDT', 'Missing required: exchange, timeframe'],
    ['exchange=&symbol=BTCUSDT&timeframe=1h', 'Missing required: exchange'],
    [
      'exchange=demo&symbol=BTCUSDT&timeframe=7h',
      'Invalid timeframe: 7h. Expected one of 1m, 3m, 5m, 15m, 30m, 1h, 2h, 4h, 6h, 8h, 12h, 1d, 3d, 1w, 1M',
    ],
    [
      `${market}&perod=3`,
      'Unknown parameter: perod. rsi accepts: period, source, results, backtrack, from, to, chart, settled, exchange, symbol, timeframe, adjustment, asOf, maxAge, format. Did you mean period?',
    ],
    [`${market}&period=1`, 'Invalid period: 1. Expected integer, 2 to 500'],
    [`${market}&period=-5`, 'Invalid period: -5. Expected integer, 2 to 500'],
    [`${market}&period=2.5`, 'Invalid period: 2.5. Expected integer, 2 to 500'],
    [`${market}&period=NaN`, 'Invalid period: NaN. Expected integer, 2 to 500'],
    [`${market}&period=1e99`, 'Invalid period: 1e99. Expected integer, 2 to 500'],
    [`${market}&period=`, 'Invalid period: . Expected integer, 2 to 500'],
    [`${market}&period=0x10`, 'Invalid period: 0x10. Expected integer, 2 to 500'],
    [`${market}&period=500`, `Not enough candles: rsi needs 501, 500 available: ${kept}`],
    [`${market}&period=100&backtrack=450`, `Not enough candles: rsi needs 101, 50 available: ${kept}`],
    [`${market}&backtrack=100000`, `Not enough candles: rsi needs 15, 0 available: ${kept}`],
    [`${market}&results=0`, 'Invalid results: 0. Expected integer, 1 or more, or max'],
    [`${market}&results=all`, 'Invalid results: all. Expected integer, 1 or more, or max'],
    [`${market}&backtrack=-1`, 'Invalid backtrack: -1. Expected integer, 0 or more'],
    [
      `${market}&source=vwap`,
      'Invalid source: vwap. Expected one of open, high, low, close, volume, hl2, hlc3, ohlc4',
    ],
    [`${market}&period=14&period=15`, 'Repeated parameter: period. Give it once'],
    [`${market}&period=%ZZ`, 'Malformed query string'],
    [`${market}&%E0%A4%A=1`, 'Malformed query string'],
  ])('refuses the query "%s"', async (query, error) => {
    const { status, body } = await candela.get(`/indicator/rsi?${query}`)
    expect(body).toEqual({ error })
    expect(status).toBe(400)
  })

  it('refuses an unknown exchange and an unknown symbol with 404', async () => {
    const exchange = await candela.get('/indicator/rsi?exchange=nowhere&symbol=BTCUSDT&timeframe=1h')
    expect([exchange.status, exchange.body]).toEqual([404, { error: 'Exchange not found: nowhere' }])
    const symbol = await candela.get('/indicator/rsi?exchange=demo&symbol=nope&timeframe=1h')
    expect([symbol.status, symbol.body]).toEqual([404, { error: 'Symbol not found: NOPE on demo' }])
  })
})

/** Parameters for indicators whose defaults need a warm-up of more candles than a request may supply. */
const shorter: Readonly<Record<string, Readonly<Record<string, number>>>> = { specialk: { scale: 0.5 } }

describe('every indicator', () => {
  let candles: Record<string, number>[]
  /** Names of the indicators, those of `npm test` first. */
  const names = [...catalogue.values()]
    .sort((a, b) => Number('tags' in longFor(a)) - Number('tags' in longFor(b)))
    .map(({ name }) => name)
  /** The replies to bulk requests of 20 indicators, by the place of the first one. */
  const replies = new Map<number, Answer>()
  /** The result of an indicator in a bulk request. */
  async function bulkResultOf(name: string): Promise<unknown> {
    const place = names.indexOf(name)
    const from = place - (place % 20)
    const indicators = names.slice(from, from + 20).map(each => ({
      ...{ id: `x_${each}`, indicator: each.toUpperCase(), results: 'max', backtrack: 1 },
      ...shorter[each],
    }))
    const construct = { id: 'btc', exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1d', indicators }
    const reply = replies.get(from) ?? (await candela.post('/bulk', { constructs: [construct] }))
    replies.set(from, reply)
    return reply.body.btc[`x_${name}`]
  }
  beforeAll(async () => {
    candles = (await candela.get(`/candles?${market}&results=max&backtrack=1`)).body
    expect(candles).toHaveLength(499)
  })

  for (const entry of catalogue.values()) {
    const { name } = entry
    const title = `${name} gives the same numbers by GET on demo, in bulk, and by POST with the same candles`
    it(title, longFor(entry), async () => {
      const given = shorter[name] ?? {}
      const query = Object.entries(given).map(([key, value]) => `&${key}=${value}`)
      const response = await candela.get(
        `/indicator/${name}?${market}&results=max&backtrack=1${query.join('')}`,
      )
      expect(response.status).toBe(200)
      expect(Object.keys(response.body)).toEqual([...entry.outputs.map(output => output.name), 'timestamp'])
      const params = Object.fromEntries(
        Object.entries(entry.params).map(([key, param]) => [key, given[key] ?? param.default]),
      )
      // Sparse outputs begin at the first candle that has a value.
      const count = 499 - entry.warmup(params)
      const isSparse = entry.outputs.every(output => output.sparse)
      if (isSparse) expect(response.body.timestamp.length).toBeLessThanOrEqual(count)
      else expect(response.body.timestamp).toHaveLength(count)
      for (const output of entry.outputs)
        expect(response.body[output.name]).toHaveLength(response.body.timestamp.length)
      const posted = await candela.post(`/indicator/${name}`, { candles, results: 'max', ...given })
      expect(posted.body).toEqual(response.body)
      expect(await bulkResultOf(name)).toEqual(response.body)
    })
  }
})

describe('POST /indicator/<name>', () => {
  const candles = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      timestamp: 1_700_000_000 + i * 60,
      open: 10 + (i % 7),
      high: 20,
      low: 5,
      close: 11 + (i % 5),
      volume: 100 + i,
    }))
  const short = (count: number) =>
    candles(count).map(({ timestamp, open, high, low, close, volume }) => ({
      t: timestamp,
      o: open,
      h: high,
      l: low,
      c: close,
      v: volume,
    }))

  it('reads both spellings of candles alike', async () => {
    const long = await candela.post('/indicator/rsi', { candles: candles(100), period: 5, results: 20 })
    expect(long.status).toBe(200)
    expect(long.body.value).toHaveLength(20)
    expect(
      (await candela.post('/indicator/rsi', { candles: short(100), period: 5, results: 20 })).body,
    ).toEqual(long.body)
  })

  it('says how many digits of the newest value have settled, wherever the body is read', async () => {
    const over = (count: number) =>
      candela.post('/indicator/ema', { candles: candles(count), period: 9, settled: 4 })
    const first = settledAfter(catalogue.get('ema') as Entry, { period: 9 }, 4) as number
    // A thread reads the longest bodies.
    for (const [count, digits] of [
      [first + 1, '4'],
      [500, '8'],
    ] as const)
      expect((await over(count)).headers.get('settled-digits')).toBe(digits)
    expect((await over(first)).body.error).toBe(
      `Not enough candles: ema needs ${first + 1} for 4 settled digits, ${first} available`,
    )
  })

  it('numbers candles from 0 where they have no timestamp', async () => {
    const timeless = candles(30).map(({ timestamp: _, ...rest }) => rest)
    const { body } = await candela.post('/indicator/sma', { candles: timeless, period: 10, results: 'max' })
    expect(body.timestamp).toEqual(Array.from({ length: 21 }, (_, i) => i + 9))
  })

  it('accepts the candles of GET /candles, and 500 candles', async () => {
    const printed = (await candela.get(`/candles?${market}&results=500`)).body
    expect((await candela.post('/indicator/rsi', { candles: printed })).status).toBe(200)
  })

  const edited = (edit: (list: Record<string, unknown>[]) => void) => {
    const list: Record<string, unknown>[] = candles(20)
    edit(list)
    return { candles: list, period: 5 }
  }
  it.each<[string, unknown, string]>([
    ['no candles', { period: 5 }, 'candles is missing'],
    ['candles that are no array', { candles: 'x' }, 'candles must be an array of candles'],
    ['an empty array', { candles: [] }, 'candles must hold at least 1 candle'],
    ['501 candles', { candles: candles(501) }, 'candles must hold at most 500 candles, got 501'],
    ['too few candles', { candles: candles(10) }, 'Not enough candles: rsi needs 15, 10 available'],
    [
      'a candle that is null',
      { candles: candles(20).map((candle, i) => (i === 3 ? null : candle)), period: 5 },
      'candles[3] must be an object with open, high, low, close and volume, got null',
    ],
    [
      'a price that is null',
      edited(list => Object.assign(list[3] ?? {}, { close: null })),
      'candles[3].close must be a number, got null',
    ],
    [
      'a price as text',
      edited(list => Object.assign(list[3] ?? {}, { close: '12' })),
      'candles[3].close must be a number, got "12"',
    ],
    [
      'a missing price',
      edited(list => {
        delete list[4]?.open
      }),
      'candles[4].open is missing',
    ],
    [
      'a missing volume',
      edited(list => {
        delete list[4]?.volume
      }),
      'candles[4].volume is missing',
    ],
    [
      'both spellings of one price',
      edited(list => Object.assign(list[2] ?? {}, { o: 1 })),
      'candles[2] has both open and o',
    ],
    [
      'high below low',
      edited(list => Object.assign(list[17] ?? {}, { high: 4 })),
      'candles[17].high is below candles[17].low',
    ],
    [
      'negative volume',
      edited(list => Object.assign(list[1] ?? {}, { volume: -1 })),
      'candles[1].volume is negative',
    ],
    [
      'candles out of order',
      edited(list => Object.assign(list[3] ?? {}, { timestamp: 1_600_000_000 })),
      'candles[3].timestamp is not after candles[2].timestamp',
    ],
    [
      'equal timestamps',
      edited(list => Object.assign(list[3] ?? {}, { timestamp: list[2]?.timestamp })),
      'candles[3].timestamp is not after candles[2].timestamp',
    ],
    [
      'milliseconds',
      edited(list => Object.assign(list[0] ?? {}, { timestamp: 1_700_000_000_000 })),
      'candles[0].timestamp is 1700000000000: Unix seconds are expected, this looks like milliseconds',
    ],
    [
      'a fractional timestamp',
      edited(list => Object.assign(list[0] ?? {}, { timestamp: 1.5 })),
      'candles[0].timestamp must be a whole number of Unix seconds, got 1.5',
    ],
    [
      'a timestamp on some candles only',
      edited(list => {
        delete list[5]?.timestamp
      }),
      'candles[5].timestamp is missing: give it on every candle or on none',
    ],
    [
      'a number as text',
      { candles: candles(20), period: '14' },
      'Invalid period: "14". Expected integer, 2 to 500',
    ],
    [
      'a huge period',
      { candles: candles(20), period: 1e300 },
      'Invalid period: 1e+300. Expected integer, 2 to 500',
    ],
    [
      'a period that is null',
      { candles: candles(20), period: null },
      'Invalid period: null. Expected integer, 2 to 500',
    ],
    [
      'an unknown field',
      { candles: candles(20), exchange: 'demo' },
      'Unknown parameter: exchange. rsi accepts: period, source, results, backtrack, from, to, chart, settled, candles',
    ],
    ['an empty body', '', 'Request body is not valid JSON'],
    ['broken JSON', '{"candles": [', 'Request body is not valid JSON'],
    ['an array', '[]', 'Request body must be a JSON object'],
    ['a number', '7', 'Request body must be a JSON object'],
  ])('refuses %s', async (_, body, error) => {
    const answer = await candela.post('/indicator/rsi', body)
    expect(answer.body).toEqual({ error })
    expect(answer.status).toBe(400)
  })

  it('refuses bytes that are not UTF-8', async () => {
    const { status, body } = await candela.ask('POST', '/indicator/rsi', {
      body: new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]),
    })
    expect([status, body]).toEqual([400, { error: 'Request body is not valid JSON' }])
  })

  it('refuses an unknown indicator with 404', async () => {
    const { status, body } = await candela.post('/indicator/nope', { candles: candles(20) })
    expect([status, body]).toEqual([404, { error: 'Unknown indicator: nope' }])
  })
})
