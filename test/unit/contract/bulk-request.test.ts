import { describe, expect, it } from 'vitest'
import { readBulk, readBulkCandles, refuseDuplicates } from '../../../src/contract/bulk.js'
import type { Fields } from '../../../src/contract/fields.js'
import { readObject } from '../../../src/contract/fields.js'
import { reservedIds } from '../../../src/contract/limits.js'
import type { Market } from '../../../src/contract/market.js'
import type { Query } from '../../../src/contract/query.js'
import { isRefusal, noCandles } from '../../../src/contract/refusals.js'
import { TextCache } from '../../../src/runtime/caches.js'

type Json = Readonly<Record<string, unknown>>

const rsi = { id: 'r', indicator: 'rsi' }
const construct = (more: Json = {}): Json => ({
  id: 'btc',
  exchange: 'Demo',
  symbol: 'btc/usdt',
  timeframe: '1h',
  indicators: [rsi],
  ...more,
})
const candles = [{ o: 1, h: 2, l: 1, c: 1, v: 1 }]
const supplied = (more: Json = {}): Json => ({ id: 'btc', candles, indicators: [rsi], ...more })
const numbered = (count: number, make: (more: Json) => Json, more: (i: number) => Json = () => ({})) =>
  Array.from({ length: count }, (_, i) => make({ id: `i${i}`, ...more(i) }))
const pairs = (count: number) => numbered(count, construct, i => ({ symbol: `S${i}` }))

const fieldsOf = (body: unknown) => readObject(body) as Fields
const bulk = (body: unknown) => readBulk(fieldsOf(body))
const bulkCandles = (body: unknown, most = 20, read?: Parameters<typeof readBulkCandles>[2]) =>
  readBulkCandles(fieldsOf(body), most, read)
/** The request that is accepted. */
function accepted<T>(request: T) {
  if (isRefusal(request)) throw new Error(request.error)
  return request as Exclude<T, { readonly status: number }>
}
const refused = (error: string) => ({ status: 400, error })
const ids = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id)

