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

/** The field of an account with these scopes. Usual ones are left out, so that earlier releases can read it. */
export function withScopes(wanted: readonly Scope[] = usualScopes): { readonly scopes?: readonly Scope[] } {
  const ordered = scopes.filter(scope => wanted.includes(scope))
  return ordered.join() === usualScopes.join() ? {} : { scopes: ordered }
}
