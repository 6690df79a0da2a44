import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { formatTime } from '../candles/format-time.js'
import { once } from '../runtime/once.js'
import { inSlices } from '../runtime/scheduler.js'
import {
  type Account,
  type Bounds,
  hashOf,
  hasMostKeys,
  idOf,
  isActive,
  maxKeys,
  ownerBounds,
  type Plan,
  plans,
  type Scope,
  scopes,
  scopesOf,
  withScopes,
} from './account.js'
import { listOf, optional, refusedBy, withDefault } from './fields.js'
import { jsonText } from './json-value.js'
import { maxConstructs } from './limits.js'
import { invalidValue, keyNotActive, type Refusal, scopesNotList, tooManyKeys } from './refusals.js'
import type { Accounts, RequestCounts, UsageStore } from './storage/stores.js'

/**
 * Maximum time that a replaced key keeps working next to its successor, in seconds. `usualOverlapSeconds` is the
 * default.
 */
export const maxOverlapSeconds = 366 * 86_400
export const usualOverlapSeconds = 86_400

const nameText = '1 to 64 characters on one line'
const name = () =>
  refusedBy(
    optional(
      z
        .string()
        .trim()
        .min(1)
        .max(64)
        .regex(/^\P{Cc}*$/u)
        .describe('Name of the owner.'),
    ),
    (value, field) => invalidValue(field, jsonText(value), nameText),
  )
const plan = () =>
  z.enum(Object.keys(plans) as [Plan, ...Plan[]]).describe('With its limits, where they are not given.')
const expires = () => z.int().min(0).describe('Unix seconds from which the key is refused on.')
const boundsShape = () => ({
  requests: optional(z.int().min(1).describe('Requests per 15 seconds.')),
  constructs: optional(z.int().min(1).max(maxConstructs).describe('Constructs per bulk request.')),
  subscriptions: optional(z.int().min(1).describe('Live subscriptions at a time.')),
})
const scopesField = () =>
  refusedBy(
    optional(
      listOf(z.enum(scopes), 1, scopes.length).meta({
        description: 'Scopes of the key. Default: `read`, `stream` and `alerts`.',
      }),
    ),
    value => scopesNotList(value, scopes),
  )

/** The body of `POST /admin/keys`. */
export const accountShape = once(() => ({
  plan: plan(),
  name: name(),
  ...boundsShape(),
  expires: optional(expires()),
  scopes: scopesField(),
}))

/** The body of `PATCH /admin/keys/{id}`. */
export const accountChangeShape = once(() => ({
  plan: optional(plan()),
  name: name(),
  ...boundsShape(),
  expires: refusedBy(
    z.union([expires(), z.null()]).optional().describe('Unix seconds, or null for no end.'),
    (value, field) => invalidValue(field, jsonText(value), 'integer, 0 or more, or null'),
  ),
  scopes: scopesField(),
}))

/** The body of `POST /admin/keys/{id}/rotate`. */
export const rotationShape = once(() => ({
  overlap: optional(
    z
      .int()
      .min(0)
      .max(maxOverlapSeconds)
      .describe(`Seconds for which the key still works; ${usualOverlapSeconds} where it is not given.`),
  ),
}))

/** Public form of an account. Of its keys it has only the first digits of their hashes. */
export const describeAccount = ({ keys, ...account }: Account) => ({
  ...account,
  scopes: scopesOf(account),
  keys: (keys ?? [{ hash: account.id, created: account.created }]).map(({ hash, ...times }) => ({
    id: idOf(hash),
    ...times,
  })),
})

/** Refusal of another key for an account at `now` (Unix seconds); undefined if the account may have one. */
export const refuseRotation = (account: Account, now: number): Refusal | undefined =>
  isActive(account, now)
    ? hasMostKeys(account, now)
      ? tooManyKeys(account.id, maxKeys)
      : undefined
    : keyNotActive(account.id)

/** Default name of a key created at `now` (Unix seconds). */
export const usualName = (plan: Plan, now: number): string => `${plan} ${formatTime(now).slice(0, 10)}`

/** The query string of `GET /admin/keys`. */
export const accountListShape = once(() => ({
  limit: withDefault(z.int().min(1).max(1000).describe('Maximum number of keys.'), 100),
  offset: withDefault(z.int().min(0).describe('Number of keys to skip.'), 0),
}))

/** The query string of `GET /admin/usage`. */
export const usageShape = once(() => ({
  key: optional(z.string().max(64).describe('The id of one key; without it, all keys.')),
  days: withDefault(z.int().min(1).max(usageDays).describe('Number of days, up to today.'), 30),
  limit: withDefault(z.int().min(1).max(10_000).describe('Maximum number of rows.'), 1000),
  offset: withDefault(z.int().min(0).describe('Number of rows to skip.'), 0),
}))

