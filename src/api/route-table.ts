import { maxBodyBytes } from '../contract/limits.js'

/** One method of one path. */
interface RouteDescription {
  /** Names it in `endpoints` and in the OpenAPI document. */
  readonly id: string
  /** A DELETE has no body. */
  readonly method: 'get' | 'post' | 'delete'
  /** One segment may be a variable, written `{name}`. */
  readonly path: string
  /** Whether a request needs an API key, and counts for its rate limit. */
  readonly needsKey: boolean
  /** Whether its query string must be empty. The probes ignore what a proxy may add. */
  readonly hasNoQuery?: true
  /** Every POST has a JSON body. */
  readonly maxBodyBytes?: number
  /** The statuses of its replies, for a path that exists. */
  readonly statuses: readonly number[]
}

/** Every reply to a request that needs a key may be one of these. */
const keyStatuses = [401, 429, 503] as const
/** An alert is a few short texts. */
const maxAlertBytes = 64 * 1024
/** Every reply to a request with a body may be one of these. */
const bodyStatuses = [400, 413, 415] as const

/**
 * Every route of the service: requests are dispatched by it, and the OpenAPI document is made from it. A route that
 * lacks its endpoint or its description is a type error.
 */
export const routeTable = [
  {
    id: 'bulk',
    method: 'post',
    path: '/bulk',
    needsKey: true,
    hasNoQuery: true,
    maxBodyBytes,
    statuses: [200, ...keyStatuses, ...bodyStatuses],
  },
  {
    id: 'bulkCandles',
    method: 'post',
    path: '/bulk-candles',
    needsKey: true,
    hasNoQuery: true,
    maxBodyBytes,
    statuses: [200, ...keyStatuses, ...bodyStatuses],
  },
  {
    id: 'candles',
    method: 'get',
    path: '/candles',
    needsKey: true,
    statuses: [200, 202, 400, ...keyStatuses, 404],
  },
  {
    id: 'exchanges',
    method: 'get',
    path: '/exchanges',
    needsKey: true,
    hasNoQuery: true,
    statuses: [200, 400, ...keyStatuses],
  },
  {
    id: 'symbols',
    method: 'get',
    path: '/exchanges/{exchange}/symbols',
    needsKey: true,
    hasNoQuery: true,
    statuses: [200, 400, ...keyStatuses, 404],
  },
  {
    id: 'indicators',
    method: 'get',
    path: '/indicators',
    needsKey: true,
    statuses: [200, 304, 400, ...keyStatuses],
  },
  {
    id: 'openapi',
    method: 'get',
    path: '/openapi.json',
    needsKey: false,
    hasNoQuery: true,
    statuses: [200, 304, 400],
  },
  {
    id: 'asyncapi',
    method: 'get',
    path: '/asyncapi.json',
    needsKey: false,
    hasNoQuery: true,
    statuses: [200, 304, 400],
  },
  {
    id: 'mcp',
    method: 'post',
    path: '/mcp',
    needsKey: true,
    maxBodyBytes: 256 * 1024,
    statuses: [200, 202, ...keyStatuses, ...bodyStatuses],
  },
  {
    id: 'alerts',
    method: 'get',
    path: '/alerts',
    needsKey: true,
    hasNoQuery: true,
    statuses: [200, 400, ...keyStatuses],
  },
  {
    id: 'createAlert',
    method: 'post',
    path: '/alerts',
    needsKey: true,
    hasNoQuery: true,
    maxBodyBytes: maxAlertBytes,
    statuses: [201, ...keyStatuses, ...bodyStatuses, 404],
  },
  {
    id: 'deadLetters',
    method: 'get',
    path: '/alerts/dead-letters',
    needsKey: true,
    hasNoQuery: true,
    statuses: [200, 400, ...keyStatuses],
  },
  {
    id: 'changeAlert',
    method: 'post',
    path: '/alerts/{id}',
    needsKey: true,
    hasNoQuery: true,
    maxBodyBytes: maxAlertBytes,
    statuses: [200, ...keyStatuses, ...bodyStatuses, 404],
  },
  {
    id: 'deleteAlert',
    method: 'delete',
    path: '/alerts/{id}',
    needsKey: true,
    hasNoQuery: true,
    statuses: [200, 400, ...keyStatuses, 404],
  },
  { id: 'streaming', method: 'get', path: '/streaming', needsKey: false, statuses: [101, 426, 503] },
  {
    id: 'streamingHealth',
    method: 'get',
    path: '/streaming/health',
    needsKey: true,
    hasNoQuery: true,
    statuses: [200, 400, ...keyStatuses],
  },
  { id: 'live', method: 'get', path: '/health/live', needsKey: false, statuses: [200] },
  { id: 'ready', method: 'get', path: '/health/ready', needsKey: false, statuses: [200, 503] },
  {
    id: 'getExpression',
    method: 'get',
    path: '/expression',
    needsKey: true,
    statuses: [200, 202, 400, ...keyStatuses, 404],
  },
  {
    id: 'postExpression',
    method: 'post',
    path: '/expression',
    needsKey: true,
    hasNoQuery: true,
    maxBodyBytes,
    statuses: [200, ...keyStatuses, ...bodyStatuses],
  },
  {
    id: 'screen',
    method: 'post',
    path: '/screen',
    needsKey: true,
    hasNoQuery: true,
    maxBodyBytes: 256 * 1024,
    statuses: [200, 202, ...keyStatuses, 404, ...bodyStatuses],
  },
  {
    id: 'evaluate',
    method: 'post',
    path: '/evaluate',
    needsKey: true,
    hasNoQuery: true,
    maxBodyBytes: 256 * 1024,
    statuses: [200, 202, ...keyStatuses, 404, ...bodyStatuses],
  },
  {
    id: 'getIndicator',
    method: 'get',
    path: '/indicator/{name}',
    needsKey: true,
    statuses: [200, 202, 400, ...keyStatuses, 404],
  },
  {
    id: 'postIndicator',
    method: 'post',
    path: '/indicator/{name}',
    needsKey: true,
    hasNoQuery: true,
    maxBodyBytes,
    statuses: [200, ...keyStatuses, ...bodyStatuses],
  },
] as const satisfies readonly RouteDescription[]

export type RouteRow = (typeof routeTable)[number]
export type RouteId = RouteRow['id']
/** Routes that need no key. */
export type OpenRouteId = Extract<RouteRow, { needsKey: false }>['id']
/** Routes that need a key. */
export type KeyRouteId = Exclude<RouteId, OpenRouteId>
