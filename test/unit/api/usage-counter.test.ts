import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { UsageCounter } from '../../../src/api/usage-counter.js'
import { type RequestCounts, type UsageStore, usageOf } from '../../../src/store/usage.js'

let stored: [day: string, accounts: number, first: unknown][]
let failure: Error | undefined
let faults: unknown[]
let usage: UsageCounter
const store: UsageStore = {
  async add(day, requests) {
    if (failure) throw failure
    stored.push([day, requests.size, [...requests][0]])
  },
  ofDay: async () => new Map(),
  ofAccount: async () => new Map(),
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  ;[stored, faults, failure] = [[], [], undefined]
  usage = new UsageCounter({ store, clock: () => 1_700_006_400, onFault: error => faults.push(error) })
})
afterEach(async () => {
  await usage.close()
  vi.useRealTimers()
})

it('stores what was counted every ten seconds, once', async () => {
  usage.count('a', 'indicator')
  usage.count('a', 'indicator')
  usage.count('a', 'bulk', 20)
  usage.count('a', 'indicator', -1)
  await vi.advanceTimersByTimeAsync(9999)
  expect(stored).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  const expected = ['2023-11-15', 1, ['a', { indicator: 1, bulk: 20 }]]
  expect(stored).toEqual([expected])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(stored).toEqual([expected])
})

it('keeps what could not be stored, with what is counted meanwhile', async () => {
  usage.count('a', 'bulk')
  failure = new Error('the disk is full')
  await usage.flush()
  expect(faults).toEqual([failure])
  usage.count('a', 'bulk')
  failure = undefined
  await usage.flush()
  expect(stored).toEqual([['2023-11-15', 1, ['a', { bulk: 2 }]]])
})

it('stores those of many accounts in steps, and those of an end', async () => {
  for (let at = 0; at < 450; at++) usage.count(`account ${at}`, 'bulk')
  await usage.close()
  expect(stored.map(([, accounts]) => accounts)).toEqual([200, 200, 50])
})

it('is read by day, and on a day in the order of the accounts', async () => {
  const days: Readonly<Record<string, ReadonlyMap<string, RequestCounts>>> = {
    d1: new Map([
      ['b', { bulk: 1 }],
      ['a', { bulk: 2 }],
    ]),
    d2: new Map([['a', { bulk: 3 }]]),
  }
  const read = { ...store, ofDay: async (day: string) => days[day] as never }
  const rows: string[] = []
  for await (const { day, id, requests } of usageOf(read, ['d1', 'd2']))
    rows.push(`${day} ${id} ${requests.bulk}`)
  expect(rows).toEqual(['d1 a 2', 'd1 b 1', 'd2 a 3'])
})
