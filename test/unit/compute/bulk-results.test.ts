import { afterEach, describe, expect, it } from 'vitest'
import { Series } from '../../../src/candles/series.js'
import { answer } from '../../../src/compute/answer.js'
import { type BulkSection, layoutBulk } from '../../../src/compute/bulk-layout.js'
import { Executor, type ResponseBody } from '../../../src/compute/executor.js'
import { BodyParser } from '../../../src/compute/json/body-parser.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'
import { ResultCache } from '../../../src/compute/results/result-cache.js'
import type { Query } from '../../../src/contract/query.js'
import { isRefusal, type Refusal } from '../../../src/contract/refusals.js'
import { BodyFragments } from '../../../src/runtime/buffer-pool.js'
import { entryOf, valuesOf } from '../../support/kernel.js'
import { markets } from '../../support/laws/market.js'

const worker = new URL('../../../dist/operate/compute-thread.js', import.meta.url)
/** Its answers are wrong, so none of them may be used where the event loop computes all. */
const idleWorker = new URL('../fixtures/idle-worker.mjs', import.meta.url)
const whole = new Calculator()
const source = markets.walk.columns(12_000)
const candle = (i: number) => ({
  timestamp: i * 60,
  open: source.open[i] as number,
  high: source.high[i] as number,
  low: source.low[i] as number,
  close: source.close[i] as number,
  volume: source.volume[i] as number,
})

function seriesOf(first: number, count: number): Series {
  const series = new Series('1m', 12_000)
  for (let i = first; i < first + count; i++) series.append(candle(i))
  series.amend(candle(first + count))
  return series
}

const names = ['rsi', 'macd', 'bbands', 'supertrend', 'candlepatterns', 'obv', 'engulfing', 'sma']
const queryOf = (name: string, results: number, backtrack = 0): Query => ({
  indicator: entryOf(name),
  ...valuesOf(entryOf(name)),
  results,
  backtrack,
})

const opened: Executor[] = []
afterEach(async () => {
  for (const executor of opened.splice(0)) await executor.close()
})

/** `inlineBudgetUs` decides where calculations run whose results are not kept. */
function open(inlineBudgetUs: number, maxBytes = 10_000_000) {
  const resultCache = new ResultCache(maxBytes)
  const failures: unknown[] = []
  const executor = new Executor({
    calculator: new Calculator(),
    bodyParser: new BodyParser(),
    resultCache,
    threads: 2,
    maxQueuedTasks: 100,
    inlineBudgetUs,
    inlineBodyBytes: 0,
    worker: inlineBudgetUs === 0 ? worker : idleWorker,
    onFailure: error => failures.push(error),
  })
  opened.push(executor)
  const ask = async (sections: readonly BulkSection[], verbose = false) => {
    const layout = layoutBulk(sections, verbose)
    const text = textOf(await executor.executeAll(layout, { accountId: 'me' }))
    expect(failures).toEqual([])
    return text
  }
  return { ask, resultCache, executor }
}

function textOf(body: ResponseBody | Refusal): string {
  if (typeof body === 'string') return body
  if (isRefusal(body)) throw new Error(body.error)
  return body.takeText()
}

/** The answers of single requests, joined as a bulk answer. */
function expected(sections: readonly BulkSection[]): string {
  const constructs = sections.map(({ id, items, candles }) => {
    const entries = items.map(item => {
      const text = typeof candles === 'string' ? 'null' : answer(whole, item.query, candles)
      return `"${item.id}":${isRefusal(text) ? 'null' : text}`
    })
    const error = typeof candles === 'string' ? [`"_error":${JSON.stringify(candles)}`] : []
    return `"${id}":{${[...error, ...entries].join(',')}}`
  })
  return `{${constructs.join(',')}}`
}

const sectionOf = (id: string, series: Series, queries: readonly Query[]): BulkSection => ({
  id,
  items: queries.map((query, k) => ({ id: `i${k}`, query })),
  candles: [series.snapshot()],
})

describe.each([
  ['on the event loop', 1e9],
  ['in threads', 0],
])('bulk answers that are computed %s', (_, inlineBudgetUs) => {
  it('equal single ones, however many of their results are kept', async () => {
    const { ask, resultCache } = open(inlineBudgetUs)
    const markets = [seriesOf(0, 3000), seriesOf(500, 3000), seriesOf(900, 30)]
    const windows = [[1], [100], [3, 7], [Number.POSITIVE_INFINITY], [500, 2400], [100]] as const
    let at = 3500
    for (const [round, [results, backtrack]] of windows.entries()) {
      for (let turn = 0; turn < 3; turn++) {
        // Some indicators are new in each round, so that an answer has both kept and new results.
        const queries = names.slice(0, 4 + (round % 5)).map(name => queryOf(name, results, backtrack))
        const sections = [
          ...markets.map((series, k) => sectionOf(`c${k}`, series, queries)),
          { id: 'failed', items: [{ id: 'x', query: queryOf('rsi', 1) }], candles: 'no candles' },
        ]
        expect(await ask(sections)).toBe(expected(sections))
        if (turn === 1) markets[1]?.merge([candle(at), candle(at + 1)], ++at * 60)
        markets[0]?.amend({ ...candle(3000), close: candle(3000).close * (1 + turn / 1000) })
      }
    }
    expect(resultCache.hits).toBeGreaterThan(50)
  })

  it('keep results from the second request on, and then run no kernel over the history', async () => {
    const { ask, resultCache } = open(inlineBudgetUs)
    const series = seriesOf(0, 3000)
    const sections = () => [
      sectionOf(
        'c',
        series,
        names.map(name => queryOf(name, 20)),
      ),
    ]
    const misses: number[] = []
    for (let i = 0; i < 4; i++) {
      series.amend({ ...candle(3000), volume: i })
      expect(await ask(sections())).toBe(expected(sections()))
      misses.push(resultCache.misses)
    }
    expect(misses).toEqual([8, 16, 16, 16])
    expect(resultCache.size).toBe(8)
  })

  it('do not keep what was computed from candles that were replaced meanwhile', async () => {
    const { ask } = open(inlineBudgetUs)
    const series = seriesOf(0, 3000)
    const sections = () => [
      sectionOf(
        'c',
        series,
        names.map(name => queryOf(name, 20)),
      ),
    ]
    await ask(sections())
    const before = sections()
    const asked = ask(before)
    series.merge(
      [
        { ...candle(2990), close: candle(2990).low },
        ...Array.from({ length: 10 }, (_, i) => candle(2991 + i)),
      ],
      3000 * 60,
    )
    await ask(sections())
    expect(await asked).toBe(expected(before))
    for (let i = 0; i < 3; i++) expect(await ask(sections())).toBe(expected(sections()))
  })
})

