import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Candle } from '../../../../src/candles/candle.js'
import type { Snapshot } from '../../../../src/candles/columns.js'
import { SourceFailure } from '../../../../src/markets/exchanges/source.js'
import { FeedRegistry } from '../../../../src/markets/feeds/feed-registry.js'
import { History } from '../../../../src/markets/history/history.js'
import { candleAt, closedOf, ScriptedSource } from '../../../support/scripted-source.js'

const market = { exchange: 'scripted', symbol: 'BTCUSDT', timeframe: '1m' } as const
const noon = 1_750_248_000
const clock = () => Date.now() / 1000
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

/** Events of a feed, one after the other. Some of them last until another event replaces them. */
const event = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('stream'), seconds: fc.integer({ min: 1, max: 90 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('drop'), seconds: fc.integer({ min: 0, max: 150 }) }),
  },
  // Nothing is emitted for a whole candle at least: that a stream omits only the last state of a candle cannot be noticed.
  fc.record({ kind: fc.constant('loss'), seconds: fc.integer({ min: 121, max: 200 }) }),
  fc.record({
    kind: fc.constant('late'),
    minutes: fc.integer({ min: 0, max: 4 }),
    state: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({ kind: fc.constant('repeat'), count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('refuse'), isRefused: fc.boolean() }),
  fc.record({ kind: fc.constant('fail'), isFailing: fc.boolean() }),
  fc.record({ kind: fc.constant('delay'), seconds: fc.integer({ min: 0, max: 12 }) }),
  fc.record({ kind: fc.constant('lag'), seconds: fc.integer({ min: 0, max: 40 }) }),
)
type Event = typeof event extends fc.Arbitrary<infer Value> ? Value : never

/** Runs a feed through the events, and returns the emitted snapshots. */
async function run(events: readonly Event[], offset: number) {
  vi.setSystemTime((noon + offset) * 1000)
  const source = new ScriptedSource(clock)
  const history = new History({ depth: 400, bytes: 1e8, refreshSeconds: 5, clock })
  const feeds = new FeedRegistry({ history, clock, formingPerSecond: 4, pollSeconds: 5, lingerSeconds: 1 })
  let isFailing = false
  let isRefused = false
  let delay = 0
  source.before = async () => {
    if (delay > 0) await new Promise(resolve => setTimeout(resolve, delay * 1000))
    if (isFailing) throw new SourceFailure('unavailable', 'down')
  }
  source.beforeWatch = () => {
    if (isRefused) throw new SourceFailure('unavailable', 'refused')
  }
  const emitted: Candle[] = []
  let latest: Snapshot | undefined
  const feed = await feeds.follow(market, source, ([snapshot]) => {
    const { columns, closed } = snapshot
    const last = emitted.at(-1)?.timestamp ?? Number.POSITIVE_INFINITY
    const end = columns.timestamp[closed - 1] as number
    expect(end, 'the newest closed candle stays closed').toBeGreaterThanOrEqual(last)
    for (let at = closed - (end - last) / 60; at < closed; at++) emitted.push(columns.read(at))
    latest = snapshot
  })
  emitted.push(feed.inputs()[0].columns.read(feed.inputs()[0].closed - 1))
  const begun = feed.inputs()[0].closed - 1
  const stream = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      source.emit(...source.truth(clock() % 60 < 1 ? 2 : 1))
      await pass(1)
    }
  }
  for (const event of events) {
    if (event.kind === 'stream') await stream(event.seconds)
    else if (event.kind === 'drop') {
      source.drop()
      await pass(event.seconds)
    } else if (event.kind === 'loss') await pass(event.seconds)
    else if (event.kind === 'late') {
      const timestamp = Math.floor(clock() / 60 - event.minutes) * 60
      const [now] = source.truth(1) as [Candle]
      if (event.minutes > 0 || now.volume > candleAt(timestamp, event.state).volume)
        source.emit(candleAt(timestamp, event.state))
    } else if (event.kind === 'repeat') source.emit(...source.truth(event.count))
    else if (event.kind === 'refuse') isRefused = event.isRefused
    else if (event.kind === 'fail') isFailing = event.isFailing
    else if (event.kind === 'delay') delay = event.seconds
    else source.lag = event.seconds
  }
  isRefused = false
  isFailing = false
  delay = 0
  source.lag = 0
  // Without a hole, which would have all of it fetched again.
  await stream(200)
  source.emit(...source.truth(2))
  await pass(0)
  const final = feed.inputs()[0]
  const requests = source.requests.length
  const seconds = clock() - noon - offset
  feed.release()
  await feeds.close()
  return { source, emitted, latest, final, begun, requests, seconds }
}

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

describe('a feed', () => {
  // Four parts, because one would take long on a busy machine.
  for (const [at, seed] of [20_250_618, 20_250_619, 20_250_620, 20_250_621].entries()) {
    const options = at === 0 ? {} : { tags: ['faults'] }
    it(
      `emits every closed candle once and in order, and ends with the true series, whatever happens (seed ${seed})`,
      options,
      async () => {
        vi.useFakeTimers()
        vi.spyOn(Math, 'random').mockReturnValue(0.5)
        await fc.assert(
          fc.asyncProperty(
            fc.array(event, { minLength: 1, maxLength: 10 }),
            fc.integer({ min: 0, max: 59 }),
            async (events, offset) => {
              const { source, emitted, latest, final, begun, requests, seconds } = await run(events, offset)
              const closed = closedOf(final)
              const truth = source.truth(final.count)
              expect(final.forming, 'the forming candle').toEqual(truth.at(-1))
              expect(closed, 'the series').toEqual(truth.slice(0, -1))
              expect(closedOf(latest as Snapshot), 'what was emitted last').toEqual(closed)
              expect(
                emitted.map(({ timestamp }) => timestamp),
                'each closed candle once and in order',
              ).toEqual(closed.slice(begun).map(({ timestamp }) => timestamp))
              expect(requests, 'requests to the exchange').toBeLessThan(20 + seconds)
              expect(vi.getTimerCount(), 'timers').toBe(0)
            },
          ),
          { numRuns: 50, seed },
        )
      },
    )
  }
})