describe('a bulk request', () => {
  it('is read with its constructs and indicators in their order', () => {
    const indicators = [{ id: 'm', indicator: 'MACD', fastPeriod: 5 }, rsi]
    const request = accepted(
      bulk({ constructs: [construct(), construct({ id: 'eth', symbol: 'ETHUSDT', indicators })] }),
    )
    expect(request.verbose).toBe(false)
    expect(request.constructs.map(({ id, market }) => [id, market])).toEqual([
      ['btc', { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1h' }],
      ['eth', { exchange: 'demo', symbol: 'ETHUSDT', timeframe: '1h' }],
    ])
    const items = request.constructs[1]?.items ?? []
    expect(items.map(({ id, query }) => [id, query.indicator.name, query.params])).toEqual([
      ['m', 'macd', { fastPeriod: 5, slowPeriod: 26, signalPeriod: 9 }],
      ['r', 'rsi', { period: 14 }],
    ])
  })

  it('is verbose where it says so', () => {
    expect(accepted(bulk({ constructs: [construct()], verbose: true })).verbose).toBe(true)
    expect(accepted(bulkCandles({ constructs: [supplied()], verbose: true })).verbose).toBe(true)
    expect(accepted(bulkCandles({ constructs: [supplied()], verbose: false })).verbose).toBe(false)
  })

  it('may have 20 constructs of 20 indicators with names of 100 characters', () => {
    expect(accepted(bulk({ constructs: pairs(20) })).constructs).toHaveLength(20)
    const indicators = numbered(20, more => ({ ...rsi, ...more }))
    expect(
      ids(accepted(bulk({ constructs: [construct({ indicators })] })).constructs[0]?.items ?? []),
    ).toEqual(ids(indicators as never))
    const id = 'x'.repeat(100)
    const [only] = accepted(
      bulk({ constructs: [construct({ id, indicators: [{ ...rsi, id }] })] }),
    ).constructs
    expect([only?.id, only?.items[0]?.id]).toEqual([id, id])
  })

  it('may use one id in two constructs, and ask one indicator twice', () => {
    const indicators = [rsi, { ...rsi, id: 's' }]
    const request = accepted(
      bulk({ constructs: [construct({ indicators }), construct({ id: 'r', symbol: 'X', indicators })] }),
    )
    expect(request.constructs.map(({ items }) => ids(items))).toEqual([
      ['r', 's'],
      ['r', 's'],
    ])
  })

  it('keeps indicators apart that differ in a parameter only, also in long and nested ones', () => {
    const periods = [5, 6, 5].map((period, i) => ({ id: `p${i}`, indicator: 'rsi', period }))
    const [only] = accepted(bulk({ constructs: [construct({ indicators: periods })] })).constructs
    expect(only?.items.map(({ query }) => query.params)).toEqual([
      { period: 5 },
      { period: 6 },
      { period: 5 },
    ])
    for (const period of [[1], [2], 'x'.repeat(400)])
      expect(bulk({ constructs: [construct({ indicators: [{ ...rsi, period }] })] })).toMatchObject({
        error: expect.stringContaining(`Invalid period: ${JSON.stringify(period).slice(0, 50)}`),
      })
  })

  it('has one query, from its second time on, for an indicator that recurs with the same parameters in the same order', () => {
    const known = new TextCache<Query>({ maxBytes: 10_000, bytesOf: () => 100 })
    const others = { known, read: () => undefined, over: (query: Query) => query }
    const queryOf = (indicator: Json) => {
      const fields = fieldsOf({ constructs: [construct({ indicators: [{ id: 'x', ...indicator }] })] })
      return accepted(readBulk(fields, others)).constructs[0]?.items[0]?.query
    }
    queryOf({ indicator: 'rsi', period: 33 })
    const query = queryOf({ indicator: 'rsi', period: 33 })
    expect(queryOf({ indicator: 'RSI', period: 33, id: 'y' })).toBe(query)
    expect(queryOf({ indicator: 'mom', period: 33 })).not.toBe(query)
    expect(queryOf({ indicator: 'rsi', period: 33, results: 2 })).toMatchObject({ ...query, results: 2 })
  })

  it.each<[string, Json, string]>([
    ['an array', { constructs: {} }, "Request body must contain a non-empty 'constructs' array"],
    ['one construct', { constructs: [] }, "Request body must contain a non-empty 'constructs' array"],
    ['at most 20', { constructs: pairs(21) }, 'Too many constructs. Maximum allowed per request is 20.'],
    [
      'known fields',
      { constructs: [construct()], verbos: true },
      'Unknown parameter: verbos. bulk accepts: constructs, verbose. Did you mean verbose?',
    ],
    ['a flag', { constructs: [construct()], verbose: 1 }, 'Invalid verbose: 1. Expected true or false'],
    [
      'a flag that is not null',
      { constructs: [construct()], verbose: null },
      'Invalid verbose: null. Expected true or false',
    ],
    ['objects', { constructs: [construct(), []] }, 'Construct [1] must be an object'],
    ['ids', { constructs: [construct({ id: '' })] }, "Construct [0] is missing a required 'id' field"],
    [
      'ids that are texts',
      { constructs: [construct({ id: 7 })] },
      'Construct [0] id 7 is invalid. Expected text of at most 100 characters',
    ],
    [
      'ids of at most 100 characters',
      { constructs: [construct({ id: 'x'.repeat(101) })] },
      `Construct [0] id "${'x'.repeat(101)}" is invalid. Expected text of at most 100 characters`,
    ],
    [
      'ids of letters from their first character on',
      { constructs: [construct({ id: '-btc' })] },
      'Construct [0] id "-btc" is invalid. Only alphanumeric characters and underscores are allowed.',
    ],
    [
      'ids of letters up to their last character',
      { constructs: [construct({ id: 'btc-' })] },
      'Construct [0] id "btc-" is invalid. Only alphanumeric characters and underscores are allowed.',
    ],
    [
      'different ids',
      { constructs: [construct(), construct({ symbol: 'X' })] },
      'Duplicate construct id "btc". Construct ids must be unique within the request.',
    ],
    [
      'different markets',
      { constructs: [construct(), construct({ id: 'b', symbol: 'BTC-USDT' })] },
      'Duplicate construct: exchange "demo", symbol "BTCUSDT", timeframe "1h" appears more than once. Merge the indicators into a single construct.',
    ],
    [
      'markets',
      { constructs: [construct({ symbol: undefined })] },
      'Construct "btc": Missing required: symbol',
    ],
    [
      'known fields of constructs',
      { constructs: [construct({ candles })] },
      'Construct "btc": Unknown parameter: candles. a construct accepts: id, exchange, symbol, timeframe, adjustment, asOf, maxAge, indicators',
    ],
    [
      'indicators',
      { constructs: [construct({ indicators: { 0: rsi } })] },
      `Construct "btc" must contain a non-empty 'indicators' array`,
    ],
    [
      'one indicator',
      { constructs: [construct({ indicators: [] })] },
      `Construct "btc" must contain a non-empty 'indicators' array`,
    ],
    [
      'at most 20 indicators',
      { constructs: [construct({ indicators: numbered(21, more => ({ ...rsi, ...more })) })] },
      'Construct "btc" has too many indicators. Maximum allowed per construct is 20.',
    ],
    [
      'indicators that are objects',
      { constructs: [construct({ indicators: [rsi, null] })] },
      'Construct "btc" indicator [1] must be an object',
    ],
    [
      'ids of indicators',
      { constructs: [construct({ indicators: [{ indicator: 'rsi' }] })] },
      `Construct "btc" indicator [0] is missing a required 'id' field`,
    ],
    [
      'ids of indicators that are texts',
      { constructs: [construct({ indicators: [rsi, { ...rsi, id: 5 }] })] },
      'Construct "btc" indicator [1] id 5 is invalid. Expected text of at most 100 characters',
    ],
    [
      'ids of indicators of at most 100 characters',
      { constructs: [construct({ indicators: [{ ...rsi, id: 'x'.repeat(101) }] })] },
      `Construct "btc" indicator [0] id "${'x'.repeat(101)}" is invalid. Expected text of at most 100 characters`,
    ],
    [
      'ids of indicators of letters',
      { constructs: [construct({ indicators: [{ ...rsi, id: 'a.b' }] })] },
      'Construct "btc" indicator [0] id "a.b" is invalid. Only alphanumeric characters and underscores are allowed.',
    ],
    [
      'different ids of indicators',
      { constructs: [construct({ indicators: [rsi, { ...rsi, indicator: 'ema' }] })] },
      'Construct "btc" has duplicate indicator id "r". Indicator ids must be unique within a construct.',
    ],
    [
      'names of indicators',
      { constructs: [construct({ indicators: [{ id: 'r', period: 5 }] })] },
      'Construct "btc", indicator "r": Missing required: indicator',
    ],
    [
      'names of indicators that exist',
      { constructs: [construct({ indicators: [{ id: 'r', indicator: 'rssi' }] })] },
      'Construct "btc" references unknown indicator: rssi. Did you mean rsi?',
    ],
    [
      'names of indicators that are texts',
      { constructs: [construct({ indicators: [{ id: 'r', indicator: 5 }] })] },
      'Construct "btc" references unknown indicator: 5',
    ],
    [
      'parameters in their range',
      { constructs: [construct({ indicators: [{ ...rsi, period: 1 }] })] },
      'Construct "btc", indicator "r": Invalid period: 1. Expected integer, 2 to 500',
    ],
  ])('must have %s', (_, body, error) => {
    expect(bulk(body)).toEqual(refused(error))
  })

  it.each(reservedIds)('must not have an indicator with the id %s', id => {
    expect(bulk({ constructs: [construct({ indicators: [{ ...rsi, id }] })] })).toEqual(
      refused(`Construct "btc" indicator id "${id}" is reserved`),
    )
  })

  it('is refused by the first unknown field of an indicator, however many there are', () => {
    const unknown = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, i]))
    for (const count of [98, 99, 100, 101, 500]) {
      const indicators = [{ ...rsi, ...unknown(count) }]
      expect(bulk({ constructs: [construct({ indicators })] }), `${count} fields`).toMatchObject({
        error: expect.stringMatching(/^Construct "btc", indicator "r": Unknown parameter: f0\./),
      })
    }
    const nameless = [{ ...unknown(200), id: 'r' }]
    expect(bulk({ constructs: [construct({ indicators: nameless })] })).toEqual(
      refused('Construct "btc", indicator "r": Missing required: indicator'),
    )
  })

  it('says which field holds the name of an indicator, under the name that it was given', () => {
    const indicators = [{ id: 'r', indicater: 'rsi' }]
    expect(bulk({ constructs: [construct({ indicators })] })).toEqual(
      refused(
        'Construct "btc", indicator "r": Missing required: indicator. Write indicator instead of indicater',
      ),
    )
  })
})

