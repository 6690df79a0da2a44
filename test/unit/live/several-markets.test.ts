import { beforeEach, describe, expect, it } from 'vitest'
import { type Alert, createAlert } from '../../../src/alerts/alert.js'
import { type Evaluation, MarketWatch, Plans } from '../../../src/alerts/market-watch.js'
import type { Inputs } from '../../../src/candles/columns.js'
import { Series } from '../../../src/candles/series.js'
import { answer } from '../../../src/compute/answer.js'
import {
  type CompiledExpression,
  compileExpression,
  marketsOf,
} from '../../../src/compute/expressions/compile.js'
import { Expressions } from '../../../src/compute/expressions/expressions.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'
import { ResultCache } from '../../../src/compute/results/result-cache.js'
import { readObject } from '../../../src/contract/fields.js'
import type { Market } from '../../../src/contract/market.js'
import { isRefusal } from '../../../src/contract/refusals.js'
import { Hub } from '../../../src/live/hub.js'
import type { Topic } from '../../../src/live/topic.js'
import { createDemoSource } from '../../../src/markets/exchanges/demo/demo-source.js'
import type { Exchange } from '../../../src/markets/exchanges/registry.js'
import { SourceFailure } from '../../../src/markets/exchanges/source.js'
import type { OnChange } from '../../../src/markets/feeds/feed.js'
import type { Feeds } from '../../../src/markets/feeds/feed-registry.js'
import { readMultiMarket } from '../../../src/markets/history/multi-market-reading.js'
import type { Reading } from '../../../src/markets/history/reading.js'
import { readScreen } from '../../../src/screens/request.js'
import type { Scan } from '../../../src/screens/scan.js'
import { Screener } from '../../../src/screens/screener.js'
import { createExecutor } from '../../support/executor.js'
import { flatCandle } from '../../support/flat-candle.js'
import { questionOf } from '../../support/questions.js'
import { endlessScheduler, nextTurn } from '../../support/scheduler.js'

const own: Market = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1m' }
const other: Market = { exchange: 'demo', symbol: 'ETHUSDT', timeframe: '1m' }
const exchange: Exchange = { id: 'demo', source: createDemoSource(() => 0) }
const exchanges = {
  ids: () => ['demo'],
  find: (name: string) => (name === 'demo' ? exchange : undefined),
}

/** Markets of minutes that a test moves, with their followers. */
class Markets implements Feeds {
  readonly #series = new Map<string, Series>()
  readonly followers = new Map<string, Set<OnChange>>()
  /** Number of reads per market. */
  readonly reads = new Map<string, number>()

  /** Markets that are followed. */
  get size(): number {
    return [...this.followers.values()].filter(({ size }) => size > 0).length
  }

  of(symbol: string): Series {
    const known = this.#series.get(symbol)
    if (known) return known
    const series = new Series('1m', 1000)
    series.merge(
      Array.from({ length: 50 }, (_, k) => flatCandle(k, 100 + ((k * 7) % 13))),
      50 * 60,
    )
    this.#series.set(symbol, series)
    return series
  }

  async follow({ symbol }: Market, _: unknown, onChange: OnChange) {
    if (symbol === 'NOSUCH') throw new SourceFailure('unknown-symbol', 'there is none')
    const followers = this.followers.get(symbol) ?? new Set()
    this.followers.set(symbol, followers.add(onChange))
    const age = () => undefined
    const inputs = (): Inputs => [this.of(symbol).snapshot()]
    return { inputs, age, release: () => void followers.delete(onChange) }
  }

  /** Shows a candle. Candles that end by the minute `now` are closed. */
  show({ symbol }: Market, minute: number, close: number, now = minute): void {
    this.of(symbol).merge([flatCandle(minute, close)], now * 60)
    for (const onChange of this.followers.get(symbol) ?? []) onChange([this.of(symbol).snapshot()])
  }

  recall = ({ symbol }: Market): Reading => ({
    kind: 'candles',
    inputs: [this.of(symbol).snapshot()],
    stale: false,
  })

  read = (market: Market): Reading => {
    this.reads.set(market.symbol, (this.reads.get(market.symbol) ?? 0) + 1)
    return this.recall(market)
  }

  readWhenReady = async (market: Market) => this.read(market)

  async close() {}
}

