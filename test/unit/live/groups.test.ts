import { expect, it } from 'vitest'
import { Groups } from '../../../src/runtime/groups.js'

it('groups have their members in order, and are forgotten with the last one', () => {
  const groups = new Groups<number>()
  groups.add('a', 2)
  groups.add('a', 1)
  groups.add('b', 1)
  groups.delete('b', 7)
  groups.delete('c', 1)
  expect([groups.size, [...groups.of('a')], [...groups.of('b')], [...groups.of('c')]]).toEqual([
    2,
    [2, 1],
    [1],
    [],
  ])
  groups.delete('a', 2)
  groups.delete('b', 1)
  expect([groups.size, [...groups.entries()]]).toEqual([1, [['a', new Set([1])]]])
  groups.delete('a', 1)
  expect(groups.size).toBe(0)
})
