import { z } from 'zod'

export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** TLS settings: how the server is verified, and the certificate of this client. Files are in PEM format. */
export interface TlsOptions {
  /** File of the trusted certificate authorities. It replaces the default authorities. */
  readonly ca?: string
  /** Files of the client certificate and its key: both or none. Servers may request the certificate. */
  readonly cert?: string
  readonly key?: string
  /** Name that the certificate of the server must have, instead of its host. */
  readonly servername?: string
}

/** Address of the shared store, from the setting STORE. */
export interface RedisAddress {
  readonly kind: 'server' | 'sentinel' | 'cluster'
  /** The server itself, the sentinels, or nodes of the cluster. Empty for a server at a unix socket. */
  readonly endpoints: readonly Endpoint[]
  /** File of the unix socket of the server; undefined for a server on the network. */
  readonly socket: string | undefined
  readonly isTls: boolean
  readonly tls: TlsOptions
  readonly username: string | undefined
  readonly password: string | undefined
  /** User of the sentinels themselves. */
  readonly sentinelUser: string | undefined
  readonly sentinelPassword: string | undefined
  readonly database: number
  /** Name under which the sentinels know the server; empty for the other kinds. */
  readonly masterName: string
  /** Prefix of every key, so that several installations can share a server. */
  readonly prefix: string
  /** Timeout of a command, in milliseconds. After a timeout the store counts as away. */
  readonly timeoutMs: number
}

const form =
  /^(?<scheme>rediss?)(?:\+(?<kind>sentinel|cluster))?:\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^/?@]+)(?:\/(?<path>[^?]*))?(?:\?(?<query>.*))?$/

/** Address of a unix socket, in the form of the Redis clients for Python and Go. */
const socketForm =
  /^unix:\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<file>\/[^?]+)(?:\?(?<query>.*))?$/

const defaultPort = { server: 6379, sentinel: 26_379, cluster: 6379 } as const
const defaultPrefix = 'candela:'
const defaultTimeoutMs = 250

const tlsNames = ['ca', 'cert', 'key', 'servername'] as const
const sentinelNames = ['sentinelUser', 'sentinelPassword'] as const
const commonNames = ['prefix', 'timeout'] as const
type Options = Pick<RedisAddress, 'prefix' | 'timeoutMs' | 'tls' | 'sentinelUser' | 'sentinelPassword'>

/** Reads the options after the question mark; undefined if an option is unknown, not allowed for this kind or malformed. */
function parseOptions(query = '', isTls: boolean, kind: RedisAddress['kind']): Options | undefined {
  const given = new URLSearchParams(query)
  const allowed: readonly string[] = [
    ...commonNames,
    ...(isTls ? tlsNames : []),
    ...(kind === 'sentinel' ? sentinelNames : []),
  ]
  const isAllowed = (name: string, value: string) =>
    allowed.includes(name) && value !== '' && given.getAll(name).length === 1
  const { prefix = defaultPrefix, timeout = String(defaultTimeoutMs), ...options } = Object.fromEntries(given)
  if (![...given].every(option => isAllowed(...option))) return undefined
  if (!/^[\w:.-]{1,64}$/.test(prefix) || !/^[1-9]\d{1,4}$/.test(timeout)) return undefined
  const { sentinelUser, sentinelPassword, ...tls } = options
  const isHalf = (tls.cert === undefined) !== (tls.key === undefined)
  if (isHalf || (sentinelUser !== undefined && sentinelPassword === undefined)) return undefined
  return { prefix, timeoutMs: Number(timeout), tls, sentinelUser, sentinelPassword }
}

function parseEndpoint(text: string, port: number): Endpoint | undefined {
  const match = /^(?<host>\[[0-9a-fA-F:]+\]|[\w.-]+)(?::(?<port>\d{1,5}))?$/.exec(text)
  if (!match?.groups) return undefined
  const given = match.groups.port === undefined ? port : Number(match.groups.port)
  if (given < 1 || given > 65_535) return undefined
  return { host: (match.groups.host as string).replace(/^\[|\]$/g, ''), port: given }
}

