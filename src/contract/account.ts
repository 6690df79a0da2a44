import { hash } from 'node:crypto'
import { maxConstructs } from './limits.js'
import { missingScope, type Refusal } from './refusals.js'

/** Bounds of each plan. An account has its own copy, so single keys can have other bounds. */
export const plans = {
  free: { requests: 1, constructs: 1, subscriptions: 1 },
  basic: { requests: 5, constructs: 1, subscriptions: 5 },
  pro: { requests: 30, constructs: 3, subscriptions: 30 },
  expert: { requests: 75, constructs: 10, subscriptions: 150 },
  enterprise: { requests: 300, constructs: 15, subscriptions: 1000 },
} as const
export type Plan = keyof typeof plans

/** Bound of an account that has no limit. Structured header fields have at most 15 digits. */
export const unlimited = 1_000_000_000

/** Bounds of the owner of a machine. Settings of the service still hold. */
export const ownerBounds: Bounds = {
  requests: unlimited,
  constructs: maxConstructs,
  subscriptions: unlimited,
}

export interface Bounds {
  /** Maximum number of requests per window of 15 seconds. */
  readonly requests: number
  readonly constructs: number
  readonly subscriptions: number
}

/** One of the successive keys of an account. */
export interface AccountKey {
  /** SHA-256 of the key in lower-case hexadecimal. */
  readonly hash: string
  /** Creation time in Unix seconds. */
  readonly created: number
  /** Unix seconds from which the key is refused, because another key has replaced it. */
  readonly ends?: number
}

/** Owner of one API key, or of several successive keys. */
export interface Account extends Bounds {
  /**
   * First eight hexadecimal digits of the hash of the first key. They identify the key but cannot authenticate a
   * request.
   */
  readonly id: string
  readonly name: string
  readonly plan: Plan
  /** Creation time in Unix seconds. */
  readonly created: number
  /** Unix seconds from which the key is refused; absent if it was not revoked. */
  readonly revoked?: number
  /** Unix seconds from which the key is refused; absent if the key does not expire. */
  readonly expires?: number
  /** Scopes in the order of `scopes`; absent for the usual scopes. */
  readonly scopes?: readonly Scope[]
  /** Keys, oldest first; absent if the account has always had its first key. */
  readonly keys?: readonly AccountKey[]
}

/** Scopes of keys. A request or a message needs at most one scope. */
export const scopes = ['read', 'stream', 'alerts', 'admin'] as const
export type Scope = (typeof scopes)[number]

/** Default scopes of a key. */
export const usualScopes: readonly Scope[] = ['read', 'stream', 'alerts']

/** Scopes of an account, in the order of `scopes`. */
export const scopesOf = ({ scopes: own = usualScopes }: { readonly scopes?: readonly Scope[] }) => own

export const hasLostScope = (before: Parameters<typeof scopesOf>[0], after: Parameters<typeof scopesOf>[0]) =>
  scopesOf(before).some(scope => !scopesOf(after).includes(scope))

/** Field of an account with these scopes. Empty for the usual scopes. */
export function withScopes(wanted: readonly Scope[] = usualScopes): { readonly scopes?: readonly Scope[] } {
  const ordered = scopes.filter(scope => wanted.includes(scope))
  return ordered.join() === usualScopes.join() ? {} : { scopes: ordered }
}

/** Refuses an action whose scope the account lacks. An undefined scope is never refused. */
export function refuseScope(
  account: Pick<Account, 'id' | 'scopes'>,
  scope: Scope | undefined,
): Refusal | undefined {
  if (scope === undefined) return undefined
  const own = scopesOf(account)
  return own.includes(scope) ? undefined : missingScope(scope, account.id, own)
}

/** Form of every key: `cnd_` and 192 random bits in base64url. */
export const keyPattern = /^cnd_[A-Za-z0-9_-]{32}$/

/** SHA-256 of a key in lower-case hexadecimal. Only this hash is stored, never the key. */
export const hashOf = (key: string): string => hash('sha256', key)

/** Public id of the account whose first key has this hash. */
export const idOf = (keyHash: string): string => keyHash.slice(0, 8)

/** Form of every public id. Other texts are not looked up. */
export const idForm = /^[0-9a-f]{8}$/

/** Maximum number of keys of an account at a time, including ended keys. A new key removes the oldest one. */
export const maxKeys = 10

/** Whether an account has the maximum number of keys that still work at `now` (Unix seconds). */
export const hasMostKeys = ({ keys = [] }: Account, now: number): boolean =>
  keys.filter(({ ends = now + 1 }) => ends > now).length >= maxKeys

/** Time from which a replaced key is refused, in Unix seconds. Undefined if the key is not refused at `now`. */
export const replacedAt = ({ keys }: Account, keyHash: string, now: number): number | undefined => {
  const ends = keys?.find(({ hash: own }) => own === keyHash)?.ends
  return ends !== undefined && ends <= now ? ends : undefined
}

/** Whether a key belongs to the account that was found by its hash. The first key may have been removed for newer keys. */
export const isKeyOf = ({ keys }: Account, keyHash: string): boolean =>
  keys === undefined || keys.some((own: AccountKey) => own.hash === keyHash)

/** Whether a key is active at `now` (Unix seconds): not revoked and not expired. */
export const isActive = ({ revoked, expires }: Account, now: number): boolean =>
  revoked === undefined && (expires === undefined || now < expires)