describe('a bulk request with candles', () => {
  it('is read with the candles of each construct', () => {
    const request = accepted(
      bulkCandles({ constructs: [supplied(), supplied({ id: 'eth', candles: [...candles, ...candles] })] }),
    )
    expect(request.constructs.map(({ id, snapshot, items }) => [id, snapshot.count, ids(items)])).toEqual([
      ['btc', 1, ['r']],
      ['eth', 2, ['r']],
    ])
  })

  it.each<[string, Json, string]>([
    ['constructs', {}, "Request body must contain a non-empty 'constructs' array"],
    [
      'known fields',
      { constructs: [supplied()], candle: [] },
      'Unknown parameter: candle. bulk-candles accepts: constructs, verbose',
    ],
    ['candles', { constructs: [supplied({ candles: null })] }, 'Construct "btc": Missing required: candles'],
    [
      'known fields of constructs',
      { constructs: [supplied({ exchange: 'demo' })] },
      'Construct "btc": Unknown parameter: exchange. a construct accepts: id, candles, indicators',
    ],
    ['one candle', { constructs: [supplied({ candles: [] })] }, `Construct "btc": ${noCandles().error}`],
  ])('must have %s', (_, body, error) => {
    expect(bulkCandles(body)).toEqual(refused(error))
  })

  it('reads candles last: neither a request over the plan nor one with a fault waits for them', () => {
    let reads = 0
    const read = () => {
      reads++
      return noCandles()
    }
    const body = { constructs: numbered(3, supplied) }
    expect(bulkCandles(body, 2, read)).toEqual({
      status: 429,
      error: 'Too many constructs. Your plan allows 2 construct(s) per bulk request.',
    })
    const faulty = { constructs: [supplied(), supplied({ id: 'b', indicators: [] })] }
    expect(bulkCandles(faulty, 20, read)).toMatchObject({ error: expect.stringContaining('"b"') })
    expect(reads).toBe(0)
    expect(bulkCandles(body, 3, read)).toEqual(refused(`Construct "i0": ${noCandles().error}`))
    expect(reads).toBe(1)
  })
})

it('markets are the same when exchange, symbol and timeframe are', () => {
  const market: Market = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1h' }
  const others: Market[] = [
    { ...market, exchange: 'other' },
    { ...market, symbol: 'ETHUSDT' },
    { ...market, timeframe: '1d' },
  ]
  expect(refuseDuplicates([market, ...others])).toBeUndefined()
  expect(refuseDuplicates([...others, market, { ...market }])).toMatchObject({ status: 400 })
})
