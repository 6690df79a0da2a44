import { hash, randomBytes } from 'node:crypto'
import { type Scope, withScopes } from './scopes.js'
import {
  type Account,
  type AccountKey,
  type Accounts,
  type Bounds,
  type Plan,
  plans,
} from './storage/stores.js'

/** What every key looks like: `cnd_` and 192 random bits in base64url. */
export const keyPattern = /^cnd_[A-Za-z0-9_-]{32}$/

/** The SHA-256 of a key in lower-case hexadecimal: all that is ever stored of it. */
export const hashOf = (key: string): string => hash('sha256', key)

/** The public id of the account whose key has this hash. */
export const idOf = (keyHash: string): string => keyHash.slice(0, 8)

/** The form of every public id. No other text is looked up. */
export const idForm = /^[0-9a-f]{8}$/

/** What the owner of a new key is to be; bounds that are not given are those of the plan. */
export interface NewAccount extends Partial<Bounds> {
  readonly name: string
  readonly plan: Plan
  /** Unix seconds from which the key is refused on. */
  readonly expires?: number
  /** The usual ones where they are not given. */
  readonly scopes?: readonly Scope[]
}

/** A key, which is not stored anywhere, and the account it opens. */
export interface Issued {
  readonly key: string
  readonly account: Account
}

const drawKey = () => `cnd_${randomBytes(24).toString('base64url')}`

function draw(
  { name, plan, expires, scopes: wanted, ...bounds }: NewAccount,
  now: number,
): Issued & { readonly hash: string } {
  const key = drawKey()
  const keyHash = hashOf(key)
  const { requests, constructs, subscriptions } = { ...plans[plan], ...bounds }
  const account = {
    ...{ id: idOf(keyHash), name, plan, requests, constructs, subscriptions, created: now },
    ...(expires !== undefined && { expires }),
    ...withScopes(wanted),
  }
  return { key, hash: keyHash, account }
}

/** Creates an account with a new key; `now` in Unix seconds. */
export async function issueKey(accounts: Accounts, wanted: NewAccount, now: number): Promise<Issued> {
  // A key is drawn again when its short id is taken: with 10,000 accounts, once in 430,000 times.
  for (;;) {
    const { key, hash, account } = draw(wanted, now)
    if (await accounts.add(hash, account)) return { key, account }
  }
}

/**
 * Creates an enterprise key when there is no account at all, so that a new installation can be used at once.
 * Of several processes that start together, one is given the key and the others `undefined`. `now` in Unix seconds.
 */
export async function ensureFirstKey(accounts: Accounts, now: number): Promise<Issued | undefined> {
  if (!(await accounts.isEmpty())) return undefined
  const { key, hash, account } = draw({ name: 'first', plan: 'enterprise' }, now)
  return (await accounts.addFirst(hash, account)) ? { key, account } : undefined
}

/** Refuses the key of an id from `at` (Unix seconds) on; the first revocation counts. Rejects with CorruptAccount. */
export const revokeKey = (accounts: Pick<Accounts, 'change'>, id: string, at: number) =>
  accounts.change(id, account => (account.revoked === undefined ? { ...account, revoked: at } : account))

/** What is to be changed of an account: of a new plan, the bounds that are not given are those of that plan. */
export interface AccountChanges extends Partial<Bounds> {
  readonly name?: string
  readonly plan?: Plan
  /** Unix seconds from which the key is refused on; null where it is to have no end. */
  readonly expires?: number | null
  readonly scopes?: readonly Scope[]
}

/** Changes the account of an id; undefined where there is none. Rejects with CorruptAccount. */
export const updateKey = (
  accounts: Pick<Accounts, 'change'>,
  id: string,
  { expires, plan, scopes: wanted, ...changes }: AccountChanges,
): Promise<Account | undefined> =>
  accounts.change(id, ({ expires: before, scopes: scopesBefore, ...account }) => {
    const end = expires === undefined ? before : expires
    return {
      ...account,
      ...(plan !== undefined && { plan, ...plans[plan] }),
      ...changes,
      ...(typeof end === 'number' && { expires: end }),
      ...withScopes(wanted ?? scopesBefore),
    }
  })

/** Keys that an account has at a time, those that have ended included; the oldest one makes room. */
export const maxKeys = 10

/**
 * Gives an account another key. Those that it has work for `overlap` seconds from `now` (Unix seconds), or as long as they did where
 * that ends before. Undefined where there is no account with the id. Rejects with CorruptAccount.
 */
export async function rotateKey(
  accounts: Pick<Accounts, 'change'>,
  id: string,
  overlap: number,
  now: number,
): Promise<Issued | undefined> {
  const key = drawKey()
  const account = await accounts.change(id, (before, first) => {
    const keys = (before.keys ?? [{ hash: first, created: before.created }]).map(each => ({
      ...each,
      ends: Math.min(each.ends ?? Number.POSITIVE_INFINITY, now + overlap),
    }))
    return { ...before, keys: [...keys.slice(1 - maxKeys), { hash: hashOf(key), created: now }] }
  })
  return account && { key, account }
}

/** Whether an account has as many keys that still work at `now` (Unix seconds) as it may have. */
export const hasMostKeys = ({ keys = [] }: Account, now: number): boolean =>
  keys.filter(({ ends = now + 1 }) => ends > now).length >= maxKeys

/** When another key took the place of one for good, in Unix seconds; undefined where it has not by `now`. */
export const replacedAt = ({ keys }: Account, keyHash: string, now: number): number | undefined => {
  const ends = keys?.find(({ hash: own }) => own === keyHash)?.ends
  return ends !== undefined && ends <= now ? ends : undefined
}

/** Whether a key is one of an account that was found by it: the first one may have made room for others. */
export const isKeyOf = ({ keys }: Account, keyHash: string): boolean =>
  keys === undefined || keys.some((own: AccountKey) => own.hash === keyHash)

/** Whether requests with a key are answered at `now` (Unix seconds): it was not revoked and has not expired. */
export const isActive = ({ revoked, expires }: Account, now: number): boolean =>
  revoked === undefined && (expires === undefined || now < expires)
