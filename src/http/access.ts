import { hashOf, isActive, isKeyOf, keyPattern, replacedAt } from '../contract/key.js'
import {
  accountsUnavailable,
  inactiveKey,
  malformedKey,
  missingKey,
  type Refusal,
  replacedKey,
} from '../contract/refusals.js'
import { type Account, type Accounts, StoreAway } from '../contract/storage/stores.js'

/** The form of a header, with the key. */
const bearer = /^Bearer (\S+)$/
/** How long an account is cached, in milliseconds. A revocation takes effect after this time. */
const cacheMs = 500
/** When a client may try again whose key cannot be looked up, in seconds. */
const retrySeconds = 1
/** Headers that are cached at a time; the one that was looked up longest ago is dropped first. */
const maxCachedHeaders = 10_000

export type Access = ReturnType<typeof createAccess>

/** Authentication against the store. `clock` counts milliseconds from any time and never goes back, `now` is the time in Unix seconds. */
export function createAccess(accounts: Pick<Accounts, 'find'>, clock: () => number, now: () => number) {
  // Only valid headers are cached, so clients without a key can neither fill the memory nor displace others.
  const cache = new Map<string, { readonly account: Account; readonly until: number }>()

  /**
   * The account of an `Authorization` header, which must be exactly `Bearer <key>`. It is available immediately if it was looked
   * up shortly before. Rejects with CorruptAccount when the account of the key cannot be read.
   */
  function authenticate(header: string): Account | Refusal | Promise<Account | Refusal> {
    const cached = cache.get(header)
    return cached !== undefined && clock() < cached.until ? cached.account : find(header)
  }

  async function find(header: string): Promise<Account | Refusal> {
    cache.delete(header)
    const key = bearer.exec(header)?.[1]
    if (key === undefined) return header === '' ? missingKey() : malformedKey()
    if (!keyPattern.test(key)) return missingKey()
    try {
      const hash = hashOf(key)
      const account = await accounts.find(hash)
      if (account === undefined || !isKeyOf(account, hash)) return missingKey()
      if (!isActive(account, now())) return inactiveKey()
      const ended = replacedAt(account, hash, now())
      if (ended !== undefined) return replacedKey(ended)
      if (cache.size >= maxCachedHeaders) cache.delete(cache.keys().next().value ?? '')
      cache.set(header, { account, until: clock() + cacheMs })
      return account
    } catch (error) {
      // Whether a key is valid cannot be said while the accounts cannot be reached.
      if (error instanceof StoreAway) return accountsUnavailable(retrySeconds)
      throw error
    }
  }

  return { authenticate }
}
