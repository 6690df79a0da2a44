import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parameterSchema } from '../../../interface/indicators.js'
import { averageNames } from '../../../src/catalogue/index.js'
import { readValue, type ValueFormat } from '../../../src/contract/fields.js'
import { canonicalSymbol, marketKey, readMarket, readQueriedMarket } from '../../../src/contract/market.js'
import { type AcceptedValues, readParameter, windowShape } from '../../../src/contract/query.js'

const given = { exchange: 'Binance', symbol: 'btc/usdt', timeframe: '1h' }
const market = { exchange: 'binance', symbol: 'BTCUSDT', timeframe: '1h' }

describe('a market', () => {
  it('is read in any spelling of its exchange and symbol', () => {
    expect(readMarket(given)).toEqual(market)
    expect(readMarket({ ...given, symbol: 'BTC-USDT' })).toEqual(market)
    expect(readQueriedMarket(new Map(Object.entries(given)))).toEqual(market)
    expect(canonicalSymbol('a/b-c/d_e')).toBe('ABCD_E')
  })

  it('is of the exchange with the prices that adjustment names', () => {
    const stock = { exchange: 'stocks', symbol: 'AAPL', timeframe: '1d' }
    const exchangeOf = (adjustment: string) => [
      readMarket({ ...stock, adjustment }),
      readQueriedMarket(new Map(Object.entries({ ...stock, adjustment }))),
    ]
    for (const [adjustment = '', exchange] of [
      ['raw', 'stocks-raw'],
      ['all', 'stocks-all'],
      ['split', 'stocks'],
      ['', 'stocks'],
    ])
      for (const read of exchangeOf(adjustment)) expect(read, adjustment).toEqual({ ...stock, exchange })
    for (const read of exchangeOf('dividend'))
      expect(read).toMatchObject({
        error: expect.stringMatching(/^Invalid adjustment: "?dividend"?. Expected one of split, raw, all$/),
      })
    expect(readMarket({ ...given, adjustment: 'raw' })).toMatchObject({
      error: 'adjustment can be used with exchange stocks only, not with binance',
    })
  })

  it('has one key for its candles', () => {
    expect(marketKey({ ...market, timeframe: '1h' })).toBe('binance:BTCUSDT:1h')
  })

  it.each<[string, object, string]>([
    ['nothing', {}, 'Missing required: exchange, symbol, timeframe'],
    ['a null', { ...given, exchange: null }, 'Missing required: exchange'],
    ['an empty text', { ...given, timeframe: '' }, 'Missing required: timeframe'],
    [
      'a symbol under another name',
      { exchange: 'binance', pair: 'BTCUSDT', timeframe: '1h' },
      'Missing required: symbol. Write symbol instead of pair',
    ],
    [
      // A field that is one of a market is not a missing one under another name.
      'an interval beside an exchange',
      { exchange: 'binance', interval: '1h' },
      'Missing required: symbol, timeframe. Write timeframe instead of interval',
    ],
    [
      'an exchange that is a number',
      { ...given, exchange: 5 },
      'Invalid exchange: 5. Expected text of at most 100 characters',
    ],
    [
      'a symbol that is an array',
      { ...given, symbol: ['BTC'] },
      'Invalid symbol: ["BTC"]. Expected text of at most 100 characters',
    ],
    [
      'a timeframe that does not exist',
      { ...given, timeframe: '7h' },
      'Invalid timeframe: 7h. Expected one of 1m, 3m, 5m, 15m, 30m, 1h, 2h, 4h, 6h, 8h, 12h, 1d, 3d, 1w, 1M',
    ],
    [
      'a timeframe that is a number',
      { ...given, timeframe: 60 },
      'Invalid timeframe: 60. Expected one of 1m, 3m, 5m, 15m, 30m, 1h, 2h, 4h, 6h, 8h, 12h, 1d, 3d, 1w, 1M',
    ],
  ])('is refused: %s', (_, fields, error) => {
    expect(readMarket(fields as Readonly<Record<string, unknown>>)).toEqual({ status: 400, error })
  })

  it('may have names of 100 characters, not of 101', () => {
    const name = 'X'.repeat(100)
    expect(readMarket({ ...given, symbol: name })).toEqual({ ...market, symbol: name })
    expect(readMarket({ ...given, symbol: `${name}X` })).toMatchObject({ status: 400 })
  })

  it('is refused in a query string with the texts as they are written there', () => {
    const long = `"${'x'.repeat(150)}`
    expect(readQueriedMarket(new Map(Object.entries({ ...given, symbol: long })))).toEqual({
      status: 400,
      error: `Invalid symbol: ${long}. Expected text of at most 100 characters`,
    })
    expect(readMarket({ ...given, symbol: long })).toEqual({
      status: 400,
      error: `Invalid symbol: ${JSON.stringify(long)}. Expected text of at most 100 characters`,
    })
    const pair = { exchange: 'binance', ticker: 'BTCUSDT', timeframe: '1h' }
    expect(readQueriedMarket(new Map(Object.entries(pair)))).toEqual({
      status: 400,
      error: 'Missing required: symbol. Write symbol instead of ticker',
    })
  })
})

const kinds: readonly AcceptedValues[] = [
  { kind: 'integer', default: 14, min: 2, max: 500 },
  { kind: 'number', default: 0.5, min: -1, max: 99.5 },
  { kind: 'choice', default: 'demo', of: ['demo', '1h', 'true'] },
  { kind: 'average', default: 0, min: 0, max: 8, meaning: '', of: averageNames },
  { kind: 'flag', default: false },
  { kind: 'constant', value: 5 },
]

describe('what is read without a schema', () => {
  const text = fc.oneof(
    fc.constantFrom('1h', '1M', '5', 'true', '', 'toString', 'demo', 'BTC/usdt'),
    fc.string(),
  )

  const typed = fc.oneof(
    fc.integer(),
    fc.integer({ min: -2, max: 12 }),
    fc.double(),
    fc.boolean(),
    fc.constantFrom<unknown>(null, [5], { a: 1 }, ...averageNames),
    text,
  )
  const values = fc.oneof(
    fc.tuple(fc.constant<ValueFormat>('json'), typed),
    fc.tuple(fc.constant<ValueFormat>('text'), typed.map(String)),
  )

  it('gives the value of a parameter or the refusal of its schema', () => {
    const numbers = averageNames.slice(0, 9)
    fc.assert(
      fc.property(fc.constantFrom(...kinds), values, (param, [format, value]) => {
        const read = readParameter('x', value, param, format)
        const expected = readValue('x', value, parameterSchema(param), format)
        // An average with a number of TA-Lib is read as this number.
        const number =
          'value' in expected && param.kind === 'average' ? numbers.indexOf(expected.value as never) : -1
        expect(read).toEqual(number < 0 ? expected : { value: number })
      }),
      { numRuns: 1000 },
    )
  })

  it('gives the market or the refusal of the schemas', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('exchange', 'symbol', 'timeframe', 'x'), text), fields => {
        const names = () => Object.keys(fields)
        expect(readQueriedMarket(new Map(Object.entries(fields)))).toEqual(readMarket(fields, 'text', names))
      }),
    )
  })

  it('gives the integer or the refusal of the schema', () => {
    const { results, backtrack } = windowShape()
    fc.assert(
      fc.property(fc.constantFrom(results, backtrack), values, (schema, [format, value]) => {
        // A schema that was wrapped is not known as one that takes integers.
        expect(readValue('x', value, schema, format)).toEqual(
          readValue(
            'x',
            value,
            z.lazy(() => schema),
            format,
          ),
        )
      }),
    )
  })
})