describe('a bulk answer from kept results', () => {
  it('has the ids of its constructs also where several have the same indicators', async () => {
    const { ask } = open(1e9)
    const section = sectionOf('a', seriesOf(0, 300), [queryOf('rsi', 2), queryOf('obv', 1)])
    const sections = [section, { ...section, id: 'b' }, { ...section, id: 'c' }]
    for (let i = 0; i < 2; i++) expect(await ask(sections)).toBe(expected(sections))
    expect(await ask(sections.slice(1))).toBe(expected(sections.slice(1)))
  })

  it('is copied into recycled buffers where it is long, and the same as a short one', async () => {
    const { ask, executor } = open(1e9)
    const series = seriesOf(0, 3000)
    const sections = [
      sectionOf(
        'c',
        series,
        names.map(name => queryOf(name, 900)),
      ),
    ]
    for (let i = 0; i < 2; i++) await ask(sections)
    const body = await executor.executeAll(layoutBulk(sections, false), { accountId: 'me' })
    if (!(body instanceof BodyFragments)) throw new Error('it was not copied into buffers')
    expect(body.takeText()).toBe(expected(sections))
    expect(await ask(sections, true), 'with envelopes').toContain('"errors":[]')
  })

  it('is written in turns where writing it takes long', async () => {
    const { ask, executor, resultCache } = open(1e9, 1_000_000_000)
    const series = Array.from({ length: 4 }, (_, k) => seriesOf(k, 5_000))
    const sections = series.map((each, k) =>
      sectionOf(
        `c${k}`,
        each,
        ['ema', 'macd', 'bbands', 'stoch', 'kdj'].map(name => queryOf(name, 4_000)),
      ),
    )
    for (let i = 0; i < 2; i++) await ask(sections)
    expect(resultCache.size).toBe(20)
    let turns = 0
    setImmediate(() => turns++)
    const body = await executor.executeAll(layoutBulk(sections, false), { accountId: 'me' })
    expect(turns, 'the event loop is not held').toBe(1)
    expect(textOf(body)).toBe(expected(sections))
  })

  it('is not sought for supplied candles', async () => {
    const { executor, resultCache } = open(1e9)
    const candles = Array.from({ length: 50 }, (_, i) => ({ ...candle(i), timestamp: i * 60 }))
    const body = new TextEncoder().encode(
      JSON.stringify({ constructs: [{ id: 'c', candles, indicators: [{ id: 'x', indicator: 'rsi' }] }] }),
    )
    for (let i = 0; i < 3; i++) textOf(await executor.executeSupplied(body, 5, { accountId: 'me' }))
    expect([resultCache.size, resultCache.hits, resultCache.misses]).toEqual([0, 0, 0])
  })
})

describe('a long answer from kept results', () => {
  /** Opens twenty series whose results are kept, as for repeated requests of a caller. */
  const openWarm = async () => {
    const { ask, executor } = open(1e9)
    const markets = Array.from({ length: 20 }, (_, k) => seriesOf(100 * k, 500))
    const queries = names.map(name => queryOf(name, 450))
    const sections = () => markets.map((series, k) => sectionOf(`c${k}`, series, queries))
    for (let i = 0; i < 2; i++) await ask(sections())
    return { executor, markets, sections }
  }

  it('lets other work in, and answers about the candles of its beginning', async () => {
    const { executor, markets, sections } = await openWarm()
    const asked = sections()
    const answers = [1, 2].map(() => executor.executeAll(layoutBulk(asked, false), { accountId: 'me' }))
    const order: string[] = []
    for (const answered of answers) void Promise.resolve(answered).then(() => order.push('answer'))
    await new Promise(resolve => setImmediate(resolve))
    order.push('turn')
    for (const [k, series] of markets.entries()) series.amend({ ...candle(100 * k + 500), close: 1 })
    const later = sections()
    const last = await executor.executeAll(layoutBulk(later, false), { accountId: 'me' })
    for (const answered of answers) expect(textOf(await answered)).toBe(expected(asked))
    expect(textOf(last)).toBe(expected(later))
    expect(order).toEqual(['turn', 'answer', 'answer'])
  })

  it('ends when its caller has gone', async () => {
    const { executor, sections } = await openWarm()
    const caller = new AbortController()
    const answered = executor.executeAll(layoutBulk(sections(), false), {
      accountId: 'me',
      signal: caller.signal,
    })
    caller.abort()
    expect(await answered).toMatchObject({ status: 503 })
  })
})
