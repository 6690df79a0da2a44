import type { z } from 'zod'
import type { Account, Scope } from '../contract/account.js'
import type { Shape } from '../contract/fields.js'
import { maxBodyBytes } from '../contract/limits.js'
import type { Refusal } from '../contract/refusals.js'
import type { ToolRequest } from './mcp/tool.js'
import type { HttpRequest, Reply } from './reply.js'

interface DescribedReply {
  readonly description: string
  /** Name of the schema in `interface/replies.ts`. Errors have that of all errors. */
  readonly schema?: string
  /** Header fields in addition to the rate headers. */
  readonly headers?: readonly string[]
  /** Whether the request may choose a table instead. */
  readonly isTable?: boolean
}

export interface RouteDescription {
  /** Identifier of the operation. */
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** Schema of the variable in the path. */
  readonly segment?: z.ZodType
  /** Parameters of the query string. */
  readonly query?: Shape
  /** Schema of a JSON body. */
  readonly body?: z.ZodType
  readonly replies: Readonly<Record<number, DescribedReply>>
  /** Further statuses, whose replies are the same for many routes. */
  readonly statuses?: readonly number[]
}

interface Options {
  /** One segment may be a variable, written `{name}`. */
  readonly path: string
  /** Scope of the key. */
  readonly scope?: Scope
  /** Whether the query string must be empty. */
  readonly hasNoQuery?: boolean
  /** Whether a reply may be 202 until candles are fetched. Then repeating the request is free. */
  readonly mayBePending?: boolean
  /** Maximum length of the body in bytes; 0 if none is read. */
  readonly maxBytes?: number
  /** Whether the body may be a table of candles. */
  readonly takesTables?: boolean
  /** Makes the documentation, which a service never needs. */
  readonly describe: () => RouteDescription
}

export interface Route extends Required<Options> {
  readonly method: 'get' | 'post' | 'patch' | 'delete'
  /** First word of the path: the kind under which requests are counted in the usage of keys. */
  readonly kind: string
}

/** Counts `requests` more requests of the account. Returns a refusal if the rate window has too few left. */
export type Charge = (requests: number) => Promise<Refusal | undefined>

/** An admitted request. */
export interface Call {
  readonly request: HttpRequest
  readonly account: Account
  /** Variable of the path; empty if the path has none. */
  readonly segment: string
  /** Body; empty if the route reads none. Its bytes are reused after the reply. */
  readonly body: Uint8Array
  readonly charge: Charge
}

/** Request to an endpoint of this service for an admitted account, with the fields of its query string. */
export interface OwnRequest extends ToolRequest {
  readonly query?: Readonly<Record<string, string | number | undefined>>
}

/** A route that needs an API key, whose requests count against its rate limit. `Parts` are the parts of the service that it uses. */
export interface KeyRoute<in Parts> extends Route {
  readonly needsKey: true
  readonly answer: (parts: Parts, call: Call) => Reply | Promise<Reply>
}

export interface OpenRoute<in Parts> extends Route {
  readonly needsKey: false
  readonly answer: (parts: Parts, request: HttpRequest) => Reply | Promise<Reply>
}

const complete = (method: Route['method'], options: Options): Route => ({
  method,
  scope: 'read',
  hasNoQuery: method !== 'get',
  mayBePending: false,
  maxBytes: method === 'post' || method === 'patch' ? maxBodyBytes : 0,
  takesTables: false,
  kind: options.path.split('/')[1] as string,
  ...options,
})

type KeyOptions<Parts> = Options & Pick<KeyRoute<Parts>, 'answer'>

const withKey =
  (method: Route['method']) =>
  <Parts>(options: KeyOptions<Parts>): KeyRoute<Parts> => ({
    ...complete(method, options),
    needsKey: true,
    answer: options.answer,
  })

export const get = withKey('get')
export const remove = withKey('delete')
/** Every POST and PATCH has a JSON body. */
export const post = withKey('post')
export const patch = withKey('patch')

/** A GET without a key. */
export const open = <Parts>(options: Options & Pick<OpenRoute<Parts>, 'answer'>): OpenRoute<Parts> => ({
  ...complete('get', options),
  needsKey: false,
  answer: options.answer,
})

/** The largest body of a request without candles, in bytes. */
export const maxShortBytes = 256 * 1024

/** The `charge` of a request that counts once. */
export const neverCharged: Charge = async () => undefined
