import type { z } from 'zod'
import { maxBodyBytes, rateWindowSeconds } from '../src/contract/limits.js'
import { mediaTypes } from '../src/contract/table-format.js'
import type { Route, RouteDescription } from '../src/http/route.js'
import { resultSchemas } from './indicators.js'
import { type Json, ref, refs, type SchemaWriter } from './json-schema.js'
import * as replySchemas from './replies.js'

/** The headers of every reply to a request with a valid key. */
const rateHeaders = refs('headers', ['RateLimit-Policy', 'RateLimit'])

/** The header fields of replies. */
export const headers: Json = {
  'RateLimit-Policy': {
    description:
      'Requests (`q`) per window of `w` seconds: draft-ietf-httpapi-ratelimit-headers, structured field.',
    schema: { type: 'string' },
    example: `"window";q=30;w=${rateWindowSeconds}`,
  },
  RateLimit: {
    description: 'Requests that remain (`r`) and seconds until the window ends (`t`).',
    schema: { type: 'string' },
    example: `"window";r=29;t=${rateWindowSeconds}`,
  },
  'Retry-After': { description: 'Seconds after which to ask again.', schema: { type: 'integer' } },
  Warning: {
    description:
      '`110`: candles are old, because the exchange is down or nothing was traded since. `199`: there are fewer values than `results` requests.',
    schema: { type: 'string' },
  },
  Age: {
    description: 'With `Warning: 110`: seconds since the end of the newest candle.',
    schema: { type: 'integer' },
  },
  'Preference-Applied': {
    description: 'The wait that `Prefer` requested and the service granted.',
    schema: { type: 'string' },
    example: 'wait=5',
  },
  'Settled-Candles': {
    description:
      'Only for tables: number of candles before a value that it depends on, up to the rounding of its last digit. Chunks of a history that overlap by this number have the values of one computation. `never; <why>` if there is no such number.',
    schema: { type: 'string' },
    example: '592',
  },
  'Settled-Digits': {
    description:
      'With `settled`: how many digits of the newest value do not depend on where the history begins, at most 8.',
    schema: { type: 'integer' },
  },
  ETag: { description: 'Names this state of the document, for `If-None-Match`.', schema: { type: 'string' } },
  'WWW-Authenticate': { description: 'The scheme that is expected: Bearer.', schema: { type: 'string' } },
}

/** The responses that several routes share. */
export function describeResponses(schemas: SchemaWriter): Json {
  const refusal = (description: string, own: readonly string[] = [], hasKey = true): Json => ({
    description,
    headers: { ...(hasKey ? rateHeaders : {}), ...refs('headers', own) },
    content: schemas.content(replySchemas.error()),
  })
  return {
    NotModified: {
      description: 'The document is the one whose `ETag` the request names in `If-None-Match`.',
      headers: refs('headers', ['ETag']),
    },
    Pending: {
      description:
        'The candles are being fetched for the first time: repeat the request after `Retry-After`. The first request costs one of the plan; its repetitions, one at a time, and their answer cost nothing.',
      headers: { ...rateHeaders, ...refs('headers', ['Retry-After', 'Preference-Applied']) },
      content: schemas.content(replySchemas.pending()),
    },
    BadRequest: refusal(
      'A parameter or field is missing, mistyped, unknown or out of range. Costs nothing, unless an exchange was asked.',
      ['Preference-Applied', 'Warning', 'Age'],
    ),
    Unauthorized: refusal('The key is missing or invalid.', ['WWW-Authenticate'], false),
    Forbidden: refusal('The key has not the scope that the request needs. Costs nothing.', [
      'WWW-Authenticate',
    ]),
    NotFound: refusal(
      'There is no such exchange, symbol, indicator or alert. The error names similar ones.',
      ['Preference-Applied'],
    ),
    TooLarge: refusal(`The body is larger than ${maxBodyBytes / 1024 / 1024} MiB.`),
    UnsupportedMediaType: refusal('The body is not declared as one of the types of the path. Costs nothing.'),
    TooManyRequests: refusal('The rate window or the plan is used up.', ['Retry-After']),
    Unavailable: refusal(
      'The exchange cannot be reached, the key cannot be checked at present, or the service is busy or stopping.',
      ['Preference-Applied', 'Retry-After'],
    ),
  }
}

/** The shared response of a status. */
const sharedNames: Readonly<Record<number, string>> = {
  202: 'Pending',
  304: 'NotModified',
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  413: 'TooLarge',
  415: 'UnsupportedMediaType',
  429: 'TooManyRequests',
  503: 'Unavailable',
}

/** The statuses of a route that needs a key, in addition to those of its description. */
const statusesOf = ({ mayBePending, maxBytes }: Route): readonly number[] => [
  ...(mayBePending ? [202] : []),
  ...[400, 401, 403, 429, 503],
  ...(maxBytes > 0 ? [413, 415] : []),
]

/** The content of a body that may be a table. */
const tableContent: Json = Object.fromEntries(Object.values(mediaTypes).map(type => [type, {}]))

/** Schema of a reply by its name: an export of `replies.ts`, or the result of an indicator. */
function schemaOf(name: string): z.ZodType {
  const make = resultSchemas.get(name) ?? (replySchemas as Readonly<Record<string, () => z.ZodType>>)[name]
  if (!make) throw new Error(`interface/replies.ts has no schema ${name}`)
  return make()
}

/** The responses of a route. Errors of a route with a key have the shared schema where they name none. */
export function responsesOf(
  route: Route & { readonly needsKey: boolean },
  { replies, statuses = [] }: RouteDescription,
  schemas: SchemaWriter,
): Json {
  const own = Object.entries(replies).map(([status, { description, schema, headers = [], isTable }]) => {
    const isError = Number(status) >= 400
    const body = schema === undefined ? (isError ? replySchemas.error() : undefined) : schemaOf(schema)
    const all = { ...(route.needsKey && body ? rateHeaders : {}), ...refs('headers', headers) }
    return [
      status,
      {
        description,
        ...(Object.keys(all).length > 0 && { headers: all }),
        ...(body && { content: { ...schemas.content(body), ...(isTable && tableContent) } }),
      },
    ]
  })
  const shared = [...(route.needsKey ? statusesOf(route) : []), ...statuses].map(status => [
    status,
    ref('responses', sharedNames[status] as string),
  ])
  return { ...Object.fromEntries(shared), ...Object.fromEntries(own) }
}
