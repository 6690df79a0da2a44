import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { afterTurn, candlesPerSlice, inSlices, Scheduler, sliceNs } from '../../../src/runtime/scheduler.js'
import { nextTurn } from '../../support/scheduler.js'

let now = 0
let scheduler: Scheduler
/** Events, each with the number of its turn. */
let events: string[]
let turn: number
let counter: NodeJS.Immediate

beforeEach(() => {
  scheduler = new Scheduler(() => now)
  events = []
  turn = 0
  const count = () => {
    turn++
    counter = setImmediate(count)
  }
  counter = setImmediate(count)
})
afterEach(() => clearImmediate(counter))

/** Work that lasts `ms` milliseconds. */
const work = (name: string, ms: number) => () => {
  events.push(`${name} in turn ${turn}`)
  now += ms
  return name
}
const namesOf = (list: readonly string[]) => list.map(event => event.split(' ')[0])

it('does at once what a turn has time for, and returns it as it is', () => {
  expect(scheduler.run('x', work('a', 2))).toBe('a')
  expect(scheduler.run('y', work('b', 2))).toBe('b')
  // So much was not known before.
  expect(scheduler.run('x', work('c', 50))).toBe('c')
  expect(events).toEqual(['a in turn 0', 'b in turn 0', 'c in turn 0'])
})

it('does what is left in later turns, in the order in which it was asked for', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const results = await Promise.all(names.map(name => scheduler.run('x', work(name, 3))))
  expect(results).toEqual(names)
  expect(events).toEqual([
    ...['a in turn 0', 'b in turn 0'],
    ...['c in turn 1', 'd in turn 1'],
    ...['e in turn 2', 'f in turn 2'],
    ...['g in turn 3', 'h in turn 3'],
  ])
})

it('has time again in the next turn', async () => {
  scheduler.run('x', work('a', 50))
  expect(scheduler.hasTime('x')).toBe(false)
  await nextTurn()
  expect(scheduler.hasTime('x')).toBe(true)
})

it('lets nothing of a caller pass what waits for it', async () => {
  scheduler.run('x', work('a', 50))
  const waiting = [scheduler.run('x', work('b', 50)), scheduler.run('x', work('c', 50))]
  await waiting[0]
  const late = scheduler.run('x', work('late', 0))
  await Promise.all([...waiting, late])
  expect(namesOf(events)).toEqual(['a', 'b', 'c', 'late'])
})

it('has callers take turns, so that much work of one does not delay the others', async () => {
  scheduler.run('x', work('x', 5))
  const many = Array.from({ length: 10 }, (_, i) => scheduler.run('x', work(`x${i}`, 5)))
  const other = scheduler.run('y', work('y', 5))
  await Promise.all([...many, other])
  expect(namesOf(events).indexOf('y')).toBe(2)
})

it('lets what is done in pieces share the turns', async () => {
  const inPieces = async (name: string) => {
    for (let piece = 0; piece < 3; piece++) {
      if (!scheduler.hasTime('x')) await scheduler.next('x')
      work(`${name}${piece}`, 5)()
    }
  }
  await Promise.all([inPieces('a'), inPieces('b')])
  expect(events).toEqual([
    ...['a0 in turn 0', 'a1 in turn 1', 'b0 in turn 2'],
    ...['a2 in turn 3', 'b1 in turn 4', 'b2 in turn 5'],
  ])
})

it('gives a slice to one of those that ask for it together, before its work is measured', async () => {
  const inSlices = async (name: string) => {
    for (let piece = 0; piece < 2; piece++) {
      await scheduler.slice('x')
      work(`${name}${piece}`, 5)()
    }
  }
  await Promise.all([inSlices('a'), inSlices('b')])
  expect(events).toEqual(['a0 in turn 0', 'b0 in turn 1', 'a1 in turn 2', 'b1 in turn 3'])
})

it('waits for a later turn where it is asked to', async () => {
  await scheduler.next('x')
  work('a', 0)()
  expect(events).toEqual(['a in turn 1'])
})

it('goes on after work that fails', async () => {
  scheduler.run('x', work('a', 50))
  const failed = scheduler.run('x', () => {
    throw new Error('broken')
  })
  const next = scheduler.run('x', work('b', 0))
  await expect(failed).rejects.toThrow('broken')
  expect(await next).toBe('b')
})

describe('work of which it is known what it takes', () => {
  const halfNs = sliceNs / 2

  it('is not begun in a turn that has no time for it', async () => {
    expect([
      scheduler.hasTime('x', halfNs),
      scheduler.hasTime('x', halfNs),
      scheduler.hasTime('x', 1),
    ]).toEqual([true, true, false])
    await nextTurn()
    now += 3
    expect(scheduler.hasTime('x', halfNs)).toBe(true)
    now += 3
    expect(scheduler.hasTime('x', halfNs), 'it has taken longer').toBe(false)
  })

  it('is begun first in a turn where it takes longer than one, and others in between', async () => {
    const long = Promise.all(
      ['a', 'b', 'c'].map(async name => {
        await scheduler.next('x', 3 * sliceNs)
        work(name, 0)()
      }),
    )
    const short = Promise.all(
      ['d', 'e', 'f'].map(async name => {
        await scheduler.next('y', 1)
        work(name, 0)()
      }),
    )
    await Promise.all([long, short])
    const turnsOf = (names: string) =>
      events.filter(event => names.includes(event[0] as string)).map(event => event.slice(2))
    expect(new Set(turnsOf('abc')).size).toBe(3)
    expect(events.indexOf('d in turn 2')).toBeLessThan(events.findIndex(event => event.startsWith('b')))
  })

  it('may have a smaller part of each turn', async () => {
    const small = Promise.all(
      ['a', 'b', 'c', 'd'].map(async name => {
        await scheduler.next('x', sliceNs / 16, sliceNs / 8)
        work(name, 0)()
      }),
    )
    const other = scheduler.next('y', halfNs).then(work('other', 0))
    await Promise.all([small, other])
    expect(events.filter(event => event.endsWith('turn 1')).length).toBeLessThan(4)
    expect(namesOf(events)).toHaveLength(5)
  })

  it('is that of so many candles', () => {
    expect([candlesPerSlice(sliceNs / 10), candlesPerSlice(2 * sliceNs)]).toEqual([10, 1])
  })
})

it('gives the items of a list in turns that have time for them', async () => {
  for await (const item of inSlices('x', [1, 2, 3, 4], scheduler)) work(`${item}`, 3)()
  expect(events).toEqual(['1 in turn 0', '2 in turn 0', '3 in turn 1', '4 in turn 1'])
})

it('does short work after a turn, however much waits', async () => {
  scheduler.run('x', work('a', 50))
  void scheduler.run('x', work('b', 50))
  void scheduler.run('x', work('c', 50))
  afterTurn(work('after', 0))
  expect(namesOf(events)).toEqual(['a'])
  await nextTurn()
  expect(namesOf(events)).toContain('after')
  expect(namesOf(events)).not.toContain('c')
})