const compile = (text: string): CompiledExpression => {
  const compiled = compileExpression(text, { timeframe: '1m' })
  if (isRefusal(compiled)) throw new Error(compiled.error)
  return compiled
}

let markets: Markets
let published: string[]
let hub: Hub
const calculator = new Calculator()
const resultCache = new ResultCache(10_000_000)

beforeEach(() => {
  markets = new Markets()
  published = []
  hub = new Hub({
    feeds: markets,
    calculator,
    resultCache,
    exchanges,
    scheduler: endlessScheduler(),
    onBug: error => expect.fail(String(error)),
  })
  hub.publishTo((channel, text) => {
    if (!channel.endsWith('c')) published.push(text)
  })
})

/** Current REST answer: value, minute. */
function answered({ spec }: CompiledExpression) {
  const reading = readMultiMarket(markets as never, {
    markets: marketsOf(spec.indicator, own),
  }) as Reading
  const text = answer(calculator, { ...spec, results: 1, backtrack: 0 }, reading.inputs)
  if (isRefusal(text)) throw new Error(text.error)
  const { value, timestamp } = JSON.parse(text)
  return [value[0], timestamp[0] / 60]
}

/** Values published since the last call: value, minute, whether the candle is closed. */
const takePublished = () =>
  published.splice(0).map(text => {
    const { data, closed } = JSON.parse(text)
    return [data.expression, data.timestamp / 60, closed]
  })

const alertOn = (expression: string): Alert =>
  createAlert(
    'one',
    {
      markets: [own],
      screen: undefined,
      expression,
      on: 'close',
      trigger: 'level',
      name: undefined,
    },
    0,
  )[0]

function watchWith(committed: Evaluation[], market = own): MarketWatch {
  return new MarketWatch(market, {
    feeds: markets,
    exchanges: exchanges as never,
    executor: createExecutor({ calculator, resultCache }),
    plans: new Plans(),
    clock: () => 3600,
    catchUpSeconds: 3600,
    backoffMs: 5,
    onFault: error => expect.fail(String(error)),
    firedAt: () => 49 * 60,
    checkpointOf: () => committed.flatMap(({ checkpoint }) => checkpoint ?? []).at(-1) ?? 49 * 60,
    isActive: () => true,
    commit: async evaluation => void committed.push(evaluation),
  })
}

const settled = async () => {
  for (let turn = 0; turn < 20; turn++) await nextTurn()
}

describe('a subscription to an expression over two markets', () => {
  it('is updated by either market, has the values of REST, and waits for a candle of the other that is late', async () => {
    const ratio = compile('close / close{ETHUSDT}')
    const topic = (await hub.acquire(questionOf(own, ratio.spec), { accountId: '' })) as Topic
    topic.join('a', false)
    expect(isRefusal(topic)).toBe(false)
    markets.show(own, 50, 200)
    markets.show(other, 50, 100)
    markets.show(other, 50, 50)
    // The forming candle is joined with the newest known candle of the other market, which is first a closed one.
    const before = markets.of('ETHUSDT').snapshot().columns.close[49] as number
    expect(takePublished()).toEqual([
      [200 / before, 50, false],
      [2, 50, false],
      [4, 50, false],
    ])
    expect(answered(ratio)).toEqual([4, 50])
    markets.show(own, 51, 210)
    expect(takePublished(), 'the other market may still move').toEqual([])
    expect(answered(ratio), 'nor does REST show it as closed').toEqual([4, 50])
    markets.show(other, 51, 105)
    expect(takePublished()).toEqual([
      [4, 50, true],
      [2, 51, false],
    ])
    expect(answered(ratio)).toEqual([2, 51])
    hub.release(topic)
    await settled()
    expect(markets.size).toBe(0)
  })

  it('is refused by the name of the market that there is not', async () => {
    expect(
      await hub.acquire(questionOf(own, compile('close / close{NOSUCH}').spec), { accountId: '' }),
    ).toMatchObject({
      status: 404,
      error: 'Symbol not found: NOSUCH on demo',
    })
    expect(
      await hub.acquire(questionOf(own, compile('close / close{none:X}').spec), { accountId: '' }),
    ).toMatchObject({ status: 404 })
    expect(markets.size).toBe(0)
  })

  it('begins with other columns where a candle of the other market arrives too late, and has the values that it means', async () => {
    const ratio = compile('close / close{ETHUSDT}')
    const topic = (await hub.acquire(questionOf(own, ratio.spec), { accountId: '' })) as Topic
    topic.join('a', false)
    markets.show(own, 50, 200)
    markets.show(own, 51, 200)
    const before = markets.of('ETHUSDT').snapshot().columns.close[49] as number
    expect(takePublished().at(-2), 'nothing was traded there').toEqual([200 / before, 50, true])
    markets.show(other, 50, 100, 51)
    expect(takePublished()).toEqual([[2, 51, false]])
    markets.show(own, 52, 200)
    expect(takePublished()[0]).toEqual([2, 51, true])
    expect(answered(ratio)).toEqual([2, 52])
    hub.release(topic)
  })
})

