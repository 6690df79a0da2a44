import { expect, it } from 'vitest'
import { PacedWork } from '../../../src/runtime/paced-work.js'

const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve))

it('does work at once, and what is too much for a turn in the next ones, in order', async () => {
  const paced = new PacedWork(3)
  const done: number[] = []
  const add = (count: number) => {
    const from = added
    for (; added < from + count; added++) {
      const number = added
      paced.run(() => done.push(number))
    }
  }
  let added = 0
  add(2)
  expect(done).toEqual([0, 1])
  add(5)
  expect(done, 'three in a turn').toEqual([0, 1, 2])
  await nextTurn()
  expect(done).toEqual([0, 1, 2, 3, 4, 5])
  add(1)
  expect(done, 'what came later does not overtake').toEqual([0, 1, 2, 3, 4, 5])
  await nextTurn()
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  await nextTurn()
  await nextTurn()
  add(4)
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  await nextTurn()
  expect(done).toHaveLength(12)
})

it('counts work that begins in a turn in which earlier work was done', async () => {
  const paced = new PacedWork(2)
  const done: string[] = []
  for (const name of ['a', 'b', 'c']) paced.run(() => done.push(name))
  await nextTurn()
  expect(done).toEqual(['a', 'b', 'c'])
  for (const name of ['d', 'e']) paced.run(() => done.push(name))
  expect(done).toEqual(['a', 'b', 'c', 'd'])
  await nextTurn()
  expect(done).toEqual(['a', 'b', 'c', 'd', 'e'])
})
