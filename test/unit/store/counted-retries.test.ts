import { expect, test } from 'vitest'
import { CountedRetries, MemoryTable } from '../../../src/store/bounds.js'

function setUp() {
  const clock = { now: 1_000 }
  const table = new MemoryTable(() => clock.now)
  return { clock, table, retries: new CountedRetries(table) }
}

test('the repetition of a pending question is free, the question itself is not', () => {
  const { retries } = setUp()
  expect(retries.take('q')).toBe(false)
  for (let i = 0; i < 5; i++) {
    retries.add('q')
    expect(retries.take('q')).toBe(true)
  }
  expect(retries.take('q'), 'beside the one that is being answered').toBe(false)
  retries.add('q')
  expect(retries.take('other')).toBe(false)
})

test('a repetition after more than a minute costs a request', () => {
  const { clock, retries } = setUp()
  retries.add('q')
  clock.now += 60_000
  expect(retries.take('q')).toBe(false)
})

test('it is empty when no question may be repeated', () => {
  const { clock, retries } = setUp()
  expect(retries.isEmpty()).toBe(true)
  retries.add('q')
  clock.now += 59_999
  expect(retries.isEmpty()).toBe(false)
  clock.now += 1
  expect(retries.isEmpty()).toBe(true)
})

test('retries that nobody repeats are dropped', () => {
  const { clock, table, retries } = setUp()
  for (let i = 0; i < 10_000; i++) {
    clock.now += 100
    retries.add(String(i))
    expect(table.size, 'twice as many as one question in 100 ms for 60 s').toBeLessThanOrEqual(1201)
  }
})