describe('an alert over two markets', () => {
  it('fires when both have closed, and its candle is not seen as evaluated before', async () => {
    const committed: Evaluation[] = []
    const watch = watchWith(committed)
    watch.set(alertOn('close > 2 * close{ETHUSDT}'))
    await settled()
    markets.show(own, 50, 300)
    markets.show(other, 50, 100)
    markets.show(own, 51, 300)
    await settled()
    expect(committed).toEqual([])
    markets.show(other, 51, 100)
    await settled()
    expect(committed.map(({ checkpoint, firings }) => [checkpoint, firings.length])).toEqual([[50 * 60, 1]])
    expect(committed[0]?.firings[0]).toMatchObject({ candle: 50 * 60, isClosed: true, price: 300 })
    watch.close()
    expect(markets.size).toBe(0)
  })
})

describe('300 markets', () => {
  const symbols = Array.from({ length: 300 }, (_, k) => `M${k}USDT`)

  it('with alerts over a second market follow one market more', async () => {
    const watches = symbols.map(symbol => watchWith([], { ...own, symbol }))
    for (const watch of watches) watch.set(alertOn('close > close{ETHUSDT}'))
    await settled()
    expect(markets.size).toBe(301)
    for (const watch of watches) watch.close()
    expect(markets.size).toBe(0)
  })

  it('are screened with one reading of the second market', async () => {
    const request = readScreen(
      readObject({ exchange: 'demo', timeframe: '1m', where: 'close == close{ETHUSDT}', symbols }) as never,
      new Expressions(),
    )
    if (isRefusal(request)) throw new Error(request.error)
    const marketData = Object.assign(markets, {
      isComputed: () => false,
      refuseOld: (reading: Reading) => reading,
    })
    const screener = new Screener({
      marketData: marketData as never,
      exchanges: exchanges as never,
      executor: createExecutor({ calculator, resultCache }),
      clock: () => 0,
    })
    const scanned = { markets: symbols.map(symbol => ({ ...own, symbol })), refusals: new Map() }
    const { text } = await screener.answer(request, scanned as unknown as Scan, 'a')
    expect(JSON.parse(text)).toMatchObject({ screened: 300, failed: [] })
    expect(JSON.parse(text).matches).toHaveLength(300)
    expect([...markets.reads]).toEqual([['ETHUSDT', 1]])
  })

  it('are screened with the funding of each, which their scan brings up to date', async () => {
    const named = symbols.slice(0, 3)
    const where = 'funding > 109 and close{ETHUSDT} > 0'
    const request = readScreen(
      readObject({ exchange: 'demo', timeframe: '1m', where, symbols: named }) as never,
      new Expressions(),
    )
    if (isRefusal(request)) throw new Error(request.error)
    const marketData = Object.assign(markets, {
      isComputed: () => false,
      refuseOld: (reading: unknown) => reading,
    })
    const options = {
      marketData: marketData as never,
      exchanges: exchanges as never,
      executor: createExecutor({ calculator, resultCache }),
    }
    const screener = new Screener({ ...options, clock: () => 0 })
    markets.show({ ...own, symbol: 'M1USDT.FUNDING' }, 50, 110, 51)
    const scan = await screener.scan(request, { id: 'a', constructs: 100 })
    if (isRefusal(scan)) throw new Error(scan.error)
    await scan.ended
    expect(named.map(symbol => markets.reads.get(`${symbol}.FUNDING`))).toEqual([1, 1, 1])
    for (const symbol of named) markets.show({ ...own, symbol }, 50, 100, 51)
    const { text } = await screener.answer(request, scan, 'a')
    expect(JSON.parse(text)).toMatchObject({ screened: 3, failed: [], matches: [{ symbol: 'M1USDT' }] })
  })
})
