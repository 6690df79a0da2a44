import { maxBodyBytes } from '../contract/limits.js'
import type { Scope } from '../contract/scopes.js'

/** One method of one path. */
export interface RouteRow<Id extends string = string, NeedsKey extends boolean = boolean>
  extends Required<Options> {
  /** Names it in `endpoints` and in the OpenAPI document. */
  readonly id: Id
  readonly method: 'get' | 'post' | 'patch' | 'delete'
  /** One segment may be a variable, written `{name}`. */
  readonly path: string
  /** Whether a request needs an API key, and counts for its rate limit. */
  readonly needsKey: NeedsKey
  /** What its requests are counted under in the usage of keys: the first word of the path. */
  readonly kind: string
}

interface Options {
  /** Which scope of a key it needs. */
  readonly scope?: Scope
  /** Whether its query string must be empty. */
  readonly hasNoQuery?: boolean
  /** Whether a reply may be 202 until candles are fetched: the repetition of the request is free then. */
  readonly mayBePending?: boolean
  /** The most bytes of a body; 0 where none is read. */
  readonly maxBytes?: number
  /** Whether its body may be a table of candles. */
  readonly takesTables?: boolean
  /** The statuses of its replies, for a path that exists. */
  readonly statuses?: readonly number[]
}

const kindOf = (path: string) => path.split('/')[1] as string

/** A route that needs a key. `statuses` are those beside 200, and beside those that every such route has. */
const withKey =
  (method: RouteRow['method'], defaults: Options = {}) =>
  <const Id extends string>(id: Id, path: string, options: Options = {}): RouteRow<Id, true> => {
    const {
      scope = 'read',
      hasNoQuery = false,
      mayBePending = false,
      maxBytes = 0,
      takesTables = false,
      statuses = [],
    } = { ...defaults, ...options }
    const ofBody = maxBytes > 0 ? [413, 415] : []
    // A route that creates something has 201 in the place of 200.
    const ofSuccess = [...(statuses.includes(201) ? [] : [200]), ...(mayBePending ? [202] : [])]
    const all = [...ofSuccess, 400, 401, 403, 429, 503, ...ofBody, ...statuses]
    return {
      id,
      method,
      path,
      kind: kindOf(path),
      needsKey: true,
      scope,
      hasNoQuery,
      mayBePending,
      maxBytes,
      takesTables,
      statuses: all,
    }
  }

const get = withKey('get')
const remove = withKey('delete', { hasNoQuery: true })
/** Every POST has a JSON body. */
const post = withKey('post', { hasNoQuery: true, maxBytes: maxBodyBytes })

const patch = withKey('patch', { hasNoQuery: true, maxBytes: maxBodyBytes })

/** A route that needs no key. */
const open = <const Id extends string>(
  id: Id,
  path: string,
  statuses: readonly number[],
  hasNoQuery = false,
): RouteRow<Id, false> => ({
  id,
  method: 'get',
  path,
  kind: kindOf(path),
  needsKey: false,
  scope: 'read',
  hasNoQuery,
  mayBePending: false,
  maxBytes: 0,
  takesTables: false,
  statuses,
})

/** The largest body of a request that names no candles, in bytes. */
const maxShortBytes = 256 * 1024
/** An alert is a few short texts. */
const maxAlertBytes = 64 * 1024
/** What is changed of a key is shorter still. */
const maxAdminBytes = 4096
const admin = { scope: 'admin', maxBytes: maxAdminBytes } as const

/**
 * Every route of the service: requests are dispatched by it, and the OpenAPI document is made from it. A route that
 * lacks its endpoint or its description is a type error.
 */
export const routeTable = [
  // The answers of these may be tables: their query strings say in which format.
  post('bulk', '/bulk', { hasNoQuery: false }),
  post('bulkCandles', '/bulk-candles'),
  get('candles', '/candles', { mayBePending: true, statuses: [404] }),
  get('exchanges', '/exchanges', { hasNoQuery: true }),
  get('symbols', '/exchanges/{exchange}/symbols', { hasNoQuery: true, statuses: [404] }),
  get('indicators', '/indicators', { statuses: [304] }),
  open('openapi', '/openapi.json', [200, 304, 400], true),
  open('asyncapi', '/asyncapi.json', [200, 304, 400], true),
  // A message that needs no answer is accepted with 202.
  post('mcp', '/mcp', { hasNoQuery: false, maxBytes: maxShortBytes, statuses: [202] }),
  get('alerts', '/alerts', { scope: 'alerts', hasNoQuery: true }),
  post('createAlert', '/alerts', { scope: 'alerts', maxBytes: maxAlertBytes, statuses: [201, 404] }),
  get('deadLetters', '/alerts/dead-letters', { scope: 'alerts', hasNoQuery: true }),
  post('changeAlert', '/alerts/{id}', { scope: 'alerts', maxBytes: maxAlertBytes, statuses: [404] }),
  post('testAlert', '/alerts/{id}/test', { scope: 'alerts', maxBytes: maxAlertBytes, statuses: [404] }),
  remove('deleteAlert', '/alerts/{id}', { scope: 'alerts', statuses: [404] }),
  get('lists', '/lists', { hasNoQuery: true }),
  post('storeList', '/lists', { maxBytes: maxShortBytes }),
  get('list', '/lists/{name}', { hasNoQuery: true, statuses: [404] }),
  remove('deleteList', '/lists/{name}', { statuses: [404] }),
  get('adminKeys', '/admin/keys', { scope: 'admin' }),
  post('createKey', '/admin/keys', { ...admin, statuses: [201] }),
  get('adminKey', '/admin/keys/{id}', { scope: 'admin', hasNoQuery: true, statuses: [404] }),
  patch('changeKey', '/admin/keys/{id}', { ...admin, statuses: [404] }),
  remove('revokeKey', '/admin/keys/{id}', { scope: 'admin', statuses: [404] }),
  post('rotateKey', '/admin/keys/{id}/rotate', { ...admin, statuses: [404, 409] }),
  get('adminUsage', '/admin/usage', { scope: 'admin', statuses: [404] }),
  open('streaming', '/streaming', [101, 426, 503]),
  get('streamingHealth', '/streaming/health', { scope: 'stream', hasNoQuery: true }),
  // The probes ignore a query string that a proxy may add.
  open('live', '/health/live', [200]),
  open('ready', '/health/ready', [200, 503]),
  get('getExpression', '/expression', { mayBePending: true, statuses: [404] }),
  post('postExpression', '/expression', { hasNoQuery: false, takesTables: true }),
  post('checkExpression', '/expression/check', { maxBytes: maxShortBytes }),
  post('screen', '/screen', {
    hasNoQuery: false,
    maxBytes: maxShortBytes,
    mayBePending: true,
    statuses: [404],
  }),
  post('breadth', '/breadth', {
    hasNoQuery: false,
    maxBytes: maxShortBytes,
    mayBePending: true,
    statuses: [404],
  }),
  post('evaluate', '/evaluate', {
    hasNoQuery: false,
    maxBytes: maxShortBytes,
    mayBePending: true,
    statuses: [404],
  }),
  get('getIndicator', '/indicator/{name}', { mayBePending: true, statuses: [404] }),
  post('postIndicator', '/indicator/{name}', { hasNoQuery: false, takesTables: true }),
] as const

export type RouteId = (typeof routeTable)[number]['id']
/** Routes that need no key. */
export type OpenRouteId = Extract<(typeof routeTable)[number], { needsKey: false }>['id']
/** Routes that need a key. */
export type KeyRouteId = Exclude<RouteId, OpenRouteId>
