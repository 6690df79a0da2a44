import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Account } from '../../../src/contract/account.js'
import { rateHeaders } from '../../../src/http/admission.js'
import { CountedWindows, MemoryTable } from '../../../src/store/bounds.js'

const accountOf = (requests: number, id = '01234567'): Account => ({
  id,
  name: 'me',
  plan: 'enterprise',
  requests,
  constructs: 1,
  subscriptions: 1,
  created: 1,
})

/** Limits and their clock, in milliseconds. */
function setUp() {
  const clock = { now: 1_000_000 }
  const table = new MemoryTable(() => clock.now)
  return { clock, table, limits: new CountedWindows(table) }
}

test('the window begins with the first request and lasts 15 seconds', () => {
  const { clock, limits } = setUp()
  const account = accountOf(2)
  expect(limits.take(account)).toMatchObject({ allowed: true, remaining: 1, reset: 15 })
  clock.now += 14_000
  expect(limits.take(account)).toMatchObject({ allowed: true, remaining: 0, reset: 1 })
  clock.now += 999
  expect(limits.take(account)).toMatchObject({ allowed: false, remaining: 0, reset: 1 })
  clock.now += 1
  expect(limits.take(account)).toMatchObject({ allowed: true, remaining: 1, reset: 15 })
})

test('a refused request does not lengthen the window', () => {
  const { clock, limits } = setUp()
  const account = accountOf(1)
  limits.take(account)
  for (let second = 1; second < 15; second++) {
    clock.now += 1000
    expect(limits.take(account)).toMatchObject({ allowed: false, remaining: 0, reset: 15 - second })
  }
})

test('accounts have windows of their own', () => {
  const { limits } = setUp()
  expect(limits.take(accountOf(1, 'a')).allowed).toBe(true)
  expect(limits.take(accountOf(1, 'b')).allowed).toBe(true)
  expect(limits.take(accountOf(1, 'a')).allowed).toBe(false)
})

test('a refunded request can be made again', () => {
  const { limits } = setUp()
  const account = accountOf(1)
  for (let i = 0; i < 5; i++) {
    const use = limits.take(account)
    expect(use).toMatchObject({ allowed: true, remaining: 0 })
    expect(limits.refund(account, use)).toMatchObject({ allowed: true, remaining: 1, reset: 15 })
  }
})

test('a request that costs nothing is shown the window, and neither opens nor changes it', () => {
  const { clock, table, limits } = setUp()
  const account = accountOf(1)
  expect(limits.peek(account)).toMatchObject({ allowed: true, remaining: 1, reset: 15 })
  expect(table.size).toBe(0)
  limits.take(account)
  clock.now += 5000
  expect(limits.peek(account)).toMatchObject({ allowed: true, remaining: 0, reset: 10 })
  expect(limits.take(account).allowed).toBe(false)
  clock.now += 10_000
  expect(limits.peek(account)).toMatchObject({ allowed: true, remaining: 1, reset: 15 })
})

test('a refused request has nothing to refund', () => {
  const { limits } = setUp()
  const account = accountOf(1)
  limits.take(account)
  limits.refund(account, limits.take(account))
  expect(limits.take(account).allowed).toBe(false)
})

test('a refund after the end of its window does not change the next one', () => {
  const { clock, limits } = setUp()
  const account = accountOf(1)
  const late = limits.take(account)
  clock.now += 15_000
  expect(limits.take(account).allowed).toBe(true)
  expect(limits.refund(account, late)).toMatchObject({ allowed: true, remaining: 0, reset: 15 })
  expect(limits.take(account).allowed).toBe(false)
})

test('a limit that is lowered within a window leaves 0 requests, not fewer', () => {
  const { limits } = setUp()
  for (let i = 0; i < 5; i++) limits.take(accountOf(5))
  expect(limits.take(accountOf(2))).toMatchObject({ allowed: false, remaining: 0 })
})

test('never more than n requests are allowed within 15 seconds of the first request of a window', () => {
  const step = fc.record({ after: fc.integer({ min: 0, max: 20_000 }), refunds: fc.boolean() })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.array(step, { maxLength: 80 }), (requests, steps) => {
      const { clock, limits } = setUp()
      const account = accountOf(requests)
      let opened = Number.NEGATIVE_INFINITY
      let spent = 0
      for (const { after, refunds } of steps) {
        clock.now += after < 15_000 ? after >> 4 : after
        if (clock.now - opened >= 15_000) {
          opened = clock.now
          spent = 0
        }
        const use = limits.take(account)
        expect(use.allowed, 'exactly those beyond n are refused').toBe(spent < requests)
        if (use.allowed) spent++
        expect(use.remaining).toBe(requests - spent)
        expect(use.reset).toBe(Math.max(1, Math.ceil((opened + 15_000 - clock.now) / 1000)))
        if (refunds && use.allowed) {
          spent--
          expect(limits.refund(account, use).remaining).toBe(requests - spent)
        }
      }
    }),
    { numRuns: 300 },
  )
})

test('every one of many accounts has its own window', () => {
  const visit = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 6000 }))
  fc.assert(
    fc.property(fc.array(visit, { maxLength: 120 }), visits => {
      const { clock, limits } = setUp()
      const opened = new Map<number, number>()
      for (const [who, after] of visits) {
        clock.now += after
        const isNew = clock.now - (opened.get(who) ?? Number.NEGATIVE_INFINITY) >= 15_000
        if (isNew) opened.set(who, clock.now)
        expect(limits.take(accountOf(1, String(who))).allowed).toBe(isNew)
      }
    }),
  )
})

test('windows of idle accounts are dropped', () => {
  const { clock, table, limits } = setUp()
  for (let i = 0; i < 10_000; i++) {
    clock.now += 100
    limits.take(accountOf(1, String(i)))
    expect(table.size, 'twice as many as one account in 100 ms for 15 s').toBeLessThanOrEqual(301)
  }
})

test('the headers name the limit, the remaining requests and the end of the window', () => {
  const { clock, limits } = setUp()
  const account = accountOf(30)
  limits.take(account)
  clock.now += 4200
  expect(rateHeaders(account, limits.take(account))).toEqual({
    'RateLimit-Policy': '"window";q=30;w=15',
    RateLimit: '"window";r=28;t=11',
  })
})
