import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Candle } from '../../../src/candles/candle.js'
import type { Inputs, Snapshot } from '../../../src/candles/columns.js'
import { Series } from '../../../src/candles/series.js'
import { answer } from '../../../src/compute/answer.js'
import type { Caller } from '../../../src/compute/executor.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'
import type { LiveCalculation } from '../../../src/compute/results/live-calculation.js'
import { ResultCache } from '../../../src/compute/results/result-cache.js'
import { type PackedResults, ResultSeries } from '../../../src/compute/results/result-series.js'
import type { Market } from '../../../src/contract/market.js'
import type { IndicatorSpec } from '../../../src/contract/query.js'
import { busy, isRefusal, type Refusal } from '../../../src/contract/refusals.js'
import { Hub } from '../../../src/live/hub.js'
import type { Topic } from '../../../src/live/topic.js'
import { createDemoSource } from '../../../src/markets/exchanges/demo/demo-source.js'
import type { Exchange } from '../../../src/markets/exchanges/registry.js'
import { SourceFailure } from '../../../src/markets/exchanges/source.js'
import type { OnChange } from '../../../src/markets/feeds/feed.js'
import type { Feeds } from '../../../src/markets/feeds/feed-registry.js'
import type { Scheduler } from '../../../src/runtime/scheduler.js'
import { entryOf, valuesOf } from '../../support/kernel.js'
import { questionOf } from '../../support/questions.js'
import { endlessScheduler, nextTurn, scriptedScheduler } from '../../support/scheduler.js'

const minute: Market = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1m' }
const specOf = (name: string, given = {}) => ({ indicator: entryOf(name), ...valuesOf(entryOf(name), given) })

const candle = (i: number, close = 100 + (i % 9)): Candle => ({
  timestamp: i * 60,
  open: close,
  high: close + 1,
  low: close - 1,
  close,
  volume: 1,
})
const candles = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => candle(from + i))

/** Feeds of one market that a test changes. */
class ScriptedFeeds implements Feeds {
  size = 0
  failure: SourceFailure | undefined
  readonly followers = new Set<OnChange>()
  readonly series = new Series('1m', 1000)
  gate: Promise<void> = Promise.resolve()
  age: number | undefined

  async follow(_market: Market, _source: unknown, onChange: OnChange) {
    await this.gate
    if (this.failure) throw this.failure
    this.size++
    this.followers.add(onChange)
    return {
      inputs: (): Inputs => [this.series.snapshot()],
      age: () => this.age,
      release: () => {
        this.size--
        this.followers.delete(onChange)
      },
    }
  }

  /** Merges candles. Candles that end by minute `now` are closed. */
  move(fresh: readonly Candle[], now: number): void {
    this.series.merge(fresh, now * 60)
  }

  emit(snapshot: Snapshot = this.series.snapshot()): void {
    for (const onChange of this.followers) onChange([snapshot])
  }

  async close() {}
}

let feeds: ScriptedFeeds
let hub: Hub
let scheduler: Scheduler
let published: (readonly [channel: string, text: string])[]
let bugs: unknown[]
const calculator = new Calculator()

beforeEach(() => {
  feeds = new ScriptedFeeds()
  feeds.move(candles(0, 50), 50)
  published = []
  bugs = []
  scheduler = endlessScheduler()
  openHub()
})

function openHub() {
  const exchange: Exchange = { id: 'demo', source: createDemoSource(() => 0) }
  hub = new Hub({
    feeds,
    calculator,
    resultCache: new ResultCache(1_000_000),
    exchanges: {
      ids: () => ['demo'],
      find: name => (name === 'demo' || name === 'alias' ? exchange : undefined),
    },
    scheduler,
    onBug: error => bugs.push(error),
  })
  hub.publishTo((channel, text) => published.push([channel, text]))
}

type FollowedTopic = Topic & { readonly all: string; readonly closedOnly: string }
/** Adds two subscriptions to a topic: to all updates and to those of closed candles only, each with its channel. */
const followed = (topic: Topic): FollowedTopic =>
  Object.assign(topic, { all: topic.join('a', false), closedOnly: topic.join('a', true) })
