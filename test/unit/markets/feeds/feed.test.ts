import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Snapshot } from '../../../../src/candles/columns.js'
import { SourceFailure } from '../../../../src/markets/exchanges/source.js'
import { FeedRegistry, type FollowedFeed } from '../../../../src/markets/feeds/feed-registry.js'
import { History } from '../../../../src/markets/history/history.js'
import type { Reading } from '../../../../src/markets/history/reading.js'
import { candleAt, closedOf, ScriptedSource } from '../../../support/scripted-source.js'

const market = { exchange: 'scripted', symbol: 'BTCUSDT', timeframe: '1m' } as const
/** The beginning of a minute. */
const noon = 1_750_248_000
const clock = () => Date.now() / 1000

let source: ScriptedSource
let history: History
let feeds: FeedRegistry
let faults: unknown[]

function start(settings: Partial<ConstructorParameters<typeof FeedRegistry>[0]> = {}): void {
  history = new History({ depth: 100, bytes: 1e8, refreshSeconds: 5, clock })
  feeds = new FeedRegistry({
    history,
    clock,
    formingPerSecond: 4,
    pollSeconds: 5,
    lingerSeconds: 10,
    backoffMs: 1000,
    onFault: error => faults.push(error),
    ...settings,
  })
}

/** Follows the market, and collects the emitted snapshots. */
async function follow(): Promise<{ emitted: Snapshot[]; feed: FollowedFeed }> {
  const emitted: Snapshot[] = []
  const feed = await feeds.follow(market, source, snapshot => void emitted.push(snapshot[0]))
  await pass(0)
  return { emitted, feed }
}

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

/** Lets time pass while the stream emits its candles each second. */
async function stream(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    source.emit(...source.truth(clock() % 60 < 1 ? 2 : 1))
    await pass(1)
  }
}

const isCurrent = () => {
  const before = source.requests.length
  const reading = history.read(market, source)
  return !('then' in reading) && source.requests.length === before && 'stale' in reading && !reading.stale
}

const expectTruth = (feed: FollowedFeed) =>
  expect(closedOf(feed.inputs()[0])).toEqual(source.truth(feed.inputs()[0].count).slice(0, -1))

beforeEach(() => {
  vi.useFakeTimers({ now: noon * 1000 })
  faults = []
  source = new ScriptedSource(clock)
  start()
})

afterEach(async () => {
  await feeds.close()
  expect(vi.getTimerCount(), 'timers after the end').toBe(0)
  vi.useRealTimers()
})

describe('emission', () => {
  it('coalesces changes of a forming candle, the latest wins, and emits a closed one at once', async () => {
    const { emitted } = await follow()
    await stream(2)
    emitted.length = 0
    for (let step = 1; step <= 20; step++) {
      source.emit({ ...candleAt(noon, 4), volume: 50 + step })
      await pass(0.01)
    }
    expect(emitted.map(({ forming }) => forming?.volume)).toEqual([51])
    await pass(0.25)
    expect(emitted.map(({ forming }) => forming?.volume)).toEqual([51, 70])
    source.emit(candleAt(noon + 60, 1))
    await pass(0)
    expect(emitted.at(-1)?.forming, 'a change that closes a candle does not wait').toEqual(
      candleAt(noon + 60, 1),
    )
    expect(closedOf(emitted.at(-1) as Snapshot).at(-1)?.volume).toBe(70)
  })

  it('gives all followers the same object, whatever one of them throws', async () => {
    const { emitted: one } = await follow()
    await feeds.follow(market, source, () => {
      throw new Error('a follower fails')
    })
    const { emitted: other } = await follow()
    await stream(50)
    expect(one.length).toBeGreaterThan(1)
    expect(one.every((snapshot, at) => snapshot === other[at])).toBe(true)
    expect(faults).toHaveLength(one.length)
  })

  it('never emits an older state to a new follower than it began with', async () => {
    await follow()
    await stream(2)
    source.emit({ ...candleAt(noon, 4), volume: 51 })
    await pass(0)
    source.emit({ ...candleAt(noon, 4), volume: 52 })
    await pass(0)
    const emitted: (number | undefined)[] = []
    const feed = await feeds.follow(market, source, ([{ forming }]) => void emitted.push(forming?.volume))
    expect(feed.inputs()[0].forming?.volume).toBe(52)
    await pass(0)
    expect(emitted).toEqual([])
    feed.release()
  })
})

