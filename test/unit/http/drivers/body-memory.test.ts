import { expect, it } from 'vitest'
import { BodyMemory } from '../../../../src/http/drivers/bodies.js'

const silent = { info() {}, warn() {}, error() {} }

/** A memory of 10 bytes, 6 of one key, and the names of the bodies that it has refused. */
function create() {
  const memory = new BodyMemory({ total: 10, ofKey: 6 }, silent)
  const refused: string[] = []
  const body = (name: string, authorization = name.slice(0, 1)) => ({
    ...{ authorization, bytes: 0, isComplete: false },
    refuse: () => refused.push(name),
  })
  return { memory, refused, body }
}

it('counts bodies by their last size until they are released, once', () => {
  const { memory, body } = create()
  const own = body('a1')
  expect(memory.hold(own, 2)).toBe(true)
  expect(memory.hold(own, 5)).toBe(true)
  expect(memory.bytes).toBe(5)
  memory.release(own)
  memory.release(own)
  expect(memory.bytes).toBe(0)
})

it('refuses the oldest bodies of a key, as many as are too many', () => {
  const { memory, refused, body } = create()
  for (const name of ['a1', 'a2', 'b1', 'a3']) expect(memory.hold(body(name), 2)).toBe(true)
  expect(memory.hold(body('a4'), 4)).toBe(true)
  expect(refused).toEqual(['a1', 'a2'])
  expect(memory.bytes).toBe(8)
})

it('refuses the oldest body of the key with the most where all keys together have too much', () => {
  const { memory, refused, body } = create()
  expect(memory.hold(body('c1'), 1)).toBe(true)
  for (const name of ['a1', 'b1', 'b2', 'a2', 'b3'])
    expect(memory.hold(body(name), name.startsWith('b') ? 2 : 1)).toBe(true)
  expect(memory.hold(body('d1'), 2)).toBe(true)
  expect(refused).toEqual(['b1'])
})

it('refuses a body itself where all others are complete, which are never refused', () => {
  const { memory, refused, body } = create()
  const complete = body('a1')
  memory.hold(complete, 5)
  complete.isComplete = true
  expect(memory.hold(body('a2'), 2)).toBe(false)
  expect(refused).toEqual(['a2'])
  memory.release(complete)
  expect(memory.hold(body('a3'), 6)).toBe(true)
})
