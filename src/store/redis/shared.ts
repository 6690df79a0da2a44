import { createMemoryChunks } from '../memory-chunks.js'
import { createMemoryWindows } from '../memory-windows.js'
import type { Store, StoreEvents } from '../store.js'
import type { RedisAddress } from './address.js'
import { Engine } from './engine.js'
import { SharedAccounts } from './shared-accounts.js'
import { SharedSubscriptions } from './shared-subscriptions.js'
import { SharedWindows } from './shared-windows.js'

interface Options extends StoreEvents {
  /** Milliseconds of a clock that never goes back. */
  readonly clock?: () => number
}

/** Opens the store in an engine that several nodes share. It can be used once it is `ready`. */
export function openShared(
  address: RedisAddress,
  { clock = () => Math.floor(performance.now()), ...events }: Options = {},
): Store {
  const engine = new Engine(address, events)
  const accounts = new SharedAccounts(engine, clock)
  let ready: Promise<void> | undefined
  return {
    accounts,
    windows: new SharedWindows(engine, createMemoryWindows(clock), clock, events.onCountedAlone),
    subscriptions: new SharedSubscriptions(engine, clock, events.onCountedAlone),
    chunks: createMemoryChunks(),
    journal: { append() {}, clear() {}, recover: () => () => {}, close() {} },
    writeFailure: () => undefined,
    freeBytes: () => Number.MAX_SAFE_INTEGER,
    shared: engine,
    ready: () => {
      ready ??= engine.open().then(() => accounts.start())
      return ready
    },
    async close() {
      accounts.close()
      engine.close()
    },
  }
}
