import { z } from 'zod'
import { formatTime } from '../candles/format-time.js'
import { once } from '../runtime/once.js'
import { listOf, optional, refusedBy, withDefault } from './fields.js'
import { jsonText } from './json-value.js'
import { hasMostKeys, idOf, isActive, maxKeys } from './key.js'
import { keyNotActive, scopesNotList, tooManyKeys } from './key-refusals.js'
import { maxConstructs } from './limits.js'
import { invalidValue, type Refusal } from './refusals.js'
import { scopes, scopesOf } from './scopes.js'
import { type Account, type Plan, plans } from './storage/stores.js'
import { usageDays } from './usage.js'

/** How long a key may go on beside the one that takes its place, in seconds, and how long it does where nothing is said. */
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
        .describe('Of the owner.'),
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
        description:
          'What the key may do. A new key has `read`, `stream` and `alerts` where they are not given.',
      }),
    ),
    scopesNotList,
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

/** An account as people and programs see it: of its keys there are only the first digits of their hashes. */
export const describeAccount = ({ keys, ...account }: Account) => ({
  ...account,
  scopes: scopesOf(account),
  keys: (keys ?? [{ hash: account.id, created: account.created }]).map(({ hash, ...times }) => ({
    id: idOf(hash),
    ...times,
  })),
})

/** Why an account cannot be given another key at `now` (Unix seconds). */
export const refuseRotation = (account: Account, now: number): Refusal | undefined =>
  isActive(account, now)
    ? hasMostKeys(account, now)
      ? tooManyKeys(account.id, maxKeys)
      : undefined
    : keyNotActive(account.id)

/** The name of a key for which none is given, at `now` (Unix seconds). */
export const usualName = (plan: Plan, now: number): string => `${plan} ${formatTime(now).slice(0, 10)}`

/** The query string of `GET /admin/keys`. */
export const accountListShape = once(() => ({
  limit: withDefault(z.int().min(1).max(1000).describe('How many at most.'), 100),
  offset: withDefault(z.int().min(0).describe('How many to skip.'), 0),
}))

/** The query string of `GET /admin/usage`. */
export const usageShape = once(() => ({
  key: optional(z.string().max(64).describe('The id of one key; without it, all keys.')),
  days: withDefault(z.int().min(1).max(usageDays).describe('How many days, up to today.'), 30),
  limit: withDefault(z.int().min(1).max(10_000).describe('How many rows at most.'), 1000),
  offset: withDefault(z.int().min(0).describe('How many rows to skip.'), 0),
}))
