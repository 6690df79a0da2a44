import { z } from 'zod'
import { type Account, idForm } from '../../contract/account.js'
import {
  accountChangeShape,
  accountListShape,
  accountShape,
  daysUntil,
  describeAccount,
  issueKey,
  refuseRotation,
  revokeKey,
  rotateKey,
  rotationShape,
  updateKey,
  usageOf,
  usageShape,
  usualName,
  usualOverlapSeconds,
} from '../../contract/accounts.js'
import { readBody, readQueryFields } from '../../contract/fields.js'
import { isRefusal, keyNotFound, keysUnavailable, nothingToChange } from '../../contract/refusals.js'
import type { Accounts, UsageStore } from '../../contract/storage/stores.js'
import { scheduler } from '../../runtime/scheduler.js'
import { ok, type Reply, refused, replyJson, replyWhileStored } from '../reply.js'
import { type Call, get, type KeyRoute, patch, post, remove } from '../route.js'

/** `Retry-After` of a reply while the account store fails, in seconds. */
const retrySeconds = 5

export interface AdminDependencies {
  readonly accounts: Accounts
  readonly usage: { readonly store: UsageStore; flush(): Promise<void> }
  /** Current time in Unix seconds. */
  readonly clock: () => number
  /** Called when the account `by` has created, changed, revoked or rotated the account `id`. */
  readonly onKeyChange: (
    change: 'created' | 'changed' | 'revoked' | 'rotated',
    id: string,
    by: string,
  ) => void
}

/** `GET /admin/keys`: a page of all accounts, oldest first. */
const getKeys = ({ accounts }: AdminDependencies, { request }: Call): Promise<Reply> =>
  whileStored(async () => {
    const query = readQueryFields(request.queryString, '/admin/keys', accountListShape())
    if (isRefusal(query)) return refused(query)
    const { accounts: all, corrupt } = await accounts.list()
    const keys = all.slice(query.offset, query.offset + query.limit).map(describeAccount)
    return replyJson({ keys, total: all.length, corrupt: corrupt.map(({ id }) => id) })
  })

/** `POST /admin/keys`: a new account with its key, which is not shown again. */
const createKey = (
  { accounts, clock, onKeyChange }: AdminDependencies,
  { account: by, body }: Call,
): Promise<Reply> =>
  whileStored(async () => {
    const wanted = readBody(body, '/admin/keys', accountShape(), ['plan'])
    if (isRefusal(wanted)) return refused(wanted)
    const now = Math.floor(clock())
    const { plan, name = usualName(plan, now), ...more } = wanted
    const { key, account } = await issueKey(accounts, { plan, name, ...given(more) }, now)
    onKeyChange('created', account.id, by.id)
    return replyJson({ key, ...describeAccount(account) }, 201)
  })

/** `PATCH /admin/keys/{id}`: changes the given fields. */
const changeKey = (
  { accounts, onKeyChange }: AdminDependencies,
  { account: by, segment: id, body }: Call,
): Promise<Reply> =>
  whileStored(async () => {
    const shape = accountChangeShape()
    const changes = readBody(body, '/admin/keys/{id}', shape)
    if (isRefusal(changes)) return refused(changes)
    const wanted = given(changes)
    if (Object.keys(wanted).length === 0) return refused(nothingToChange(Object.keys(shape)))
    const account = await updateKey(accounts, id, wanted)
    if (account) onKeyChange('changed', id, by.id)
    return replyWithAccount(account, id)
  })

/** `DELETE /admin/keys/{id}`: revokes all keys of an account, which stays in the list. */
const deleteKey = (
  { accounts, clock, onKeyChange }: AdminDependencies,
  { account: by, segment: id }: Call,
): Promise<Reply> =>
  whileStored(async () => {
    const account = await revokeKey(accounts, id, Math.floor(clock()))
    if (account) onKeyChange('revoked', id, by.id)
    return replyWithAccount(account, id)
  })

/**
 * `POST /admin/keys/{id}/rotate`: creates another key of the account. The previous keys work until the overlap has
 * passed.
 */
const postRotation = (
  { accounts, clock, onKeyChange }: AdminDependencies,
  { account: by, segment: id, body }: Call,
): Promise<Reply> =>
  whileStored(async () => {
    const read = readBody(body, '/admin/keys/{id}/rotate', rotationShape())
    if (isRefusal(read)) return refused(read)
    const now = Math.floor(clock())
    const before = await accounts.findById(id)
    const refusal = before ? refuseRotation(before, now) : keyNotFound(id)
    if (refusal) return refused(refusal)
    const issued = await rotateKey(accounts, id, read.overlap ?? usualOverlapSeconds, now)
    if (issued === undefined) return refused(keyNotFound(id))
    onKeyChange('rotated', id, by.id)
    return replyJson({ key: issued.key, ...describeAccount(issued.account) })
  })

