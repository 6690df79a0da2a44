import { readBodyFields, readKnown } from '../../contract/body.js'
import { readShape, refuseMissing } from '../../contract/fields.js'
import { listShape } from '../../contract/lists.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import type { Account } from '../../contract/storage/stores.js'
import type { NamedList, NamedLists } from '../../markets/named-lists.js'
import { ok, type Reply, refused } from '../reply.js'

interface Dependencies {
  readonly lists: NamedLists
}

/** `POST /lists`: stores a list in the place of the one with its name, and answers it. */
export async function storeList({ lists }: Dependencies, body: Uint8Array, account: Account): Promise<Reply> {
  const fields = readBodyFields(body)
  const given = isRefusal(fields) ? fields : readKnown(fields, '/lists', Object.keys(listShape()))
  if (isRefusal(given)) return refused(given)
  const list = refuseMissing(given, ['name', 'symbols']) ?? readShape(listShape(), given)
  return isRefusal(list) ? refused(list) : replyWith(await lists.put(list, account))
}

/** `GET /lists`: the lists of the key. */
export async function getLists({ lists }: Dependencies, accountId: string): Promise<Reply> {
  const all = await lists.all(accountId)
  return isRefusal(all) ? refused(all) : ok(JSON.stringify({ lists: all }))
}

/** `GET /lists/{name}` */
export const getList = async ({ lists }: Dependencies, accountId: string, name: string): Promise<Reply> =>
  replyWith(await lists.find(accountId, name))

/** `DELETE /lists/{name}`: answers the list that is deleted. */
export const deleteList = async ({ lists }: Dependencies, accountId: string, name: string): Promise<Reply> =>
  replyWith(await lists.remove(accountId, name))

const replyWith = (list: NamedList | Refusal): Reply =>
  isRefusal(list) ? refused(list) : ok(JSON.stringify(list))
