import { randomUUID } from 'node:crypto'
import { createMemoryRateWindows } from '../embedded/memory-rate-windows.js'
import type { SharedState, Store } from '../store.js'
import type { RedisAddress } from './address.js'
import { Redis, type RedisOptions } from './redis.js'
import { RedisAccounts } from './redis-accounts.js'
import { RedisAlerts } from './redis-alerts.js'
import { type CandleOptions, openRedisCandles, type RedisCandles } from './redis-candles.js'
import { RedisFreeRetries } from './redis-free-retries.js'
import { RedisRateWindows } from './redis-rate-windows.js'
import { RedisSubscriptionBounds } from './redis-subscription-bounds.js'

interface Options extends RedisOptions, CandleOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly clock?: () => number
}

/** A store in a Redis that several nodes share. */
export interface RedisStore extends Store {
  readonly sharing: RedisCandles['sharing']
  readonly shared: SharedState
}

/** Opens the store in a Redis that several nodes share. It can be used once it is `ready`. */
export function openRedisStore(address: RedisAddress, options: Options = {}): RedisStore {
  const { clock = () => Math.floor(performance.now()), onCountedAlone } = options
  const redis = new Redis(address, options)
  const { close: closeCandles, ...candles } = openRedisCandles(redis, options)
  let ready: Promise<void> | undefined
  return {
    ...candles,
    accounts: new RedisAccounts(redis, clock),
    rateWindows: new RedisRateWindows(redis, createMemoryRateWindows(clock), onCountedAlone),
    freeRetries: new RedisFreeRetries(redis, clock),
    subscriptions: new RedisSubscriptionBounds(redis, clock, onCountedAlone),
    alerts: new RedisAlerts(redis, randomUUID()),
    shared: redis,
    ready: () => {
      ready ??= redis.open()
      return ready
    },
    async close() {
      await closeCandles()
      redis.close()
    },
  }
}
