import type { Account, WindowUse } from './store.js'

/** The length of a rate window. */
export const rateWindowSeconds = 15
export const rateWindowMs = rateWindowSeconds * 1000

/** What an account has used in a window, as its clients are told. `ends` and `now` are milliseconds of one clock. */
export const windowUse = (
  { requests }: Pick<Account, 'requests'>,
  allowed: boolean,
  used: number,
  ends: number,
  now: number,
): WindowUse => ({
  allowed,
  remaining: Math.max(0, requests - used),
  reset: Math.max(1, Math.ceil((ends - now) / 1000)),
  ends,
})