describe('freshness', () => {
  it('is current while the stream is up, and not while it is down and the exchange does not answer', async () => {
    await follow()
    await stream(3)
    expect(isCurrent()).toBe(true)
    source.before = () => {
      throw new SourceFailure('unavailable', 'down')
    }
    source.drop()
    await pass(7)
    expect(isCurrent()).toBe(false)
    source.before = () => {}
    await pass(5)
    await stream(3)
    expect(isCurrent()).toBe(true)
  })

  it('is not current while a polled exchange takes long to answer', async () => {
    source.isStreamed = false
    await follow()
    await pass(6)
    expect(isCurrent()).toBe(true)
    source.before = () => new Promise(() => {})
    await pass(20)
    const before = source.requests.length
    const reading = history.read(market, source)
    expect(reading).toBeInstanceOf(Promise)
    expect(source.requests.length).toBe(before + 1)
    await pass(10)
  })

  it('goes on polling when the clock is set back', async () => {
    source.isStreamed = false
    const { feed } = await follow()
    await pass(125)
    vi.setSystemTime((noon + 65) * 1000)
    const before = source.requests.length
    await pass(12)
    expect(source.requests.length).toBeGreaterThan(before)
    await pass(120)
    expectTruth(feed)
  })
})

describe('polling', () => {
  it('brings every candle of a market without a stream', async () => {
    source.isStreamed = false
    const { feed } = await follow()
    await pass(300)
    expectTruth(feed)
    expect(source.requests.length).toBeLessThan(75)
  })

  it('requests only new candles of a market without trades for hours, and all of them when it trades', async () => {
    source.isStreamed = false
    source.isTraded = timestamp => timestamp < noon || timestamp >= noon + 10_800
    const { feed } = await follow()
    await pass(10_790)
    expect(Math.max(...source.requests.slice(1))).toBeLessThan(10)
    await pass(200)
    expectTruth(feed)
  })

  it('requests more where an exchange was behind for longer than it seemed', async () => {
    source.isStreamed = false
    const { feed } = await follow()
    await pass(10)
    const frozen = clock()
    source.isTraded = () => true
    const lagging = setInterval(() => {
      source.lag = clock() - frozen
    }, 50)
    await pass(1200)
    clearInterval(lagging)
    source.lag = 0
    await pass(20)
    expectTruth(feed)
  })
})

describe("this machine's clock", () => {
  it('that is an hour behind leaves no hole after a time without answers, and closes no unfinished candle', async () => {
    source = new ScriptedSource(() => clock() + 3600)
    source.isStreamed = false
    const { feed } = await follow()
    await pass(20)
    source.before = () => {
      throw new SourceFailure('unavailable', 'scripted is down')
    }
    await pass(900)
    source.before = () => {}
    await pass(20)
    expectTruth(feed)
  })
})

