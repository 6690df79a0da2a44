import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Alert } from '../../../src/alerts/alert.js'
import { MarketWatch, Plans } from '../../../src/alerts/market-watch.js'
import type { Candle } from '../../../src/candles/candle.js'
import type { Inputs, Snapshot } from '../../../src/candles/columns.js'
import { type Timeframe, timeframes } from '../../../src/candles/timeframe.js'
import { catalogue, type Entry } from '../../../src/catalogue/index.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'
import { LiveCalculation } from '../../../src/compute/results/live-calculation.js'
import { createDemoSource } from '../../../src/markets/exchanges/demo/demo-source.js'
import type { ExchangeLookup } from '../../../src/markets/exchanges/registry.js'
import type { Source } from '../../../src/markets/exchanges/source.js'
import { FeedRegistry } from '../../../src/markets/feeds/feed-registry.js'
import { History } from '../../../src/markets/history/history.js'
import { createExecutor } from '../../support/executor.js'
import { closedOf } from '../../support/scripted-source.js'

const day = 86_400
/** A Thursday afternoon in 2025, in the middle of a candle of every timeframe. */
const noon = 1_750_250_077.25
const depth = 100

let now = noon
/** The time of the exchange, which nobody sets. */
let exchangeTime = noon
let demo: ReturnType<typeof createDemoSource>
let history: History
let feeds: FeedRegistry
/** Number of candles of each request. */
let requests: number[]

/** Lets seconds pass on the clock and on the timers. */
async function pass(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 0.25) {
    now += 0.25
    exchangeTime += 0.25
    await vi.advanceTimersByTimeAsync(250)
  }
}

const marketOf = (timeframe: Timeframe) => ({ exchange: 'demo', symbol: 'BTCUSDT', timeframe })
const allOf = (snapshot: Snapshot): Candle[] => [
  ...closedOf(snapshot),
  ...(snapshot.forming ? [snapshot.forming] : []),
]

beforeEach(() => {
  // `setImmediate` is not faked: turns of the event loop are real.
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  })
  now = noon
  exchangeTime = noon
  demo = createDemoSource(() => now)
  requests = []
  const { candles } = demo
  demo.candles = (symbol, timeframe, count, options) => {
    requests.push(count)
    return candles.call(demo, symbol, timeframe, count, options)
  }
  const clock = () => now
  history = new History({ depth, bytes: 1e8, refreshSeconds: 5, clock })
  feeds = new FeedRegistry({ history, clock, formingPerSecond: 4, pollSeconds: 5, lingerSeconds: 0 })
})

afterEach(async () => {
  await feeds.close()
  await demo.close()
  expect(vi.getTimerCount(), 'timers after the end').toBe(0)
  vi.useRealTimers()
})

const year2100 = Date.UTC(2100, 0, 1) / 1000 - noon

const jumps: readonly (readonly [string, Timeframe, readonly number[]])[] = [
  ['forward by 400 days', '1m', [400 * day]],
  ['to the year 2100', '1m', [year2100]],
  ['to the year 2100 and back', '1m', [year2100, -year2100]],
  ['back by an hour', '1m', [-3600]],
  ['back by 20 minutes within a candle', '1h', [-1200]],
  ['forward by an hour and back', '1m', [3600, -3600]],
  ['back by 400 days', '1h', [-400 * day]],
]

describe('a clock that is set', () => {
  it.each(jumps)('%s: a followed market (%s) begins anew', async (_, timeframe, steps) => {
    const emitted: Snapshot[] = []
    const feed = await feeds.follow(marketOf(timeframe), demo, snapshot => void emitted.push(snapshot[0]))
    await pass(3)
    for (const step of steps) {
      now += step
      emitted.length = 0
      await pass(6)
      expect(emitted.length, 'changes in six seconds').toBeGreaterThan(2)
      const candles = allOf(feed.inputs()[0])
      expect(candles.length).toBeGreaterThanOrEqual(depth)
      expect(candles).toEqual(demo.candles('BTCUSDT', timeframe, candles.length))
    }
    expect(Math.max(...requests.slice(0, -steps.length))).toBeLessThanOrEqual(1.25 * depth + 1)
    feed.release()
  })

  it.each(jumps)('%s: a market (%s) is read as the exchange has it', async (_, timeframe, steps) => {
    await history.read(marketOf(timeframe), demo)
    for (const step of steps) {
      now += step
      const reading = (await history.read(marketOf(timeframe), demo)) as { inputs: Inputs }
      const [snapshot] = reading.inputs
      const candles = allOf(snapshot)
      expect(candles.length).toBeGreaterThanOrEqual(depth)
      expect(candles).toEqual(demo.candles('BTCUSDT', timeframe, candles.length))
    }
  })

  it('emits closed candles that come after it, and none that lie between', async () => {
    const indicator = catalogue.get('sma') as Entry
    const calculation = new LiveCalculation(new Calculator(), { indicator, params: { period: 3 } })
    const feed = await feeds.follow(marketOf('1m'), demo, () => {})
    const minutes = async () => {
      const { closed } = calculation.advance(feed.inputs())
      return closed.map(text => (JSON.parse(text) as { timestamp: number }).timestamp)
    }
    expect(await minutes()).toEqual([])
    await pass(60)
    expect(await minutes()).toEqual([Math.floor(noon / 60) * 60])
    for (const step of [400 * day, -400 * day - 7200]) {
      now += step
      await pass(6)
      expect(await minutes(), 'of what lies between').toEqual([])
      const forming = Math.floor(now / 60) * 60
      await pass(60)
      expect(await minutes()).toEqual([forming])
    }
    feed.release()
  })
})

