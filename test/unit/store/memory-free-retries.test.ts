import { expect, test } from 'vitest'
import { MemoryFreeRetries } from '../../../src/store/embedded/memory-bounds.js'

function setUp() {
  const clock = { now: 1_000 }
  return { clock, retries: new MemoryFreeRetries(() => clock.now) }
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
  expect(retries.size).toBe(0)
  retries.add('q')
  retries.take('q')
  expect(retries.isEmpty()).toBe(true)
})

test('retries that nobody repeats are dropped', () => {
  const { clock, retries } = setUp()
  for (let i = 0; i < 1000; i++) {
    clock.now += 100
    retries.add(String(i))
  }
  expect(retries.size, 'one question in 100 ms for 60 s').toBe(600)
})
