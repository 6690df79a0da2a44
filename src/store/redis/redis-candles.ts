import { withTimeout } from '../../runtime/deadline.js'
import { NotShared, type Sharing } from '../sharing.js'
import { noJournal, type Store } from '../store.js'
import { Leases } from './leases.js'
import type { Redis } from './redis.js'
import { RedisFetches } from './redis-fetches.js'
import { RedisKeyValueStore } from './redis-key-value-store.js'
import { RedisStreams } from './redis-streams.js'

export interface CandleOptions {
  /** Bytes of memory for copies of what is stored of the series in use. */
  readonly copyBytes?: number
  /** Milliseconds after which another node takes over what a dead one had begun. */
  readonly leaseMs?: number
  /** Milliseconds that a node waits for what another one fetches before it fetches by itself. */
  readonly maxWaitMs?: number
  /** Events of a stream that are kept for nodes that have missed some. */
  readonly keptEvents?: number
  /** Milliseconds for which a node leaves writing candles to the one that has the stream. */
  readonly followerDelayMs?: number
}

/** The candles of the nodes that share Redis, and what is done by one of them for all. */
export interface RedisCandles extends Pick<Store, 'keyValues' | 'journal' | 'writeFailure' | 'freeBytes'> {
  readonly sharing: Sharing
  /** Stores what is not stored yet, as far as that is possible within two seconds, and lets other nodes take over. */
  close(): Promise<void>
}

/** For commands, which have few series in use at a time. */
const defaultCopyBytes = 64 * 2 ** 20
/** Seconds for which the end waits until candles are stored. */
const closeSeconds = 2

/** The candles in Redis, which need not be connected yet. */
export function openRedisCandles(redis: Redis, options: CandleOptions = {}): RedisCandles {
  const { copyBytes = defaultCopyBytes, leaseMs = 3000, maxWaitMs = 10_000 } = options
  const { keptEvents = 200, followerDelayMs = 1500 } = options
  const leases = new Leases(redis, leaseMs)
  const fetches = new RedisFetches({ redis, leases, maxWaitMs })
  const streams = new RedisStreams({ redis, leases, keptEvents })
  const isHolder = (series: string) => leases.holds(series)
  const keyValues = new RedisKeyValueStore({ redis, maxBytes: copyBytes, isHolder, followerDelayMs })
  return {
    keyValues,
    journal: noJournal,
    sharing: { fetches, streams, alone: (...work) => runAlone(fetches, ...work) },
    writeFailure: () => keyValues.failure,
    // Redis says by its answers to writes when it is full.
    freeBytes: () => Number.POSITIVE_INFINITY,
    async close() {
      await withTimeout(Promise.allSettled([keyValues.flush(), streams.endAll()]), closeSeconds)
      await leases.releaseAll()
      for (const part of [leases, streams, keyValues]) part.close()
    },
  }
}

/** Runs work unless another node has begun with it in the last `everyMs`, or nodes cannot reach each other. */
async function runAlone(
  fetches: RedisFetches,
  name: string,
  everyMs: number,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await fetches.fetch(name, { maxAgeMs: everyMs, depth: 0, keepMs: everyMs }, async () => {
      await work()
      return { bytes: new Uint8Array(), isFailure: false }
    })
  } catch (error) {
    if (!(error instanceof NotShared)) throw error
  }
}
