import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { readBulk, readBulkCandles } from '../../../src/contract/bulk.js'
import type { Fields } from '../../../src/contract/fields.js'
import { readObject } from '../../../src/contract/fields.js'
import { maxConstructs, maxIndicators, maxSuppliedCandles } from '../../../src/contract/limits.js'
import { isRefusal } from '../../../src/contract/refusals.js'
import { bulkOf, candlesConstruct, marketConstruct, suppliedCandles } from '../../../src/contract/requests.js'
import { readSuppliedCandles } from '../../../src/contract/supplied-candles.js'

// Supplied candles and bulk bodies have both a reader and a schema. A schema cannot express that ids and markets appear once,
// and that a high is not below its low. Both must give the same verdict on bodies that keep these rules. The empty text is left
// out, because it counts as a missing field.

/** Values that are wrong in nearly every field. */
const wrong = fc.constantFrom<unknown>(null, 5, -1, 1.5, true, 'a b', 'x'.repeat(101), [], {}, [1])

/** Mostly a value of `good`, sometimes a wrong value or nothing. */
const field = (good: fc.Arbitrary<unknown>, chance = 60): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: chance, arbitrary: good },
    { weight: 1, arbitrary: wrong },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )

/** A body as JSON has it: without fields that are undefined. */
const sent = (body: unknown): unknown => JSON.parse(JSON.stringify(body))

const candleOf = (names: readonly string[]) =>
  fc.record(Object.fromEntries(names.map(name => [name, field(fc.constantFrom<unknown>(1, 1.25, 1e9), 200)])))
/** Candles whose high and low do not differ, so that no high is below its low. Times are in order or missing. */
const candles = fc
  .tuple(
    fc.boolean(),
    fc.boolean(),
    fc.oneof(
      { weight: 20, arbitrary: fc.integer({ min: 0, max: 4 }) },
      { weight: 1, arbitrary: fc.constantFrom(maxSuppliedCandles, maxSuppliedCandles + 1) },
    ),
  )
  .chain(([isShort, isTimed, length]) =>
    fc
      .array(candleOf(isShort ? ['o', 'c', 'v'] : ['open', 'close', 'volume']), {
        minLength: length,
        maxLength: length,
      })
      .map(list =>
        list.map((candle, at) => ({
          ...(isShort ? { h: 2, l: 0.5 } : { high: 2, low: 0.5 }),
          ...candle,
          ...(isTimed && { [isShort ? 't' : 'timestamp']: 1_700_000_000 + at * 60 }),
        })),
      ),
  )

const indicatorOf = fc.record({
  id: field(fc.constant('own')),
  // A text that is no indicator matches the schema.
  indicator: field(fc.constantFrom('rsi', 'RSI')).map(name =>
    typeof name === 'string' && name.toLowerCase() !== 'rsi' ? 5 : name,
  ),
  results: fc.option(field(fc.constantFrom<unknown>(1, 7, 'max')), { nil: undefined }),
  backtrack: fc.option(field(fc.constantFrom(0, 3)), { nil: undefined }),
})
/** Makes valid ids different for each element of a list. */
const numbered = (list: readonly object[]) =>
  list.map((each, at) => ((each as { id?: unknown }).id === 'own' ? { ...each, id: `own${at}` } : each))
const listOf = (element: fc.Arbitrary<object>, max: number) =>
  fc
    .oneof(
      { weight: 30, arbitrary: fc.array(element, { minLength: 1, maxLength: 3 }) },
      { weight: 1, arbitrary: fc.array(element, { minLength: max, maxLength: max + 1 }) },
      { weight: 1, arbitrary: fc.constant([]) },
    )
    .map(numbered)
const indicators = field(listOf(indicatorOf, maxIndicators))
const bodyOf = (constructs: fc.Arbitrary<readonly object[]>) =>
  fc.record(
    { constructs: field(constructs), verbose: field(fc.boolean()), more: fc.constantFrom(undefined, 1) },
    { requiredKeys: ['constructs'] },
  )
const marketBody = bodyOf(
  listOf(
    fc.record({
      id: field(fc.constant('own')),
      exchange: field(fc.constantFrom('demo', 'Binance')),
      symbol: field(fc.constant('BTC/USDT')).map(symbol => (symbol === 'a b' ? 5 : symbol)),
      timeframe: field(fc.constantFrom('1h', '1d')),
      indicators,
    }),
    maxConstructs,
  ).map(list =>
    list.map((each, at) =>
      String((each as { symbol?: unknown }).symbol).includes('/') ? { ...each, symbol: `S${at}` } : each,
    ),
  ),
)
const candlesBody = bodyOf(
  listOf(fc.record({ id: field(fc.constant('own')), candles: field(candles), indicators }), maxConstructs),
)

/** Compares the verdicts on many bodies, of which enough are accepted and enough are refused. */
function expectOneVerdict(
  bodies: fc.Arbitrary<unknown>,
  reads: (body: unknown) => boolean,
  schema: z.ZodType,
): void {
  const verdicts = { true: 0, false: 0 }
  fc.assert(
    fc.property(bodies, given => {
      const body = sent(given)
      const isRead = reads(body)
      verdicts[`${isRead}`]++
      expect(schema.safeParse(body).success, JSON.stringify(body)).toBe(isRead)
    }),
    { numRuns: 1_000 },
  )
  expect(Math.min(verdicts.true, verdicts.false), 'bodies of each kind').toBeGreaterThan(100)
}

describe('the schema and the reader give one verdict', () => {
  it('on supplied candles', () => {
    expectOneVerdict(candles, body => !isRefusal(readSuppliedCandles(body)), suppliedCandles())
  })

  it('on bodies of POST /bulk', () => {
    expectOneVerdict(
      marketBody,
      body => !isRefusal(readBulk(readObject(body) as Fields)),
      bulkOf(marketConstruct()),
    )
  })

  it('on bodies of POST /bulk-candles', () => {
    expectOneVerdict(
      candlesBody,
      body => !isRefusal(readBulkCandles(readObject(body) as Fields, maxConstructs)),
      bulkOf(candlesConstruct()),
    )
  })
})