/** Subscribes to a specification over a market. */
const subscribe = (market: Market, spec: IndicatorSpec, caller: Caller = { accountId: '' }) =>
  hub.acquire(questionOf(market, spec), caller)
const acquire = async (spec = specOf('sma', { period: 2 }), market = minute): Promise<FollowedTopic> => {
  const topic = await subscribe(market, spec)
  if (isRefusal(topic)) throw new Error(topic.error)
  return followed(topic)
}
const dataOf = (text: string | Refusal) => {
  if (typeof text !== 'string') throw new Error(text.error)
  return JSON.parse(text).data
}
/** Values published since the last call: channel, minute, value. */
const takePublished = () =>
  published.splice(0).map(([channel, text]) => [channel, dataOf(text).timestamp / 60, dataOf(text).sma])

describe('a topic', () => {
  it('is one for all equal specifications, and computed once', async () => {
    const [one, other] = [await acquire(), await acquire(specOf('sma', { optInTimePeriod: 2 }))]
    expect(other).toBe(one)
    expect(await acquire(specOf('sma', { period: 3 }))).not.toBe(one)
    expect(await acquire(specOf('sma', { period: 2, source: 'close' }))).not.toBe(one)
    expect(
      await acquire(specOf('sma', { period: 2 }), { ...minute, exchange: 'alias' }),
      'by another name',
    ).not.toBe(one)
    feeds.move([candle(50)], 51)
    feeds.emit()
    expect(published.filter(([channel]) => channel === one.all)).toHaveLength(1)
  })

  it('with settled digits is one of its own, which begins with the first candle that has them', async () => {
    const spec = specOf('ema', { period: 10 })
    const settledFrom = (first: number) => ({ ...spec, settled: { digits: 4, first } })
    expect(await subscribe(minute, settledFrom(51))).toMatchObject({
      error: 'Not enough candles: ema needs 52 for 4 settled digits, 50 available',
    })
    const topic = await acquire(settledFrom(49))
    expect(await acquire(spec)).not.toBe(topic)
    expect(dataOf(topic.current('a', false)).timestamp).toBe(49 * 60)
  })

  it('publishes each closed candle on both channels in order, then the forming one', async () => {
    const { all, closedOnly } = await acquire()
    feeds.move([candle(50, 10), candle(51, 20), candle(52, 30)], 52)
    feeds.emit()
    expect(takePublished()).toEqual([
      [all, 50, (104 + 10) / 2],
      [closedOnly, 50, (104 + 10) / 2],
      [all, 51, 15],
      [closedOnly, 51, 15],
      [all, 52, 25],
    ])
  })

  it('says in each update which calculation it is of, and whether its candle is closed', async () => {
    await acquire(specOf('sma', { period: 2 }))
    const other = await acquire(specOf('sma', { optInTimePeriod: 3, source: 'high' }))
    const saidOf = (text: string | Refusal) => {
      const { data: _, ...said } = JSON.parse(text as string)
      return said
    }
    const said = { type: 'update', id: 'a', subscription: 'demo:btcusdt:1m', indicator: 'sma' }
    const [first, second] = [{ period: 2 }, { period: 3, source: 'high' }]
    expect(saidOf(other.current('a', false))).toEqual({ ...said, params: second, closed: true })
    feeds.move([candle(50, 10), candle(51, 20)], 51)
    feeds.emit()
    expect(published.map(([, text]) => saidOf(text))).toEqual(
      [first, second].flatMap(params => [true, true, false].map(closed => ({ ...said, params, closed }))),
    )
    expect(saidOf(other.current('a', false))).toEqual({ ...said, params: second, closed: false })
    expect(saidOf(other.current('a', true))).toEqual({ ...said, params: second, closed: true })
    feeds.move([candle(51, 30)], 51)
    expect(saidOf(other.current('a', false)), 'after a change that was not emitted').toMatchObject({
      closed: false,
    })
  })

  it('sends each id of a client its own texts, as long as a subscription has that id', async () => {
    const topic = await acquire()
    topic.leave('a', false)
    topic.leave('a', true)
    const [one, other] = [topic.join('"b"', false), topic.join('c', true)]
    expect(topic.join('"b"', false), 'another connection with this id').toBe(one)
    const idsOf = () => {
      feeds.emit()
      return published.splice(0).map(([channel, text]) => [channel, JSON.parse(text).id])
    }
    feeds.move([candle(50, 10)], 51)
    expect(idsOf()).toEqual([
      [one, '"b"'],
      [other, 'c'],
    ])
    topic.leave('"b"', false)
    feeds.move([candle(51, 20)], 52)
    expect(idsOf()).toEqual([
      [one, '"b"'],
      [other, 'c'],
    ])
    topic.leave('"b"', false)
    feeds.move([candle(52, 30), candle(53, 40)], 53)
    expect(idsOf()).toEqual([[other, 'c']])
  })

  it('publishes no value twice while a candle is forming, but every closed one', async () => {
    const { all, closedOnly } = await acquire()
    for (const close of [7, 7, 9, 9]) {
      feeds.move([candle(50, close)], 50)
      feeds.emit()
    }
    expect(takePublished()).toEqual([
      [all, 50, (104 + 7) / 2],
      [all, 50, (104 + 9) / 2],
    ])
    feeds.move([candle(50, 9)], 51)
    feeds.emit()
    expect(takePublished()).toEqual([
      [all, 50, (104 + 9) / 2],
      [closedOnly, 50, (104 + 9) / 2],
    ])
  })

  it('follows a correction of a closed candle without publishing one twice', async () => {
    const topic = await acquire()
    feeds.move([candle(50, 10), candle(51, 20)], 51)
    feeds.emit()
    published.length = 0
    feeds.move([candle(50, 30), candle(51, 20)], 51)
    feeds.emit()
    expect(takePublished()).toEqual([[topic.all, 51, 25]])
    expect(dataOf(topic.current('a', true))).toEqual({ sma: (104 + 30) / 2, timestamp: 3000 })
  })

  it('fills a gap in order, also together with a correction', async () => {
    const topic = await acquire()
    feeds.move([candle(49, 5), ...candles(50, 54)], 53)
    feeds.emit()
    expect(takePublished().map(([name, at]) => [name, at])).toEqual([
      [topic.all, 50],
      [topic.closedOnly, 50],
      [topic.all, 51],
      [topic.closedOnly, 51],
      [topic.all, 52],
      [topic.closedOnly, 52],
      [topic.all, 53],
    ])
  })

  it('begins a subscription with the forming candle as it is now, and then publishes the next value whatever it is', async () => {
    const topic = await acquire()
    feeds.move([candle(50, 6)], 50)
    feeds.emit()
    published.length = 0
    feeds.move([candle(50, 8)], 50)
    expect(dataOf(topic.current('a', false))).toEqual({ sma: (104 + 8) / 2, timestamp: 3000 })
    expect(dataOf(topic.current('a', true))).toEqual({ sma: (103 + 104) / 2, timestamp: 2940 })
    feeds.move([candle(50, 6)], 50)
    feeds.emit()
    expect(takePublished(), 'a client that got 8 must get 6 again').toEqual([[topic.all, 50, (104 + 6) / 2]])
  })

  it('begins a subscription with nothing that is yet to be published as closed', async () => {
    const topic = await acquire()
    feeds.move([candle(50, 6), candle(51, 7)], 51)
    expect(dataOf(topic.current('a', false)).timestamp).toBe(2940)
    feeds.emit()
    expect(takePublished().map(([, at]) => at)).toEqual([50, 50, 51])
  })

  it('goes on after a computation that failed, and the others are published', async () => {
    const [broken, sound] = [await acquire(), await acquire(specOf('sma', { period: 3 }))]
    const { advance } = broken.calculation
    broken.calculation.advance = () => {
      throw new Error('a bug')
    }
    feeds.move([candle(50)], 51)
    feeds.emit()
    expect(bugs).toHaveLength(1)
    expect(published.map(([channel]) => channel)).toEqual([sound.all, sound.closedOnly])
    broken.calculation.advance = advance
    feeds.move([candle(51)], 52)
    feeds.emit()
    expect(
      published.filter(([channel]) => channel === broken.all).map(([, text]) => dataOf(text).timestamp / 60),
    ).toEqual([50, 51])
  })
})

