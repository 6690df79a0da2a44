import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ColumnName, columnNames } from '../../src/candles/columns.js'
import { catalogue, type Entry, type Param } from '../../src/catalogue/index.js'
import { answer } from '../../src/compute/answer.js'
import { readBulk, readBulkCandles } from '../../src/contract/bulk.js'
import { readQuery } from '../../src/contract/query.js'
import { createDemoSource } from '../../src/markets/exchanges/demo/demo-source.js'
import { settings } from '../../src/operate/settings/config.js'
import { calculator, type PlainColumns, snapshotOf } from '../support/kernel.js'
import { Candela } from '../support/service-process.js'

type Value = string | number | boolean
type Given = Readonly<Record<string, Value>>

const market = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1h' }
const entries = [...catalogue.values()]

// With default settings: the service must have enough candles for every parameter that it accepts.
const depth = Number(settings.find(({ name }) => name === 'HISTORY_DEPTH')?.default)
let candela: Candela
beforeAll(async () => {
  candela = await Candela.start()
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

/** Fields of a `GET /indicator` request. */
const fieldsOf = (given: Given) => new Map(Object.entries(given).map(([key, value]) => [key, String(value)]))
const get = (name: string, given: Given) =>
  candela.get(
    `/indicator/${name}?${new URLSearchParams({ ...market, ...Object.fromEntries(fieldsOf(given)) })}`,
    {
      prefer: 'wait=10',
    },
  )

const minOf = (param: Param): Value =>
  param.kind === 'choice' ? (param.of[0] as string) : param.kind === 'flag' ? false : param.min
const maxOf = (param: Param): Value =>
  param.kind === 'choice' ? (param.of.at(-1) as string) : param.kind === 'flag' ? true : param.max

/** Whether a parameter sets the kind of calculation, not a number of candles. */
const isKind = (name: string) => /maType$/i.test(name)

/**
 * The defaults, each parameter alone at an end of its range, and all parameters at an end together. In the last case
 * the kind of average keeps its default. A T3 over the longest window would need six times as many candles as any
 * other.
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

/** The first indicator with each kind of parameter, and the first without parameters. These are requested over HTTP. */
const shapes = new Map(
  [...entries].reverse().flatMap(entry => {
    const kinds = Object.values(entry.params).map(({ kind }): string => kind)
    return (kinds.length === 0 ? ['none'] : kinds).map(kind => [kind, entry] as const)
  }),
)
const shaped = [...shapes].map(([kind, entry]) => [kind, entry.name, entry] as const)

/** Each parameter with a value below its range and one above it, and the refusal of that. */
const beyond = ({ params }: Entry) =>
  Object.entries(params).flatMap(([key, param]) => {
    if (param.kind === 'choice' || param.kind === 'flag') return []
    const step = param.kind === 'number' ? Math.max(1, param.max) : 1
    const kind = param.kind === 'number' ? 'number' : 'integer'
    const names = param.kind === 'average' ? `, or one of ${param.of.join(', ')}` : ''
    return [param.min - step, param.max + step].map(value => ({
      given: { [key]: value },
      error: `Invalid ${key}: ${value}. Expected ${kind}, ${param.min} to ${param.max}${names}`,
    }))
  })

describe('the ends of every range', () => {
  const demo = createDemoSource(() => 1_763_683_200)
  const candles = demo.candles(market.symbol, '1h', depth)
  const columnOf = (name: ColumnName) => [name, candles.map(candle => candle[name])] as const
  const history = snapshotOf(Object.fromEntries(columnNames.map(columnOf)) as unknown as PlainColumns)

  it.each(entries.map(entry => [entry.name, entry] as const))(
    '%s answers with each parameter at its minimum and at its maximum',
    (_, entry) => {
      expect(history.count).toBe(depth)
      for (const given of extremes(entry)) {
        const query = readQuery(entry, fieldsOf(given), 'text')
        if ('error' in query) throw new Error(`${JSON.stringify(given)}: ${query.error}`)
        const text = answer(calculator, query, [history])
        expect([given, typeof text]).toEqual([given, 'string'])
        const body = JSON.parse(text as string)
        for (const output of entry.outputs)
          expect(body[output.name].length, `${output.name} with ${JSON.stringify(given)}`).toBeGreaterThan(0)
      }
    },
  )

  it('are the last values that each indicator takes', () => {
    for (const entry of entries)
      for (const { given, error } of beyond(entry)) {
        expect(readQuery(entry, fieldsOf(given), 'text'), entry.name).toEqual({ status: 400, error })
        const fields = new Map(Object.entries(given))
        expect(readQuery(entry, fields, 'json'), entry.name).toEqual({ status: 400, error })
      }
  })

  it.each(shaped)(
    'are those of the service, too: a parameter of the kind %s, of %s',
    async (kind, name, entry) => {
      expect(shapes.size, kind).toBeGreaterThan(4)
      for (const given of extremes(entry)) {
        const { status, body } = await get(name, given)
        expect([given, status, body.error]).toEqual([given, 200, undefined])
        for (const output of entry.outputs) expect(body[output.name].length).toBeGreaterThan(0)
      }
      for (const { given, error } of beyond(entry)) {
        const { status, body } = await get(name, given)
        expect([status, body.error]).toEqual([400, error])
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
  const valuesOfPair = ({ entry, lower, upper }: (typeof pairs)[number]) =>
    fc.tuple(fc.integer(bounds(entry, lower)), fc.integer(bounds(entry, upper)))
  const refusal = ({ lower, upper }: (typeof pairs)[number], low: number, high: number) =>
    `Invalid ${lower}: ${low}. Expected at most ${upper} (${high})`
  const inBulk = (error: string) => `Construct "c", indicator "a": ${error}`

  it.each(pairs)('$entry.name: $lower is never above $upper, by GET, POST and in bulk', pair => {
    const { entry, lower, upper } = pair
    fc.assert(
      fc.property(valuesOfPair(pair), ([low, high]) => {
        const given = { [lower]: low, [upper]: high }
        const indicators = [{ id: 'a', indicator: entry.name, ...given }]
        const fields = (construct: object) =>
          new Map([['constructs', [{ id: 'c', ...construct, indicators }]]])
        const read = [
          readQuery(entry, fieldsOf(given), 'text'),
          readQuery(entry, new Map(Object.entries(given)), 'json'),
          readBulk(fields(market)),
          readBulkCandles(fields({ candles: candles.slice(0, 2) }), 1),
        ]
        const error = refusal(pair, low, high)
        const errors = low <= high ? Array(4).fill(undefined) : [error, error, inBulk(error), inBulk(error)]
        expect(read.map(each => ('error' in each ? each.error : undefined))).toEqual(errors)
      }),
      { numRuns: 20, seed: 5 },
    )
  })

  it('are refused by the service with status 400', async () => {
    const pair = pairs[0] as (typeof pairs)[number]
    const { entry, lower, upper } = pair
    await fc.assert(
      fc.asyncProperty(valuesOfPair(pair), async ([low, high]) => {
        const given = { [lower]: low, [upper]: high }
        const spec = { id: 'a', indicator: entry.name, ...given }
        const answers = await Promise.all([
          get(entry.name, given),
          candela.post(`/indicator/${entry.name}`, { candles, ...given }),
          candela.post('/bulk', { constructs: [{ id: 'c', ...market, indicators: [spec] }] }),
          candela.post('/bulk-candles', { constructs: [{ id: 'c', candles, indicators: [spec] }] }),
        ])
        const [got, posted, bulk, bulkCandles] = answers
        if (low <= high) {
          // Fewer candles can be supplied than the longest windows need.
          expect([got.status, bulk.status, bulkCandles.status]).toEqual([200, 200, 200])
          if (posted.status !== 200) expect(posted.body.error).toMatch(/^Not enough candles/)
        } else {
          const error = refusal(pair, low, high)
          expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400])
          expect(answers.map(({ body }) => body.error)).toEqual([error, error, inBulk(error), inBulk(error)])
        }
      }),
      { numRuns: 8, seed: 5 },
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
