import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Priority, RequestQueue } from '../../../../src/markets/exchanges/request-queue.js'
import { SourceFailure } from '../../../../src/markets/exchanges/source.js'
import { pause } from '../../../../src/runtime/pause.js'
import { moveMonotonic, resetMonotonic } from '../../../support/monotonic-clock.js'

vi.mock('../../../../src/runtime/pause.js', { spy: true })

const closing = new AbortController()
const standard = {
  exchange: 'x',
  spacingMs: 1,
  concurrency: 100,
  maxWaitMs: 10_000,
  maxPauseMs: 1000,
  signal: closing.signal,
}

function withResolvers() {
  let resolve: () => void = () => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve }
}

afterEach(() => {
  vi.useRealTimers()
  vi.resetAllMocks()
  resetMonotonic()
})

describe('the queue of an exchange', () => {
  test('sends requests by priority, and those of the same priority in the order they came', async () => {
    const queue = new RequestQueue(standard)
    const sent: string[] = []
    const requests: [string, Priority][] = [
      ['first', 'background'],
      ['b1', 'background'],
      ['c1', 'client'],
      ['b2', 'background'],
      ['page 2 of c0', 'begun'],
      ['c2', 'client'],
    ]
    await Promise.all(requests.map(([name, priority]) => queue.run(async () => sent.push(name), 1, priority)))
    expect(sent).toEqual(['first', 'page 2 of c0', 'c1', 'c2', 'b1', 'b2'])
  })

  test('sends a client’s request between the pages of a backfill', async () => {
    const queue = new RequestQueue(standard)
    const sent: string[] = []
    const backfill = async () => {
      for (let page = 1; page <= 5; page++)
        await queue.run(async () => sent.push(`page ${page}`), 1, 'background')
    }
    const backfills = Promise.all(Array.from({ length: 20 }, backfill))
    await expect.poll(() => sent.length).toBeGreaterThan(10)
    const before = sent.length
    await queue.run(async () => sent.push('client'), 1, 'client')
    expect(sent.indexOf('client'), 'goes next').toBe(before)
    await backfills
    expect(sent).toHaveLength(101)
  })

  test('spaces requests by the rate limit and their cost, however long the answers take', async () => {
    const queue = new RequestQueue({ ...standard, spacingMs: 4 })
    const sent: number[] = []
    const costs = [1, 2, 0.5, 3, 1, 1]
    await Promise.all(
      costs.map((cost, at) =>
        queue.run(
          async () => {
            sent.push(performance.now())
            await new Promise(resolve => setTimeout(resolve, 10 * (at % 3)))
          },
          cost,
          'client',
        ),
      ),
    )
    for (const [at, cost] of costs.slice(0, -1).entries()) {
      expect((sent[at + 1] as number) - (sent[at] as number)).toBeGreaterThanOrEqual(4 * cost)
    }
  })

  test('sends at once after a rest', async () => {
    vi.useFakeTimers()
    const queue = new RequestQueue({ ...standard, spacingMs: 1000 })
    await queue.run(async () => {}, 1, 'client')
    await vi.advanceTimersByTimeAsync(60_000)
    let isSent = false
    queue.run(
      async () => {
        isSent = true
      },
      1,
      'client',
    )
    await vi.advanceTimersByTimeAsync(0)
    expect(isSent).toBe(true)
  })

  test('has so many requests under way and no more', async () => {
    const queue = new RequestQueue({ ...standard, spacingMs: 0, concurrency: 3 })
    let underWay = 0
    let maxRunning = 0
    const gate = withResolvers()
    const all = Promise.all(
      Array.from({ length: 20 }, () =>
        queue.run(
          async () => {
            maxRunning = Math.max(maxRunning, ++underWay)
            await gate.promise
            underWay--
          },
          1,
          'client',
        ),
      ),
    )
    await expect.poll(() => underWay).toBe(3)
    gate.resolve()
    await all
    expect(maxRunning).toBe(3)
  })

  test('passes on the failure of a request and continues', async () => {
    const queue = new RequestQueue(standard)
    await expect(queue.run(() => Promise.reject(new Error('broken')), 1, 'client')).rejects.toThrow('broken')
    expect(await queue.run(async () => 'fine', 1, 'client')).toBe('fine')
  })

  test('refuses a client’s request that would wait too long, with the time to wait, but no request of a call that has begun', async () => {
    const closing = new AbortController()
    const queue = new RequestQueue({ ...standard, spacingMs: 1000, concurrency: 1, signal: closing.signal })
    const gate = withResolvers()
    const results: string[] = []
    const send = (name: string, priority: Priority) =>
      queue.run(() => gate.promise, 1, priority).catch(error => results.push(`${name}: ${error.message}`))
    const waiting = [send('first', 'client')]
    await Promise.resolve()
    for (let k = 0; k < 11; k++) waiting.push(send('waiting', 'client'))
    const failure = await queue.run(async () => {}, 1, 'client').then(undefined, error => error)
    expect(failure).toBeInstanceOf(SourceFailure)
    expect(failure).toMatchObject({
      kind: 'unavailable',
      message: 'x is asked for more than it can answer',
      retryAfter: 11,
    })
    waiting.push(send('begun', 'begun'), send('background', 'background'))
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(results, 'no other request was refused').toEqual([])
    closing.abort(new Error('closed'))
    gate.resolve()
    await Promise.all(waiting)
    expect(results.sort()).toEqual([
      'background: closed',
      'begun: closed',
      ...Array(11).fill('waiting: closed'),
    ])
  })
})

