import { randomUUID } from 'node:crypto'
import { createMemoryWindows } from '../memory-windows.js'
import type { Store, StoreEvents } from '../store.js'
import type { RedisAddress } from './address.js'
import { Engine } from './engine.js'
import { SharedAccounts } from './shared-accounts.js'
import { SharedAlerts } from './shared-alerts.js'
import { openSharedCandles } from './shared-candles.js'
import { SharedSubscriptions } from './shared-subscriptions.js'
import { SharedWindows } from './shared-windows.js'

interface Options extends StoreEvents {
  /** Milliseconds of a clock that never goes back. */
  readonly clock?: () => number
  /** Bytes of memory for copies of the candles of the series in use. */
  readonly copyBytes?: number
  /** Milliseconds that a node waits for candles that another one fetches before it fetches them by itself. */
  readonly maxWaitMs?: number
}

/** For commands, which have few series in use at a time. */
const defaultCopyBytes = 64 * 2 ** 20
const defaultWaitMs = 10_000

/** Opens the store in an engine that several nodes share. It can be used once it is `ready`. */
export function openShared(address: RedisAddress, options: Options = {}): Store {
  const {
    clock = () => Math.floor(performance.now()),
    copyBytes = defaultCopyBytes,
    maxWaitMs = defaultWaitMs,
    ...events
  } = options
  const engine = new Engine(address, events)
  const candles = openSharedCandles(address, { copyBytes, maxWaitMs })
  const accounts = new SharedAccounts(engine, clock)
  let ready: Promise<void> | undefined
  return {
    accounts,
    windows: new SharedWindows(engine, createMemoryWindows(clock), clock, events.onCountedAlone),
    subscriptions: new SharedSubscriptions(engine, clock, events.onCountedAlone),
    alerts: new SharedAlerts(engine, randomUUID()),
    chunks: candles.chunks,
    journal: candles.journal,
    sharing: candles.sharing,
    writeFailure: candles.writeFailure,
    freeBytes: candles.freeBytes,
    shared: engine,
    ready: () => {
      ready ??= engine.open().then(async () => {
        await accounts.start()
        await candles.ready()
      })
      return ready
    },
    async close() {
      await candles.close()
      accounts.close()
      engine.close()
    },
  }
}
