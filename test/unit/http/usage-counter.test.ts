import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { usageOf } from '../../../src/contract/accounts.js'
import type { RequestCounts, UsageStore } from '../../../src/contract/storage/stores.js'
import { UsageCounter } from '../../../src/http/admission.js'

let stored: [day: string, accounts: number, first: unknown][]
let forgotten: (string | undefined)[]
let oldest: number
let failure: Error | undefined
let faults: unknown[]
let usage: UsageCounter
const store: UsageStore = {
  async add(day, requests, before) {
    if (failure) throw failure
    forgotten.push(before)
    stored.push([day, requests.size, [...requests][0]])
  },
  countOfDay: async () => 0,
  ofDay: async () => new Map(),
  ofAccount: async () => new Map(),
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  ;[stored, forgotten, faults, failure, oldest] = [[], [], [], undefined, 1_700_006_400]
  const ages = { before: (seconds: number) => oldest - seconds }
  usage = new UsageCounter({ store, clock: () => 1_700_006_400, ages, onFault: error => faults.push(error) })
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

it('forgets days by the time that has passed, and none while that is not certain', async () => {
  usage.count('a', 'bulk')
  await usage.flush()
  oldest = Number.NEGATIVE_INFINITY
  usage.count('a', 'bulk')
  await usage.flush()
  // 92 days, the present one included.
  expect(forgotten).toEqual(['2023-08-16', undefined])
})

describe('the rows of some days', () => {
  const days: Readonly<Record<string, readonly (readonly [string, RequestCounts])[]>> = {
    d1: [
      ['a', { bulk: 2 }],
      ['b', { bulk: 1 }],
    ],
    d2: [['a', { bulk: 3 }]],
    d3: [],
    d4: ['a', 'b', 'c'].map((id, at) => [id, { bulk: 4 + at }] as const),
  }
  let read: string[]
  const counted = {
    ...store,
    countOfDay: async (day: string) => {
      read.push(`count ${day}`)
      return days[day]?.length ?? 0
    },
    ofDay: async (day: string, offset = 0, limit = Number.POSITIVE_INFINITY) => {
      const rows = (days[day] ?? []).slice(offset, offset + limit)
      read.push(`${rows.length} of ${day}`)
      return new Map(rows)
    },
    ofAccount: async () => new Map([...Object.keys(days)].map((day, at) => [day, { bulk: at }])),
  }
  const rowsOf = async (page: object) => {
    read = []
    const rows: string[] = []
    for await (const { day, id, requests } of usageOf(counted, Object.keys(days), page))
      rows.push(`${day} ${id} ${requests.bulk}`)
    return rows
  }
  const all = ['d1 a 2', 'd1 b 1', 'd2 a 3', 'd4 a 4', 'd4 b 5', 'd4 c 6']

  it('are read by day, and on a day in the order of the accounts', async () => {
    expect(await rowsOf({})).toEqual(all)
    expect(await rowsOf({ account: 'x', offset: 1, limit: 2 })).toEqual(['d2 x 1', 'd3 x 2'])
  })

  it('are read from an offset on, and no others', async () => {
    for (let offset = 0; offset <= 7; offset++)
      for (let limit = 1; limit <= 7; limit++)
        expect(await rowsOf({ offset, limit }), `${offset} ${limit}`).toEqual(
          all.slice(offset, offset + limit),
        )
    expect(await rowsOf({ offset: 4, limit: 1 })).toEqual(['d4 b 5'])
    expect(read).toEqual(['count d1', 'count d2', 'count d3', 'count d4', '1 of d4'])
    await rowsOf({ limit: 2 })
    expect(read).toEqual(['2 of d1'])
  })
})