export interface NewAccount extends Partial<Bounds> {
  readonly name: string
  readonly plan: Plan
  /** Unix seconds from which the key is refused. */
  readonly expires?: number
  /** Scopes of the key. Default: the usual scopes. */
  readonly scopes?: readonly Scope[]
}

/** A new key, which is not stored anywhere, and its account. */
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

/** Creates an account with a new key. `now` is in Unix seconds. */
export async function issueKey(accounts: Accounts, wanted: NewAccount, now: number): Promise<Issued> {
  // Draws another key if the short id is taken: with 10,000 accounts, once in 430,000 times.
  for (;;) {
    const { key, hash, account } = draw(wanted, now)
    if (await accounts.add(hash, account)) return { key, account }
  }
}

/**
 * Creates the key of the owner, without limits, if there is no account at all. So a new installation can be used
 * immediately. Of several processes that start together, one gets the key and the others get `undefined`. `now` is in Unix seconds.
 */
export async function ensureFirstKey(accounts: Accounts, now: number): Promise<Issued | undefined> {
  if (!(await accounts.isEmpty())) return undefined
  const { key, hash, account } = draw({ name: 'first', plan: 'enterprise', ...ownerBounds }, now)
  return (await accounts.addFirst(hash, account)) ? { key, account } : undefined
}

/** Revokes the key of an id from `at` (Unix seconds) on. Keeps an earlier revocation. Rejects with CorruptAccount. */
export const revokeKey = (accounts: Pick<Accounts, 'change'>, id: string, at: number) =>
  accounts.change(id, account => (account.revoked === undefined ? { ...account, revoked: at } : account))

/** Changes of an account. With a new plan, omitted bounds are the bounds of this plan. */
export interface AccountChanges extends Partial<Bounds> {
  readonly name?: string
  readonly plan?: Plan
  /** Unix seconds from which the key is refused; null for no end. */
  readonly expires?: number | null
  readonly scopes?: readonly Scope[]
}

/** Changes the account of an id; undefined if there is none. Rejects with CorruptAccount. */
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

/**
 * Gives an account another key. Its other keys keep working for `overlap` seconds from `now` (Unix seconds), or until
 * their earlier end. Returns undefined if there is no account with the id. Rejects with CorruptAccount.
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

/** Number of days for which requests are remembered, including the present day. */
export const usageDays = 92

const secondsOfDay = 86_400

/** Day of a time in Unix seconds, as YYYY-MM-DD in UTC. */
export const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

/** Returns `count` days, oldest first. The last day contains the time `seconds` (Unix seconds). */
export const daysUntil = (seconds: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => dayOf(seconds - (count - 1 - at) * secondsOfDay))

/** Length of the remembered period before the present day, in seconds. */
export const usageSeconds = (usageDays - 1) * secondsOfDay

/** Adds two counts by kind. Omits kinds whose sum is 0. */
export function addCounts(one: RequestCounts, other: RequestCounts): RequestCounts {
  const sum: Record<string, number> = { ...one }
  for (const [kind, count] of Object.entries(other)) {
    const total = (sum[kind] ?? 0) + count
    if (total === 0) delete sum[kind]
    else sum[kind] = total
  }
  return sum
}

export interface UsageRow {
  readonly day: string
  readonly id: string
  readonly requests: RequestCounts
}

interface UsagePage {
  /** Id of the only account to read; by default all accounts. */
  readonly account?: string | undefined
  /** Number of rows to skip. `limit` is the maximum number of rows to read. */
  readonly offset?: number
  readonly limit?: number
}

/**
 * Yields the requests of some days, of one account or of all accounts, sorted by day and then by id. Reads only these
 * rows. Rejects with a StoreFailure.
 */
export async function* usageOf(
  store: UsageStore,
  days: readonly string[],
  { account, offset = 0, limit = Number.POSITIVE_INFINITY }: UsagePage = {},
): AsyncGenerator<UsageRow> {
  if (account !== undefined) {
    const found = [...(await store.ofAccount(account, days))].slice(offset, offset + limit)
    for (const [day, requests] of found) yield { day, id: account, requests }
    return
  }
  let [skipped, left] = [offset, limit]
  for await (const day of inSlices('usage', days)) {
    if (left <= 0) return
    const count = skipped > 0 ? await store.countOfDay(day) : Number.POSITIVE_INFINITY
    if (count <= skipped) {
      skipped -= count
      continue
    }
    const found = await store.ofDay(day, skipped, left)
    skipped = 0
    left -= found.size
    for (const [id, requests] of found) yield { day, id, requests }
  }
}
