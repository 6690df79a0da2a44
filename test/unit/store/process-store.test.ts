import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Account } from '../../../src/contract/account.js'
import { CounterTable } from '../../../src/store/process/counter-table.js'
import { ProcessRateWindows, ProcessSubscriptionBounds } from '../../../src/store/process/process-bounds.js'
import { openProcessStore } from '../../../src/store/process/process-store.js'

const accountOf = (requests: number, subscriptions = 2) => ({ id: 'a', requests, subscriptions }) as Account

let directory: string
let numbers: CounterTable
let now = 0
const clock = () => now

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'candela-'))
  numbers = new CounterTable(directory, true)
  now = 1_000_000
})
afterEach(async () => {
  await numbers.close()
  rmSync(directory, { recursive: true, force: true })
})

describe('windows of several processes', () => {
  const [used, ahead] = [0, 1]
  const stored = () => numbers.get('window/a') ?? []

  test('take requests in advance for an account that sends many, and return soon what is left', async () => {
    const windows = new ProcessRateWindows(numbers, clock, 2)
    const account = accountOf(1000)
    const remaining = Array.from({ length: 5 }, () => windows.take(account)).map(
      use => (use as { remaining: number }).remaining,
    )
    expect(remaining).toEqual([999, 998, 997, 996, 995])
    expect([stored()[used], stored()[ahead]]).toEqual([2 + 32, 32])
    await expect
      .poll(() => [stored()[used], stored()[ahead]], { timeout: 10_000, interval: 1 })
      .toEqual([5, 0])
  })

  test('take none in advance where a window is almost used up', () => {
    const windows = new ProcessRateWindows(numbers, clock, 2)
    for (let taken = 1; taken <= 90; taken++) {
      expect(windows.take(accountOf(90))).toMatchObject({ allowed: true, remaining: 90 - taken })
      expect(stored()[used]).toBe(taken)
    }
    expect(windows.take(accountOf(90))).toMatchObject({ allowed: false })
  })

  test('let a request wait for what another process has in advance, and refuse it where that has ended', async () => {
    const [one, other] = [
      new ProcessRateWindows(numbers, clock, 1),
      new ProcessRateWindows(numbers, clock, 1),
    ]
    const account = accountOf(66)
    one.take(account)
    one.take(account)
    expect([stored()[used], stored()[ahead]]).toEqual([2 + 32, 32])
    const uses = Array.from({ length: 34 }, () => other.take(account))
    expect(uses.slice(0, 32)).toEqual(Array(32).fill(expect.objectContaining({ allowed: true })))
    expect(await Promise.all(uses.slice(32))).toEqual(
      Array(2).fill(expect.objectContaining({ allowed: true })),
    )

    numbers.transaction(({ set }) => set('window/a', 66, 32, now + 15_000))
    const late = other.take(account)
    expect(late).toBeInstanceOf(Promise)
    now += 1000
    expect(await late).toMatchObject({ allowed: false, remaining: 0, reset: 14 })
  })
})

test('subscriptions that an ended process held no longer count once another one has its number', () => {
  const bounds = (number: number) => new ProcessSubscriptionBounds(numbers, clock, { number, count: 3 })
  const [one, killed] = [bounds(1), bounds(2)]
  expect(one.reserve(accountOf(1), 'x')).toBeUndefined()
  expect(killed.reserve(accountOf(1), 'y')).toBeUndefined()
  expect(one.reserve(accountOf(1), 'x')).toBe('plan')
  bounds(2)
  expect(one.reserve(accountOf(1), 'x')).toBeUndefined()
})

test('numbers whose time has ended are removed, and no others', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const store = openProcessStore(
    join(directory, 'data'),
    { ...{ number: 0, count: 2 }, send() {}, listen() {} },
    { clock },
  )
  try {
    const [ended, open] = [accountOf(5), { ...accountOf(5), id: 'b' }]
    store.rateWindows.take(ended)
    store.subscriptions.reserve(ended, 'x')
    await store.freeRetries.add('a question')
    now += 59_000
    store.rateWindows.take(open)
    vi.advanceTimersByTime(3000)
    expect(store.rateWindows.take(open)).toMatchObject({ remaining: 3 })
    expect(await store.freeRetries.take('a question'), 'it has a second left').toBe(true)
    expect(store.subscriptions.reserve({ ...ended, subscriptions: 1 }, 'y'), 'it is held').toBe('plan')
    const other = new CounterTable(join(directory, 'data'), false)
    expect(other.keys('').filter(key => key.endsWith('/a') || key.startsWith('topic/a/'))).toEqual([
      'held/0/a',
    ])
    await other.close()
  } finally {
    vi.useRealTimers()
    await store.close()
  }
})
