import { performance } from 'node:perf_hooks'
import { type Store, StoreFailure } from '../../contract/storage/stores.js'
import type { AlertPeers } from '../alert-rows.js'
import { CountedRetries, CountedSubscriptions, CountedWindows, type ProcessNumber } from '../bounds.js'
import { openEmbedded } from '../embedded/embedded.js'
import { CounterTable } from './counter-table.js'

/** One of the processes of a machine that use one data directory. */
export interface StoreProcess extends ProcessNumber {
  /** Sends a text to the alerts of all processes, including this process. The text may be lost. */
  send(text: string): void
  /** Sets the single listener, which is called with each text sent from now on. */
  listen(listener: (text: string) => void): void
}

/** Interval of the removal of ended numbers, in milliseconds. */
const sweepMs = 1000

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
  const peers: AlertPeers = {
    // The first process runs the alerts, and knows its own changes.
    marksChanges: !isFirst,
    lease: async () => isFirst,
    async release() {},
    send: text => local.send(text),
    listen: listener => local.listen(listener),
  }
  const embedded = openEmbedded(directory, { exclusive: isFirst, clock, peers })
  const shared = openNumbers(directory, isFirst, clock, embedded)
  const sweeping = isFirst ? setInterval(() => shared.sweep(), sweepMs).unref() : undefined
  return {
    ...embedded,
    rateWindows: new CountedWindows(shared.windows),
    freeRetries: new CountedRetries(shared, shared.windows),
    subscriptions: new CountedSubscriptions(shared, local),
    async close() {
      clearInterval(sweeping)
      await embedded.close()
      await shared.close()
    },
  }
}

/** Opens the shared table of numbers. On failure, closes the opened store and throws StoreFailure. */
function openNumbers(directory: string, isFirst: boolean, clock: () => number, opened: Store): CounterTable {
  try {
    return new CounterTable(directory, isFirst, clock)
  } catch (cause) {
    void opened.close()
    const reason = (cause as Error).message
    throw new StoreFailure(`Cannot open what processes share in "${directory}": ${reason}`, { cause })
  }
}
