import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Inputs } from '../../../src/candles/columns.js'
import { catalogue, type Entry } from '../../../src/catalogue/index.js'
import { Executor } from '../../../src/compute/executor.js'
import { Expressions } from '../../../src/compute/expressions/expressions.js'
import { BodyParser } from '../../../src/compute/json/body-parser.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'
import { type Calculation, type Shape, shapeOf } from '../../../src/compute/kernels/shape.js'
import { ResultCache } from '../../../src/compute/results/result-cache.js'
import type { Account } from '../../../src/contract/account.js'
import { isRefusal } from '../../../src/contract/refusals.js'
import { answerBulk, createBulkRequests } from '../../../src/http/endpoints/bulk.js'
import { answerEvaluation } from '../../../src/http/endpoints/evaluate.js'
import { answerQuestion, createQuestions } from '../../../src/http/endpoints/indicator.js'
import { answerScreen } from '../../../src/http/endpoints/screen.js'
import { answerSupplied } from '../../../src/http/endpoints/supplied.js'
import { type QueryHead, type Reply, replyOf } from '../../../src/http/reply.js'
import { readCalculation } from '../../../src/http/taapi-v1/calculation.js'
import { computeOne } from '../../../src/http/taapi-v1/routes.js'
import { TableReplies } from '../../../src/http/tables/table-replies.js'
import { createDemoSource } from '../../../src/markets/exchanges/demo/demo-source.js'
import { History } from '../../../src/markets/history/history.js'
import { MarketData } from '../../../src/markets/history/market-data.js'
import { Screener } from '../../../src/screens/screener.js'

/** Time limit of one turn of the event loop (ADR 9), in nanoseconds. */
const boundNs = 4_000_000
const now = 1_700_006_400
const depth = 5_000

/** Adds up the estimated nanoseconds of kernels in one turn of the event loop. */
class CountedCalculator extends Calculator {
  /** The most of any turn. */
  mostNs = 0
  #sliceNs = 0
  #calculation: Calculation | undefined

  override compute(calculation: Calculation, inputs: Inputs, from?: number): void {
    this.#calculation = calculation
    super.compute(calculation, inputs, from)
  }

  override resume(shape: Shape, inputs: Inputs, from: number, state: Float64Array): void {
    this.#calculation = shape.calculation
    super.resume(shape, inputs, from, state)
  }

