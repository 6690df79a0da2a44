import { formatTime } from '../candles/format-time.js'
import { keyForm, keyInHeader } from './hints.js'
import { invalid, quote, type Refusal, refusal, retryAfter } from './refusal.js'
import { type Scope, scopes, scopesOf } from './scopes.js'
import type { Account } from './storage/stores.js'

/** No key, or a key that does not exist. */
export const missingKey = (): Refusal =>
  refusal(401, 'Invalid or missing API key.', { 'WWW-Authenticate': 'Bearer' })

/** A header or a token of another form than `Bearer <API_KEY>`. */
export const malformedKey = (): Refusal =>
  refusal(401, `${missingKey().error} ${keyForm}`, missingKey().headers)

/** No key in the header `Authorization`, but one at another place. */
export const misplacedKey = (place: 'the query string' | 'X-API-Key'): Refusal =>
  refusal(401, `${missingKey().error} ${keyInHeader}, not in ${place}`, missingKey().headers)

const invalidToken = { 'WWW-Authenticate': 'Bearer error="invalid_token"' }

/** A key that was revoked. */
export const inactiveKey = (): Refusal => refusal(401, 'Invalid or inactive token', invalidToken)

/** A key whose place another one took, which worked until `ends` (Unix seconds). */
export const replacedKey = (ends: number): Refusal =>
  refusal(
    401,
    `Invalid or inactive token. A newer key has taken its place; it worked until ${formatTime(ends)} UTC`,
    invalidToken,
  )

/** The key is not known here, and the store of the accounts cannot be asked; the client may try again after `seconds`. */
export const accountsUnavailable = (seconds: number): Refusal =>
  refusal(503, 'The API key cannot be checked at present. Try again.', retryAfter(seconds))

/** A request or a message that the scopes of the key do not allow. */
export const missingScope = (scope: Scope, id: string, own: readonly Scope[]): Refusal =>
  refusal(
    403,
    `The key has no scope ${scope}, which this needs. "candela keys update ${id} --scopes ${[...own, scope].join(',')}" adds it`,
    // Source: RFC 6750, section 3.1.
    { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  )

/** Refuses what an account may not do; nothing where it needs no scope. */
export function refuseScope(
  account: Pick<Account, 'id' | 'scopes'>,
  scope: Scope | undefined,
): Refusal | undefined {
  if (scope === undefined) return undefined
  const own = scopesOf(account)
  return own.includes(scope) ? undefined : missingScope(scope, account.id, own)
}

export const keyNotFound = (id: string): Refusal => refusal(404, `No key with the id "${quote(id)}"`)

/** A key that was revoked or has expired gets no other one in its place. */
export const keyNotActive = (id: string): Refusal =>
  refusal(409, `Key ${id} is revoked or has expired: create another one`)

/** An account has so many keys that still work, because they were replaced shortly one after the other. */
export const tooManyKeys = (id: string, most: number): Refusal =>
  refusal(409, `Key ${id} was replaced so often that ${most} keys of it still work: wait until one has ended`)

export const scopesNotList = (value: unknown): Refusal =>
  invalid`Invalid scopes: ${value}. Expected a list of ${scopes.join(', ')}`

/** Accounts are where they can neither be read nor changed now; the client may try again after `seconds`. */
export const keysUnavailable = (seconds: number): Refusal =>
  refusal(503, 'Keys cannot be read or changed at present. Try again.', retryAfter(seconds))

export const nothingToChange = (names: readonly string[]): Refusal =>
  invalid`Nothing to change. Expected some of ${names.join(', ')}`
