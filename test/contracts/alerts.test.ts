import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type AlertFire, type AlertStore, maxDeadLetters } from '../../src/contract/storage/alerts.js'
import type { Store } from '../../src/contract/storage/stores.js'
import { type StoreDriver, type StorePlace, storeDrivers } from '../support/store-drivers.js'

const bounds = { perAccount: 2, total: 3 }
const none = new Map<string, number>()
const alertOf = (id: string, account = 'a', text = `{"id":"${id}"}`) => ({ id, account, text })
const fireOf = (alert: string, candle: number, isDead = false, account = 'a'): AlertFire => ({
  alert,
  account,
  candle,
  text: `${alert}/${candle} é`,
  isDead,
})
const byId = <Item extends { readonly id: string }>(items: readonly Item[]) =>
  [...items].sort((a, b) => (a.id < b.id ? -1 : 1))

/** Contract of every driver. */
function keepsAlerts(driver: StoreDriver): void {
  describe(`alerts in ${driver.name}`, () => {
    let place: StorePlace
    let store: Store
    let alerts: AlertStore
    const reopen = async () => {
      await store.close()
      store = await place.open()
      alerts = store.alerts
    }

    beforeEach(async () => {
      place = driver.place()
      store = await place.open()
      alerts = store.alerts
    })
    afterEach(async () => {
      await store.close()
      place.remove()
    })

    // Several processes have the embedded store as well, where `npm test` shows this.
    describe('for one process', driver.hasOwner ? { tags: ['faults'] } : {}, () => {
      test('a new place is empty', async () => {
        expect(await alerts.state()).toEqual({ alerts: [], fired: none, checkpoints: none, due: [] })
        expect(await alerts.list()).toEqual([])
        expect(await alerts.deadLetters('a')).toEqual([])
        expect(await alerts.parts('a', 'x')).toEqual([])
      })

      test('alerts belong to one account each, and survive a restart', async () => {
        expect(await alerts.add([alertOf('x')], bounds)).toBeUndefined()
        expect(await alerts.add([alertOf('y', 'b', 'é/"')], bounds)).toBeUndefined()
        await reopen()
        expect(await alerts.parts('a', 'x')).toEqual([alertOf('x')])
        expect(await alerts.parts('b', 'x')).toEqual([])
        expect(await alerts.list('b')).toEqual([alertOf('y', 'b', 'é/"')])
        expect(byId(await alerts.list())).toEqual([alertOf('x'), alertOf('y', 'b', 'é/"')])
        expect(byId((await alerts.state()).alerts)).toEqual([alertOf('x'), alertOf('y', 'b', 'é/"')])
      })

      test('alerts are changed and removed by their account alone', async () => {
        await alerts.add([alertOf('x')], bounds)
        expect(await alerts.replace([alertOf('x', 'b', 'stolen')])).toBe(false)
        expect(await alerts.replace([alertOf('x', 'a', 'new')])).toBe(true)
        expect(await alerts.parts('a', 'x')).toEqual([alertOf('x', 'a', 'new')])
        expect(await alerts.remove('b', ['x'])).toBe(false)
        expect(await alerts.remove('a', ['x'])).toBe(true)
        expect(await alerts.remove('a', ['x'])).toBe(false)
        expect(await alerts.list()).toEqual([])
      })

      test('the newest candles are known at which some alerts have fired', async () => {
        await alerts.add([alertOf('x'), alertOf('y')], bounds)
        await alerts.commit({ checkpoints: none, fires: [fireOf('x', 60), fireOf('x', 120)] })
        expect(await alerts.fired(['x', 'y', 'gone'])).toEqual(new Map([['x', 120]]))
        expect(await alerts.fired([])).toEqual(none)
      })

      test('bounds hold for each account and in total, also when many are added at once', async () => {
        const outcomes = await Promise.all(
          ['1', '2', '3', '4'].map(id => alerts.add([alertOf(id, 'a')], bounds)),
        )
        expect(outcomes.filter(outcome => outcome === undefined)).toHaveLength(2)
        expect(outcomes.filter(outcome => outcome === 'account')).toHaveLength(2)
        expect(await alerts.add([alertOf('5', 'b')], bounds)).toBeUndefined()
        expect(await alerts.add([alertOf('6', 'b')], bounds)).toBe('total')
        await alerts.remove('b', ['5'])
        expect(await alerts.add([alertOf('6', 'b')], bounds)).toBeUndefined()
      })

      test('several alerts are added, changed and removed together or not at all', async () => {
        const [x, y, z] = [alertOf('x'), alertOf('x:Y'), alertOf('z', 'b')]
        expect(await alerts.add([x, y, alertOf('x:Z')], bounds)).toBe('account')
        expect(await alerts.add([x, y], { perAccount: 9, total: 1 })).toBe('total')
        expect(await alerts.list()).toEqual([])
        expect(await alerts.add([x, y], bounds)).toBeUndefined()
        await alerts.add([z], bounds)
        const changed = [x, y].map(each => ({ ...each, text: 'new' }))
        expect(await alerts.replace([...changed, alertOf('none')])).toBe(false)
        expect(byId(await alerts.list())).toEqual([x, y, z])
        expect(await alerts.replace(changed)).toBe(true)
        await alerts.commit({
          checkpoints: none,
          fires: [fireOf('x', 60), fireOf('x:Y', 120), fireOf('z', 60, false, 'b')],
        })
        await reopen()
        const { alerts: all, fired } = await alerts.state()
        expect(byId(all)).toEqual([...changed, z])
        expect(fired).toEqual(new Map(Object.entries({ x: 60, 'x:Y': 120, z: 60 })))
        expect(await alerts.remove('a', ['x', 'z', 'x:Y', 'none'])).toBe(true)
        expect(await alerts.remove('a', ['x', 'none'])).toBe(false)
        const left = await alerts.state()
        expect(left.alerts).toEqual([z])
        expect(left.fired).toEqual(new Map([['z', 60]]))
      })

      test('an alert is found with all whose ids continue its own', async () => {
        const ids = ['x', 'x:Y', 'x:币', 'x*', 'x*:Y', 'xy:Y', 'w:x:Y']
        await alerts.add(
          ids.map(id => alertOf(id)),
          { perAccount: 99, total: 99 },
        )
        await alerts.add([alertOf('x:Z', 'b')], { perAccount: 99, total: 99 })
        const found = async (id: string) => (await alerts.parts('a', id)).map(part => part.id).sort()
        expect(await found('x')).toEqual(['x', 'x:Y', 'x:币'])
        expect(await found('x*')).toEqual(['x*', 'x*:Y'])
        expect(await found('x:Y')).toEqual(['x:Y'])
        expect(await found('w')).toEqual(['w:x:Y'])
        expect(await found('none')).toEqual([])
        expect((await alerts.parts('a', 'x:Y'))[0]).toEqual(alertOf('x:Y'))
      })

      test('thousands of alerts are listed', async () => {
        const ids = Array.from({ length: 2000 }, (_, at) => `id${String(at).padStart(4, '0')}`)
        const many = { perAccount: 2000, total: 6000 }
        for (const account of ['a', 'b', 'c'])
          await alerts.add(
            ids.map(id => alertOf(`${account}${id}`, account)),
            many,
          )
        const expected = ids.map(id => alertOf(`b${id}`, 'b'))
        expect(byId(await alerts.list('b'))).toEqual(expected)
        expect(await alerts.list()).toHaveLength(6000)
        expect((await alerts.state()).alerts).toHaveLength(6000)
        expect(await alerts.parts('b', 'bid1234')).toEqual([alertOf('bid1234', 'b')])
      })

      test('an alert is added beside another one only while this is as it was', async () => {
        const [x, y] = [alertOf('x'), alertOf('y')]
        expect(await alerts.add([y], bounds, x)).toBe('beside')
        await alerts.add([x], bounds)
        expect(await alerts.add([y], bounds, { ...x, text: 'other' })).toBe('beside')
        expect(await alerts.list()).toEqual([x])
        expect(await alerts.add([y], bounds, x)).toBeUndefined()
        expect(byId(await alerts.list())).toEqual([x, y])
      })

      test('an alert fires once per candle, in their order, with its delivery', async () => {
        await alerts.add([alertOf('x')], bounds)
        const checkpoints = new Map([['demo:BTCUSDT:1h', 7200]])
        const [first, second, again, earlier] = await alerts.commit({
          checkpoints,
          fires: [fireOf('x', 3600), fireOf('x', 7200), fireOf('x', 7200), fireOf('x', 60)],
        })
        expect(second).toBeGreaterThan(first as number)
        expect([again, earlier]).toEqual([undefined, undefined])
        expect(await alerts.commit({ checkpoints: none, fires: [fireOf('x', 7200)] })).toEqual([undefined])
        await reopen()
        expect(await alerts.commit({ checkpoints: none, fires: [fireOf('x', 7200)] })).toEqual([undefined])
        expect(await alerts.state()).toEqual({
          alerts: [alertOf('x')],
          fired: new Map([['x', 7200]]),
          checkpoints,
          due: [
            { number: first, account: 'a', text: 'x/3600 é' },
            { number: second, account: 'a', text: 'x/7200 é' },
          ],
        })
      })

      test('a void fire is taken back where it is the newest one, and the alert fires after it again', async () => {
        await alerts.add([alertOf('x'), alertOf('y')], bounds)
        await alerts.commit({ checkpoints: none, fires: [fireOf('x', 3600), fireOf('y', 7200)] })
        const voidFires = [
          { alert: 'x', candle: 3600, after: 120 },
          { alert: 'y', candle: 3600, after: 120 },
          { alert: 'z', candle: 3600, after: 120 },
        ]
        const [first, second, other] = await alerts.commit({
          checkpoints: new Map([['m', 60]]),
          voidFires,
          fires: [fireOf('x', 120), fireOf('x', 180), fireOf('y', 180)],
        })
        expect([first, other]).toEqual([undefined, undefined])
        expect(second).toEqual(expect.any(Number))
        await reopen()
        const { fired, checkpoints } = await alerts.state()
        expect(fired).toEqual(new Map(Object.entries({ x: 180, y: 7200 })))
        expect(checkpoints).toEqual(new Map([['m', 60]]))
      })

      test('an alert that is gone, or of another account, does not fire', async () => {
        await alerts.add([alertOf('x')], bounds)
        expect(await alerts.commit({ checkpoints: none, fires: [fireOf('x', 60, false, 'b')] })).toEqual([
          undefined,
        ])
        await alerts.commit({ checkpoints: none, fires: [fireOf('x', 60)] })
        await alerts.remove('a', ['x'])
        expect(await alerts.commit({ checkpoints: none, fires: [fireOf('x', 120)] })).toEqual([undefined])
        const { fired, due } = await alerts.state()
        expect(fired).toEqual(none)
        expect(due).toHaveLength(1)
      })

      test('checkpoints may go back, and are forgotten on request', async () => {
        await alerts.commit({ checkpoints: new Map(Object.entries({ m: 120, n: 60 })), fires: [] })
        await alerts.commit({ checkpoints: new Map([['m', 60]]), fires: [] })
        expect((await alerts.state()).checkpoints).toEqual(new Map(Object.entries({ m: 60, n: 60 })))
        await alerts.forget(['m', 'unknown'])
        await alerts.forget([])
        expect((await alerts.state()).checkpoints).toEqual(new Map([['n', 60]]))
      })

      test('what is delivered is due no more; what is given up becomes a dead letter once', async () => {
        await alerts.add([alertOf('x')], bounds)
        await alerts.commit({ checkpoints: none, fires: [1, 2, 3].map(candle => fireOf('x', candle)) })
        const [one, two, three] = (await alerts.state()).due
        if (!one || !two || !three) return expect.fail('three are due')
        await alerts.acknowledge([])
        await alerts.acknowledge([one])
        await alerts.deadLetter(two, 'dead 2')
        await alerts.deadLetter(two, 'dead 2 again')
        await alerts.deadLetter(one, 'was delivered')
        await reopen()
        expect((await alerts.state()).due).toEqual([three])
        await alerts.deadLetter(three, 'dead 3')
        expect(await alerts.deadLetters('a')).toEqual(['dead 3', 'dead 2'])
        expect(await alerts.deadLetters('b')).toEqual([])
      })

      test('many that are due are settled together', async () => {
        await alerts.add([alertOf('x')], bounds)
        const fires = Array.from({ length: 1000 }, (_, candle) => fireOf('x', candle))
        await alerts.commit({ checkpoints: none, fires })
        const { due } = await alerts.state()
        await alerts.acknowledge([...due.slice(1), ...due.slice(1)])
        await reopen()
        expect((await alerts.state()).due).toEqual(due.slice(0, 1))
        expect(await alerts.deadLetters('a')).toEqual([])
      })

      test('the newest dead letters are kept', async () => {
        await alerts.add([alertOf('x')], bounds)
        const candles = Array.from({ length: maxDeadLetters + 2 }, (_, at) => at + 1)
        const numbers = await alerts.commit({
          checkpoints: none,
          fires: candles.map(candle => fireOf('x', candle, true)),
        })
        expect(numbers.every(number => number === undefined)).toBe(true)
        const dead = await alerts.deadLetters('a')
        expect(dead).toHaveLength(maxDeadLetters)
        expect([dead[0], dead.at(-1)]).toEqual([`x/${maxDeadLetters + 2} é`, 'x/3 é'])
        expect((await alerts.state()).due).toEqual([])
      })

      test('an alert of another store is restored with what it has done there, whatever the bounds', async () => {
        await alerts.add([alertOf('x')], { perAccount: 1, total: 1 })
        await alerts.commit({ checkpoints: none, fires: [fireOf('x', 60), fireOf('x', 120, true)] })
        const history = { fired: 300, due: ['one é', 'two'], dead: ['old', 'new'] }
        await alerts.restore(alertOf('y', 'a', 'é'), history)
        await alerts.restore(alertOf('z', 'b'), { fired: undefined, due: [], dead: [] })
        await reopen()
        const { alerts: all, fired, due } = await alerts.state()
        expect(byId(all)).toEqual([alertOf('x'), alertOf('y', 'a', 'é'), alertOf('z', 'b')])
        expect(fired).toEqual(
          new Map([
            ['x', 120],
            ['y', 300],
          ]),
        )
        expect(due.map(({ account, text }) => [account, text])).toEqual([
          ['a', 'x/60 é'],
          ['a', 'one é'],
          ['a', 'two'],
        ])
        expect(due.map(({ number }) => number)).toEqual(due.map(({ number }) => number).sort((a, b) => a - b))
        expect(await alerts.deadLetters('a')).toEqual(['new', 'old', 'x/120 é'])
        expect(
          await alerts.commit({ checkpoints: none, fires: [fireOf('y', 300), fireOf('y', 360)] }),
        ).toEqual([undefined, expect.any(Number)])

        await alerts.restore(alertOf('y', 'a', 'other'), { fired: 60, due: [], dead: [] })
        expect(await alerts.parts('a', 'y')).toEqual([alertOf('y', 'a', 'other')])
        expect((await alerts.state()).fired.get('y'), 'it never goes back').toBe(360)
        expect(await alerts.remove('a', ['y'])).toBe(true)
        expect((await alerts.state()).fired.get('y')).toBeUndefined()
      })

      test('named lists belong to one account each, are bounded, and survive a restart', async () => {
        const list = (name: string, text: string, account = 'a') => ({ account, name, text })
        expect([await store.lists.list(), await store.lists.find('a', 'x')]).toEqual([[], undefined])
        expect(await store.lists.put(list('y', '["B"]'), 2)).toBe(true)
        expect(await store.lists.put(list('x', '["é"]'), 2)).toBe(true)
        expect(await store.lists.put(list('z', '[]'), 2)).toBe(false)
        expect(await store.lists.put(list('y', '["C"]'), 2)).toBe(true)
        expect(await store.lists.put(list('x', '["D"]', 'b'), 2)).toBe(true)
        await alerts.add([alertOf('x')], bounds)
        await reopen()
        expect(await store.lists.list('a')).toEqual([list('x', '["é"]'), list('y', '["C"]')])
        expect(await store.lists.list()).toEqual([
          list('x', '["é"]'),
          list('y', '["C"]'),
          list('x', '["D"]', 'b'),
        ])
        expect(await store.lists.remove('b', 'y')).toBe(false)
        expect([await store.lists.remove('a', 'y'), await store.lists.remove('a', 'y')]).toEqual([
          true,
          false,
        ])
        expect([await store.lists.find('a', 'y'), await store.lists.find('b', 'x')]).toEqual([
          undefined,
          '["D"]',
        ])
        expect(await alerts.list()).toEqual([alertOf('x')])
      })
    })

    test('one process at a time runs them, and learns of changes', async () => {
      const before = await alerts.lease()
      expect(before.isHeld).toBe(true)
      if (!driver.isShared) return
      const other = await place.open()
      try {
        expect(await other.alerts.lease()).toMatchObject({ isHeld: false })
        await other.alerts.add([alertOf('x')], bounds)
        const after = await alerts.lease()
        expect(after.isHeld).toBe(true)
        expect(after.version).toBeGreaterThan(before.version)
        await other.alerts.release()
        expect(await other.alerts.lease()).toMatchObject({ isHeld: false })
        if (driver.hasOwner) return
        await alerts.release()
        expect(await other.alerts.lease()).toMatchObject({ isHeld: true, version: after.version })
        expect(await alerts.lease()).toMatchObject({ isHeld: false })
      } finally {
        await other.close()
      }
    })

    test('texts are heard by all processes', async () => {
      const stores = driver.isShared ? [store, await place.open()] : [store]
      const heard = stores.map(each => new Promise(resolve => each.alerts.listen(resolve)))
      alerts.send('hello é')
      expect(await Promise.all(heard)).toEqual(stores.map(() => 'hello é'))
      for (const each of stores.slice(1)) await each.close()
    })
  })
}

for (const driver of storeDrivers()) keepsAlerts(driver)
