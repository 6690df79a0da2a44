import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Account, hashOf, idOf, isKeyOf, maxKeys, replacedAt } from '../../src/contract/account.js'
import { ensureFirstKey, issueKey, revokeKey, rotateKey, updateKey } from '../../src/contract/accounts.js'
import type { Accounts, Store } from '../../src/contract/storage/stores.js'
import { type StoreDriver, type StorePlace, storeDrivers } from '../support/store-drivers.js'

/** Timeout for changes that another process makes. No test here measures the delay. */
const inTime = { timeout: 10_000 }

/** Contract of every driver. */
function keepsAccounts(driver: StoreDriver): void {
  describe(`accounts in ${driver.name}`, () => {
    let place: StorePlace
    let store: Store
    let accounts: Accounts

    beforeEach(async () => {
      place = driver.place()
      store = await place.open()
      accounts = store.accounts
    })
    afterEach(async () => {
      await store.close()
      place.remove()
    })

    const hash = hashOf('cnd_one')
    const account: Account = {
      id: idOf(hash),
      name: 'one',
      plan: 'pro',
      requests: 30,
      constructs: 3,
      subscriptions: 30,
      created: 1_700_000_000,
    }

    test('a new key opens the account of the one before, and both say how long they work', async () => {
      const first = await issueKey(accounts, { name: 'me', plan: 'pro', scopes: ['read'] }, 100)
      const { id } = first.account
      const second = await rotateKey(accounts, id, 50, 1000)
      const [old, present] = [hashOf(first.key), hashOf(second?.key ?? '')]
      const rotated = {
        ...first.account,
        keys: [
          { hash: old, created: 100, ends: 1050 },
          { hash: present, created: 1000 },
        ],
      }
      expect(second?.account).toEqual(rotated)
      const other = await place.open()
      for (const store of [accounts, other.accounts])
        for (const key of [old, present]) await expect.poll(() => store.find(key), inTime).toEqual(rotated)
      await other.close()
      expect([replacedAt(rotated, old, 1049), replacedAt(rotated, old, 1050)]).toEqual([undefined, 1050])
      expect(replacedAt(rotated, present, 9999)).toBeUndefined()
      expect(await accounts.list(), 'there is one account').toEqual({ accounts: [rotated], corrupt: [] })
      expect(await accounts.findById(idOf(present)), 'the new key is no account').toBeUndefined()
      await revokeKey(accounts, id, 2000)
      await expect.poll(() => accounts.find(present), inTime).toMatchObject({ id, revoked: 2000 })
      expect(await rotateKey(accounts, 'ffffffff', 1, 1)).toBeUndefined()
    })

    test('an overlap lengthens no earlier one, and the oldest of many keys make room', async () => {
      const { account: issued, key: first } = await issueKey(accounts, { name: 'me', plan: 'pro' }, 0)
      const keys = [first]
      for (let at = 1; at <= maxKeys; at++)
        keys.push((await rotateKey(accounts, issued.id, 100, at * 60))?.key ?? '')
      const kept = (await accounts.findById(issued.id)) as Account
      expect(kept.keys?.map(({ ends }) => ends)).toEqual(
        Array.from({ length: maxKeys }, (_, at) => (at + 1 < maxKeys ? (at + 2) * 60 + 100 : undefined)),
      )
      expect(isKeyOf(kept, hashOf(first)), 'the account is stored under the first one').toBe(false)
      expect(await accounts.find(hashOf(first))).toEqual(kept)
      const last = await rotateKey(accounts, issued.id, 100, 9999)
      await expect.poll(() => accounts.find(hashOf(keys[1] as string)), inTime).toBeUndefined()
      expect(await accounts.find(hashOf(keys[2] as string))).toEqual(last?.account)
      expect(await accounts.entries(), 'what leads to it is not more than its keys').toHaveLength(maxKeys + 1)
    })

    test('what another process adds or revokes is seen', async () => {
      const other = await place.open()
      expect(await other.accounts.find(hash)).toBeUndefined()
      await accounts.add(hash, account)
      await expect.poll(() => other.accounts.find(hash), inTime).toEqual(account)
      await revokeKey(accounts, account.id, 1_700_000_100)
      await expect.poll(() => other.accounts.find(hash), inTime).toMatchObject({ revoked: 1_700_000_100 })
      await other.close()
    })

    // Several processes have the embedded store as well, where `npm test` shows this.
    describe('for one process', driver.hasOwner ? { tags: ['faults'] } : {}, () => {
      test('a new place is empty', async () => {
        expect(await accounts.isEmpty()).toBe(true)
        expect(await accounts.list()).toEqual({ accounts: [], corrupt: [] })
        expect(await accounts.find(hash)).toBeUndefined()
      })

      test('an added account is found by its hash and by nothing else', async () => {
        expect(await accounts.add(hash, account)).toBe(true)
        expect(await accounts.find(hash)).toEqual(account)
        expect(await accounts.find(hashOf('cnd_two'))).toBeUndefined()
        expect(
          await accounts.find(`${hash.slice(0, 8)}${'0'.repeat(56)}`),
          'the same id is not the same key',
        ).toBeUndefined()
        expect(await accounts.isEmpty()).toBe(false)
      })

      test('an account is found by its id, revoked or not', async () => {
        await accounts.add(hash, account)
        expect(await accounts.findById(account.id)).toEqual(account)
        expect(await accounts.findById('00000000')).toBeUndefined()
        await revokeKey(accounts, account.id, 1_700_000_001)
        expect(await accounts.findById(account.id)).toEqual({ ...account, revoked: 1_700_000_001 })
      })

      test('a text that has not the form of an id is the id of no account, and changes nothing', async () => {
        await accounts.add(hash, account)
        const texts = [
          '',
          '~install',
          account.id.slice(0, 7),
          account.id.toUpperCase(),
          `${account.id}\0`,
          hash,
        ]
        for (const text of [...texts, 'x'.repeat(3000), '💥', `${account.id}\n`]) {
          expect(await accounts.findById(text), text.slice(0, 20)).toBeUndefined()
          expect(await revokeKey(accounts, text, 1_700_000_001), text.slice(0, 20)).toBeUndefined()
        }
        expect(await accounts.list()).toEqual({ accounts: [account], corrupt: [] })
      })

      test('a taken hash or id is not added, and what was there stays', async () => {
        await accounts.add(hash, account)
        expect(await accounts.add(hash, { ...account, name: 'other' })).toBe(false)
        const twin = hash.slice(0, 8) + hashOf('twin').slice(8)
        expect(await accounts.add(twin, { ...account, name: 'twin' })).toBe(false)
        expect((await accounts.list()).accounts).toEqual([account])
      })

      test('a first account is added only when there is none', async () => {
        const tries = ['a', 'b', 'c'].map(key => {
          const own = hashOf(key)
          return accounts.addFirst(own, { ...account, id: idOf(own) })
        })
        expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1)
        expect((await accounts.list()).accounts).toHaveLength(1)
      })

      test('a revoked account keeps everything else and the time of its first revocation', async () => {
        await accounts.add(hash, account)
        const revoked = { ...account, revoked: 1_700_000_100 }
        expect(await revokeKey(accounts, account.id, 1_700_000_100)).toEqual(revoked)
        expect(await revokeKey(accounts, account.id, 1_700_000_200)).toEqual(revoked)
        expect(await accounts.find(hash)).toEqual(revoked)
      })

      test('a change keeps the key, the id and all else; a new plan brings its bounds', async () => {
        await accounts.add(hash, account)
        await updateKey(accounts, account.id, { expires: 1_900_000_000, requests: 7 })
        expect(await accounts.find(hash)).toEqual({ ...account, requests: 7, expires: 1_900_000_000 })
        const changed = { name: 'two', plan: 'basic', requests: 5, constructs: 2, subscriptions: 5 } as const
        expect(await updateKey(accounts, account.id, { name: 'two', plan: 'basic', constructs: 2 })).toEqual({
          ...{ ...account, ...changed },
          expires: 1_900_000_000,
        })
        await updateKey(accounts, account.id, { expires: null })
        expect(await accounts.find(hash)).toEqual({ ...account, ...changed })
        expect(await updateKey(accounts, 'ffffffff', { name: 'x' })).toBeUndefined()
      })

      test('scopes are kept in their order, and usual ones are not stored, so that earlier releases can read them', async () => {
        await accounts.add(hash, account)
        const stored = async () => JSON.parse((await accounts.entries())[0]?.text ?? '')
        await updateKey(accounts, account.id, { scopes: ['admin', 'read'] })
        expect(await accounts.find(hash)).toEqual({ ...account, scopes: ['read', 'admin'] })
        await updateKey(accounts, account.id, { requests: 31 })
        expect(await stored()).toMatchObject({ scopes: ['read', 'admin'], requests: 31 })
        await updateKey(accounts, account.id, { scopes: ['alerts', 'stream', 'read', 'read'], requests: 30 })
        expect(await accounts.find(hash)).toEqual(account)
        expect(Object.keys(await stored()).sort()).toEqual(
          ['constructs', 'created', 'name', 'plan', 'requests', 'subscriptions'].sort(),
        )
      })

      test('a copy has the further keys, too', async () => {
        const { account: issued } = await issueKey(accounts, { name: 'me', plan: 'pro' }, 0)
        const rotated = await rotateKey(accounts, issued.id, 100, 60)
        const target = driver.place()
        const copy = await target.open()
        await copy.accounts.restore(await accounts.entries())
        expect(await copy.accounts.find(hashOf(rotated?.key ?? ''))).toEqual(rotated?.account)
        expect((await rotateKey(copy.accounts, issued.id, 0, 70))?.account.keys).toHaveLength(3)
        await copy.close()
        target.remove()
      })

      test('of several changes at once none is lost', async () => {
        await accounts.add(hash, account)
        await Promise.all(
          [1, 2, 3, 4].map(() =>
            accounts.change(account.id, each => ({ ...each, requests: each.requests + 1 })),
          ),
        )
        expect(await accounts.find(hash)).toMatchObject({ requests: 34 })
      })

      test('revoking touches the one account with exactly that id', async () => {
        await accounts.add(hash, account)
        expect(await revokeKey(accounts, account.id.slice(0, 7), 1)).toBeUndefined()
        expect(await revokeKey(accounts, 'ffffffff', 1)).toBeUndefined()
        expect(await revokeKey(accounts, '', 1)).toBeUndefined()
        expect(await accounts.find(hash)).toEqual(account)
      })

      test('the list holds all accounts, the oldest first', async () => {
        for (const created of [3, 1, 2]) {
          const own = hashOf(String(created))
          await accounts.add(own, { ...account, id: idOf(own), created })
        }
        expect((await accounts.list()).accounts.map(({ created }) => created)).toEqual([1, 2, 3])
      })

      test('accounts outlive the store that wrote them', async () => {
        await accounts.add(hash, account)
        await store.close()
        store = await place.open()
        expect(await store.accounts.find(hash)).toEqual(account)
        expect(await store.accounts.isEmpty()).toBe(false)
      })

      test('a copy has all accounts as they were, and can be repeated', async () => {
        for (const key of ['a', 'b', 'c'])
          await accounts.add(hashOf(key), { ...account, id: idOf(hashOf(key)) })
        await revokeKey(accounts, idOf(hashOf('b')), 5)
        const target = driver.place()
        const copy = await target.open()
        for (let time = 0; time < 2; time++) await copy.accounts.restore(await accounts.entries())
        expect(await copy.accounts.list()).toEqual(await accounts.list())
        expect(await copy.accounts.find(hashOf('b'))).toMatchObject({ revoked: 5 })
        expect(await revokeKey(copy.accounts, idOf(hashOf('c')), 6), 'the ids are there, too').toBeDefined()
        await copy.close()
        target.remove()
      })

      test('an issued key opens its account', async () => {
        const { key, account: issued } = await issueKey(
          accounts,
          { name: 'me', plan: 'basic', constructs: 4 },
          12,
        )
        expect(key).toMatch(/^cnd_[A-Za-z0-9_-]{32}$/)
        expect(issued).toEqual({
          id: idOf(hashOf(key)),
          name: 'me',
          plan: 'basic',
          requests: 5,
          constructs: 4,
          subscriptions: 5,
          created: 12,
        })
        expect(await accounts.find(hashOf(key))).toEqual(issued)
      })

      test('the first key has no limits, and there is no second one', async () => {
        const [one, two] = await Promise.all([ensureFirstKey(accounts, 7), ensureFirstKey(accounts, 7)])
        const issued = [one, two].filter(first => first !== undefined)
        expect(issued).toHaveLength(1)
        expect(issued[0]?.account).toMatchObject({
          name: 'first',
          plan: 'enterprise',
          requests: 1_000_000_000,
          constructs: 20,
          subscriptions: 1_000_000_000,
          created: 7,
        })
        expect(await ensureFirstKey(accounts, 8)).toBeUndefined()
      })

      test('a revoked key is still an account, so no first key follows it', async () => {
        await accounts.add(hash, account)
        await revokeKey(accounts, account.id, 2)
        expect(await ensureFirstKey(accounts, 8)).toBeUndefined()
      })
    })
  })
}

for (const driver of storeDrivers()) keepsAccounts(driver)
