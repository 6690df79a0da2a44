import { type Store, StoreFailure } from '../../contract/storage/stores.js'
import { openEmbedded } from '../embedded/embedded.js'
import type { AlertPeers } from '../embedded/embedded-alerts.js'
import { CounterTable } from './counter-table.js'
import {
  ProcessFreeRetries,
  type ProcessNumber,
  ProcessRateWindows,
  ProcessSubscriptionBounds,
} from './process-bounds.js'

/** One of the processes of a machine that use one data directory. */
export interface StoreProcess extends ProcessNumber {
  /** Sends a text to the alerts of all processes, including this process. The text may be lost. */
  send(text: string): void
  /** Sets the single listener, which is called with each text sent from now on. */
  listen(listener: (text: string) => void): void
}

/** Interval of the removal of expired numbers, in milliseconds, and the number of keys per run: less than a millisecond of work. */
const sweepMs = 1000
const sweptKeys = 1000
const alertsKey = 'alerts'

/** Start of this process by the monotonic clock of the machine. */
const startMs = Number(process.hrtime.bigint() / 1_000_000n) - performance.now()

/** Milliseconds from a time that all processes of a machine share. */
export const machineMs = (): number => Math.floor(startMs + performance.now())

/**
 * Opens the store in a data directory for one of several processes of a machine. Accounts, candles and alerts are in the same LMDB
 * files as with a single process. The windows, retries and bounds, which a single process keeps in memory, are in a shared table of
 * numbers. The process with number 0 opens the store first and runs the alerts. Throws StoreFailure.
 */
export function openProcessStore(
  directory: string,
  local: StoreProcess,
  { clock = machineMs }: { readonly clock?: () => number } = {},
): Store {
  const isFirst = local.number === 0
  let numbers: CounterTable | undefined
  const peers: AlertPeers = {
    send: text => local.send(text),
    listen: listener => local.listen(listener),
    lease: () => ({ isHeld: isFirst, version: numbers?.get(alertsKey)?.[0] ?? 0 }),
    changed: () => {
      // The first process knows its own changes.
      if (!isFirst) numbers?.transaction(({ get, set }) => set(alertsKey, (get(alertsKey)?.[0] ?? 0) + 1))
    },
  }
  const embedded = openEmbedded(directory, { exclusive: isFirst, clock, peers })
  const shared = openNumbers(directory, isFirst, embedded)
  numbers = shared
  const sweeping = isFirst ? setInterval(sweeper(shared, clock), sweepMs).unref() : undefined
  const rateWindows = new ProcessRateWindows(shared, clock, local.count)
  return {
    ...embedded,
    rateWindows,
    freeRetries: new ProcessFreeRetries(shared, clock),
    subscriptions: new ProcessSubscriptionBounds(shared, clock, local),
    async close() {
      clearInterval(sweeping)
      rateWindows.returnAll()
      await embedded.close()
      await shared.close()
    },
  }
}

/** Opens the shared table of numbers. On failure, closes the opened store and throws StoreFailure. */
function openNumbers(directory: string, isFirst: boolean, opened: Store): CounterTable {
  try {
    return new CounterTable(directory, isFirst)
  } catch (cause) {
    void opened.close()
    const reason = (cause as Error).message
    throw new StoreFailure(`Cannot open what processes share in "${directory}": ${reason}`, { cause })
  }
}

/** Returns a function that removes some expired numbers per call. The last number of a window, topic or retry is its end time. */
function sweeper(numbers: CounterTable, clock: () => number): () => void {
  let from = ''
  const isTimed = (key: string) => /^(retry|topic|topics|window)\//.test(key)
  return () => {
    const keys = numbers.keys(from, sweptKeys)
    const now = clock()
    numbers.transaction(({ get, remove }) => {
      for (const key of keys) if (isTimed(key) && (get(key)?.at(-1) ?? 0) <= now) remove(key)
    })
    from = keys.length < sweptKeys ? '' : (keys.at(-1) as string)
  }
}
