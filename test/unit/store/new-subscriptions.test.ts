import { expect, test } from 'vitest'
import type { Account } from '../../../src/contract/account.js'
import { MemoryTable, NewSubscriptions } from '../../../src/store/bounds.js'

const accountOf = (subscriptions: number, id = 'a') => ({ id, subscriptions }) as Account

function setUp() {
  const clock = { now: 1_000 }
  const table = new MemoryTable(() => clock.now)
  return { clock, table, subscriptions: new NewSubscriptions(table) }
}

test('an account may subscribe to as many topics in a window as its plan holds', () => {
  const { clock, subscriptions } = setUp()
  const account = accountOf(2)
  expect(subscriptions.take(account, 'x')).toBeUndefined()
  clock.now += 6_000
  expect(subscriptions.take(account, 'y')).toBeUndefined()
  expect(subscriptions.take(account, 'z'), 'the window ends 15 s after it began').toBe(9)
  clock.now += 8_999
  expect(subscriptions.take(account, 'z')).toBe(1)
  clock.now += 1
  expect(subscriptions.take(account, 'z')).toBeUndefined()
})

test('a topic that the account had in the window is not new', () => {
  const { clock, subscriptions } = setUp()
  const account = accountOf(1)
  for (let i = 0; i < 10; i++) expect(subscriptions.take(account, 'x')).toBeUndefined()
  expect(subscriptions.take(account, 'y')).toBe(15)
  clock.now += 15_000
  expect(subscriptions.take(account, 'y')).toBeUndefined()
  expect(subscriptions.take(account, 'x'), 'in the next window it is').toBe(15)
})

test('accounts have windows of their own, and those of idle accounts are dropped', () => {
  const { clock, table, subscriptions } = setUp()
  for (let window = 0; window < 10; window++) {
    for (let i = 0; i < 100; i++)
      expect(subscriptions.take(accountOf(1, `${window}-${i}`), 'x')).toBeUndefined()
    expect(
      table.size,
      'a window and a topic of each account, and as many that have ended',
    ).toBeLessThanOrEqual(400)
    clock.now += 15_000
  }
})