/** `GET /admin/usage`: requests per day of all accounts, or of one account. */
const getUsage = ({ accounts, usage, clock }: AdminDependencies, { request }: Call): Promise<Reply> =>
  whileStored(async () => {
    const query = readQueryFields(request.queryString, '/admin/usage', usageShape())
    if (isRefusal(query)) return refused(query)
    const { key, days, limit, offset } = query
    if (key !== undefined && (await accounts.findById(key)) === undefined) return refused(keyNotFound(key))
    await usage.flush()
    const texts: string[] = []
    // One row more than the page shows whether there are further rows.
    const page = { account: key, offset, limit: limit + 1 }
    for await (const row of usageOf(usage.store, daysUntil(clock(), days), page)) {
      texts.push(JSON.stringify(row))
      await scheduler.slice('requests')
    }
    return ok(`{"usage":[${texts.slice(0, limit).join(',')}],"more":${texts.length > limit}}`)
  })

const replyWithAccount = (account: Account | undefined, id: string): Reply =>
  account ? replyJson(describeAccount(account)) : refused(keyNotFound(id))

/** Fields with a defined value. */
const given = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    readonly [Name in keyof Values]?: Exclude<Values[Name], undefined>
  }

/** Reply of `work`, or 503 if the account store fails. */
const whileStored = (work: () => Promise<Reply>): Promise<Reply> =>
  replyWhileStored(work, () => keysUnavailable(retrySeconds))

/** Maximum length of a body, in bytes. */
const maxBytes = 4096
const scope = 'admin'
const segment = () =>
  z
    .string()
    .regex(idForm)
    .meta({ description: 'The id of a key.', examples: ['1a2b3c4d'] })
const missing = { 404: { description: 'There is no such key.' } }

export const adminRoutes: readonly KeyRoute<AdminDependencies>[] = [
  get({
    path: '/admin/keys',
    scope,
    answer: getKeys,
    describe: () => ({
      id: 'list_keys',
      tag: 'Administration',
      summary: 'The keys, the oldest first',
      query: accountListShape(),
      replies: {
        200: {
          description: 'The keys, without the keys themselves.',
          schema: 'keyList',
        },
      },
    }),
  }),
  post({
    path: '/admin/keys',
    scope,
    maxBytes,
    answer: createKey,
    describe: () => ({
      id: 'create_key',
      tag: 'Administration',
      summary: 'A new key',
      body: z.strictObject(accountShape()),
      replies: { 201: { description: 'The key.', schema: 'newKey' } },
    }),
  }),
  get({
    path: '/admin/keys/{id}',
    scope,
    hasNoQuery: true,
    answer: ({ accounts }, { segment: id }) =>
      whileStored(async () => replyWithAccount(await accounts.findById(id), id)),
    describe: () => ({
      id: 'get_key',
      tag: 'Administration',
      summary: 'One key',
      segment: segment(),
      replies: { 200: { description: 'The key.', schema: 'key' }, ...missing },
    }),
  }),
  patch({
    path: '/admin/keys/{id}',
    scope,
    maxBytes,
    answer: changeKey,
    describe: () => ({
      id: 'change_key',
      tag: 'Administration',
      summary: 'Changes the plan, the limits, the name, the scopes or the end of a key',
      description: 'A new plan sets its limits, except the ones that are given as well.',
      segment: segment(),
      body: z.strictObject(accountChangeShape()),
      replies: { 200: { description: 'The key as it is now.', schema: 'key' }, ...missing },
    }),
  }),
  remove({
    path: '/admin/keys/{id}',
    scope,
    answer: deleteKey,
    describe: () => ({
      id: 'revoke_key',
      tag: 'Administration',
      summary: 'Revokes a key',
      description: 'It is refused within a second, and stays in the list.',
      segment: segment(),
      replies: { 200: { description: 'The key as it is now.', schema: 'key' }, ...missing },
    }),
  }),
  post({
    path: '/admin/keys/{id}/rotate',
    scope,
    maxBytes,
    answer: postRotation,
    describe: () => ({
      id: 'rotate_key',
      tag: 'Administration',
      summary: 'Replace a key by another one',
      description: 'Limits, usage, lists and alerts stay. The key before works until the overlap has passed.',
      segment: segment(),
      body: z.strictObject(rotationShape()),
      replies: {
        200: { description: 'The new key.', schema: 'newKey' },
        ...missing,
        409: {
          description: 'The key is revoked or has expired, or too many keys before it still work.',
        },
      },
    }),
  }),
  get({
    path: '/admin/usage',
    scope,
    answer: getUsage,
    describe: () => ({
      id: 'usage',
      tag: 'Administration',
      summary: 'Requests of keys by day',
      description:
        'Requests that cost nothing are left out. What other processes and nodes have counted in the last ten seconds is missing.',
      query: usageShape(),
      replies: {
        200: {
          description: 'Rows by day, oldest first.',
          schema: 'usageList',
        },
        ...missing,
      },
    }),
  }),
]
