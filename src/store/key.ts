import { hash, randomBytes } from 'node:crypto'
import { type Account, type Accounts, type Bounds, type Plan, plans } from './store.js'

/** What every key looks like: `cnd_` and 192 random bits in base64url. */
export const keyPattern = /^cnd_[A-Za-z0-9_-]{32}$/

/** The SHA-256 of a key in lower-case hexadecimal: all that is ever stored of it. */
export const hashOf = (key: string): string => hash('sha256', key)

/** The public id of the account whose key has this hash. */
export const idOf = (keyHash: string): string => keyHash.slice(0, 8)

/** What the owner of a new key is to be; bounds that are not given are those of the plan. */
export interface NewAccount extends Partial<Bounds> {
  readonly name: string
  readonly plan: Plan
  /** Unix seconds from which the key is refused on. */
  readonly expires?: number
}

/** A key, which is not stored anywhere, and the account it opens. */
export interface Issued {
  readonly key: string
  readonly account: Account
}

function draw(
  { name, plan, expires, ...bounds }: NewAccount,
  now: number,
): Issued & { readonly hash: string } {
  const key = `cnd_${randomBytes(24).toString('base64url')}`
  const keyHash = hashOf(key)
  const { requests, constructs, subscriptions } = { ...plans[plan], ...bounds }
  const account = {
    ...{ id: idOf(keyHash), name, plan, requests, constructs, subscriptions, created: now },
    ...(expires !== undefined && { expires }),
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
}

/** Changes the account of an id; undefined where there is none. Rejects with CorruptAccount. */
export const updateKey = (
  accounts: Pick<Accounts, 'change'>,
  id: string,
  { expires, plan, ...changes }: AccountChanges,
): Promise<Account | undefined> =>
  accounts.change(id, ({ expires: before, ...account }) => {
    const end = expires === undefined ? before : expires
    return {
      ...account,
      ...(plan !== undefined && { plan, ...plans[plan] }),
      ...changes,
      ...(typeof end === 'number' && { expires: end }),
    }
  })

/** Whether requests with a key are answered at `now` (Unix seconds): it was not revoked and has not expired. */
export const isActive = ({ revoked, expires }: Account, now: number): boolean =>
  revoked === undefined && (expires === undefined || now < expires)
