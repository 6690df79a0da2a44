import { z } from 'zod'
import {
  accountChangeShape,
  accountListShape,
  accountShape,
  rotationShape,
  usageShape,
} from '../../contract/accounts.js'
import { idForm } from '../../contract/key.js'
import { scopes } from '../../contract/scopes.js'
import { plans } from '../../contract/storage/stores.js'
import { component, type Json } from './json-schema.js'
import { pathParameter, queryParameters } from './parameters.js'
import { answered, refusal } from './responses.js'

const time = (description: string) => z.int().describe(`${description}, in Unix seconds.`)

const account = {
  id: z.string().describe('Stays, whatever becomes of its keys.'),
  name: z.string(),
  plan: z.enum(Object.keys(plans)),
  requests: z.int().describe('Requests per 15 seconds.'),
  constructs: z.int().describe('Constructs per bulk request.'),
  subscriptions: z.int().describe('Live subscriptions at a time.'),
  scopes: z.array(z.enum(scopes)),
  created: time('When it was created'),
  revoked: time('Since when it is refused').optional(),
  expires: time('From when on it is refused').optional(),
  keys: z
    .array(
      z.object({
        id: z.string().describe('The first digits of the SHA-256 of the key.'),
        created: time('When it was created'),
        ends: time('Until when it works, because another one has taken its place').optional(),
      }),
    )
    .describe('Those that were used one after the other, the newest last.'),
}
const key = component('Key', z.object(account))
const newKey = component(
  'NewKey',
  z.object({ key: z.string().describe('The key itself, which is not shown again.'), ...account }),
)
const usage = component(
  'Usage',
  z.object({
    day: z.string().describe('In UTC: `YYYY-MM-DD`.'),
    id: z.string().describe('Of the key.'),
    requests: z
      .record(z.string(), z.int())
      .describe(
        'By the first word of the path; `refused` are those that the rate window refused, `subscriptions` those over the streaming connection.',
      ),
  }),
)

const id = pathParameter(
  'id',
  z
    .string()
    .regex(idForm)
    .meta({ description: 'The id of a key.', examples: ['1a2b3c4d'] }),
)
const notThere: Json = refusal('There is no such key.')

/** What the routes do by which keys are managed. */
export const adminOperations = {
  adminKeys: {
    id: 'list_keys',
    tag: 'Administration',
    summary: 'The keys, the oldest first',
    parameters: queryParameters(accountListShape()),
    responses: {
      200: answered(
        'The keys, without the keys themselves.',
        z.object({
          keys: z.array(key),
          total: z.int().describe('How many there are.'),
          corrupt: z.array(z.string()).describe('The ids of keys whose records cannot be read.'),
        }),
      ),
    },
  },
  createKey: {
    id: 'create_key',
    tag: 'Administration',
    summary: 'A new key',
    body: z.strictObject(accountShape()),
    responses: { 201: answered('The key.', newKey) },
  },
  adminKey: {
    id: 'get_key',
    tag: 'Administration',
    summary: 'One key',
    parameters: [id],
    responses: { 200: answered('The key.', key), 404: notThere },
  },
  changeKey: {
    id: 'change_key',
    tag: 'Administration',
    summary: 'Changes the plan, the limits, the name, the scopes or the end of a key',
    description: 'A new plan brings its limits, but for those that are given beside it.',
    parameters: [id],
    body: z.strictObject(accountChangeShape()),
    responses: { 200: answered('The key as it is now.', key), 404: notThere },
  },
  revokeKey: {
    id: 'revoke_key',
    tag: 'Administration',
    summary: 'Revokes a key',
    description: 'It is refused within a second, and stays in the list.',
    parameters: [id],
    responses: { 200: answered('The key as it is now.', key), 404: notThere },
  },
  rotateKey: {
    id: 'rotate_key',
    tag: 'Administration',
    summary: 'Another key in the place of one',
    description: 'Limits, usage, lists and alerts stay. The key before works until the overlap has passed.',
    parameters: [id],
    body: z.strictObject(rotationShape()),
    responses: {
      200: answered('The new key.', newKey),
      404: notThere,
      409: refusal('The key is revoked or has expired, or too many keys before it still work.'),
    },
  },
  adminUsage: {
    id: 'usage',
    tag: 'Administration',
    summary: 'What keys have asked for, by day',
    description:
      'Requests that cost nothing are left out. What other processes and nodes have counted in the last ten seconds is missing.',
    parameters: queryParameters(usageShape()),
    responses: {
      200: answered(
        'By day, the oldest first.',
        z.object({ usage: z.array(usage), more: z.boolean().describe('Whether there are more rows.') }),
      ),
      404: notThere,
    },
  },
}
