import { expect, test } from 'vitest'
import { createAccess } from '../../src/api/access.js'
import { inactiveKey, missingKey } from '../../src/contract/refusals.js'
import { hashOf } from '../../src/store/key.js'
import { type Account, CorruptAccount } from '../../src/store/store.js'

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

/** Access to one account, with a clock to be set and a count of the looks into the store. */
function setUp() {
  const world = { now: 0, looks: 0, accounts: new Map([[hashOf(key), account]]) }
  const find = (hash: string) => {
    world.looks++
    return world.accounts.get(hash)
  }
  return { world, access: createAccess({ find }, () => world.now) }
}

test('the right key opens its account', () => {
  expect(setUp().access.authenticate(header)).toEqual(account)
})

test.each([
  '',
  'Bearer',
  'Bearer ',
  key,
  `bearer ${key}`,
  `BEARER ${key}`,
  `Basic ${key}`,
  `Bearer  ${key}`,
  ` Bearer ${key}`,
  `Bearer ${key} `,
  `Bearer ${key}\n`,
  `Bearer ${key}, Bearer ${key}`,
  `Bearer ${key.slice(0, -1)}`,
  `Bearer ${key}k`,
  `Bearer cnd_${'é'.repeat(32)}`,
  'Bearer __proto__',
])('the header %j opens nothing and is not looked up', text => {
  const { access, world } = setUp()
  expect(access.authenticate(text)).toEqual(missingKey())
  expect(world.looks).toBe(0)
})

test('a key that nobody was given opens nothing, and is looked up each time', () => {
  const { access, world } = setUp()
  const unknown = `Bearer cnd_${'u'.repeat(32)}`
  for (let i = 0; i < 3; i++) expect(access.authenticate(unknown)).toEqual(missingKey())
  expect(world.looks, 'a key created a moment later works at once').toBe(3)
})

test('a revoked key is refused as inactive', () => {
  const { access, world } = setUp()
  world.accounts.set(hashOf(key), { ...account, revoked: 5 })
  expect(access.authenticate(header)).toEqual(inactiveKey())
})

test('a good key is looked up once in half a second', () => {
  const { access, world } = setUp()
  for (world.now = 0; world.now < 500; world.now += 100) access.authenticate(header)
  expect(world.looks).toBe(1)
  access.authenticate(header)
  expect(world.looks).toBe(2)
})

test('a revocation counts after half a second, however busy the key is', () => {
  const { access, world } = setUp()
  access.authenticate(header)
  world.accounts.set(hashOf(key), { ...account, revoked: 5 })
  for (world.now = 1; world.now < 500; world.now++) expect(access.authenticate(header)).toEqual(account)
  expect(access.authenticate(header)).toEqual(inactiveKey())
})

test('more keys than are remembered still open their accounts', () => {
  const find = (hash: string) => ({ ...account, id: hash.slice(0, 8) })
  const access = createAccess({ find }, () => 0)
  for (let i = 0; i < 10_050; i++) {
    const own = `cnd_${String(i).padStart(32, '0')}`
    expect(access.authenticate(`Bearer ${own}`)).toMatchObject({ id: hashOf(own).slice(0, 8) })
  }
})

test('an account that cannot be read is a failure, not a refusal', () => {
  const find = () => {
    throw new CorruptAccount('01234567', { cause: new Error('no JSON') })
  }
  const access = createAccess({ find }, () => 0)
  expect(() => access.authenticate(header)).toThrow(CorruptAccount)
})
