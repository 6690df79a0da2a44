import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Priority, RequestQueue } from '../../src/exchanges/request-queue.js'
import { SourceFailure } from '../../src/exchanges/source.js'

vi.mock('node:timers/promises', { spy: true })

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
})

describe('the queue of an exchange', () => {
  test('sends what is urgent first, and what is equally urgent in the order it came', async () => {
    const queue = new RequestQueue(standard)
    const sent: string[] = []
    const asked: [string, Priority][] = [
      ['first', 'background'],
      ['b1', 'background'],
      ['c1', 'client'],
      ['b2', 'background'],
      ['page 2 of c0', 'begun'],
      ['c2', 'client'],
    ]
    await Promise.all(asked.map(([name, urgency]) => queue.run(async () => sent.push(name), 1, urgency)))
    expect(sent).toEqual(['first', 'page 2 of c0', 'c1', 'c2', 'b1', 'b2'])
  })

  test('lets a client in between the pages of a backfill', async () => {
    const queue = new RequestQueue(standard)
    const sent: string[] = []
    const backfill = async () => {
      for (let page = 1; page <= 5; page++)
        await queue.run(async () => sent.push(`page ${page}`), 1, 'background')
    }
    const backfills = Promise.all(Array.from({ length: 20 }, backfill))
    await vi.waitFor(() => expect(sent.length).toBeGreaterThan(10))
    const before = sent.length
    await queue.run(async () => sent.push('client'), 1, 'client')
    expect(sent.indexOf('client'), 'goes next').toBe(before)
    await backfills
    expect(sent).toHaveLength(101)
  })

  test('keeps the spacing of the rate limit, by cost, whatever the answers take', async () => {
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
    let most = 0
    const gate = withResolvers()
    const all = Promise.all(
      Array.from({ length: 20 }, () =>
        queue.run(
          async () => {
            most = Math.max(most, ++underWay)
            await gate.promise
            underWay--
          },
          1,
          'client',
        ),
      ),
    )
    await vi.waitFor(() => expect(underWay).toBe(3))
    gate.resolve()
    await all
    expect(most).toBe(3)
  })

  test('passes the failure of a request on and goes on', async () => {
    const queue = new RequestQueue(standard)
    await expect(queue.run(() => Promise.reject(new Error('broken')), 1, 'client')).rejects.toThrow('broken')
    expect(await queue.run(async () => 'fine', 1, 'client')).toBe('fine')
  })

  test('refuses a client that would wait for too long and tells how long, but nothing that has begun', async () => {
    const closing = new AbortController()
    const queue = new RequestQueue({ ...standard, spacingMs: 1000, concurrency: 1, signal: closing.signal })
    const gate = withResolvers()
    const outcomes: string[] = []
    const ask = (name: string, urgency: Priority) =>
      queue.run(() => gate.promise, 1, urgency).catch(error => outcomes.push(`${name}: ${error.message}`))
    const waiting = [ask('first', 'client')]
    await Promise.resolve()
    for (let k = 0; k < 11; k++) waiting.push(ask('waiting', 'client'))
    const failure = await queue.run(async () => {}, 1, 'client').then(undefined, error => error)
    expect(failure).toBeInstanceOf(SourceFailure)
    expect(failure).toMatchObject({
      kind: 'unavailable',
      message: 'x is asked for more than it can answer',
      retryAfter: 11,
    })
    waiting.push(ask('begun', 'begun'), ask('background', 'background'))
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(outcomes, 'nobody else was refused').toEqual([])
    closing.abort(new Error('closed'))
    gate.resolve()
    await Promise.all(waiting)
    expect(outcomes.sort()).toEqual([
      'background: closed',
      'begun: closed',
      ...Array(11).fill('waiting: closed'),
    ])
  })
})

describe('a slow exchange', () => {
  test('fails the clients that have waited for too long, without asking it', async () => {
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

describe('a silence', () => {
  test('is kept by everything that waits', async () => {
    const queue = new RequestQueue(standard)
    const sent: number[] = []
    let end = 0
    const hush = async () => {
      queue.pauseFor(100)
      end = Date.now() + 99
    }
    const first = queue.run(hush, 1, 'client')
    const others = ['a', 'b', 'c'].map(() => queue.run(async () => sent.push(Date.now()), 1, 'client'))
    await first
    await Promise.all(others)
    expect(sent).toHaveLength(3)
    for (const moment of sent) expect(moment).toBeGreaterThanOrEqual(end)
  })

  test('that is long fails clients, those that wait too, and background work sits it out', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const pauses: number[] = []
    const end = withResolvers()
    vi.mocked(pause).mockImplementation(async (ms = 0) => {
      pauses.push(ms)
      await end.promise
      vi.setSystemTime(Date.now() + ms)
      return undefined as never
    })
    const queue = new RequestQueue(standard)
    const sent: string[] = []
    const first = queue.run(async () => queue.pauseFor(60_000), 1, 'client')
    const waiting = queue.run(async () => sent.push('client'), 1, 'client').then(undefined, error => error)
    const background = queue.run(async () => sent.push('background'), 1, 'background')
    await first
    const told = {
      kind: 'unavailable',
      message: 'x limits the rate of requests, it can be asked again in 60 s',
      retryAfter: 60,
    }
    expect(await waiting).toMatchObject(told)
    await expect(queue.run(async () => sent.push('later'), 1, 'client')).rejects.toMatchObject(told)
    await vi.waitFor(() => expect(pauses).toEqual([60_000]))
    expect(sent).toEqual([])
    end.resolve()
    await background
    expect(sent).toEqual(['background'])
  })
})

describe('closing', () => {
  test('ends what waits, be it for a turn, for an answer or for the end of a silence', async () => {
    const closing = new AbortController()
    const queue = new RequestQueue({ ...standard, concurrency: 1, signal: closing.signal })
    const sent: string[] = []
    const gate = withResolvers()
    const first = queue.run(() => gate.promise, 1, 'client')
    const others = Array.from({ length: 50 }, (_, k) => queue.run(async () => sent.push(`${k}`), 1, 'client'))
    const hushed = new RequestQueue({ ...standard, signal: closing.signal })
    hushed.pauseFor(900)
    const silenced = hushed.run(async () => sent.push('silenced'), 1, 'client')
    const outcomes = Promise.allSettled([...others, silenced])
    closing.abort(new Error('closed'))
    expect(new Set((await outcomes).map(({ status }) => status))).toEqual(new Set(['rejected']))
    gate.resolve()
    await first
    await expect(queue.run(async () => sent.push('late'), 1, 'client')).rejects.toThrow()
    expect(sent).toEqual([])
  })
})
