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

/** An account as text. Its id is not a part of it, because that is the beginning of the hash. */
export const writeAccount = ({ id: _, ...rest }: Account): string => JSON.stringify(rest)

/** What is stored under the hash of a further key: where its account is. */
const pointerStart = '{"account":"'

/** The text that leads from a further key to the account with the hash of its first one. */
export const writePointer = (accountHash: string): string => `${pointerStart}${accountHash}"}`

/** The hash of the account to which a stored text leads; undefined where it is an account itself. */
export const pointedAt = (text: string): string | undefined =>
  text.startsWith(pointerStart) ? text.slice(pointerStart.length, -2) : undefined

/** The account of a hash from its stored text. Throws CorruptAccount. */
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

/** The accounts of stored texts, the oldest first, and those that cannot be read. */
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

/** The further keys by which an account is found after a change and was not before, and those that lead to it no more. */
export function movedKeys(hash: string, before: Account, after: Account) {
  const further = ({ keys = [] }: Account) =>
    keys.map((key: AccountKey) => key.hash).filter(each => each !== hash)
  const [old, present] = [further(before), further(after)]
  return {
    added: present.filter(each => !old.includes(each)),
    removed: old.filter(each => !present.includes(each)),
  }
}
