import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Account } from '../../../src/contract/account.js'
import { CountedSubscriptions } from '../../../src/store/bounds.js'
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
