/** A server of Redis or Valkey. */
export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** What a server is trusted by, and who this client is, beside a password. Files are in PEM format. */
export interface TlsOptions {
  /** The file of the authorities that are trusted in place of the known ones. */
  readonly ca?: string
  /** The files of the certificate that is shown to servers that ask for one, and of its key: both or none. */
  readonly cert?: string
  readonly key?: string
  /** The name that the certificate of a server must have, in place of its host. */
  readonly servername?: string
}

/** Where the shared store is, as the setting STORE says. */
export interface RedisAddress {
  readonly kind: 'server' | 'sentinel' | 'cluster'
  /** The server itself, the sentinels, or nodes of the cluster: at least one. */
  readonly endpoints: readonly Endpoint[]
  readonly isTls: boolean
  readonly tls: TlsOptions
  readonly username: string | undefined
  readonly password: string | undefined
  /** Of the sentinels themselves. */
  readonly sentinelUser: string | undefined
  readonly sentinelPassword: string | undefined
  readonly database: number
  /** The name under which sentinels know the server; empty for the other kinds. */
  readonly masterName: string
  /** What every key begins with, so that several installations can share a server. */
  readonly prefix: string
  /** How long a command may take, in milliseconds; after that the store counts as away. */
  readonly timeoutMs: number
}

const form =
  /^(?<scheme>rediss?)(?:\+(?<kind>sentinel|cluster))?:\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^/?@]+)(?:\/(?<path>[^?]*))?(?:\?(?<query>.*))?$/

const defaultPort = { server: 6379, sentinel: 26_379, cluster: 6379 } as const
const defaultPrefix = 'candela:'
const defaultTimeoutMs = 250

const tlsNames = ['ca', 'cert', 'key', 'servername'] as const
const sentinelNames = ['sentinelUser', 'sentinelPassword'] as const
type Options = Pick<RedisAddress, 'prefix' | 'timeoutMs' | 'tls' | 'sentinelUser' | 'sentinelPassword'>

/** The options after the question mark; undefined where one is not known, is not of use here or has another form. */
function parseOptions(query = '', isTls: boolean, kind: RedisAddress['kind']): Options | undefined {
  const given = new URLSearchParams(query)
  const allowed = [
    ...['prefix', 'timeout'],
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

/**
 * Reads `redis://user:password@host:6379/0`, `rediss://…` (TLS), `redis+sentinel://host1:26379,host2:26379/name` or
 * `redis+cluster://host1:6379,host2:6379`, each with `?prefix=…&timeout=…` (milliseconds) if wanted, with those of TLS where
 * the scheme is `rediss`, and with `sentinelUser` and `sentinelPassword`. Undefined where the text has another form.
 */
export function parseRedisAddress(text: string): RedisAddress | undefined {
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
    kind === 'sentinel' ? !/^[\w.-]+$/.test(path) : kind === 'cluster' ? path !== '' : !/^\d{0,4}$/.test(path)
  )
    return undefined
  const decoded = (part: string | undefined) => (part ? decodeURIComponent(part) : undefined)
  try {
    return {
      kind,
      endpoints: endpoints as Endpoint[],
      isTls,
      username: decoded(groups.user),
      password: decoded(groups.password),
      database: kind === 'server' ? Number(path || '0') : 0,
      masterName: kind === 'sentinel' ? path : '',
      ...options,
    }
  } catch {
    return undefined
  }
}

/** The address without users, passwords and other options. */
export function describeAddress({ kind, endpoints, isTls, masterName, database }: RedisAddress): string {
  const scheme = `${isTls ? 'rediss' : 'redis'}${kind === 'server' ? '' : `+${kind}`}`
  const hosts = endpoints.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`)
  const path = kind === 'sentinel' ? `/${masterName}` : database > 0 ? `/${database}` : ''
  return `${scheme}://${hosts.join(',')}${path}`
}
