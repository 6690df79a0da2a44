import { z } from 'zod'
import { readBody } from '../../contract/fields.js'
import { listNameForm, listShape } from '../../contract/lists.js'
import { isRefusal } from '../../contract/refusals.js'
import type { NamedLists } from '../../markets/named-lists.js'
import { type Reply, replyJson } from '../reply.js'
import { type Call, get, type KeyRoute, maxShortBytes, post, remove } from '../route.js'

export interface Dependencies {
  readonly lists: NamedLists
}

/** `POST /lists`: stores a list, replaces the one with the same name, and returns it. */
async function storeList({ lists }: Dependencies, { account, body }: Call): Promise<Reply> {
  const list = readBody(body, '/lists', listShape(), ['name', 'symbols'])
  return replyJson(isRefusal(list) ? list : await lists.put(list, account))
}

const segment = () => z.string().regex(listNameForm)

export const listRoutes: readonly KeyRoute<Dependencies>[] = [
  get({
    path: '/lists',
    hasNoQuery: true,
    async answer({ lists }, { account }) {
      const all = await lists.all(account.id)
      return replyJson(isRefusal(all) ? all : { lists: all })
    },
    describe: () => ({
      id: 'lists',
      tag: 'Lists',
      summary: 'The lists of the key',
      replies: {
        200: {
          description: 'In the order of their names.',
          schema: 'namedLists',
        },
      },
    }),
  }),
  post({
    path: '/lists',
    maxBytes: maxShortBytes,
    answer: storeList,
    describe: () => ({
      id: 'store_list',
      tag: 'Lists',
      summary: 'Stores a list of symbols',
      description:
        'Replaces the list with the same name. `list:<name>` among the `symbols` of a screen, a breadth or an alert stands for its symbols without an exchange, and those of the exchange of the request. Screens follow its changes; an alert keeps the symbols of the time when it was made.',
      body: z.strictObject(listShape()),
      replies: { 200: { description: 'The list.', schema: 'namedList' } },
    }),
  }),
  get({
    path: '/lists/{name}',
    hasNoQuery: true,
    answer: async ({ lists }, { account, segment }) => replyJson(await lists.find(account.id, segment)),
    describe: () => ({
      id: 'list',
      tag: 'Lists',
      summary: 'One list of the key',
      segment: segment(),
      replies: { 200: { description: 'The list.', schema: 'namedList' } },
      statuses: [404],
    }),
  }),
  remove({
    path: '/lists/{name}',
    answer: async ({ lists }, { account, segment }) => replyJson(await lists.remove(account.id, segment)),
    describe: () => ({
      id: 'delete_list',
      tag: 'Lists',
      summary: 'Deletes a list',
      segment: segment(),
      replies: { 200: { description: 'The list that was deleted.', schema: 'namedList' } },
      statuses: [404],
    }),
  }),
]
