import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openEmbedded } from '../../src/store/embedded.js'
import { ensureFirstKey, hashOf, idOf, issueKey } from '../../src/store/key.js'
import type { Account, Accounts, Store } from '../../src/store/store.js'

/** A way to keep accounts: `open` may be called again for the same place after the store was closed. */
interface Driver {
  readonly name: string
  /** A place where nothing is stored yet. */
  place(): { open(): Store; remove(): void }
}

const embedded: Driver = {
  name: 'embedded',
  place() {
    const directory = mkdtempSync(join(tmpdir(), 'candela-'))
    return {
      open: () => openEmbedded(directory),
      remove: () => rmSync(directory, { recursive: true, force: true }),
    }
  },
}

/** What every driver promises. */
export function keepsAccounts(driver: Driver): void {
  describe(`accounts in ${driver.name}`, () => {
    let place: ReturnType<Driver['place']>
    let store: Store
    let accounts: Accounts

    beforeEach(() => {
      place = driver.place()
      store = place.open()
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

    test('a new place is empty', () => {
      expect(accounts.isEmpty()).toBe(true)
      expect(accounts.list()).toEqual({ accounts: [], corrupt: [] })
      expect(accounts.find(hash)).toBeUndefined()
    })

    test('an added account is found by its hash and by nothing else', async () => {
      expect(await accounts.add(hash, account)).toBe(true)
      expect(accounts.find(hash)).toEqual(account)
      expect(accounts.find(hashOf('cnd_two'))).toBeUndefined()
      expect(
        accounts.find(`${hash.slice(0, 8)}${'0'.repeat(56)}`),
        'the same id is not the same key',
      ).toBeUndefined()
      expect(accounts.isEmpty()).toBe(false)
    })

    test('a taken hash or id is not added, and what was there stays', async () => {
      await accounts.add(hash, account)
      expect(await accounts.add(hash, { ...account, name: 'other' })).toBe(false)
      const twin = hash.slice(0, 8) + hashOf('twin').slice(8)
      expect(await accounts.add(twin, { ...account, name: 'twin' })).toBe(false)
      expect(accounts.list().accounts).toEqual([account])
    })

    test('a first account is added only when there is none', async () => {
      const tries = ['a', 'b', 'c'].map(key => {
        const own = hashOf(key)
        return accounts.addFirst(own, { ...account, id: idOf(own) })
      })
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1)
      expect(accounts.list().accounts).toHaveLength(1)
    })

    test('a revoked account keeps everything else and the time of its first revocation', async () => {
      await accounts.add(hash, account)
      const revoked = { ...account, revoked: 1_700_000_100 }
      expect(await accounts.revoke(account.id, 1_700_000_100)).toEqual(revoked)
      expect(await accounts.revoke(account.id, 1_700_000_200)).toEqual(revoked)
      expect(accounts.find(hash)).toEqual(revoked)
    })

    test('revoking touches the one account with exactly that id', async () => {
      await accounts.add(hash, account)
      expect(await accounts.revoke(account.id.slice(0, 7), 1)).toBeUndefined()
      expect(await accounts.revoke('ffffffff', 1)).toBeUndefined()
      expect(await accounts.revoke('', 1)).toBeUndefined()
      expect(accounts.find(hash)).toEqual(account)
    })

    test('the list holds all accounts, the oldest first', async () => {
      for (const created of [3, 1, 2]) {
        const own = hashOf(String(created))
        await accounts.add(own, { ...account, id: idOf(own), created })
      }
      expect(accounts.list().accounts.map(({ created }) => created)).toEqual([1, 2, 3])
    })

    test('accounts outlive the store that wrote them', async () => {
      await accounts.add(hash, account)
      await store.close()
      store = place.open()
      expect(store.accounts.find(hash)).toEqual(account)
      expect(store.accounts.isEmpty()).toBe(false)
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
      expect(accounts.find(hashOf(key))).toEqual(issued)
    })

    test('the first key is an enterprise key, and there is no second one', async () => {
      const [one, two] = await Promise.all([ensureFirstKey(accounts, 7), ensureFirstKey(accounts, 7)])
      const issued = [one, two].filter(first => first !== undefined)
      expect(issued).toHaveLength(1)
      expect(issued[0]?.account).toMatchObject({
        name: 'first',
        plan: 'enterprise',
        requests: 300,
        created: 7,
      })
      expect(await ensureFirstKey(accounts, 8)).toBeUndefined()
    })

    test('a revoked key is still an account, so no first key follows it', async () => {
      await accounts.add(hash, account)
      await accounts.revoke(account.id, 2)
      expect(await ensureFirstKey(accounts, 8)).toBeUndefined()
    })
  })
}

for (const driver of [embedded]) keepsAccounts(driver)
