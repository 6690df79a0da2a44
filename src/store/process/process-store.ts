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
  /** Sends a text to the alerts of all processes, this one included. It may be lost. */
  send(text: string): void
  /** Calls `listener` with each text that is sent from now on; there is one listener. */
  listen(listener: (text: string) => void): void
}

/** How often numbers are looked at that have ended, in milliseconds, and how many of them at a time: less than a millisecond. */
const sweepMs = 1000
const sweptKeys = 1000
const alertsKey = 'alerts'

/** When this process began, by the clock of the machine that never goes back. */
const startMs = Number(process.hrtime.bigint() / 1_000_000n) - performance.now()

/** Milliseconds from a time that is the same one in all processes of a machine until they are restarted together. */
export const machineMs = (): number => Math.floor(startMs + performance.now())

/**
 * Opens the store in a data directory as one of several processes of one machine: accounts, candles and alerts in the files of
 * LMDB, as a single process has them, and all that this one has in its memory in numbers that they share. The process with number
 * 0 opens it first and runs the alerts. Throws StoreFailure.
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

/** Throws StoreFailure, after it has closed what was opened. */
function openNumbers(directory: string, isFirst: boolean, opened: Store): CounterTable {
  try {
    return new CounterTable(directory, isFirst)
  } catch (cause) {
    void opened.close()
    const reason = (cause as Error).message
    throw new StoreFailure(`Cannot open what processes share in "${directory}": ${reason}`, { cause })
  }
}

/** Removes some of the numbers whose time has ended with each call: the last one of windows, topics and retries says when that is. */
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
