import { rateWindowSeconds } from '../contract/limits.js'
import type { Account, WindowUse } from '../store/store.js'

const policies = new Map<number, string>()

function policyOf(requests: number): string {
  let policy = policies.get(requests)
  if (policy === undefined) {
    policy = `"window";q=${requests};w=${rateWindowSeconds}`
    policies.set(requests, policy)
  }
  return policy
}

/**
 * The headers with the limit of an account and what remains of it.
 * Source: draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4.
 */
export const rateHeaders = (
  account: Account,
  { remaining, reset }: WindowUse,
): Readonly<Record<string, string>> => ({
  'RateLimit-Policy': policyOf(account.requests),
  RateLimit: `"window";r=${remaining};t=${reset}`,
})