describe('an alert of a service whose clock is set', () => {
  const alert: Alert = {
    ...{ id: 'alert_a', account: 'one', created: 0, since: noon, paused: false },
    subject: { kind: 'market', ...marketOf('1m') },
    ...{ expression: 'close > 0', on: 'close', trigger: 'level' },
  }
  /** Watches the market until `end` is called; answers the candles at which the alert has fired. */
  function watchMarket(source: Source) {
    let checkpoint: number | undefined
    let fired: number | undefined
    const fires: number[] = []
    const watch = new MarketWatch(marketOf('1m'), {
      plans: new Plans(),
      executor: createExecutor({ calculator: new Calculator() }),
      feeds,
      exchanges: { ids: () => ['demo'], find: () => ({ id: 'demo', source }) } as unknown as ExchangeLookup,
      clock: () => now,
      catchUpSeconds: day,
      backoffMs: 100,
      firedAt: () => fired,
      checkpointOf: () => checkpoint,
      isActive: () => true,
      // As the stores do.
      commit: async evaluation => {
        checkpoint = evaluation.checkpoint ?? checkpoint
        for (const { candle, after } of evaluation.voidFires) if (fired === candle) fired = after
        for (const { candle } of evaluation.firings) {
          if (fired !== undefined && candle <= fired) continue
          fires.push(candle)
          fired = candle
        }
      },
      onFault: error => {
        throw error
      },
    })
    watch.set(alert)
    return { fires, end: () => watch.close() }
  }
  const minuteOf = (time: number) => Math.floor(time / 60) * 60

  it.each([3600, 40, 400 * day])(
    'ahead by %d seconds for six: fires once at each candle of an exchange',
    async ahead => {
      const exchange = createDemoSource(() => exchangeTime)
      const source: Source = {
        symbols: () => exchange.symbols(),
        candles: async (...which) => exchange.candles(...which),
      }
      const { fires, end } = watchMarket(source)
      await pass(120)
      now += ahead
      await pass(6)
      now -= ahead
      await pass(240)
      end()
      const last = minuteOf(exchangeTime) - 60
      const first = minuteOf(noon)
      expect(fires).toEqual(Array.from({ length: (last - first) / 60 + 1 }, (_, at) => first + 60 * at))
    },
  )

  it.each([3600, 400 * day])('ahead by %d seconds for six: goes on firing on demo', async ahead => {
    const { fires, end } = watchMarket(demo)
    await pass(120)
    now += ahead
    await pass(6)
    now -= ahead
    fires.length = 0
    const back = minuteOf(now)
    await pass(240)
    end()
    expect(fires).toEqual([0, 1, 2, 3].map(at => back + 60 * at))
  })
})

describe('a candle of the future', () => {
  it('is dropped from a followed market once the history contradicts it', async () => {
    const length = timeframes['1d']
    const today = Math.floor(noon / length) * length
    const candle = (timestamp: number, volume: number): Candle => ({
      timestamp,
      open: 10,
      high: 12,
      low: 9,
      close: 11,
      volume,
    })
    let volume = 5
    const source = {
      symbols: () => ['BTCUSDT'],
      candles: async () => [candle(today - length, 9), candle(today, volume)],
    }
    const feed = await feeds.follow({ ...marketOf('1d'), exchange: 'other' }, source, () => {})
    const { candles } = source
    source.candles = async () => [...(await candles()), candle(today + length, 1)]
    await pass(11)
    expect(feed.inputs()[0].forming?.timestamp).toBe(today + length)
    source.candles = candles
    volume = 6
    await pass(11)
    expect(allOf(feed.inputs()[0])).toEqual([candle(today - length, 9), candle(today, 6)])
    feed.release()
  })
})
