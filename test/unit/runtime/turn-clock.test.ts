import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { TurnClock } from '../../../src/runtime/turn-clock.js'

let now = 0
let clock: TurnClock
/** What has happened, with the number of the turn. */
let events: string[]
let turn: number
let counter: NodeJS.Immediate

beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  clock = new TurnClock()
  events = []
  turn = 0
  const count = () => {
    turn++
    counter = setImmediate(count)
  }
  counter = setImmediate(count)
})
afterEach(() => {
  clearImmediate(counter)
  vi.restoreAllMocks()
})

/** Work that takes so many milliseconds. */
const work = (name: string, ms: number) => () => {
  events.push(`${name} in turn ${turn}`)
  now += ms
  return name
}

it('does at once what a turn has time for, and returns it as it is', () => {
  expect(clock.run(work('a', 2))).toBe('a')
  expect(clock.run(work('b', 2))).toBe('b')
  // So much was not known before.
  expect(clock.run(work('c', 50))).toBe('c')
  expect(events).toEqual(['a in turn 0', 'b in turn 0', 'c in turn 0'])
})

it('does what is left in later turns, in the order in which it was asked for', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const results = await Promise.all(names.map(name => clock.run(work(name, 3))))
  expect(results).toEqual(names)
  expect(events).toEqual([
    ...['a in turn 0', 'b in turn 0'],
    ...['c in turn 1', 'd in turn 1'],
    ...['e in turn 2', 'f in turn 2'],
    ...['g in turn 3', 'h in turn 3'],
  ])
})

it('has time again in the next turn', async () => {
  clock.run(work('a', 50))
  expect(clock.isOver()).toBe(true)
  await new Promise(resolve => setImmediate(resolve))
  expect(clock.isOver()).toBe(false)
})

it('lets nothing pass what waits', async () => {
  clock.run(work('a', 50))
  const waiting = [clock.run(work('b', 50)), clock.run(work('c', 50))]
  await waiting[0]
  const late = clock.run(work('late', 0))
  await Promise.all([...waiting, late])
  expect(events.map(event => event.split(' ')[0])).toEqual(['a', 'b', 'c', 'late'])
})

it('lets what is done in pieces share the turns', async () => {
  const inPieces = async (name: string) => {
    for (let piece = 0; piece < 3; piece++) {
      if (clock.isOver()) await clock.next()
      work(`${name}${piece}`, 5)()
    }
  }
  await Promise.all([inPieces('a'), inPieces('b')])
  expect(events).toEqual([
    ...['a0 in turn 0', 'a1 in turn 1', 'b0 in turn 2'],
    ...['a2 in turn 3', 'b1 in turn 4', 'b2 in turn 5'],
  ])
})

it('goes on after work that fails', async () => {
  clock.run(work('a', 50))
  const failed = clock.run(() => {
    throw new Error('broken')
  })
  const next = clock.run(work('b', 0))
  await expect(failed).rejects.toThrow('broken')
  expect(await next).toBe('b')
})
