import { createRequire } from 'node:module'
import type { ConnectionOptions } from 'node:tls'
import type * as IoRedis from 'ioredis'
import type { Cluster, Redis, RedisOptions } from 'ioredis'
import { StoreFailure } from '../../contract/storage/stores.js'
import { CertificateFailure, readCertificates, readKeyPair } from '../../runtime/key-pair.js'
import type { Endpoint, RedisAddress } from './address.js'

/** The library is loaded by the first client: its tenth of a second is not spent by what has no shared store. */
const loadLibrary = () => createRequire(import.meta.url)('ioredis') as typeof IoRedis

/**
 * What one command may take at least, in milliseconds, and as a multiple of the timeout of the address. A slower one
 * rejects; whether it was carried out is not known then.
 */
const minCommandTimeoutMs = 1000
const commandTimeouts = 4

/** What a command may take that nothing can be done without. */
export const commandTimeoutMs = ({ timeoutMs }: RedisAddress): number =>
  Math.max(minCommandTimeoutMs, commandTimeouts * timeoutMs)
/** The longest pause between two attempts to connect. */
const maxReconnectMs = 1000

const reconnectMs = (attempt: number) => Math.min(maxReconnectMs, 50 * attempt)

export type RedisClient = Redis | Cluster

interface Options {
  /** Called with every failure of the connection; it is opened again. */
  readonly onError?: (error: Error) => void
}

/** What the library needs for TLS; undefined without it. Throws StoreFailure where a file cannot be used. */
function tlsOf({ isTls, tls: { ca, cert, key, servername } }: RedisAddress): ConnectionOptions | undefined {
  if (!isTls) return undefined
  const file = (name: string, path: string) => ({ name: `STORE: ${name}`, path })
  try {
    const pair = cert && key ? readKeyPair(file('cert', cert), file('key', key)) : undefined
    return {
      ...(ca && { ca: readCertificates(file('ca', ca)).bytes }),
      ...(pair && { cert: pair.cert, key: pair.key }),
      ...(servername && { servername }),
    }
  } catch (error) {
    if (!(error instanceof CertificateFailure)) throw error
    throw new StoreFailure(error.message, { cause: error })
  }
}

/** Commands fail at once while the connection is down: each caller can go on without the store. */
const commonOptions = (address: RedisAddress) => {
  const { username, password } = address
  const tls = tlsOf(address)
  return {
    ...(username && { username }),
    ...(password && { password }),
    ...(tls && { tls }),
    enableAutoPipelining: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs(address),
    connectTimeout: commandTimeoutMs(address),
    lazyConnect: true,
    retryStrategy: reconnectMs,
  } satisfies RedisOptions
}

/**
 * A client of the shared store; it is not connected yet. Keys get the prefix of the address. It connects again by
 * itself for ever; `disconnect()` ends that. Throws StoreFailure where a file of the address cannot be used.
 */
export function createRedisClient(address: RedisAddress, { onError = () => {} }: Options = {}): RedisClient {
  const client = createClient(address)
  client.on('error', error => {
    // A TLS connection that is not trusted may fail once more, by an alert of the server: the library listens to the first
    // failure only, and one without a listener would end the process.
    if ('stream' in client) client.stream?.on('error', () => {})
    onError(error)
  })
  return client
}

function createClient(address: RedisAddress): RedisClient {
  const { Cluster, Redis } = loadLibrary()
  const common = commonOptions(address)
  const { kind, endpoints, socket, prefix: keyPrefix, database: db, masterName } = address
  if (kind === 'cluster') {
    return new Cluster([...endpoints], {
      keyPrefix,
      redisOptions: common,
      enableAutoPipelining: true,
      enableOfflineQueue: false,
      lazyConnect: true,
      clusterRetryStrategy: reconnectMs,
    })
  }
  if (kind === 'sentinel') {
    return new Redis({
      ...common,
      keyPrefix,
      sentinels: [...endpoints],
      name: masterName,
      sentinelRetryStrategy: reconnectMs,
      ...(address.sentinelUser && { sentinelUsername: address.sentinelUser }),
      ...(address.sentinelPassword && { sentinelPassword: address.sentinelPassword }),
      ...(common.tls && { enableTLSForSentinelMode: true, sentinelTLS: common.tls }),
    })
  }
  const place = socket === undefined ? (endpoints[0] as Endpoint) : { path: socket }
  return new Redis({ ...common, keyPrefix, ...place, db })
}
