import { expect, test } from 'vitest'
import { type Account, hashOf } from '../../../src/contract/account.js'
import { accountsUnavailable, inactiveKey, malformedKey, missingKey } from '../../../src/contract/refusals.js'
import { CorruptAccount, StoreAway } from '../../../src/contract/storage/stores.js'
import { createAccess } from '../../../src/http/admission.js'

const key = `cnd_${'k'.repeat(32)}`
const header = `Bearer ${key}`
const account: Account = {
  id: '01234567',
  name: 'me',
  plan: 'pro',
  requests: 30,
  constructs: 3,
  subscriptions: 30,
  created: 1,
}

/** Access to one account, with a clock that a test sets, and the number of lookups in the store. */
function setUp() {
  const state = { now: 0, seconds: 0, lookups: 0, accounts: new Map([[hashOf(key), account]]) }
  const find = (hash: string) => {
    state.lookups++
    return state.accounts.get(hash)
  }
  return {
    state,
    access: createAccess(
      { find },
      () => state.now,
      () => state.seconds,
    ),
  }
}

test('the right key opens its account', async () => {
  expect(await setUp().access.authenticate(header)).toEqual(account)
})

test('a key is refused once it has expired', async () => {
  const { access, state } = setUp()
  state.accounts.set(hashOf(key), { ...account, expires: 100 })
  state.seconds = 99
  expect(await access.authenticate(header)).toMatchObject({ expires: 100 })
  state.seconds = 100
  expect(await access.authenticate(header), 'it is cached for half a second').toMatchObject({ expires: 100 })
  state.now += 500
  expect(await access.authenticate(header)).toEqual(inactiveKey())
})

test('a key that another one replaced is refused from the end of the overlap on, and one that made room as an unknown one', async () => {
  const { access, state } = setUp()
  const hash = hashOf(key)
  const keysOf = (...keys: NonNullable<Account['keys']>) => {
    state.accounts.set(hash, { ...account, keys })
    state.now += 500
  }
  const newer = { hash: hashOf('newer'), created: 50 }
  keysOf({ hash, created: 1, ends: 100 }, newer)
  state.seconds = 99
  expect(await access.authenticate(header)).toMatchObject({ id: account.id })
  state.seconds = 100
  state.now += 500
  expect(await access.authenticate(header)).toMatchObject({
    status: 401,
    error:
      'Invalid or inactive token. A newer key has taken its place; it worked until 1970-01-01 00:01:40 UTC',
  })
  keysOf(newer)
  expect(await access.authenticate(header)).toEqual(missingKey())
})

test.each([
  'Bearer',
  'Bearer ',
  key,
  `Basic ${key}`,
  `bearer ${key}`,
  `BEARER ${key}`,
  `bEARER ${key}`,
  `Bearer\t${key}`,
  `Bearer  ${key}`,
  `bearer  ${key}`,
  `bearer${key}`,
  ` Bearer ${key}`,
  `Bearer ${key} `,
  `Bearer ${key}\n`,
  `Bearer ${key}, Bearer ${key}`,
])('the header %j is refused with the form that it must have', async text => {
  const { access, state } = setUp()
  expect(await access.authenticate(header)).toEqual(account)
  expect(await access.authenticate(text)).toEqual(malformedKey())
  expect(state.lookups).toBe(1)
})

test.each([
  '',
  `Bearer ${key.slice(0, -1)}`,
  `Bearer ${key}k`,
  `Bearer cnd_${'é'.repeat(32)}`,
  'Bearer __proto__',
])('the header %j opens nothing and is not looked up', async text => {
  const { access, state } = setUp()
  expect(await access.authenticate(text)).toEqual(missingKey())
  expect(state.lookups).toBe(0)
})

test('an unknown key opens nothing, and is looked up each time', async () => {
  const { access, state } = setUp()
  const unknown = `Bearer cnd_${'u'.repeat(32)}`
  for (let i = 0; i < 3; i++) expect(await access.authenticate(unknown)).toEqual(missingKey())
  expect(state.lookups, 'a key that is created afterwards works at once').toBe(3)
})

test('a revoked key is refused as inactive', async () => {
  const { access, state } = setUp()
  state.accounts.set(hashOf(key), { ...account, revoked: 5 })
  expect(await access.authenticate(header)).toEqual(inactiveKey())
})

test('a valid key is looked up once in half a second', async () => {
  const { access, state } = setUp()
  for (state.now = 0; state.now < 500; state.now += 100) await access.authenticate(header)
  expect(state.lookups).toBe(1)
  await access.authenticate(header)
  expect(state.lookups).toBe(2)
})

test('a revocation takes effect after half a second, however often the key is used', async () => {
  const { access, state } = setUp()
  await access.authenticate(header)
  state.accounts.set(hashOf(key), { ...account, revoked: 5 })
  for (state.now = 1; state.now < 500; state.now++) expect(await access.authenticate(header)).toEqual(account)
  expect(await access.authenticate(header)).toEqual(inactiveKey())
})

test('more keys than are cached still open their accounts', async () => {
  const find = (hash: string) => ({ ...account, id: hash.slice(0, 8) })
  const access = createAccess(
    { find },
    () => 0,
    () => 0,
  )
  for (let i = 0; i < 10_050; i++) {
    const own = `cnd_${String(i).padStart(32, '0')}`
    expect(await access.authenticate(`Bearer ${own}`)).toMatchObject({ id: hashOf(own).slice(0, 8) })
  }
})

test('an account that cannot be read is a failure, not a refusal', async () => {
  const find = () => {
    throw new CorruptAccount('01234567', { cause: new Error('no JSON') })
  }
  const access = createAccess(
    { find },
    () => 0,
    () => 0,
  )
  await expect(access.authenticate(header)).rejects.toThrow(CorruptAccount)
})

/** Access to accounts that are looked up over a network: `settle` answers the oldest lookup. */
function setUpRemote(clock: () => number = () => 0) {
  const lookups: ((found: Account | undefined | Error) => void)[] = []
  const find = () =>
    new Promise<Account | undefined>((resolve, reject) => {
      lookups.push(found => (found instanceof Error ? reject(found) : resolve(found)))
    })
  const access = createAccess({ find }, clock, () => 0)
  return { access, settle: (found: Account | undefined | Error) => lookups.shift()?.(found) }
}

test('an account that is looked up over a network is known at once afterwards, for half a second', async () => {
  let time = 0
  const { access, settle } = setUpRemote(() => time)
  const found = access.authenticate(header)
  settle(account)
  expect(await found).toEqual(account)
  expect(access.authenticate(header)).toEqual(account)
  time += 499
  expect(access.authenticate(header)).toEqual(account)
  time++
  expect(access.authenticate(header)).toBeInstanceOf(Promise)
})

test.each([
  ['an unknown key', undefined, missingKey()],
  ['a revoked key', { ...account, revoked: 5 }, inactiveKey()],
  ['a key that cannot be looked up', new StoreAway('no connection'), accountsUnavailable(1)],
])('%s is refused after a lookup over a network', async (_, found, refusal) => {
  const { access, settle } = setUpRemote()
  const answer = access.authenticate(header)
  settle(found)
  expect(await answer).toEqual(refusal)
})

test('another failure of a lookup over a network is a failure, not a refusal', async () => {
  const { access, settle } = setUpRemote()
  const answer = access.authenticate(header)
  settle(new Error('a bug'))
  await expect(answer).rejects.toThrow('a bug')
})
