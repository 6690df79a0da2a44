import { randomUUID } from 'node:crypto'
import { alertLeaseMs } from '../../contract/storage/alerts.js'
import type { Cluster } from '../../contract/storage/cluster.js'
import { type ClusterState, noJournal, type Store } from '../../contract/storage/stores.js'
import { withTimeout } from '../../runtime/deadline.js'
import type { RedisAddress } from '../address.js'
import { type AlertPeers, rowStores } from '../alert-rows.js'
import { CountedWindows, MemoryTable } from '../bounds.js'
import { Leases } from './leases.js'
import { Redis, type RedisOptions } from './redis.js'
import { RedisAccounts } from './redis-accounts.js'
import { RedisFreeRetries, RedisRateWindows, RedisSubscriptionBounds } from './redis-bounds.js'
import { createScript, leaseOfRedis, releaseLease } from './redis-commands.js'
import { RedisFetches } from './redis-fetches.js'
import { RedisKeyValueStore } from './redis-key-value-store.js'
import { failing, RedisRows } from './redis-rows.js'
import { RedisStreams } from './redis-streams.js'

interface Options extends RedisOptions {
  /** Monotonic clock, in milliseconds. */
  readonly clock?: () => number
  /** Bytes of memory for copies of the series in use. */
  readonly copyBytes?: number
  /** Milliseconds after which another node takes over the tasks of a dead node. */
  readonly leaseMs?: number
  /** Milliseconds that a node waits for the fetch of another node before it fetches by itself. */
  readonly maxWaitMs?: number
  /**
   * Milliseconds by which a node delays its writes of candles if another node holds the stream. When all candles close, both nodes
   * write up to a hundred batches one after the other, in different orders.
   */
  readonly followerDelayMs?: number
}

/** A store in a Redis that several nodes share. */
export interface RedisStore extends Store {
  readonly cluster: Cluster
  readonly clusterState: ClusterState
}

/** Default for programs of the command line, which use few series at a time. */
const defaultCopyBytes = 64 * 2 ** 20
/** Maximum seconds that closing waits for candles to be stored. */
const closeSeconds = 2

/** Opens the store in a Redis that several nodes share. It is usable after `ready` resolves. */
export function openRedisStore(address: RedisAddress, options: Options = {}): RedisStore {
  const { clock = () => Math.floor(performance.now()), onCountedAlone } = options
  const { copyBytes = defaultCopyBytes, leaseMs = 3000, maxWaitMs = 10_000, followerDelayMs = 3000 } = options
  const redis = new Redis(address, options)
  const leases = new Leases(redis, leaseMs)
  const fetches = new RedisFetches({ redis, leases, maxWaitMs })
  const streams = new RedisStreams(redis, leases)
  const isHolder = (series: string) => leases.holds(series)
  const keyValues = new RedisKeyValueStore({ redis, maxBytes: copyBytes, isHolder, followerDelayMs })
  let ready: Promise<void> | undefined
  return {
    accounts: new RedisAccounts(redis),
    rateWindows: new RedisRateWindows(redis, new CountedWindows(new MemoryTable(clock)), onCountedAlone),
    freeRetries: new RedisFreeRetries(redis, clock),
    subscriptions: new RedisSubscriptionBounds(redis, clock, onCountedAlone),
    ...rowStores(what => new RedisRows(redis, 'alerts', what), createAlertPeers(redis, randomUUID())),
    keyValues,
    journal: noJournal,
    cluster: { fetches, streams, onLeader: (...work) => fetches.onLeader(...work) },
    writeFailure: () => keyValues.failure,
    // A full Redis refuses writes.
    freeBytes: () => Number.POSITIVE_INFINITY,
    clusterState: redis,
    ready: () => {
      ready ??= redis.open()
      return ready
    },
    /** Stores waiting writes, for at most two seconds, and releases all leases for other nodes. */
    async close() {
      await withTimeout(Promise.allSettled([keyValues.flush(), streams.endAll()]), closeSeconds)
      await leases.releaseAll()
      for (const part of [leases, streams, keyValues, redis]) part.close()
    },
  }
}

const leaseKeys = ['{alerts}:lease']
const channel = 'alerts'

/** ARGV: token, milliseconds of the lease. Takes or renews the lease for the process with the token. */
const leaseScript = createScript(`${leaseOfRedis}
if isHeld(KEYS[1], ARGV[2]) and redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`)

/** The nodes that share the alerts. One node at a time has the lease to run them. `token` is the value of its lease. */
function createAlertPeers(redis: Redis, token: string): AlertPeers {
  let onText: (text: string) => void = () => {}
  void redis.channels.listen(channel, text => onText(text.toString()))
  return {
    marksChanges: true,
    async lease() {
      const reply = redis.persistent.run(leaseScript, leaseKeys, [token, alertLeaseMs])
      return (await failing('lease alerts', reply)) === 1
    },
    async release() {
      await redis.persistent.run(releaseLease, leaseKeys, [token]).catch(() => {})
    },
    send(text) {
      redis.commands.command('PUBLISH', redis.channels.nameOf(channel), text).catch(() => {})
    },
    listen(listener) {
      onText = listener
    },
  }
}