describe('a market', () => {
  it('is followed once, as long as it has topics', async () => {
    const topics = [await acquire(), await acquire(), await acquire(specOf('rsi'))]
    expect(feeds.size).toBe(1)
    for (const topic of topics) {
      expect(feeds.size).toBe(1)
      hub.release(topic)
    }
    expect(feeds.size).toBe(0)
    await acquire()
    expect(feeds.size).toBe(1)
  })

  it('is followed once also by subscriptions that wait for it together', async () => {
    let release = () => {}
    feeds.gate = new Promise(resolve => {
      release = resolve
    })
    const acquired = [acquire(), acquire(specOf('rsi')), subscribe(minute, specOf('rsi', { period: 60 }))]
    release()
    const [one, , short] = await Promise.all(acquired)
    expect(short).toEqual({ status: 400, error: 'Not enough candles: rsi needs 61, 50 available' })
    expect(feeds.size).toBe(1)
    expect((one as Topic).group.topics.size).toBe(2)
  })

  it('stays followed for a subscription that waits for it, where the client of another one leaves', async () => {
    let release = () => {}
    feeds.gate = new Promise(resolve => {
      release = resolve
    })
    const left = subscribe(minute, specOf('rsi'), { accountId: 'left', signal: AbortSignal.abort() })
    const waits = acquire()
    release()
    expect(isRefusal(await left)).toBe(true)
    const topic = await waits
    expect([...topic.group.topics.values()]).toEqual([topic])
    feeds.move(candles(50, 51), 51)
    feeds.emit()
    expect(takePublished()).not.toEqual([])
    hub.release(topic)
    expect(feeds.size).toBe(0)
  })

  it('is released over several turns where many topics are left together, but not one that is wanted again', async () => {
    const scripted = scriptedScheduler()
    scheduler = scripted.scheduler
    openHub()
    feeds.move(candles(50, 400), 400)
    const specs = Array.from({ length: 300 }, (_, i) => specOf('sma', { period: 2 + i }))
    const topics: Topic[] = []
    for (const spec of specs) topics.push(await acquire(spec))
    await nextTurn()
    for (const topic of topics)
      vi.spyOn(topic.calculation, 'close').mockImplementation(() => scripted.pass(0.05))
    expect(scheduler.hasTime('others')).toBe(true)
    scripted.pass(5)
    for (const topic of topics) hub.release(topic)
    const [again, twice] = await Promise.all([acquire(specs[0]), acquire(specs[1])])
    expect([again === topics[0], twice === topics[1]]).toEqual([true, true])
    hub.release(twice)
    await nextTurn()
    const left = again.group.topics.size
    expect(left).toBeGreaterThan(2)
    expect(left).toBeLessThan(300)
    for (let turn = 0; turn < 5; turn++) await nextTurn()
    expect(again.group.topics.size).toBe(1)
    expect([again.isClosed, feeds.size]).toEqual([false, 1])
    hub.release(again)
    await nextTurn()
    expect([again.isClosed, feeds.size]).toEqual([true, 0])
  })

  it('is released where one of many topics cannot be closed, which is reported', async () => {
    const topics = [await acquire(), await acquire(specOf('rsi')), await acquire(specOf('ema'))]
    vi.spyOn(topics[2]?.calculation as LiveCalculation, 'close').mockImplementation(() => {
      throw new Error('a bug')
    })
    for (const topic of topics) hub.release(topic)
    expect(bugs).toEqual([new Error('a bug')])
    expect(feeds.size).toBe(0)
  })

  it('is released where the only client that waits for it leaves', async () => {
    const left = subscribe(minute, specOf('rsi'), { accountId: 'left', signal: AbortSignal.abort() })
    expect(isRefusal(await left)).toBe(true)
    expect(feeds.size).toBe(0)
  })

  it('is released when the only specification needs more candles than there are', async () => {
    expect(await subscribe(minute, specOf('rsi', { period: 60 }))).toMatchObject({ status: 400 })
    expect(feeds.size).toBe(0)
  })

  it('is released when its only topic cannot be computed, and stays followed when it has another one', async () => {
    const resume = vi.spyOn(calculator, 'resume')
    const fail = () => {
      throw new Error('a bug')
    }
    resume.mockImplementationOnce(fail)
    await expect(acquire()).rejects.toThrow('a bug')
    expect(feeds.size).toBe(0)
    const topic = await acquire(specOf('rsi'))
    resume.mockImplementationOnce(fail)
    expect(() => subscribe(minute, specOf('sma', { period: 2 }))).toThrow('a bug')
    expect(feeds.size).toBe(1)
    hub.release(topic)
    expect(feeds.size).toBe(0)
    resume.mockRestore()
  })

  it('that cannot be followed is refused as REST refuses it, and followed again the next time', async () => {
    feeds.failure = new SourceFailure('unknown-symbol', 'no such symbol')
    expect(await subscribe(minute, specOf('rsi'))).toEqual({
      status: 404,
      error: 'Symbol not found: BTCUSDT on demo',
    })
    feeds.failure = new SourceFailure('unavailable', 'timed out')
    expect(await subscribe(minute, specOf('rsi'))).toMatchObject({
      status: 503,
      error: 'Exchange unavailable: demo (timed out)',
    })
    expect(await subscribe({ ...minute, exchange: 'nowhere' }, specOf('rsi'))).toMatchObject({
      status: 404,
    })
    feeds.failure = undefined
    expect((await acquire()).subscriptions).toBe(1)
  })
})

