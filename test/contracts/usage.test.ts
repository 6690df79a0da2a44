import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/store.js'
import { daysUntil, firstDayOn, usageDays } from '../../src/store/usage.js'
import { type StoreDriver, type StorePlace, storeDrivers } from '../support/store-drivers.js'

/** What every driver promises. */
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

    test('takes off what turned out to be free', async () => {
      await store.usage.add(first, new Map([['aaaaaaaa', { indicator: 2, bulk: 1 }]]))
      await store.usage.add(first, new Map([['aaaaaaaa', { indicator: -2 }]]))
      expect(await store.usage.ofDay(first)).toEqual(new Map([['aaaaaaaa', { bulk: 1 }]]))
    })

    // Redis forgets a day by itself.
    if (driver.name !== 'a shared store')
      test('forgets days that are too old, and nothing else', async () => {
        const days = daysUntil(1_700_006_400, usageDays + 1)
        const [old, oldest, last] = [days[0], days[1], days.at(-1)] as [string, string, string]
        expect(firstDayOn(last)).toBe(oldest)
        for (const day of [old, oldest]) await store.usage.add(day, new Map([['aaaaaaaa', { bulk: 1 }]]))
        await store.lists.put({ account: 'aaaaaaaa', name: 'mine', text: '[]' }, 1)
        await store.usage.add(last, new Map([['aaaaaaaa', { bulk: 1 }]]))
        expect([...(await store.usage.ofAccount('aaaaaaaa', days)).keys()]).toEqual([oldest, last])
        expect(await store.lists.list()).toHaveLength(1)
      })
  })
}

for (const driver of storeDrivers) keepsUsage(driver)
