import { inactiveKey, missingKey, type Refusal } from '../contract/refusals.js'
import { hashOf, keyPattern } from '../store/key.js'
import type { Account, Accounts } from '../store/store.js'

/** How long an account is cached, in milliseconds. A revocation takes effect after this time. */
const cacheMs = 500
/** Headers that are cached at a time; the one that was looked up longest ago is dropped first. */
const maxCachedHeaders = 10_000

export interface Access {
  /**
   * The account of an `Authorization` header, which must be exactly `Bearer <key>`.
   * @throws CorruptAccount when the account of the key cannot be read.
   */
  authenticate(header: string): Account | Refusal
}

/** Authentication against the store. `clock` counts milliseconds from any time and never goes back. */
export function createAccess(accounts: Pick<Accounts, 'find'>, clock: () => number): Access {
  // Only valid headers are cached, so clients without a key can neither fill the memory nor displace others.
  const cache = new Map<string, { readonly account: Account; readonly until: number }>()

  function find(header: string, now: number): Account | Refusal {
    cache.delete(header)
    const key = header.slice('Bearer '.length)
    if (!header.startsWith('Bearer ') || !keyPattern.test(key)) return missingKey()
    const account = accounts.find(hashOf(key))
    if (account === undefined) return missingKey()
    if (account.revoked !== undefined) return inactiveKey()
    if (cache.size >= maxCachedHeaders) cache.delete(cache.keys().next().value ?? '')
    cache.set(header, { account, until: now + cacheMs })
    return account
  }

  return {
    authenticate(header) {
      const now = clock()
      const cached = cache.get(header)
      return cached !== undefined && now < cached.until ? cached.account : find(header, now)
    },
  }
}
