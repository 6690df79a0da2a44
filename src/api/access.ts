import { inactiveKey, missingKey, type Refusal } from '../contract/refusals.js'
import { hashOf, keyPattern } from '../store/key.js'
import type { Account, Accounts } from '../store/store.js'

/** How long an account is trusted without another look, in milliseconds: a revocation counts within a second. */
const trustMs = 500
/** Headers remembered at a time; the longest unseen is forgotten first. */
const most = 10_000

export interface Access {
  /**
   * The account that an `Authorization` header opens, which must be exactly `Bearer <key>`.
   * Throws CorruptAccount when the account of the key cannot be read.
   */
  authenticate(header: string): Account | Refusal
}

/** Knows who calls. `clock` counts milliseconds from any moment and never goes back. */
export function createAccess(accounts: Pick<Accounts, 'find'>, clock: () => number): Access {
  // Only good headers are remembered, so callers without a key can neither fill the memory nor push others out.
  const trusted = new Map<string, { readonly account: Account; readonly until: number }>()

  function look(header: string, now: number): Account | Refusal {
    trusted.delete(header)
    const key = header.slice('Bearer '.length)
    if (!header.startsWith('Bearer ') || !keyPattern.test(key)) return missingKey()
    const account = accounts.find(hashOf(key))
    if (account === undefined) return missingKey()
    if (account.revoked !== undefined) return inactiveKey()
    if (trusted.size >= most) trusted.delete(trusted.keys().next().value ?? '')
    trusted.set(header, { account, until: now + trustMs })
    return account
  }

  return {
    authenticate(header) {
      const now = clock()
      const known = trusted.get(header)
      return known !== undefined && now < known.until ? known.account : look(header, now)
    },
  }
}
