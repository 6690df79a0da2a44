import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Account } from '../../src/contract/account.js'
import type { Store } from '../../src/contract/storage/stores.js'
import { type StoreDriver, type StorePlace, storeDrivers } from '../support/store-drivers.js'

const accountOf = (requests: number, id = 'a', subscriptions = 2) =>
  ({ id, requests, subscriptions }) as Account

/** Timeout for changes that another node makes. No test here measures the delay. */
const inTime = { timeout: 10_000 }

let place: StorePlace
let store: Store

function setUp(driver: StoreDriver): void {
  beforeEach(async () => {
    place = driver.place()
    store = await place.open()
  })
  afterEach(async () => {
    await store.close()
    place.remove()
  })
}

/** Contract of every driver. */
function countsRequests(driver: StoreDriver): void {
  describe(`windows in ${driver.name}`, () => {
    setUp(driver)

    test('begin with the first request and last 15 seconds', async () => {
      const account = accountOf(2)
      expect(await store.rateWindows.peek(account)).toMatchObject({ allowed: true, remaining: 2, reset: 15 })
      expect(await store.rateWindows.take(account)).toMatchObject({ allowed: true, remaining: 1, reset: 15 })
      await place.age('a', 6_000)
      expect(await store.rateWindows.take(account)).toMatchObject({ allowed: true, remaining: 0, reset: 9 })
      expect(await store.rateWindows.take(account)).toMatchObject({ allowed: false, remaining: 0, reset: 9 })
      expect(await store.rateWindows.peek(account)).toMatchObject({ allowed: true, remaining: 0, reset: 9 })
      await place.age('a', 9_000)
      expect(await store.rateWindows.take(account)).toMatchObject({ allowed: true, remaining: 1, reset: 15 })
    })

    test('belong to one account each', async () => {
      expect(await store.rateWindows.take(accountOf(1, 'a'))).toMatchObject({ allowed: true })
      expect(await store.rateWindows.take(accountOf(1, 'b'))).toMatchObject({ allowed: true })
      expect(await store.rateWindows.take(accountOf(1, 'a'))).toMatchObject({ allowed: false })
    })

    test('answer requests that arrive together in their order', async () => {
      const uses = await Promise.all(
        Array.from({ length: 12 }, (_, at) => store.rateWindows.take(accountOf(3, at % 2 === 0 ? 'a' : 'b'))),
      )
      for (const own of [uses.filter((_, at) => at % 2 === 0), uses.filter((_, at) => at % 2 === 1)]) {
        expect(own.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false, false])
        expect(own.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0, 0, 0])
      }
    })

    test('count several requests at once, or none where fewer are left', async () => {
      const account = accountOf(5)
      expect(await store.rateWindows.take(account, 3)).toMatchObject({ allowed: true, remaining: 2 })
      expect(await store.rateWindows.take(account, 3)).toMatchObject({ allowed: false, remaining: 2 })
      expect(await store.rateWindows.take(account)).toMatchObject({ allowed: true, remaining: 1 })
      expect(await store.rateWindows.take(account, 1)).toMatchObject({ allowed: true, remaining: 0 })
    })

    test('take a request back that costs nothing, in its own window only', async () => {
      const account = accountOf(1)
      for (let time = 0; time < 3; time++) {
        const use = await store.rateWindows.take(account)
        expect(use).toMatchObject({ allowed: true, remaining: 0 })
        expect(store.rateWindows.refund(account, use)).toMatchObject({ remaining: 1 })
      }
      const late = await store.rateWindows.take(account)
      store.rateWindows.refund(account, await store.rateWindows.take(account))
      expect(await store.rateWindows.take(account), 'a refused one gives nothing back').toMatchObject({
        allowed: false,
      })
      await place.age('a', 15_000)
      expect(await store.rateWindows.take(account)).toMatchObject({ allowed: true })
      store.rateWindows.refund(account, late)
      expect(await store.rateWindows.take(account)).toMatchObject({ allowed: false })
    })

    test('with a limit that is lowered have 0 requests left, not fewer', async () => {
      for (let time = 0; time < 5; time++) await store.rateWindows.take(accountOf(5))
      expect(await store.rateWindows.take(accountOf(2))).toMatchObject({ allowed: false, remaining: 0 })
    })
  })
}