  override run(from: number, to: number): void {
    if (this.#sliceNs === 0)
      setImmediate(() => {
        this.#sliceNs = 0
      })
    this.#sliceNs += (to - from) * shapeOf(this.#calculation as Calculation).mostNsPerCandle
    this.mostNs = Math.max(this.mostNs, this.#sliceNs)
    super.run(from, to)
  }
}

const calculator = new CountedCalculator()
const bodyParser = new BodyParser()
const resultCache = new ResultCache(1e8)
const executor = new Executor({
  calculator,
  bodyParser,
  expressions: new Expressions(),
  resultCache,
  threads: 1,
  maxQueuedTasks: 64,
  inlineBudgetUs: 400,
  inlineBodyBytes: 65_536,
  worker: new URL('../fixtures/idle-worker.mjs', import.meta.url),
  onFailure: () => {},
})
afterAll(() => executor.close())

const source = createDemoSource(() => now)
const exchanges = { ids: () => ['demo'], find: () => ({ id: 'demo', source }), close: async () => {} }
const history = new History({ depth, bytes: 1e8, refreshSeconds: 5, clock: () => now })
const marketData = new MarketData(exchanges, history)
const screener = new Screener({ marketData, exchanges, executor, clock: () => now })
const dependencies = {
  calculator,
  bodyParser,
  expressions: new Expressions(),
  resultCache,
  executor,
  marketData,
  screener,
  bulkWaitSeconds: 1,
  tables: new TableReplies({ executor }),
  tableCandles: 500,
  questions: createQuestions(),
  bulkRequests: createBulkRequests(),
}
const account = { id: 'me', plan: 'pro', constructs: 20 } as Account
const caller = {
  queryString: '',
  header: () => '',
  contentType: 'application/json',
  signal: new AbortController().signal,
}
const callOf = (body: object, segment = '') => ({
  ...{ request: caller, account, segment, body: bodyOf(body) },
  charge: async () => undefined,
})

const named = { exchange: 'demo', timeframe: '1h' }
const market = { ...named, symbol: 'BTCUSDT' }
const candles = Array.from({ length: 500 }, (_, i) => {
  const c = 100 + Math.sin(i)
  return { t: 60 * i, o: c, h: c + 1, l: c - 1, c, v: 1 }
})
const headOf = (fields: object): QueryHead => ({
  queryString: new URLSearchParams(Object.entries(fields).map(([k, v]) => [k, String(v)])).toString(),
  header: () => 'wait=5',
})
const bodyOf = (body: object) => new TextEncoder().encode(JSON.stringify(body))

interface Asked {
  readonly indicator: string
  readonly params: Readonly<Record<string, unknown>>
  readonly results: number | 'max'
  readonly backtrack: number
  readonly expression: string
  /** Number of items of a bulk request. */
  readonly items: number
}

type Route = (asked: Asked) => Reply | Promise<unknown> | unknown

const routes: Readonly<Record<string, Route>> = {
  'GET /indicator': ({ indicator, params, results, backtrack }) =>
    answerQuestion(dependencies, {
      ...{ request: headOf({ ...market, ...params, results, backtrack }), account, segment: indicator },
    }),
  'GET /expression': ({ expression, results, backtrack }) =>
    answerQuestion(dependencies, {
      ...{ request: headOf({ ...market, expression, results, backtrack }), account, segment: '' },
    }),
  'POST /indicator': ({ indicator, params, results }) =>
    answerSupplied(dependencies, callOf({ ...params, results, candles }, indicator)),
  'POST /expression': ({ expression, results }) =>
    answerSupplied(dependencies, callOf({ expression, results, candles })),
  'POST /bulk': asked =>
    answerBulk(dependencies, callOf({ constructs: [{ id: 'c', ...market, indicators: itemsOf(asked) }] })),
  'POST /bulk-candles': async asked => {
    const body = bodyOf({ constructs: [{ id: 'c', candles, indicators: itemsOf(asked) }] })
    return replyOf(await executor.executeSupplied(body, account.constructs, { accountId: 'me' }))
  },
  'POST /evaluate': ({ expression }) =>
    answerEvaluation(dependencies, callOf({ ...market, entry: `${expression} > 1` })),
  'POST /evaluate with candles': ({ expression }) =>
    answerEvaluation(dependencies, callOf({ candles, entry: `${expression} > 1` })),
  'POST /screen': ({ expression }) =>
    answerScreen(dependencies, callOf({ ...named, symbols: ['BTCUSDT'], where: `${expression} > 1` })),
  'version 1': async ({ indicator, params, results, backtrack }) => {
    const fields = new Map(
      Object.entries({ ...params, results: results === 'max' ? 1000 : results, backtrack }),
    )
    const read = readCalculation(
      indicator,
      new Map([...fields].map(([name, value]) => [name, String(value)])),
    )
    // Another market than that of the other routes, because their results are kept.
    const reading = await marketData.readWhenReady({ ...market, symbol: 'ETHUSDT' } as never, 'me')
    if (isRefusal(read) || reading.kind !== 'candles') return undefined
    return computeOne({ executor }, read, reading.inputs, 'me')
  },
}

/** Different ones: equal calculations would be computed once. */
const itemsOf = ({ indicator, params, results, expression, backtrack, items }: Asked) =>
  Array.from({ length: items }, (_, k) =>
    k === 19
      ? { id: 'e', indicator: 'expression', expression, backtrack }
      : { id: `i${k}`, indicator, ...params, results, backtrack: backtrack + k },
  )

/** Entries whose cost per candle grows with their parameters are drawn as often as all the others. */
const entries = [...catalogue.values()]
const largest = ({ params }: Entry) =>
  Object.fromEntries(
    Object.entries(params).map(([name, param]) => [name, 'max' in param ? param.max : param.default]),
  )
const costly = entries.filter(entry => entry.work(largest(entry)) > 0)

const paramsOf = ({ params }: Entry) =>
  fc.record(
    Object.fromEntries(
      Object.entries(params).map(([name, param]) => {
        switch (param.kind) {
          case 'integer':
            return [name, fc.oneof(fc.integer({ min: param.min, max: param.max }), fc.constant(param.max))]
          case 'number':
            return [name, fc.constantFrom(param.min, param.default, param.max)]
          case 'flag':
            return [name, fc.boolean()]
          default:
            return [name, fc.constantFrom(...param.of)]
        }
      }),
    ),
  )

const expressions = fc
  .array(
    fc.tuple(
      fc.constantFrom('sampleentropy', 'theil', 'kendall', 'medianabsdev', 'median', 'ema', 'rsi', 'sma'),
      fc.integer({ min: 10, max: 500 }),
    ),
    { minLength: 1, maxLength: 30 },
  )
  .map(terms => terms.map(([name, period]) => `${name}(${period})`).join(' + '))

const asked: fc.Arbitrary<Asked> = fc
  .oneof(fc.constantFrom(...costly), fc.constantFrom(...entries))
  .chain(entry =>
    fc.record({
      indicator: fc.constant(entry.name),
      params: paramsOf(entry),
      results: fc.constantFrom<number | 'max'>(1, 20, 500, 'max'),
      backtrack: fc.constantFrom(0, 3, depth - 1200),
      expression: expressions,
      items: fc.integer({ min: 1, max: 20 }),
    }),
  )

beforeEach(() => {
  calculator.mostNs = 0
})

/** Expects that no turn of any of the requests takes longer than allowed. */
async function expectShortTurns(ask: Route, requests: { readonly numRuns: number; readonly seed: number }) {
  let computed = 0
  await fc.assert(
    fc.asyncProperty(asked, async request => {
      // From the second time on results are kept.
      for (let time = 0; time < 3; time++) {
        calculator.mostNs = 0
        try {
          const reply = await ask(request)
          if (typeof (reply as Reply | undefined)?.body === 'object')
            (reply as { body: { release(): void } }).body.release()
        } catch {
          // The thread of this test computes nothing.
        }
        computed += calculator.mostNs
        expect(calculator.mostNs).toBeLessThanOrEqual(boundNs)
        await new Promise(setImmediate)
      }
    }),
    requests,
  )
  expect(computed, 'something was computed').toBeGreaterThan(0)
}

describe('what the event loop computes in one turn takes at most 4 ms by estimate', () => {
  it.each(Object.entries(routes))('%s', (_, ask) => expectShortTurns(ask, { numRuns: 30, seed: 27 }))

  it.each(Object.entries(routes))('%s, for many requests', { tags: ['faults'], timeout: 60_000 }, (_, ask) =>
    expectShortTurns(ask, { numRuns: 60, seed: 27 }),
  )
})
