import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  type Costs,
  closingMs,
  engineClosing,
  engineLoad,
  expectedDistinct,
  meanTakeoverMs,
  nodeLoad,
  nodesFor,
  shareOf,
  storedAfterMs,
  takeoverMs,
  times,
} from '../../../bench/cluster/model.js'
import {
  meanWaiting,
  simulateQueue,
  simulateTakeovers,
  type Work,
  workOf,
} from '../../../bench/cluster/queue.js'
import { clusterTables, goal, sizeOf } from '../../../bench/cluster/tables.js'
import { createRandom } from '../../../bench/random.js'

const costs: Costs = {
  request: 10,
  scriptsPerRequest: 0.01,
  script: 20,
  step: 0.5,
  delivery: 8,
  heldEvent: 80,
  followedEvent: 60,
  engineEvent: 25,
  engineEventPerFollower: 5,
  heldClose: 400,
  followedClose: 200,
  engineClose: 50,
  engineClosePerNode: 3,
  scriptsPerClose: 1,
}
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const off = (value: number, expected: number) => Math.abs(value / expected - 1)

describe('a node as a queue', () => {
  it.each([0.2, 0.5, 0.8])('waits as long as M/D/1 does at a load of %d', load => {
    const seconds = 1e-5
    const kinds: Work[] = [{ rate: load / seconds, seconds, isMeasured: true }]
    const found = simulateQueue(kinds, 4, createRandom(1))
    const expected = (load * seconds) / (2 * (1 - load))
    expect(meanWaiting(kinds)).toBeCloseTo(expected, 12)
    expect(off(found.mean, expected)).toBeLessThan(0.03)
    expect(off(found.load, load)).toBeLessThan(0.01)
  })

  it('waits as long as Pollaczek and Khinchine say where work is of several kinds', () => {
    const kinds: Work[] = [
      { rate: 20_000, seconds: 1e-5, isMeasured: true },
      { rate: 500, seconds: 1e-3 },
    ]
    // 20,000 × 10 µs and 500 × 1 ms are 0.7 of a core.
    expect(meanWaiting(kinds)).toBeCloseTo((20_000 * 1e-10 + 500 * 1e-6) / (2 * 0.3), 9)
    expect(off(simulateQueue(kinds, 60, createRandom(2)).mean, meanWaiting(kinds))).toBeLessThan(0.05)
  })

  it('is busy with what arrives together, and with nothing in between', () => {
    // 200 ms of work once a second. A request that arrives during the work waits 100 ms in the mean; others do not wait.
    const kinds: Work[] = [
      { rate: 1000, seconds: 0, isMeasured: true },
      { rate: 100, seconds: 2e-3, every: 1 },
    ]
    const { mean: waited, max, p50, load } = simulateQueue(kinds, 100, createRandom(3))
    expect(off(waited, 0.2 ** 2 / 2)).toBeLessThan(0.05)
    expect([p50, load]).toEqual([0, expect.closeTo(0.2)])
    expect(max).toBeLessThanOrEqual(0.2)
    expect(max).toBeGreaterThan(0.195)
  })

  it('does what comes in groups with pauses, in which others are served', () => {
    // Ten groups of 10 ms each, a second after each tenth second, with pauses of 20 ms.
    const groups = { size: 10, after: 1, pause: 0.02 }
    const kinds: Work[] = [
      { rate: 1000, seconds: 0, isMeasured: true },
      { rate: 10, seconds: 1e-3, every: 10, groups },
    ]
    const { mean: waited, max, load } = simulateQueue(kinds, 100, createRandom(3))
    expect(load).toBeCloseTo(0.01)
    // A hundredth of the requests comes in these 10 ms and waits for half of them.
    expect(off(waited, 0.01 * 0.005)).toBeLessThan(0.1)
    expect(max).toBeLessThanOrEqual(0.01)
  })

  it('has as much to do as the arithmetic says', () => {
    const nodes = 30
    const { load } = simulateQueue(workOf(goal, nodes, costs), 60, createRandom(4))
    expect(off(load, nodeLoad(goal, nodes, costs).total)).toBeLessThan(0.02)
  })
})