describe('a slow exchange', () => {
  test('fails the requests of clients that have waited too long, without sending them', async () => {
    const queue = new RequestQueue({ ...standard, concurrency: 1, maxWaitMs: 30 })
    const gate = withResolvers()
    const sent: string[] = []
    const first = queue.run(() => gate.promise, 1, 'client')
    const waiting = queue.run(async () => sent.push('client'), 1, 'client').then(undefined, error => error)
    const background = queue.run(async () => sent.push('background'), 1, 'background')
    await new Promise(resolve => setTimeout(resolve, 90))
    gate.resolve()
    await first
    expect(await waiting).toMatchObject({
      kind: 'unavailable',
      message: 'x is asked for more than it can answer',
    })
    await background
    expect(sent).toEqual(['background'])
  })
})

describe('a pause', () => {
  test('holds for all waiting requests', async () => {
    const queue = new RequestQueue(standard)
    const sent: number[] = []
    let end = 0
    const pauseQueue = async () => {
      // Before the pause begins: the thread may be stopped in between.
      end = Date.now() + 99
      queue.pauseFor(100)
    }
    const first = queue.run(pauseQueue, 1, 'client')
    const others = ['a', 'b', 'c'].map(() => queue.run(async () => sent.push(Date.now()), 1, 'client'))
    await first
    await Promise.all(others)
    expect(sent).toHaveLength(3)
    for (const time of sent) expect(time).toBeGreaterThanOrEqual(end)
  })

  test('that is long fails clients, those that wait too, and background work waits for its end', async () => {
    const pauses: number[] = []
    const end = withResolvers()
    vi.mocked(pause).mockImplementation(async (ms, signal) => {
      // The others are the spaces between requests.
      if (!signal) return new Promise(resolve => setTimeout(resolve, ms))
      pauses.push(ms)
      await end.promise
      moveMonotonic(ms)
    })
    const queue = new RequestQueue(standard)
    const sent: string[] = []
    const first = queue.run(async () => queue.pauseFor(60_000), 1, 'client')
    const waiting = queue.run(async () => sent.push('client'), 1, 'client').then(undefined, error => error)
    const background = queue.run(async () => sent.push('background'), 1, 'background')
    await first
    const failure = {
      kind: 'unavailable',
      message: 'x limits the rate of requests, it can be asked again in 60 s',
      retryAfter: 60,
    }
    expect(await waiting).toMatchObject(failure)
    await expect(queue.run(async () => sent.push('later'), 1, 'client')).rejects.toMatchObject(failure)
    await expect.poll(() => pauses.map(ms => Math.ceil(ms / 1000))).toEqual([60])
    expect(sent).toEqual([])
    end.resolve()
    await background
    expect(sent).toEqual(['background'])
  })
})

describe('closing', () => {
  test('ends all waiting: for a turn, for an answer or for the end of a pause', async () => {
    const closing = new AbortController()
    const queue = new RequestQueue({ ...standard, concurrency: 1, signal: closing.signal })
    const sent: string[] = []
    const gate = withResolvers()
    const first = queue.run(() => gate.promise, 1, 'client')
    const others = Array.from({ length: 50 }, (_, k) => queue.run(async () => sent.push(`${k}`), 1, 'client'))
    const paused = new RequestQueue({ ...standard, signal: closing.signal })
    paused.pauseFor(900)
    const delayed = paused.run(async () => sent.push('delayed'), 1, 'client')
    const results = Promise.allSettled([...others, delayed])
    closing.abort(new Error('closed'))
    expect(new Set((await results).map(({ status }) => status))).toEqual(new Set(['rejected']))
    gate.resolve()
    await first
    await expect(queue.run(async () => sent.push('late'), 1, 'client')).rejects.toThrow()
    expect(sent).toEqual([])
  })
})
