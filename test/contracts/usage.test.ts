import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { daysUntil, usageDays } from '../../src/contract/accounts.js'
import type { Store } from '../../src/contract/storage/stores.js'
import { type StoreDriver, type StorePlace, storeDrivers } from '../support/store-drivers.js'

/** Contract of every driver. */
function keepsUsage(driver: StoreDriver): void {
  describe(`the usage of keys in ${driver.name}`, () => {
    let place: StorePlace
    let store: Store
    beforeEach(async () => {
      place = driver.place()
      store = await place.open()
    })
    afterEach(async () => {
      await store.close()
      place.remove()
    })
    const [first, second, third] = daysUntil(1_700_006_400, 3) as [string, string, string]

    test('adds up what all processes count, by day, account and kind', async () => {
      const other = await place.open()
      expect(await store.usage.ofDay(first)).toEqual(new Map())
      await store.usage.add(first, new Map([['aaaaaaaa', { indicator: 2, refused: 1 }]]))
      await Promise.all([
        store.usage.add(first, new Map([['aaaaaaaa', { indicator: 3 }]])),
        other.usage.add(
          first,
          new Map([
            ['aaaaaaaa', { bulk: 1 }],
            ['bbbbbbbb', { candles: 9_000_000_000 }],
          ]),
        ),
      ])
      await other.usage.add(third, new Map([['aaaaaaaa', { bulk: 1 }]]))
      expect(await store.usage.ofDay(first)).toEqual(
        new Map([
          ['aaaaaaaa', { indicator: 5, refused: 1, bulk: 1 }],
          ['bbbbbbbb', { candles: 9_000_000_000 }],
        ]),
      )
      expect(await store.usage.ofAccount('aaaaaaaa', [first, second, third])).toEqual(
        new Map([
          [first, { indicator: 5, refused: 1, bulk: 1 }],
          [third, { bulk: 1 }],
        ]),
      )
      expect(await store.usage.ofAccount('cccccccc', [first])).toEqual(new Map())
      await other.close()
    })

    test('reads a part of a day in the order of the accounts', async () => {
      const ids = Array.from({ length: 1203 }, (_, at) => (at * 7919 + 4096).toString(16).padStart(8, '0'))
      const sorted = [...ids].sort()
      for (let from = 0; from < ids.length; from += 300)
        await store.usage.add(first, new Map(ids.slice(from, from + 300).map(id => [id, { bulk: 1 }])))
      await store.usage.add(second, new Map([['aaaaaaaa', { bulk: 1 }]]))
      expect(await store.usage.countOfDay(first)).toBe(1203)
      expect(await store.usage.countOfDay(third)).toBe(0)
      expect([...(await store.usage.ofDay(first)).keys()]).toEqual(sorted)
      for (const [offset, limit] of [
        [0, 1],
        [499, 2],
        [500, 501],
        [1200, 10],
        [1203, 1],
      ] as const)
        expect([...(await store.usage.ofDay(first, offset, limit)).keys()], `${offset}`).toEqual(
          sorted.slice(offset, offset + limit),
        )
    })

    test('takes off what turned out to be free', async () => {
      await store.usage.add(first, new Map([['aaaaaaaa', { indicator: 2, bulk: 1 }]]))
      await store.usage.add(first, new Map([['aaaaaaaa', { indicator: -2 }]]))
      expect(await store.usage.ofDay(first)).toEqual(new Map([['aaaaaaaa', { bulk: 1 }]]))
    })

    test('forgets days that are too old, and nothing else', async () => {
      const days = daysUntil(1_700_006_400, usageDays + 1)
      const [old, oldest, last] = [days[0], days[1], days.at(-1)] as [string, string, string]
      for (const day of [old, oldest]) await store.usage.add(day, new Map([['aaaaaaaa', { bulk: 1 }]]))
      await store.lists.put({ account: 'aaaaaaaa', name: 'mine', text: '[]' }, 1)
      await store.usage.add(last, new Map([['aaaaaaaa', { bulk: 1 }]]))
      expect(await store.usage.countOfDay(old), 'nothing is forgotten unasked').toBe(1)
      await store.usage.add(last, new Map([['aaaaaaaa', { bulk: 1 }]]), oldest)
      expect([...(await store.usage.ofAccount('aaaaaaaa', days)).keys()]).toEqual([oldest, last])
      expect(await store.lists.list()).toHaveLength(1)
    })
  })
}

for (const driver of storeDrivers()) keepsUsage(driver)