describe('the arithmetic of a cluster', () => {
  it('knows how many different series the clients of a node follow', () => {
    expect(expectedDistinct(10, 0)).toBe(0)
    expect(expectedDistinct(10, 1)).toBeCloseTo(1)
    expect(expectedDistinct(1, 5)).toBe(1)
    const random = createRandom(5)
    const drawn = Array.from(
      { length: 2000 },
      () => new Set(Array.from({ length: 60 }, () => Math.floor(50 * random()))).size,
    )
    expect(off(mean(drawn), expectedDistinct(50, 60))).toBeLessThan(0.01)
  })

  it('gives one node everything, and shares the same work among several', () => {
    const all = shareOf(goal, 1)
    expect(all).toEqual({
      requestsPerSecond: 100_000,
      subscriptions: 1_000_000,
      series: expect.closeTo(2000, 3),
      heldSeries: expect.closeTo(2000, 3),
      topics: expect.closeTo(20_000, 3),
    })
    const one = nodeLoad(goal, 1, costs)
    expect(one.requests).toBeCloseTo(1)
    expect(one.deliveries).toBeCloseTo(8)
    expect(one.steps).toBeCloseTo(0.01)
    expect(one.events, 'nobody is told of changes').toBe(0)
    const ten = nodeLoad(goal, 10, costs)
    expect(10 * (ten.requests + ten.deliveries)).toBeCloseTo(one.requests + one.deliveries)
    // 200 series are held here and 1,800 are followed.
    expect(ten.events).toBeCloseTo((200 * 80 + 1800 * 60) / 1e6)
    expect(closingMs(goal, 10, costs)).toBeCloseTo(
      (200 * 80 + 1800 * 60 + 20_000 * 0.993 * 0.5 + 100_000 * 8) / 1000,
      0,
    )
    // Per second: 1,000 scripts of requests, 2,000 changes with 18,000 followers, 2,000 ÷ 60 candles that 9 others are told of.
    const engine = engineLoad(goal, 10, costs)
    const storing = 2000 * (50 + 9 * 3)
    expect(engine.scripts).toBeCloseTo(1000 + 2000 + 2000 / 60, 0)
    expect(engine.total).toBeCloseTo((1000 * 20 + 2000 * 25 + 18_000 * 5 + storing / 60) / 1e6, 4)
  })

  it('counts what happens when all candles close: changes at once, storing in batches from a second later on', () => {
    const { scripts, changingMs, storingMs } = engineClosing(goal, 10, costs)
    expect(scripts).toBeCloseTo(2 * 2000, 0)
    expect(changingMs).toBeCloseTo((2000 * 25 + 18_000 * 5) / 1000, 1)
    expect(storingMs).toBeCloseTo((2000 * (50 + 9 * 3)) / 1000, 1)
    // 100 batches of 20 with pauses of 20 ms, in which 200 held series and 1,800 followed ones are stored.
    expect(storedAfterMs(goal, 10, costs)).toBeCloseTo(1000 + 100 * 20 + (200 * 400 + 1800 * 200) / 1000, 0)
    expect(nodeLoad(goal, 10, costs).closes).toBeCloseTo((200 * 400 + 1800 * 200) / 60 / 1e6, 4)
  })

  it('gives a node fewer series where the clients of a market come to a few nodes', () => {
    // Of 2,000 series, 2,000 × 3 ÷ 30 have their clients here, some 170 each.
    const own = shareOf({ ...goal, nodesPerSeries: 3 }, 30)
    expect(own).toEqual({
      ...shareOf(goal, 30),
      series: expect.closeTo(200, 3),
      topics: expect.closeTo(2000, 3),
    })
    expect(shareOf({ ...goal, nodesPerSeries: 3 }, 2), 'there are no more').toEqual(shareOf(goal, 2))
    const balanced = { ...goal, nodesPerSeries: 3 }
    expect(engineClosing(balanced, 30, costs).changingMs).toBeCloseTo((2000 * 25 + 4000 * 5) / 1000, 1)
    expect(nodesFor(balanced, costs, 0.6, 500)).toBeLessThan(nodesFor(goal, costs, 0.6, 500))
  })

  it('finds the smallest number of nodes that is enough', () => {
    const nodes = nodesFor(goal, costs, 0.6, 500)
    const isEnough = (count: number) =>
      nodeLoad(goal, count, costs).total <= 0.6 && closingMs(goal, count, costs) <= 500
    expect([isEnough(nodes), isEnough(nodes - 1)]).toEqual([true, false])
    expect(() => nodesFor(goal, { ...costs, followedEvent: 1e6 }, 0.6, 500)).toThrow('no number of nodes')
  })
})

describe('a holder that dies', () => {
  it('is replaced at the first look at its lease after that has ended', () => {
    const { lease, tick, reopen } = times
    expect(takeoverMs(0, [0])).toBe(lease + reopen)
    expect(takeoverMs(1, [0]), 'the lease ends a little before').toBe(lease + reopen)
    expect(takeoverMs(0, [1])).toBe(lease + 1 + reopen)
    expect(takeoverMs(tick, [tick - 1]), 'it was renewed long before').toBe(lease - 1 + reopen)
    expect(takeoverMs(0, [400, 700, 900])).toBe(lease + 400 + reopen)
  })

  it.each([
    [0, 1],
    [1, 1],
    [4, 1],
    [1, 10],
  ])(
    'is replaced after the mean time that the formula says: %d changes a second, %d followers',
    (changes, followers) => {
      const gaps = simulateTakeovers(changes, followers, 10_000, createRandom(6))
      expect(off(mean(gaps), meanTakeoverMs(changes, followers))).toBeLessThan(0.01)
      expect(gaps.at(-1)).toBeLessThanOrEqual(times.lease + times.tick + times.reopen)
    },
  )
})

describe('bench/cluster/README.md', () => {
  const read = (path: string) =>
    readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8').replaceAll('\r\n', '\n')

  it('has the tables that follow from the recorded costs', () => {
    expect(existsSync(new URL('../../../bench/cluster/costs.json', import.meta.url))).toBe(true)
    const recorded = JSON.parse(read('bench/cluster/costs.json')) as { readonly costs: Costs }
    expect(read('bench/cluster/README.md')).toContain(
      `<!-- cluster -->\n${clusterTables(recorded.costs)}\n<!-- /cluster -->`,
    )
    expect(sizeOf(goal, recorded.costs).nodes).toBeGreaterThan(1)
  })
})
