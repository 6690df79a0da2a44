import { hashOf, keyPattern } from '../contract/account.js'
import type { Accounts } from '../contract/storage/stores.js'
import { CommandFailure } from './failure.js'

/** Minimum number of characters of an id that name a key. */
export const minIdLength = 4

/**
 * Finds the only id that `text` names: an id, its first characters, a key, or a name. Throws CommandFailure for none or several.
 */
export async function findId(accounts: Accounts, text: string): Promise<string> {
  if (keyPattern.test(text)) {
    const account = await accounts.find(hashOf(text))
    if (account === undefined) throw new CommandFailure('This key is not known')
    return account.id
  }
  const { accounts: readable, corrupt } = await accounts.list()
  const prefix = text.toLowerCase()
  const ofId = [...readable, ...corrupt].filter(
    ({ id }) => prefix.length >= minIdLength && id.startsWith(prefix),
  )
  const ids = (
    ofId.length > 0 ? ofId : readable.filter(({ name, revoked }) => name === text && revoked === undefined)
  ).map(({ id }) => id)
  const [id] = ids
  if (id === undefined)
    throw new CommandFailure(
      prefix.length < minIdLength
        ? `Give at least ${minIdLength} characters of the id, or a name: no key is called "${text}"`
        : `No key with the id "${text}"`,
    )
  if (ids.length > 1)
    throw new CommandFailure(
      `Several keys ${ofId.length > 0 ? 'begin with' : 'are called'} "${text}": ${ids.join(', ')}`,
    )
  return id
}