function countsSubscriptions(driver: StoreDriver): void {
  describe(`subscriptions in ${driver.name}`, () => {
    setUp(driver)

    test('are as many at a time as the plan holds', async () => {
      const account = accountOf(1)
      expect(await store.subscriptions.reserve(account, 'x')).toBeUndefined()
      expect(await store.subscriptions.reserve(account, 'y')).toBeUndefined()
      expect(await store.subscriptions.reserve(account, 'x')).toBe('plan')
      expect(await store.subscriptions.reserve(accountOf(1, 'b'), 'x')).toBeUndefined()
      store.subscriptions.release(account)
      expect(await store.subscriptions.reserve(account, 'x')).toBeUndefined()
    })

    test('that are new are as many in a window as the plan holds', async () => {
      const account = accountOf(1)
      const subscribeOnce = async (topic: string) => {
        const limit = await store.subscriptions.reserve(account, topic)
        if (limit === undefined) store.subscriptions.release(account)
        return limit
      }
      for (const topic of ['x', 'y', 'x', 'y']) expect(await subscribeOnce(topic)).toBeUndefined()
      await place.age('a', 6_000)
      expect(await subscribeOnce('z')).toEqual({ seconds: 9 })
      expect(await subscribeOnce('x'), 'it had this one in the window').toBeUndefined()
      await place.age('a', 9_000)
      expect(await subscribeOnce('z')).toBeUndefined()
    })

    test('that are asked for together are counted one by one', async () => {
      const account = accountOf(1, 'a', 5)
      const limits = await Promise.all(
        Array.from({ length: 8 }, (_, at) => store.subscriptions.reserve(account, `t${at}`)),
      )
      expect(limits).toEqual([...Array(5).fill(undefined), 'plan', 'plan', 'plan'])
    })
  })
}

const drivers = storeDrivers()
for (const driver of drivers) {
  countsRequests(driver)
  countsSubscriptions(driver)
}

describe.each(drivers.filter(({ isShared }) => isShared))('several nodes with $name', driver => {
  setUp(driver)

  test('hold together as many subscriptions as the plan allows', async () => {
    const account = accountOf(1, 'a', 3)
    const other = await place.open()
    expect(await store.subscriptions.reserve(account, 'x')).toBeUndefined()
    expect(await other.subscriptions.reserve(account, 'y')).toBeUndefined()
    expect(await other.subscriptions.reserve(account, 'z')).toBeUndefined()
    expect(await store.subscriptions.reserve(account, 'x')).toBe('plan')
    expect(await other.subscriptions.reserve(account, 'y')).toBe('plan')
    other.subscriptions.release(account)
    await expect.poll(() => store.subscriptions.reserve(account, 'x'), inTime).toBeUndefined()
    await other.close()
  })

  test('allow exactly the requests of a plan together, however many arrive at once', async () => {
    const nodes = [store, await place.open(), await place.open()]
    const account = accountOf(700)
    const uses = await Promise.all(
      Array.from({ length: 10_000 }, (_, at) => (nodes[at % 3] as Store).rateWindows.take(account)),
    )
    expect(uses.filter(({ allowed }) => allowed)).toHaveLength(700)
    for (const node of nodes.slice(1)) await node.close()
  })

  test.each([
    ['one after the other', 1],
    ['a few at a time', 7],
    ['many at a time', 60],
  ])('allow exactly the requests of a plan that arrive %s', async (_, together) => {
    const nodes = [store, await place.open(), await place.open()]
    const account = accountOf(300)
    let allowed = 0
    for (let at = 0; at < 1000; at += together) {
      const takes = Array.from({ length: together }, (_, more) =>
        (nodes[(at + more) % 3] as Store).rateWindows.take(account),
      )
      allowed += (await Promise.all(takes)).filter(use => use.allowed).length
    }
    expect(allowed).toBe(300)
    for (const node of nodes.slice(1)) await node.close()
  })

  test('allow a request that was taken off at another node', async () => {
    const other = await place.open()
    const account = accountOf(8)
    const first = await store.rateWindows.take(account)
    expect(await store.rateWindows.take(account)).toMatchObject({ allowed: true, remaining: 6 })
    expect(first).toMatchObject({ allowed: true, remaining: 7 })
    for (let at = 0; at < 6; at++)
      expect(await other.rateWindows.take(account)).toMatchObject({ allowed: true })
    expect(await other.rateWindows.take(account)).toMatchObject({ allowed: false, remaining: 0 })
    expect(await store.rateWindows.take(account)).toMatchObject({ allowed: false, remaining: 0 })
    store.rateWindows.refund(account, first)
    await expect.poll(() => other.rateWindows.take(account), inTime).toMatchObject({ allowed: true })
    expect(await store.rateWindows.take(account)).toMatchObject({ allowed: false })
    await other.close()
  })

  test('repeat a request for free once that one of them has answered with 202', async () => {
    const other = await place.open()
    await store.freeRetries.add('a question')
    await expect.poll(() => other.freeRetries.isEmpty(), inTime).toBe(false)
    expect(await other.freeRetries.take('another question')).toBe(false)
    expect(await other.freeRetries.take('a question')).toBe(true)
    expect(await store.freeRetries.take('a question')).toBe(false)
    await other.close()
  })
})
