import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { AttemptSlots, type Result } from '../../../src/alerts/deliveries.js'
import { SilentReceiver } from '../../../src/alerts/webhook.js'

const silence = new SilentReceiver(10_000, {})

/** Slots with the attempts that have begun, by their name; the first letter of a name is the account. */
function scripted(backoffMs = 60_000) {
  const slots = new AttemptSlots(backoffMs)
  const begun: string[] = []
  const hosts = new Map<string, string>()
  const destinationOf = (name: string) => ({ account: name[0] as string, host: hosts.get(name) as string })
  const ask = (name: string, host: string) => {
    hosts.set(name, host)
    slots.request(destinationOf(name), () => begun.push(name))
  }
  const end = (name: string, result: Result = 'delivered') => slots.release(destinationOf(name), result)
  return { begun, ask, end }
}

const many = (account: string, count: number) => Array.from({ length: count }, (_, at) => `${account}${at}`)
/** Accounts with one letter each. */
const accounts = (count: number) => Array.from({ length: count }, (_, at) => String.fromCharCode(0x4e00 + at))

describe('slots of attempts', () => {
  test('are a quarter of all for one account, and half for accounts beyond one each', () => {
    const { begun, ask } = scripted()
    for (const name of many('a', 20)) ask(name, name)
    expect(begun).toEqual(many('a', 16))
    for (const name of many('b', 20)) ask(name, name)
    for (const name of many('c', 20)) ask(name, name)
    expect(begun).toEqual([...many('a', 16), ...many('b', 16), 'c0'])
    for (const account of accounts(40)) ask(`${account}0`, account)
    expect(begun).toHaveLength(64)
  })

  test('pass from account to account, and within one from host to host', () => {
    const { begun, ask, end } = scripted()
    const others = accounts(64)
    for (const account of others) ask(account, account)
    for (const name of ['a0', 'a1', 'a2']) ask(name, 'one')
    ask('a3', 'two')
    for (const name of ['b0', 'b1']) ask(name, 'one')
    expect(begun).toEqual(others)
    // Only accounts without an attempt may begin one, so each ends before the next one begins.
    end(others[0] as string)
    for (const name of ['a0', 'b0', 'a3', 'b1']) end(name)
    expect(begun.slice(64)).toEqual(['a0', 'b0', 'a3', 'b1', 'a1'])
  })

  test('are half of all for one host, whoever asks, and those of other hosts go on', () => {
    const { begun, ask, end } = scripted()
    const callers = accounts(40)
    for (const account of callers) ask(account, 'busy')
    ask('g0', 'other')
    expect(begun).toEqual([...callers.slice(0, 32), 'g0'])
    end(callers[1] as string)
    expect(begun.slice(33)).toEqual([callers[32]])
  })

  test('at a host that was silent are given one at a time after a pause, until it has answered', async () => {
    const { begun, ask, end } = scripted(20)
    for (const name of many('a', 18)) ask(name, 'silent')
    for (const name of many('a', 16)) end(name, silence)
    expect(begun).toHaveLength(16)
    ask('a18', 'other')
    ask('b0', 'silent')
    expect(begun.slice(16), 'neither another host nor another account waits').toEqual(['a18', 'b0'])
    while (begun.length < 19) await sleep(5)
    expect(begun.slice(18)).toEqual(['a16'])
    end('a16', new Error('status 500'))
    expect(begun.slice(18)).toEqual(['a16', 'a17'])
  })

  test('that were not used say nothing about a host', async () => {
    const { begun, ask, end } = scripted(20)
    for (const name of many('a', 3)) ask(name, 'silent')
    for (const name of many('a', 3)) end(name, silence)
    for (const name of ['a3', 'a4', 'a5']) ask(name, 'silent')
    while (begun.length < 4) await sleep(5)
    end('a3', 'unwanted')
    expect(begun.slice(3)).toEqual(['a3', 'a4'])
  })
})
