import { randomUUID } from 'node:crypto'
import { createMemoryWindows } from '../embedded/memory-windows.js'
import type { SharedState, Store } from '../store.js'
import type { RedisAddress } from './address.js'
import { Engine, type EngineOptions } from './redis.js'
import { SharedQuestions } from './redis-retries.js'
import { SharedAccounts } from './shared-accounts.js'
import { SharedAlerts } from './shared-alerts.js'
import { type CandleOptions, openSharedCandles, type SharedCandles } from './shared-candles.js'
import { SharedSubscriptions } from './shared-subscriptions.js'
import { SharedWindows } from './shared-windows.js'

interface Options extends EngineOptions, CandleOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly clock?: () => number
}

/** A store in an engine that several nodes share. */
export interface SharedStore extends Store {
  readonly sharing: SharedCandles['sharing']
  readonly shared: SharedState
}

/** Opens the store in an engine that several nodes share. It can be used once it is `ready`. */
export function openShared(address: RedisAddress, options: Options = {}): SharedStore {
  const { clock = () => Math.floor(performance.now()), onCountedAlone } = options
  const engine = new Engine(address, options)
  const { close: closeCandles, ...candles } = openSharedCandles(engine, options)
  const accounts = new SharedAccounts(engine, clock)
  const windows = new SharedWindows(engine, createMemoryWindows(clock), clock, onCountedAlone)
  let ready: Promise<void> | undefined
  return {
    ...candles,
    accounts,
    windows,
    questions: new SharedQuestions(engine, clock),
    subscriptions: new SharedSubscriptions(engine, clock, onCountedAlone),
    alerts: new SharedAlerts(engine, randomUUID()),
    shared: engine,
    ready: () => {
      ready ??= engine.open().then(() => accounts.start())
      return ready
    },
    async close() {
      await Promise.all([closeCandles(), windows.giveBack()])
      accounts.close()
      engine.close()
    },
  }
}
