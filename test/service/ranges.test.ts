import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogue, type Entry, type Param } from '../../src/catalogue/index.js'
import { Candela } from '../support/service-process.js'

type Value = string | number | boolean
type Given = Readonly<Record<string, Value>>

const market = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1h' }
const entries = [...catalogue.values()]

// With default settings: the service must have enough candles for every parameter that it accepts.
let candela: Candela
beforeAll(async () => {
  candela = await Candela.start()
  candela = Object.assign(candela, {
    key: candela.cli('keys', 'create', '--plan', 'enterprise', '--name', 'test', '--requests', '1000000'),
  })
})
afterAll(() => candela.stop())

const get = (name: string, given: Given) =>
  candela.get(
    `/indicator/${name}?${new URLSearchParams({ ...market, ...Object.fromEntries(Object.entries(given).map(([key, value]) => [key, String(value)])) })}`,
    { prefer: 'wait=10' },
  )

const minOf = (param: Param): Value =>
  param.kind === 'choice' ? (param.of[0] as string) : param.kind === 'flag' ? false : param.min
const maxOf = (param: Param): Value =>
  param.kind === 'choice' ? (param.of.at(-1) as string) : param.kind === 'flag' ? true : param.max

/** Whether a parameter says how to calculate, not over how many candles. */
const isKind = (name: string) => /maType$/i.test(name)

/**
 * The defaults; each parameter alone at an end of its range; and all of them at once at an end, except for the kind of
 * average, because a T3 over the longest window needs six times as many candles as any other.
 */
function extremes({ params, relations }: Entry): readonly Given[] {
  const names = Object.keys(params)
  const each = (end: (param: Param) => Value) =>
    Object.fromEntries(names.map(name => [name, end(params[name] as Param)]))
  const windows = (end: (param: Param) => Value) =>
    Object.fromEntries(names.filter(name => !isKind(name)).map(name => [name, end(params[name] as Param)]))
  const alone = names.flatMap(name => [minOf, maxOf].map(end => ({ [name]: end(params[name] as Param) })))
  const defaults = each(param => param.default)
  const isAllowed = (given: Given) => {
    const values: Given = { ...defaults, ...given }
    return relations.every(({ lower, upper }) => Number(values[lower]) <= Number(values[upper]))
  }
  return [{}, windows(minOf), windows(maxOf), ...alone.filter(isAllowed)]
}

describe('the ends of every range', () => {
  it.each(entries.map(entry => [entry.name, entry] as const))(
    '%s answers with each parameter at its minimum and at its maximum',
    async (name, entry) => {
      for (const given of extremes(entry)) {
        const { status, body } = await get(name, given)
        expect([given, status, body.error]).toEqual([given, 200, undefined])
        for (const output of entry.outputs)
          expect(body[output.name].length, `${output.name} with ${JSON.stringify(given)}`).toBeGreaterThan(0)
      }
    },
  )

  it.each(entries.map(entry => [entry.name, entry] as const))(
    '%s refuses values beyond its ranges',
    async (name, entry) => {
      for (const [key, param] of Object.entries(entry.params)) {
        if (param.kind === 'choice' || param.kind === 'flag') continue
        const step = param.kind === 'number' ? Math.max(1, param.max) : 1
        const kind = param.kind === 'number' ? 'number' : 'integer'
        const names = param.kind === 'average' ? `, or one of ${param.of.join(', ')}` : ''
        for (const value of [param.min - step, param.max + step]) {
          const { status, body } = await get(name, { [key]: value })
          const expected = `Invalid ${key}: ${value}. Expected ${kind}, ${param.min} to ${param.max}${names}`
          expect([status, body.error]).toEqual([400, expected])
        }
      }
    },
  )
})

describe('parameters that belong together', () => {
  const pairs = entries.flatMap(entry => entry.relations.map(relation => ({ entry, ...relation })))
  const candles = Array.from({ length: 500 }, (_, i) => ({
    open: 10,
    high: 20,
    low: 5,
    close: 11 + (i % 5),
    volume: 1,
  }))
  const bounds = ({ params }: Entry, name: string) => {
    const param = params[name] as Param & { kind: 'integer' }
    return { min: param.min, max: param.max }
  }

  it.each(pairs)('$entry.name: $lower is never above $upper, by GET, POST and in bulk', async pair => {
    const { entry, lower, upper } = pair
    const { name } = entry
    const values = fc.tuple(fc.integer(bounds(entry, lower)), fc.integer(bounds(entry, upper)))
    await fc.assert(
      fc.asyncProperty(values, async ([low, high]) => {
        const given = { [lower]: low, [upper]: high }
        const spec = { id: 'a', indicator: name, ...given }
        const [got, posted, bulk, bulkCandles] = await Promise.all([
          get(name, given),
          candela.post(`/indicator/${name}`, { candles, ...given }),
          candela.post('/bulk', { constructs: [{ id: 'c', ...market, indicators: [spec] }] }),
          candela.post('/bulk-candles', { constructs: [{ id: 'c', candles, indicators: [spec] }] }),
        ])
        const answers = [got, posted, bulk, bulkCandles]
        if (low <= high) {
          // Fewer candles can be supplied than the longest windows need.
          expect([got.status, bulk.status, bulkCandles.status]).toEqual([200, 200, 200])
          if (posted.status !== 200) expect(posted.body.error).toMatch(/^Not enough candles/)
        } else {
          const error = `Invalid ${lower}: ${low}. Expected at most ${upper} (${high})`
          const inBulk = `Construct "c", indicator "a": ${error}`
          expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400])
          expect(answers.map(({ body }) => body.error)).toEqual([error, error, inBulk, inBulk])
        }
      }),
      { numRuns: 20, seed: 5 },
    )
  })

  it('the parameter that was given is the one that is refused', async () => {
    const error = async (given: Given) => (await get('adosc', given)).body.error
    expect(await error({ slowPeriod: 2 })).toBe('Invalid slowPeriod: 2. Expected at least fastPeriod (3)')
    expect(await error({ fastPeriod: 11 })).toBe('Invalid fastPeriod: 11. Expected at most slowPeriod (10)')
    expect(await error({ optInFastPeriod: 11 })).toBe(
      'Invalid optInFastPeriod: 11. Expected at most slowPeriod (10)',
    )
  })

  it.each(['macd', 'macdext', 'apo', 'ppo'])(
    '%s takes its periods in either order, as TA-Lib does',
    async name => {
      const ordered = await get(name, { fastPeriod: 5, slowPeriod: 20, backtrack: 1 })
      expect(ordered.status).toBe(200)
      expect((await get(name, { fastPeriod: 20, slowPeriod: 5, backtrack: 1 })).body).toEqual(ordered.body)
    },
  )
})
