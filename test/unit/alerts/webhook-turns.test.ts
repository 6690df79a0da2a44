import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type AttemptEnd, WebhookTurns } from '../../../src/alerts/webhook-turns.js'

/** Turns with the attempts that have begun, by their name, and the functions that end them. */
function scripted(concurrency: number, backoffMs = 60_000) {
  const turns = new WebhookTurns({ concurrency, backoffMs })
  const begun: string[] = []
  const ends = new Map<string, (end: AttemptEnd) => void>()
  const ask = async (name: string, host: string, signal = new AbortController().signal) => {
    const end = await turns.take({ account: name[0] as string, host }, signal)
    if (!end) return
    begun.push(name)
    ends.set(name, end)
  }
  const end = async (name: string, how: AttemptEnd = 'answered') => {
    ends.get(name)?.(how)
    await begin()
  }
  return { begun, ask, end }
}

/** Lets all attempts begin that may begin before a timer runs. */
async function begin(): Promise<void> {
  for (let tick = 0; tick < 10; tick++) await Promise.resolve()
}

const many = (account: string, count: number) => Array.from({ length: count }, (_, at) => `${account}${at}`)

describe('turns of webhooks', () => {
  test('are a quarter of all for one account, and half for accounts beyond one each', async () => {
    const { begun, ask } = scripted(16)
    for (const name of many('a', 9)) void ask(name, name)
    await begin()
    expect(begun).toEqual(many('a', 4))
    for (const name of many('b', 9)) void ask(name, name)
    for (const name of many('c', 9)) void ask(name, name)
    await begin()
    expect(begun).toEqual([...many('a', 4), ...many('b', 4), 'c0'])
    for (const account of 'defghijk') void ask(`${account}0`, account)
    await begin()
    expect(begun).toHaveLength(16)
  })

  test('pass from account to account, and within one from host to host', async () => {
    const { begun, ask, end } = scripted(1)
    for (const name of ['a0', 'a1', 'a2']) void ask(name, 'one')
    void ask('a3', 'two')
    for (const name of ['b0', 'b1']) void ask(name, 'one')
    await begin()
    for (let at = 0; at < 6; at++) await end(begun[at] as string)
    expect(begun).toEqual(['a0', 'a1', 'b0', 'a3', 'b1', 'a2'])
  })

  test('are half of all for one host, whoever asks, and those of other hosts go on', async () => {
    const { begun, ask, end } = scripted(8)
    for (const account of 'abcdef') void ask(`${account}0`, 'busy')
    void ask('g0', 'other')
    await begin()
    expect(begun).toEqual(['a0', 'b0', 'c0', 'd0', 'g0'])
    await end('b0')
    expect(begun.slice(5)).toEqual(['e0'])
  })

  test('to a host that was silent wait, one at a time, until it has answered', async () => {
    const { begun, ask, end } = scripted(16, 20)
    const waiting = many('a', 6).map(name => ask(name, 'silent'))
    await begin()
    for (const name of many('a', 4)) await end(name, 'silent')
    expect(begun).toHaveLength(4)
    void ask('a6', 'other')
    void ask('b0', 'silent')
    await begin()
    expect(begun.slice(4), 'neither another host nor another account waits').toEqual(['a6', 'b0'])
    await waiting[4]
    await sleep(50)
    expect(begun.slice(6)).toEqual(['a4'])
    await end('a4')
    expect(begun.slice(6)).toEqual(['a4', 'a5'])
  })

  test('that nobody wants any more are not taken, and keep nothing back', async () => {
    const { begun, ask, end } = scripted(1)
    const leaving = new AbortController()
    void ask('a0', 'one')
    const left = ask('a1', 'one', leaving.signal)
    void ask('b0', 'one')
    leaving.abort()
    await left
    await end('a0', 'not made')
    expect(begun).toEqual(['a0', 'b0'])
    await ask('b1', 'one', leaving.signal)
    expect(begun).toHaveLength(2)
  })
})