const decoded = (part: string | undefined) => (part ? decodeURIComponent(part) : undefined)

/**
 * Reads `redis://user:password@host:6379/0`, `rediss://…` (TLS), `redis+sentinel://host1:26379,host2:26379/name`,
 * `redis+cluster://host1:6379,host2:6379` or `unix://user:password@/file?db=0`. All forms accept the options `?prefix=…&timeout=…`
 * (milliseconds). `rediss` also accepts the options of TLS, and `+sentinel` accepts `sentinelUser` and `sentinelPassword`.
 * Returns undefined if the text has another form.
 */
export function parseRedisAddress(text: string): RedisAddress | undefined {
  try {
    return text.startsWith('unix:') ? parseSocket(text) : parseHosts(text)
  } catch (error) {
    // The text has an invalid percent escape.
    if (error instanceof URIError) return undefined
    throw error
  }
}

function parseSocket(text: string): RedisAddress | undefined {
  const groups = socketForm.exec(text)?.groups
  if (!groups) return undefined
  const query = new URLSearchParams(groups.query)
  const [database = '0', ...others] = query.getAll('db')
  query.delete('db')
  const options = parseOptions(query.toString(), false, 'server')
  if (!options || others.length > 0 || !isDatabase(database)) return undefined
  return {
    ...{ kind: 'server', endpoints: [], socket: decoded(groups.file), isTls: false, masterName: '' },
    username: decoded(groups.user),
    password: decoded(groups.password),
    database: Number(database),
    ...options,
  }
}

const isDatabase = (text: string) => /^\d{1,4}$/.test(text)

function parseHosts(text: string): RedisAddress | undefined {
  const groups = form.exec(text)?.groups
  if (!groups) return undefined
  const kind = (groups.kind ?? 'server') as RedisAddress['kind']
  const endpoints = (groups.hosts as string).split(',').map(host => parseEndpoint(host, defaultPort[kind]))
  const isTls = groups.scheme === 'rediss'
  const options = parseOptions(groups.query, isTls, kind)
  if (!options || endpoints.includes(undefined) || (kind === 'server' && endpoints.length > 1))
    return undefined
  const path = groups.path || ''
  if (
    kind === 'sentinel' ? !/^[\w.-]+$/.test(path) : path !== '' && (kind === 'cluster' || !isDatabase(path))
  )
    return undefined
  return {
    kind,
    endpoints: endpoints as Endpoint[],
    socket: undefined,
    isTls,
    username: decoded(groups.user),
    password: decoded(groups.password),
    database: kind === 'server' ? Number(path || '0') : 0,
    masterName: kind === 'sentinel' ? path : '',
    ...options,
  }
}

/** Text of the address without users, passwords and other options. */
export function describeAddress({
  kind,
  endpoints,
  socket,
  isTls,
  masterName,
  database,
}: RedisAddress): string {
  if (socket !== undefined) return `unix://${socket}${database > 0 ? `?db=${database}` : ''}`
  const scheme = `${isTls ? 'rediss' : 'redis'}${kind === 'server' ? '' : `+${kind}`}`
  const hosts = endpoints.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`)
  const path = kind === 'sentinel' ? `/${masterName}` : database > 0 ? `/${database}` : ''
  return `${scheme}://${hosts.join(',')}${path}`
}

/** Location of the persistent data: the data directory of the service, or a Redis that several nodes share. */
export type StoreAddress = 'embedded' | RedisAddress

export const parseStoreAddress = (text: string): StoreAddress | undefined =>
  text === 'embedded' ? text : parseRedisAddress(text)

/** Format of the setting STORE. */
export const storeAddress = {
  expected:
    'embedded, redis://host:port, rediss://… (TLS), redis+sentinel://host,host/name, redis+cluster://host,host or unix:///file',
  schema: z.string().transform((text, context): StoreAddress => {
    const parsed = parseStoreAddress(text)
    if (parsed !== undefined) return parsed
    context.addIssue({ code: 'custom', message: 'no address of a store' })
    return z.NEVER
  }),
}
