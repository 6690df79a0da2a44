import { beforeEach, expect, it } from 'vitest'
import { Inbox } from '../../../src/live/inbox.js'
import type { Scheduler } from '../../../src/runtime/scheduler.js'

let inbox: Inbox
let received: string[]
let failures: unknown[]
/** Whether this turn has no time left, and functions that begin the later turns. */
let isOver: boolean
let next: (() => void)[]
/** Action of each message, run in addition to its receipt. */
let acts: Record<string, () => void>

beforeEach(() => {
  received = []
  failures = []
  isOver = false
  next = []
  acts = {}
  inbox = new Inbox({
    scheduler: {
      hasTime: () => !isOver,
      next: () => new Promise<void>(resolve => next.push(resolve)),
    } as unknown as Scheduler,
    receive(text) {
      received.push(text)
      acts[text]?.()
    },
    fail: error => failures.push(error),
  })
})

/** Begins the next turn for the inbox, and returns the messages received until the turn ends. */
async function turn(): Promise<readonly string[]> {
  next.shift()?.()
  await new Promise(setImmediate)
  return received
}

it('receives messages at once while turns have time', () => {
  inbox.sharesTurns = true
  expect(inbox.add('a')).toBe(true)
  inbox.add('b')
  expect(received).toEqual(['a', 'b'])
  expect(next).toEqual([])
})

it('receives messages at once, however late it is, where turns are not shared', () => {
  isOver = true
  inbox.add('a')
  expect(received).toEqual(['a'])
})

it('keeps messages in their order while they wait for a turn', async () => {
  inbox.sharesTurns = true
  isOver = true
  inbox.add('a')
  isOver = false
  // There is time again, but one is before it.
  inbox.add('b')
  expect(received).toEqual([])
  expect(await turn()).toEqual(['a', 'b'])
  inbox.add('c')
  expect(received).toEqual(['a', 'b', 'c'])
})

it('receives at least one message in its turn, and the rest in later ones', async () => {
  inbox.sharesTurns = true
  isOver = true
  for (const text of ['a', 'b', 'c']) inbox.add(text)
  expect(await turn()).toEqual(['a'])
  inbox.add('d')
  expect(await turn()).toEqual(['a', 'b'])
  isOver = false
  expect(await turn()).toEqual(['a', 'b', 'c', 'd'])
  expect(next).toEqual([])
})

it('keeps messages until what one of them waits for has happened', async () => {
  let happen = () => {}
  acts.a = () => inbox.hold(new Promise(resolve => (happen = resolve)))
  for (const text of ['a', 'b', 'c']) inbox.add(text)
  expect(received).toEqual(['a'])
  acts.b = acts.a
  happen()
  expect(await turn()).toEqual(['a', 'b'])
  happen()
  expect(await turn()).toEqual(['a', 'b', 'c'])
})

it.each([1024 * 1024, 0])('refuses messages of %i characters once they hold 4 MiB', async length => {
  inbox.hold(turn().then(() => {}))
  const text = 'x'.repeat(length)
  let kept = 0
  while (inbox.add(text)) kept++
  // Each of them counts 64 characters more than it has.
  expect(kept).toBe(Math.floor((4 * 1024 * 1024) / (length + 64)))
  await turn()
  await turn()
  expect(received).toHaveLength(kept)
  expect(inbox.add(text)).toBe(true)
  expect(received).toHaveLength(kept + 1)
})

it('reports what goes wrong with messages that have waited', async () => {
  inbox.hold(Promise.reject(new Error('no account')))
  await turn()
  acts.b = () => {
    throw new Error('broken')
  }
  inbox.sharesTurns = true
  inbox.hold(Promise.resolve())
  inbox.add('b')
  await turn()
  expect(failures.map(String)).toEqual(['Error: no account', 'Error: broken'])
})
