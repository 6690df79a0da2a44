// Sees when the machine itself stood still. A virtual machine whose host gives it no processor does not always know of it: the system
// then counts the time for whichever thread ran, as if that thread had worked.
import { readFileSync } from 'node:fs'
import { isMainThread, Worker, workerData } from 'node:worker_threads'

/** For how long the watching thread sleeps, in milliseconds. What is shorter than `minStallMs` is not told from noise. */
const sleepMs = 2
const minStallMs = 5
/** Stalls that are remembered; older ones are overwritten. */
const capacity = 1024

/** Milliseconds on a clock that all threads share. */
export const clockMs = () => Number(process.hrtime.bigint()) / 1e6

/** Milliseconds for which this thread has run or has waited for a processor; undefined where the system does not show it. */
function accountedMs() {
  try {
    const [ran, waited] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')
    return (Number(ran) + Number(waited)) / 1e6
  } catch {
    return undefined
  }
}

/** Sleeps again and again. What a round takes beyond its sleep, its work and its wait for a processor, nobody had. */
function watch({ counts, stalls }) {
  for (;;) {
    const accounted = accountedMs()
    if (accounted === undefined) return
    // Nothing between the two readings of the clock can wait for another thread of the process.
    const start = clockMs()
    Atomics.wait(counts, 1, 0, sleepMs)
    const end = clockMs()
    if (end - start - sleepMs > minStallMs) {
      const stalled = end - start - sleepMs - (accountedMs() - accounted)
      if (stalled > minStallMs) {
        const at = 2 * (counts[0] % capacity)
        stalls[at] = end - stalled
        stalls[at + 1] = end
        Atomics.add(counts, 0, 1)
      }
    }
    Atomics.add(counts, 2, 1)
  }
}

/** Watches from a thread of its own until the process ends. */
export function watchMachine() {
  /** Stalls; what the thread waits on, which is never notified; rounds. */
  const counts = new Int32Array(new SharedArrayBuffer(12))
  const stalls = new Float64Array(new SharedArrayBuffer(16 * capacity))
  // Without the options of this process, which would load into the thread what is preloaded here.
  new Worker(new URL(import.meta.url), { workerData: { counts, stalls }, execArgv: [] }).unref()
  const known = () =>
    Array.from({ length: Math.min(counts[0], capacity) }, (_, i) => ({
      start: stalls[2 * i],
      end: stalls[2 * i + 1],
    }))
  return {
    /** Milliseconds of the time between two readings of the clock in which the machine stood still. */
    stalledMs: (from, to) =>
      known().reduce(
        (sum, { start, end }) => sum + Math.max(0, Math.min(to, end) - Math.max(from, start)),
        0,
      ),
    /** The longest time for which it stood still since a reading of the clock, in milliseconds. */
    longestMs: since =>
      known().reduce(
        (longest, { start, end }) => (start < since ? longest : Math.max(longest, end - start)),
        0,
      ),
    /** How many rounds the thread has ended: after two more it knows all stalls until now. */
    rounds: () => Atomics.load(counts, 2),
  }
}

if (!isMainThread && workerData?.stalls) watch(workerData)
