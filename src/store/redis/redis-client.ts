import { createRequire } from 'node:module'
import type { ConnectionOptions } from 'node:tls'
import type * as IoRedis from 'ioredis'
import type { Cluster, Redis, RedisOptions } from 'ioredis'
import { StoreFailure } from '../../contract/storage/stores.js'
import { CertificateFailure, readCertificates, readKeyPair } from '../../runtime/key-pair.js'
import type { Endpoint, RedisAddress } from '../address.js'

/** Loads the library when the first client needs it. Loading costs about 0.1 s, which programs without a shared store save. */
const loadLibrary = () => createRequire(import.meta.url)('ioredis') as typeof IoRedis

/**
 * Long timeout of a command: `commandTimeouts` times the timeout of the address, but at least `minCommandTimeoutMs`. A command that
 * times out may have been executed.
 */
const minCommandTimeoutMs = 1000
const commandTimeouts = 4

/** Timeout in milliseconds of commands whose result is indispensable. */
export const commandTimeoutMs = ({ timeoutMs }: RedisAddress): number =>
  Math.max(minCommandTimeoutMs, commandTimeouts * timeoutMs)
/** Maximum pause between two attempts to connect, in milliseconds. */
const maxReconnectMs = 1000

const reconnectMs = (attempt: number) => Math.min(maxReconnectMs, 50 * attempt)

export type RedisClient = Redis | Cluster

interface Options {
  /** Called with every failure of the connection. The client reconnects. */
  readonly onError?: (error: Error) => void
}

/** TLS options of the library; undefined without TLS. Throws StoreFailure if a file cannot be used. */
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

/** Options of all kinds of clients. Commands fail immediately while the connection is down, so that callers continue without it. */
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
 * Creates a client of the shared store without connecting it. Adds the prefix of the address to all keys. The client reconnects
 * until `disconnect()` is called. Throws StoreFailure if a file of the address cannot be used.
 */
export function createRedisClient(address: RedisAddress, { onError = () => {} }: Options = {}): RedisClient {
  const client = createClient(address)
  client.on('error', error => {
    // An untrusted TLS connection may fail a second time, with an alert of the server. The library listens only to the first
    // failure, and an error event without a listener would end the process.
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
