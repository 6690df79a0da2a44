import { expect, test } from 'vitest'
import { MemoryFreeRetries } from '../../../src/store/embedded/memory-free-retries.js'

function setUp() {
  const clock = { now: 1_000 }
  return { clock, questions: new MemoryFreeRetries(() => clock.now) }
}

test('the repetition of a pending question is free, the question itself is not', () => {
  const { questions } = setUp()
  expect(questions.take('q')).toBe(false)
  for (let i = 0; i < 5; i++) {
    questions.add('q')
    expect(questions.take('q')).toBe(true)
  }
  expect(questions.take('q'), 'beside the one that is being answered').toBe(false)
  questions.add('q')
  expect(questions.take('other')).toBe(false)
})

test('a repetition after more than a minute costs a request', () => {
  const { clock, questions } = setUp()
  questions.add('q')
  clock.now += 60_000
  expect(questions.take('q')).toBe(false)
})

test('it is empty when no question may be repeated', () => {
  const { clock, questions } = setUp()
  expect(questions.isEmpty()).toBe(true)
  questions.add('q')
  clock.now += 59_999
  expect(questions.isEmpty()).toBe(false)
  clock.now += 1
  expect(questions.isEmpty()).toBe(true)
  expect(questions.size).toBe(0)
  questions.add('q')
  questions.take('q')
  expect(questions.isEmpty()).toBe(true)
})

test('questions that nobody repeats are dropped', () => {
  const { clock, questions } = setUp()
  for (let i = 0; i < 1000; i++) {
    clock.now += 100
    questions.add(String(i))
  }
  expect(questions.size, 'one question in 100 ms for 60 s').toBe(600)
})