describe('a stream', () => {
  it('ignores states that arrive late, and fetches the candle when it closes', async () => {
    const { feed } = await follow()
    await stream(50)
    const [latest] = source.truth(1)
    source.emit(candleAt(noon, 1))
    await pass(0.1)
    expect(feed.inputs()[0].forming).toEqual(latest)
    vi.setSystemTime((noon + 60) * 1000)
    const before = source.requests.length
    source.emit(candleAt(noon + 60, 1))
    await pass(0.1)
    expect(source.requests.length).toBe(before + 1)
    expectTruth(feed)
  })

  it('ignores a late state that arrives together with a later one', async () => {
    const { feed } = await follow()
    await stream(3)
    source.emit({ ...candleAt(noon), volume: 50 })
    source.emit({ ...candleAt(noon), volume: 40 })
    await pass(0)
    expect(feed.inputs()[0].forming?.volume).toBe(50)
  })

  it('keeps the latest state of a candle that waits for a fetch', async () => {
    const { feed } = await follow()
    await stream(3)
    source.drop()
    await pass(1.1)
    source.before = () => new Promise(resolve => setTimeout(resolve, 500))
    source.lag = 20
    source.emit({ ...candleAt(noon), volume: 50 })
    await pass(0.1)
    source.emit({ ...candleAt(noon), volume: 40 })
    await pass(6)
    expect(feed.inputs()[0].forming?.volume).toBe(50)
    source.before = () => {}
    await pass(1)
  })

  it('repeats a catch-up that fails, and holds events meanwhile', async () => {
    const { feed } = await follow()
    await stream(30)
    source.drop()
    await pass(90)
    source.before = () => {
      throw new SourceFailure('unavailable', 'down')
    }
    await stream(30)
    expect(isCurrent()).toBe(false)
    source.before = () => {}
    await stream(20)
    expect(isCurrent()).toBe(true)
    expectTruth(feed)
  })

  it('repeats a request whose answer is behind the stream', async () => {
    const { feed } = await follow()
    await stream(30)
    source.drop()
    await pass(2)
    source.lag = 25
    await pass(34)
    await stream(130)
    source.lag = 0
    await stream(60)
    expectTruth(feed)
  })

  it('closes a candle without a successor, and requests it more and more rarely where the exchange never shows it', async () => {
    const { feed } = await follow()
    await stream(55)
    source.isTraded = timestamp => timestamp <= noon
    await pass(9)
    expect(feed.inputs()[0]).toMatchObject({ forming: undefined })
    expect(closedOf(feed.inputs()[0]).at(-1)).toEqual(candleAt(noon))
    await pass(60)
    source.emit(candleAt(noon + 120, 1))
    await pass(5)
    const before = source.requests.length
    await pass(7200)
    expect(feed.inputs()[0].forming?.timestamp).toBe(noon + 120)
    expect(source.requests.length - before).toBeLessThan(7200 / 25)
  })

  it('holds what it emitted while the series is fetched in another scale', async () => {
    const attached = await history.pin(market, source)
    await pass(130)
    const before = attached.snapshot().forming
    source.scale = 0.5
    source.lag = 100
    source.before = () => new Promise(resolve => setTimeout(resolve, 1000))
    attached.merge(source.truth(5), noon + 120)
    attached.merge(source.truth(1), noon + 120)
    await pass(1.5)
    expect(attached.snapshot().forming, 'nothing in the new scale beside the old one').toEqual(before)
    source.lag = 0
    await pass(2.5)
    const { count, forming } = attached.snapshot()
    expect([...closedOf(attached.snapshot()), forming]).toEqual(source.truth(count))
    attached.release()
  })

  it('is stale and is fetched again and again, while the series cannot be had in another scale', async () => {
    const attached = await history.pin(market, source)
    await pass(130)
    const before = attached.snapshot()
    const read = () => history.read(market, source)
    source.scale = 0.5
    source.before = () => {
      throw new SourceFailure('unavailable', 'down')
    }
    attached.isCurrent = true
    attached.merge(source.truth(5), noon + 120)
    await pass(0)
    expect([read(), history.recall('scripted:BTCUSDT:1m')]).toMatchObject([{ stale: true }, { stale: true }])
    const requests = source.requests.length
    await pass(1800)
    const attempts = source.requests.length - requests
    expect(attempts, 'after a minute at most').toBeGreaterThan(30)
    expect(attempts, 'after half a minute at least').toBeLessThan(70)
    attached.merge(source.truth(30), clock())
    expect(attached.snapshot(), 'nothing in the new scale beside the old one').toBe(before)
    expect([attached.age() !== undefined, read()]).toMatchObject([true, { stale: true }])
    source.before = () => {}
    await pass(60)
    expect(read()).toMatchObject({ stale: false })
    const closed = closedOf(attached.snapshot())
    const newest = closed.at(-1)?.timestamp ?? 0
    expect(newest).toBeGreaterThanOrEqual(clock() - 180)
    expect(closed).toEqual(source.truth(closed.length + 1, newest + 60).slice(0, -1))
    attached.release()
  })

  it('is not fetched in another scale any more where no one follows it', async () => {
    const attached = await history.pin(market, source)
    source.scale = 0.5
    source.before = () => {
      throw new SourceFailure('unavailable', 'down')
    }
    attached.merge(source.truth(5), noon)
    await pass(0)
    attached.release()
    const requests = source.requests.length
    await pass(600)
    expect(source.requests.length).toBe(requests)
    source.before = () => {}
    const {
      inputs: [snapshot],
    } = (await history.read(market, source)) as Reading
    expect(closedOf(snapshot), 'all in the new scale').toEqual(source.truth(snapshot.count).slice(0, -1))
    await pass(1)
  })

  it('is opened again after bounded, random waits', async () => {
    const attempts: number[] = []
    source.beforeWatch = () => {
      attempts.push(clock())
      throw new SourceFailure('unavailable', 'refused')
    }
    await follow()
    await pass(900)
    const waits = attempts.slice(1).map((moment, at) => moment - (attempts[at] as number))
    for (const [at, wait] of waits.entries()) {
      const full = Math.min(60, 2 ** at)
      expect(wait).toBeGreaterThanOrEqual(full / 2 - 0.002)
      expect(wait).toBeLessThanOrEqual(full + 0.002)
    }
    expect(new Set(waits.slice(7).map(wait => wait.toFixed(3))).size).toBeGreaterThan(3)
  })

  it('is used as soon as a source that had none has one, and is asked for rarely', async () => {
    const attempts: number[] = []
    source.beforeWatch = () => void attempts.push(clock())
    source.isStreamed = false
    const { feed } = await follow()
    await pass(10 * 3600)
    expect(attempts.length).toBeGreaterThanOrEqual(5)
    expect(attempts.length).toBeLessThanOrEqual(11)
    source.isStreamed = true
    await pass(2 * 3600)
    expect(source.streams).toHaveLength(1)
    await stream(60)
    const before = source.requests.length
    await stream(125)
    expect(source.requests.length, 'the market is not polled any more').toBe(before)
    expectTruth(feed)
  })

  it('that went silent is dropped, one that emits a little later is not', async () => {
    await follow()
    source.isTraded = timestamp => timestamp < noon + 60
    await stream(59)
    await pass(32)
    source.isTraded = () => true
    await pass(4)
    expect(source.truth(1)).toEqual([candleAt(noon + 60, 3)])
    source.emit()
    await pass(10)
    expect(source.streams, 'the stream emitted what REST had shown before').toHaveLength(1)
    await pass(60)
    expect(source.streams.length, 'the stream emitted nothing').toBeGreaterThan(1)
    expect(source.streams[0]?.signal.reason).toBeInstanceOf(SourceFailure)
  })
})

