import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FairQueue } from '../../../src/runtime/scheduler.js'

const drain = <Item>(queue: FairQueue<Item>): Item[] => {
  const items: Item[] = []
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item)
  return items
}

test('what came first goes first', () => {
  const queue = new FairQueue<number>()
  for (let i = 0; i < 5; i++) queue.push('a', i)
  expect(drain(queue)).toEqual([0, 1, 2, 3, 4])
})

test('keys take turns, in the order in which they came', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.push(item[0] as string, item)
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('a key that comes back waits for its turn', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'b1', 'b2']) queue.push(item[0] as string, item)
  expect(queue.shift()).toBe('a1')
  queue.push('a', 'a2')
  expect(drain(queue)).toEqual(['b1', 'a2', 'b2'])
})

test('the newest item of the longest line is given up, where that is longer than a count', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'b1', 'b2', 'b3']) queue.push(item[0] as string, item)
  expect(queue.popFromLongest(3)).toBeUndefined()
  expect(queue.popFromLongest(2)).toBe('b3')
  expect(drain(queue)).toEqual(['a1', 'b1', 'b2'])
})

test('between two items of a key no other key has two, and each key keeps its order', () => {
  const keys = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 60 })
  fc.assert(
    fc.property(keys, fc.array(fc.nat(59), { maxLength: 10 }), (list, removed) => {
      const queue = new FairQueue<string>()
      const items = list.map((key, at) => `${key}${at}`)
      for (const item of items) queue.push(item[0] as string, item)
      const gone = new Set(removed.map(at => items[at]).filter(item => item !== undefined))
      for (const item of gone) queue.remove(item[0] as string, item)
      const left = items.filter(item => !gone.has(item))
      expect(queue.size).toBe(left.length)
      const taken = drain(queue)
      expect(queue.size).toBe(0)
      for (const key of 'abcd') {
        const ofKey = (all: readonly string[]) => all.filter(item => item[0] === key)
        expect(ofKey(taken)).toEqual(ofKey(left))
        for (const other of 'abcd') {
          if (other === key) continue
          const between = taken.join('').replace(/\d+/g, '').split(key).slice(1, -1)
          for (const run of between) expect(run.split(other).length - 1).toBeLessThanOrEqual(1)
        }
      }
    }),
  )
})

test('what may not be taken now keeps its place', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'a2', 'b1', 'b2', 'c1']) queue.push(item[0] as string, item)
  expect(queue.shift({ key: key => key !== 'a', item: item => item !== 'b1' })).toBe('b2')
  expect(queue.shift({ key: () => false, item: () => true })).toBeUndefined()
  expect(queue.size).toBe(4)
  expect(drain(queue)).toEqual(['a1', 'c1', 'b1', 'a2'])
})
