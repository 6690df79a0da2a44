import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Account } from '../../../src/contract/account.js'
import { CountedSubscriptions, CountedWindows } from '../../../src/store/bounds.js'
import { CounterTable } from '../../../src/store/process/counter-table.js'
import { openProcessStore } from '../../../src/store/process/process-store.js'

const accountOf = (requests: number, subscriptions = 2) => ({ id: 'a', requests, subscriptions }) as Account

let directory: string
let numbers: CounterTable
let now = 0
const clock = () => now

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'candela-'))
  numbers = new CounterTable(directory, true, clock)
  now = 1_000_000
})
afterEach(async () => {
  await numbers.close()
  rmSync(directory, { recursive: true, force: true })
})

test('subscriptions that an ended process held no longer count once another one has its number', () => {
  const bounds = (number: number) => new CountedSubscriptions(numbers, { number, count: 3 })
  const [one, killed] = [bounds(1), bounds(2)]
  expect(one.reserve(accountOf(1), 'x')).toBeUndefined()
  expect(killed.reserve(accountOf(1), 'y')).toBeUndefined()
  expect(one.reserve(accountOf(1), 'x')).toBe('plan')
  bounds(2)
  expect(one.reserve(accountOf(1), 'x')).toBeUndefined()
})

/** Whether windows are in shared memory: the binaries of lmdb-js for Node.js 24 and later copy values. */
const isShared = await (async () => {
  const path = mkdtempSync(join(tmpdir(), 'candela-'))
  const table = new CounterTable(path, true, clock)
  const { windows } = table
  await table.close()
  rmSync(path, { recursive: true, force: true })
  return windows !== table
})()

test('windows are in shared memory with Node.js 20 and 22', () => {
  expect(isShared || Number(process.versions.node.split('.')[0]) > 22).toBe(true)
})

describe.each(['shared memory', 'a table'])('windows in %s', kind => {
  const windowsOf = (table: CounterTable) => (kind === 'a table' ? table : table.windows)

  test('are counted by all processes together, and end', async () => {
    const other = new CounterTable(directory, false, clock)
    const both = [numbers, other].map(table => new CountedWindows(windowsOf(table)))
    const [here, there] = both as [CountedWindows, CountedWindows]
    const account = accountOf(4)
    expect(here.take(account)).toMatchObject({ allowed: true, remaining: 3, reset: 15 })
    now += 1000
    const use = there.take(account, 2)
    expect(use).toMatchObject({ allowed: true, remaining: 1, reset: 14 })
    expect(here.take(account, 2)).toMatchObject({ allowed: false, remaining: 1 })
    expect(here.take({ ...account, id: 'b' }), 'another account').toMatchObject({ remaining: 3 })
    expect(here.refund(account, use)).toMatchObject({ remaining: 2 })
    now += 14_000
    expect(there.peek(account)).toMatchObject({ remaining: 4, reset: 15 })
    expect(here.refund(account, use), 'of a window that has ended').toMatchObject({ remaining: 4 })
    expect(there.take(account)).toMatchObject({ remaining: 3, reset: 15 })
    await other.close()
  })
})

test.runIf(isShared)('a window that another process changes in between is counted again', async () => {
  const other = new CounterTable(directory, false, clock)
  const here = new CountedWindows(numbers.windows)
  const there = other.windows
  let isFirst = true
  const between: typeof there = {
    now: clock,
    get: (key, at) => there.get(key, at),
    change: (key, at, next) =>
      there.change(key, at, numbers => {
        if (isFirst) here.take(accountOf(10), 3)
        isFirst = false
        return next(numbers)
      }),
  }
  expect(new CountedWindows(between).take(accountOf(10))).toMatchObject({ remaining: 6 })
  expect(here.peek(accountOf(10))).toMatchObject({ remaining: 6 })
  await other.close()
})

test('a window in shared memory is closed after the longest time that a service runs', () => {
  const windows = new CountedWindows(numbers.windows)
  windows.take(accountOf(9))
  for (const days of [99, 199, 398]) {
    now = 1_000_000 + days * 86_400_000
    expect(windows.peek(accountOf(9)), `after ${days} days`).toMatchObject({ remaining: 9, reset: 15 })
    expect(windows.take(accountOf(9))).toMatchObject({ remaining: 8, reset: 15 })
  }
})

test.runIf(isShared)('shared memory is not used once it is closed', async () => {
  const { windows } = numbers
  expect(windows).not.toBe(numbers)
  windows.get('a')
  await numbers.close()
  expect(() => windows.get('a')).toThrow(RangeError)
  numbers = new CounterTable(directory, true, clock)
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
    const other = new CounterTable(join(directory, 'data'), false, clock)
    expect(other.keys('').filter(key => key.endsWith('/a') || key.startsWith('topic/a/'))).toEqual([
      'held/0/a',
    ])
    await other.close()
  } finally {
    vi.useRealTimers()
    await store.close()
  }
})