describe('a costly topic', () => {
  /** Computation requested from a thread. */
  interface Asked {
    readonly caller: Caller
    /** Computes it as a thread does. */
    finish(): void
    refuse(): void
    fail(): void
  }
  let asked: Asked[]
  const inThread = new Calculator()
  const threads = {
    build: (spec: IndicatorSpec, [{ columns, closed }]: Inputs, values: number, caller: Required<Caller>) =>
      new Promise<PackedResults | Refusal>((resolve, reject) => {
        caller.signal?.addEventListener('abort', () => reject(caller.signal?.reason))
        const results = new ResultSeries(spec)
        const finish = () => {
          results.build(inThread, [{ columns, closed, forming: undefined, count: closed }], values)
          resolve(results.pack() as PackedResults)
        }
        const fail = () => reject(new Error('a bug'))
        asked.push({ caller, finish, refuse: () => resolve(busy(1)), fail })
      }),
  }
  const costly = (tolerance = 0.2) => specOf('sampleentropy', { period: 300, tolerance })
  const asker = (ending = new AbortController()) => ({ accountId: 'me', signal: ending.signal })
  const take = () => asked.shift() as Asked
  const turns = async (count = 20) => {
    for (let i = 0; i < count; i++) await nextTurn()
  }
  /** The newest closed value as REST answers it. */
  const closedValue = (spec = costly()) => {
    const { columns, closed } = feeds.series.snapshot()
    const over = { columns, closed, forming: undefined, count: closed }
    return JSON.parse(answer(inThread, { ...spec, results: 1, backtrack: 0 }, [over]) as string).value[0]
  }
  const walk = (from: number, to: number, seed = 1) =>
    Array.from({ length: to - from }, (_, i) => candle(from + i, 100 + Math.sin((from + i) ** 2 * seed)))
  const open = (options = {}) => {
    hub = new Hub({
      feeds,
      calculator,
      resultCache: new ResultCache(1_000_000),
      exchanges: { ids: () => ['demo'], find: () => ({ id: 'demo', source: createDemoSource(() => 0) }) },
      scheduler: endlessScheduler(),
      onBug: error => bugs.push(error),
      threads,
      ...options,
    })
    hub.publishTo((channel, text) => published.push([channel, text]))
  }
  const takeValues = ({ all }: FollowedTopic) =>
    published
      .splice(0)
      .filter(([channel]) => channel === all)
      .map(([, text]) => [dataOf(text).timestamp / 60, dataOf(text).sampleentropy])
  const begin = async (): Promise<FollowedTopic> => {
    const acquired = subscribe(minute, costly(), asker())
    await turns()
    take().finish()
    return followed((await acquired) as Topic)
  }
  beforeEach(() => {
    asked = []
    feeds.move(walk(0, 500), 500)
    open()
  })

  it('begins with what a thread has computed for the account, and candles that closed meanwhile', async () => {
    const acquired = subscribe(minute, costly(), asker())
    await turns()
    expect(asked.map(({ caller }) => caller.accountId)).toEqual(['me'])
    feeds.move(walk(500, 502), 502)
    feeds.emit()
    take().finish()
    const topic = followed((await acquired) as Topic)
    expect(dataOf(topic.current('a', true))).toEqual({ sampleentropy: closedValue(), timestamp: 501 * 60 })
    published = []
    feeds.move(walk(502, 503), 503)
    feeds.emit()
    expect(takeValues(topic)).toEqual([[502, closedValue()]])
    expect(asked).toEqual([])
  })

  it('begins anew where the candles are corrected meanwhile', async () => {
    const acquired = subscribe(minute, costly(), asker())
    await turns()
    feeds.move(walk(400, 500, 3), 500)
    feeds.emit()
    take().finish()
    await turns()
    take().finish()
    expect(dataOf(followed((await acquired) as Topic).current('a', true)).sampleentropy).toBe(closedValue())
  })

  it('publishes after a correction what has closed until then, in order and once', async () => {
    const topic = await begin()
    published = []
    feeds.move(walk(490, 500, 3), 500)
    feeds.emit()
    const expected: [number, number][] = []
    for (let i = 500; i < 503; i++) {
      feeds.move(walk(i, i + 1), i + 1)
      expected.push([i, closedValue()])
      feeds.emit()
    }
    const later = subscribe(minute, costly(), asker())
    await turns()
    expect(published).toEqual([])
    take().finish()
    expect(dataOf(((await later) as Topic).current('a', true)).timestamp).toBe(502 * 60)
    expect(takeValues(topic)).toEqual(expected)
    expect(asked).toEqual([])
  })

  it('costs nothing more where its only client leaves', async () => {
    const ending = new AbortController()
    const acquired = subscribe(minute, costly(), asker(ending))
    await turns()
    const { caller } = take()
    ending.abort()
    expect(caller.signal?.aborted).toBe(true)
    expect(isRefusal(await acquired)).toBe(true)
    expect(feeds.size).toBe(0)
    await turns()
    expect([asked, bugs]).toEqual([[], []])
  })

  it('stays for one client where another one leaves, and ends once for each', async () => {
    const ending = new AbortController()
    const left = subscribe(minute, costly(), asker(ending))
    const stays = subscribe(minute, costly(), asker())
    await turns()
    ending.abort()
    expect(feeds.size).toBe(1)
    take().refuse()
    expect([await left, await stays]).toEqual([busy(1), busy(1)])
    expect(feeds.size).toBe(0)
    // Another one after it is counted from the beginning.
    const topic = await begin()
    expect(topic.subscriptions).toBe(1)
    ending.abort()
    expect(feeds.size).toBe(1)
    hub.release(topic)
    expect([feeds.size, topic.subscriptions]).toEqual([0, 0])
  })

  it('is not ended by a client that leaves after it was given it', async () => {
    const ending = new AbortController()
    const acquired = subscribe(minute, costly(), asker(ending))
    await turns()
    take().finish()
    const topic = followed((await acquired) as Topic)
    ending.abort()
    expect([feeds.size, topic.subscriptions]).toEqual([1, 1])
  })

  it('is refused where too many computations wait', async () => {
    const acquired = subscribe(minute, costly(), asker())
    await turns()
    take().refuse()
    expect(await acquired).toEqual(busy(1))
    expect(feeds.size).toBe(0)
  })

  it('that cannot be computed rejects those who wait for it, else is reported, and is computed at the next change', async () => {
    const acquired = Promise.resolve(subscribe(minute, costly(), asker()))
    const rejected = expect(acquired).rejects.toThrow('a bug')
    await turns()
    take().fail()
    await rejected
    expect([feeds.size, bugs]).toEqual([0, []])

    const topic = await begin()
    published = []
    feeds.move(walk(490, 500, 3), 500)
    feeds.emit()
    await turns(1)
    take().fail()
    await turns()
    expect(bugs).toMatchObject([{ message: 'a bug' }])
    feeds.move(walk(500, 501), 501)
    feeds.emit()
    await turns(1)
    take().finish()
    await turns()
    expect(takeValues(topic)).toEqual([[500, closedValue()]])
  })

  it('has the same values without threads, in parts', async () => {
    open({ threads: undefined })
    const topic = followed((await subscribe(minute, costly(), asker())) as Topic)
    expect(dataOf(topic.current('a', true)).sampleentropy).toBe(closedValue())
    published = []
    feeds.move(walk(450, 500, 3), 500)
    feeds.emit()
    feeds.move(walk(500, 501), 501)
    feeds.emit()
    await turns()
    expect(takeValues(topic)).toEqual([[500, closedValue()]])
  })

  it('without threads is computed in parts, one of them in a turn of the event loop, and no longer than it is asked for', async () => {
    open({ threads: undefined })
    const run = vi.spyOn(calculator, 'run')
    const seen: number[] = []
    /** The parts that were computed in each turn until nothing is left. */
    const partsOfTurns = async (acquired: ReturnType<Hub['acquire']>) => {
      let isOver = false
      void Promise.resolve(acquired).finally(() => {
        isOver = true
      })
      seen.length = 0
      while (!isOver) {
        run.mockClear()
        await nextTurn()
        seen.push(run.mock.calls.length)
      }
      return seen
    }
    const parts = await partsOfTurns(subscribe(minute, costly(), asker()))
    expect(parts.filter(count => count > 0).length).toBeGreaterThan(3)
    expect(Math.max(...parts)).toBeLessThanOrEqual(2)

    const both = [0.3, 0.4].map(tolerance => subscribe(minute, costly(tolerance), asker()))
    await partsOfTurns(Promise.all(both) as unknown as ReturnType<Hub['acquire']>)
    expect(Math.max(...seen), 'of two topics').toBeLessThanOrEqual(2)

    const ending = new AbortController()
    const left = subscribe(minute, costly(0.5), asker(ending))
    ending.abort()
    expect(isRefusal(await left)).toBe(true)
    run.mockClear()
    await turns()
    expect(run).not.toHaveBeenCalled()
    run.mockRestore()
  })

  it('shares the turns of the event loop with others when a candle closes', async () => {
    const tolerances = Array.from({ length: 100 }, (_, i) => 0.1 + i / 1000)
    const acquired = tolerances.map(tolerance => subscribe(minute, costly(tolerance), asker()))
    while (asked.length < 100) await nextTurn()
    for (const each of asked.splice(0)) each.finish()
    const topics = ((await Promise.all(acquired)) as Topic[]).map(followed)
    await nextTurn()
    published = []
    feeds.move(walk(500, 501), 501)
    feeds.emit()
    const isAll = (channel: string) => !channel.endsWith('c')
    const atOnce = published.filter(([channel]) => isAll(channel)).length
    expect(atOnce).toBeGreaterThan(0)
    expect(atOnce, 'in one turn').toBeLessThan(100)
    await turns()
    expect(published.map(([channel]) => channel).filter(isAll)).toEqual(topics.map(({ all }) => all))
  })
})
