import { z } from 'zod'
import { type Account, type AccountKey, idOf, type Plan, plans, scopes } from '../contract/account.js'
import { type AccountList, CorruptAccount, type StoredAccount } from '../contract/storage/stores.js'
import { inSlices, sortInSlices } from '../runtime/scheduler.js'

const count = z.number().int().positive()
const seconds = z.number().int().nonnegative()
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const record = z.strictObject({
  name: z.string(),
  plan: z.enum(Object.keys(plans) as [Plan, ...Plan[]]),
  requests: count,
  constructs: count,
  subscriptions: count,
  created: seconds,
  revoked: seconds.optional(),
  expires: seconds.optional(),
  scopes: z.array(z.enum(scopes)).optional(),
  keys: z.array(z.strictObject({ hash, created: seconds, ends: seconds.optional() })).optional(),
})

/** Stored text of an account. It leaves out the id, because the id is the beginning of the hash. */
export const writeAccount = ({ id: _, ...rest }: Account): string => JSON.stringify(rest)

/** Beginning of the text stored under the hash of a further key. The text points to the account. */
const pointerStart = '{"account":"'

/** Text of a pointer from a further key to its account, which is stored under the hash of its first key. */
export const writePointer = (accountHash: string): string => `${pointerStart}${accountHash}"}`

/** Hash of the account that a stored pointer names; undefined if the text is an account itself. */
export const pointedAt = (text: string): string | undefined =>
  text.startsWith(pointerStart) ? text.slice(pointerStart.length, -2) : undefined

/** Reads an account from its hash and its stored text. Throws CorruptAccount. */
export function readAccount(hash: string, text: string): Account {
  const id = idOf(hash)
  try {
    const account = Object.entries(record.parse(JSON.parse(text)))
    return { id, ...Object.fromEntries(account.filter(([, value]) => value !== undefined)) } as Account
  } catch (cause) {
    throw new CorruptAccount(id, { cause })
  }
}

const byAge = (a: Account, b: Account): number => a.created - b.created || (a.id < b.id ? -1 : 1)

/** Reads stored texts: the accounts, oldest first, and the errors of unreadable accounts. */
export async function readAccounts(
  slices: AsyncIterable<readonly StoredAccount[]> | Iterable<readonly StoredAccount[]>,
): Promise<AccountList> {
  const accounts: Account[] = []
  const corrupt: CorruptAccount[] = []
  for await (const slice of slices)
    for await (const { hash, text } of inSlices('accounts', slice)) {
      if (pointedAt(text) !== undefined) continue
      try {
        accounts.push(readAccount(hash, text))
      } catch (error) {
        if (!(error instanceof CorruptAccount)) throw error
        corrupt.push(error)
      }
    }
  return { accounts: await sortInSlices('accounts', accounts, byAge), corrupt }
}

/** Hashes of the further keys that a change adds to an account and removes from it. */
export function movedKeys(hash: string, before: Account, after: Account) {
  const further = ({ keys = [] }: Account) =>
    keys.map((key: AccountKey) => key.hash).filter(each => each !== hash)
  const [old, present] = [further(before), further(after)]
  return {
    added: present.filter(each => !old.includes(each)),
    removed: old.filter(each => !present.includes(each)),
  }
}