describe('following', () => {
  it('keeps a feed for a follower that returns within the linger time, and opens another one later', async () => {
    const { feed } = await follow()
    await stream(2)
    feed.release()
    await pass(9)
    const { feed: again } = await follow()
    await pass(20)
    expect([feeds.size, source.streams.length]).toEqual([1, 1])
    again.release()
    await stream(11)
    expect(feeds.size).toBe(0)
    expect(source.streams[0]?.signal.aborted).toBe(true)
    await follow()
    expect(source.streams).toHaveLength(2)
  })

  it.each([
    ['the first fetch', 'before', 0],
    ['opening the stream', 'beforeWatch', 0],
    ['catching up', 'before', 1],
  ] as const)('ends while %s does not', async (_, step, after) => {
    const hang = () => new Promise<void>(() => {})
    if (after === 0) source[step] = hang
    const feed = feeds.follow(market, source, () => {})
    feed.catch(() => {})
    await pass(0)
    source[step] = hang
    source.emit()
    await pass(1)
    const ended = vi.fn()
    void feeds.close().then(ended)
    await pass(0)
    expect(ended).toHaveBeenCalled()
    expect(feeds.size).toBe(0)
  })

  it('ends while it waits to open a stream or to fetch', async () => {
    await follow()
    await stream(3)
    source.before = () => {
      throw new SourceFailure('unavailable', 'down')
    }
    source.drop()
    await pass(0.1)
    await feeds.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('leaves nothing after 300 rounds', async () => {
    start({ lingerSeconds: 0 })
    for (let round = 0; round < 300; round++) {
      const { feed } = await follow()
      if (round % 3 > 0) await stream(1)
      if (round % 3 > 1) source.drop()
      feed.release()
      await pass(0.01)
    }
    expect([feeds.size, vi.getTimerCount()]).toEqual([0, 0])
    expect(source.streams.every(({ signal }) => signal.aborted)).toBe(true)
  })
})
