import { hash } from 'node:crypto'
import { missingScope, type Refusal } from './refusals.js'

/** What a key of each plan may do; an account carries its own copy, so that single keys can be given other bounds. */
export const plans = {
  free: { requests: 1, constructs: 1, subscriptions: 1 },
  basic: { requests: 5, constructs: 1, subscriptions: 5 },
  pro: { requests: 30, constructs: 3, subscriptions: 30 },
  expert: { requests: 75, constructs: 10, subscriptions: 150 },
  enterprise: { requests: 300, constructs: 15, subscriptions: 1000 },
} as const
export type Plan = keyof typeof plans

export interface Bounds {
  /** Requests per window of 15 seconds. */
  readonly requests: number
  /** Constructs per bulk request. */
  readonly constructs: number
  /** Live subscriptions at a time. */
  readonly subscriptions: number
}

/** One of the keys that an account has had one after the other. */
export interface AccountKey {
  /** The SHA-256 of the key in lower-case hexadecimal. */
  readonly hash: string
  /** Unix seconds. */
  readonly created: number
  /** Unix seconds from which it is refused on, because another one has taken its place. */
  readonly ends?: number
}

/** The owner of one API key, or of several that took the place of each other. */
export interface Account extends Bounds {
  /** The first eight hexadecimal digits of its first key's hash: enough to point at a key, useless for calling. */
  readonly id: string
  readonly name: string
  readonly plan: Plan
  /** Unix seconds. */
  readonly created: number
  /** Unix seconds since when the key is refused; absent while it is active. */
  readonly revoked?: number
  /** Unix seconds from which the key is refused on; absent where it has no end. */
  readonly expires?: number
  /** In the order of `scopes`; absent where they are the usual ones. */
  readonly scopes?: readonly Scope[]
  /** The oldest first; absent where it has always had its first key. */
  readonly keys?: readonly AccountKey[]
}

/** What requests and messages with a key may do; each of them needs one. */
export const scopes = ['read', 'stream', 'alerts', 'admin'] as const
export type Scope = (typeof scopes)[number]

/** Those of a key for which none are given. */
export const usualScopes: readonly Scope[] = ['read', 'stream', 'alerts']

/** All that an account may do, in the order of `scopes`. */
export const scopesOf = ({ scopes: own = usualScopes }: { readonly scopes?: readonly Scope[] }) => own

/** Whether an account may not do any more what it might do before. */
export const hasLostScope = (before: Parameters<typeof scopesOf>[0], after: Parameters<typeof scopesOf>[0]) =>
  scopesOf(before).some(scope => !scopesOf(after).includes(scope))

/** The field of an account with these scopes. Usual ones are left out. */
export function withScopes(wanted: readonly Scope[] = usualScopes): { readonly scopes?: readonly Scope[] } {
  const ordered = scopes.filter(scope => wanted.includes(scope))
  return ordered.join() === usualScopes.join() ? {} : { scopes: ordered }
}

/** Refuses what an account may not do; nothing where it needs no scope. */
export function refuseScope(
  account: Pick<Account, 'id' | 'scopes'>,
  scope: Scope | undefined,
): Refusal | undefined {
  if (scope === undefined) return undefined
  const own = scopesOf(account)
  return own.includes(scope) ? undefined : missingScope(scope, account.id, own)
}

/** What every key looks like: `cnd_` and 192 random bits in base64url. */
export const keyPattern = /^cnd_[A-Za-z0-9_-]{32}$/

/** The SHA-256 of a key in lower-case hexadecimal: all that is ever stored of it. */
export const hashOf = (key: string): string => hash('sha256', key)

/** The public id of the account whose key has this hash. */
export const idOf = (keyHash: string): string => keyHash.slice(0, 8)

/** The form of every public id. No other text is looked up. */
export const idForm = /^[0-9a-f]{8}$/

/** Keys that an account has at a time, those that have ended included; the oldest one makes room. */
export const maxKeys = 10

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
