import { z } from 'zod'
import { idOf } from './key.js'
import {
  type Account,
  type AccountList,
  CorruptAccount,
  type Plan,
  plans,
  type StoredAccount,
} from './store.js'

const count = z.number().int().positive()
const record = z.strictObject({
  name: z.string(),
  plan: z.enum(Object.keys(plans) as [Plan, ...Plan[]]),
  requests: count,
  constructs: count,
  subscriptions: count,
  created: z.number().int().nonnegative(),
  revoked: z.number().int().nonnegative().optional(),
  expires: z.number().int().nonnegative().optional(),
})

/** An account as text. Its id is not a part of it, because that is the beginning of the hash. */
export const writeAccount = ({ id: _, ...rest }: Account): string => JSON.stringify(rest)

/** The account of a hash from its stored text. Throws CorruptAccount. */
export function readAccount(hash: string, text: string): Account {
  const id = idOf(hash)
  try {
    const { revoked, expires, ...account } = record.parse(JSON.parse(text))
    return {
      id,
      ...account,
      ...(revoked !== undefined && { revoked }),
      ...(expires !== undefined && { expires }),
    }
  } catch (cause) {
    throw new CorruptAccount(id, { cause })
  }
}

/** The accounts of stored texts, the oldest first, and those that cannot be read. */
export function readAccounts(entries: Iterable<StoredAccount>): AccountList {
  const accounts: Account[] = []
  const corrupt: CorruptAccount[] = []
  for (const { hash, text } of entries) {
    try {
      accounts.push(readAccount(hash, text))
    } catch (error) {
      if (!(error instanceof CorruptAccount)) throw error
      corrupt.push(error)
    }
  }
  accounts.sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1))
  return { accounts, corrupt }
}
