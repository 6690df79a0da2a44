import { z } from 'zod'
import { type Account, type AccountKey, idForm, idOf, type Plan, plans, scopes } from '../contract/account.js'
import { type AccountList, CorruptAccount, type StoredAccount } from '../contract/storage/stores.js'
import { inSlices, sortInSlices } from '../runtime/scheduler.js'
import { changeRows, type KeyRange, type Rows, rowsIn } from './rows.js'

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
const writePointer = (accountHash: string): string => `${pointerStart}${accountHash}"}`

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
async function readAccounts(slices: AsyncIterable<readonly StoredAccount[]>): Promise<AccountList> {
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
function movedKeys(hash: string, before: Account, after: Account) {
  const further = ({ keys = [] }: Account) =>
    keys.map((key: AccountKey) => key.hash).filter(each => each !== hash)
  const [old, present] = [further(before), further(after)]
  return {
    added: present.filter(each => !old.includes(each)),
    removed: old.filter(each => !present.includes(each)),
  }
}

const end = '~'
const all: KeyRange = { from: '0', to: end }
const withId = (id: string): KeyRange => ({ from: id, to: id + end })

const perTransaction = 1000

/** Accounts in rows: hash → JSON of the account without its id, which is the beginning of the hash. */
export class AccountRows {
  constructor(private readonly rows: Rows) {}

  async findById(id: string): Promise<Account | undefined> {
    const hash = await this.#hashWith(id)
    if (hash === undefined) return undefined
    const [text] = await this.rows.get([hash])
    return text === undefined ? undefined : readAccount(hash, text)
  }

  add(hash: string, account: Account): Promise<boolean> {
    return this.#add(hash, account, withId(account.id))
  }

  addFirst(hash: string, account: Account): Promise<boolean> {
    return this.#add(hash, account, all)
  }

  async change(
    id: string,
    change: (account: Account, hash: string) => Account,
  ): Promise<Account | undefined> {
    const hash = await this.#hashWith(id)
    if (hash === undefined) return undefined
    return changeRows(this.rows, async rows => {
      await rows.read([hash])
      const before = readAccount(hash, rows.get(hash) ?? '')
      const changed = change(before, hash)
      const { added, removed } = movedKeys(hash, before, changed)
      for (const key of added) rows.put(key, writePointer(hash))
      for (const key of removed) rows.remove(key)
      rows.put(hash, writeAccount(changed))
      return changed
    })
  }

  list(): Promise<AccountList> {
    return readAccounts(this.#slices())
  }

  async isEmpty(): Promise<boolean> {
    return (await rowsIn(this.rows, { ...all, limit: 1 })).length === 0
  }

  async entries(): Promise<readonly StoredAccount[]> {
    const found: StoredAccount[] = []
    for await (const slice of this.#slices()) found.push(...slice)
    return found
  }

  async restore(entries: readonly StoredAccount[]): Promise<void> {
    for (let from = 0; from < entries.length; from += perTransaction) {
      const some = entries.slice(from, from + perTransaction)
      await this.rows.write(new Map(some.map(({ hash, text }) => [hash, text])))
    }
  }

  async *#slices(): AsyncIterable<readonly StoredAccount[]> {
    for await (const slice of this.rows.slices(all)) yield slice.map(({ key, text }) => ({ hash: key, text }))
  }

  /** Adds an account if there is none in a range. */
  async #add(hash: string, account: Account, range: KeyRange): Promise<boolean> {
    const changes = new Map([[hash, writeAccount(account)]])
    return (await this.rows.write(changes, [{ range, atMost: 0 }])) === undefined
  }

  /** Hash of the account with this id. Skips further keys of other accounts, whose hashes may begin with the same id. */
  async #hashWith(id: string): Promise<string | undefined> {
    if (!idForm.test(id)) return undefined
    const found = await rowsIn(this.rows, withId(id))
    return found.find(({ key, text }) => idOf(key) === id && pointedAt(text) === undefined)?.key
  }
}
