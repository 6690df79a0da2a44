// Measures stalls of the machine: the time for which a hypervisor did not run this virtual machine. If the hypervisor does
// not report it as steal time, the kernel counts it as processor time of the running thread.
import { readFileSync } from 'node:fs'
import { isMainThread, Worker, workerData } from 'node:worker_threads'

/** Sleep time of the monitor thread in milliseconds. Delays shorter than `minStallMs` may be noise. */
const sleepMs = 2
const minStallMs = 5
/** Number of stalls kept; older ones are overwritten. */
const capacity = 1024

/** Milliseconds on a clock that all threads share. */
export const clockMs = () => Number(process.hrtime.bigint()) / 1e6

/** Milliseconds for which this thread has run or has waited for a processor; undefined if the system does not show it. */
function accountedMs() {
  try {
    const [ran, waited] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')
    return (Number(ran) + Number(waited)) / 1e6
  } catch {
    return undefined
  }
}

/** Sleeps again and again. A round's delay minus the thread's processor time and its time in the run queue is a stall. */
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

/** Starts the monitor thread, which runs until the process ends. */
export function watchMachine() {
  /** Number of stalls; a word to wait on, which is never notified; number of rounds. */
  const counts = new Int32Array(new SharedArrayBuffer(12))
  const stalls = new Float64Array(new SharedArrayBuffer(16 * capacity))
  // Without the options of this process, which would preload its modules into the thread.
  new Worker(new URL(import.meta.url), { workerData: { counts, stalls }, execArgv: [] }).unref()
  const known = () =>
    Array.from({ length: Math.min(counts[0], capacity) }, (_, i) => ({
      start: stalls[2 * i],
      end: stalls[2 * i + 1],
    }))
  return {
    /** Milliseconds of stalls between two readings of the clock. */
    stalledMs: (from, to) =>
      known().reduce(
        (sum, { start, end }) => sum + Math.max(0, Math.min(to, end) - Math.max(from, start)),
        0,
      ),
    /** The longest stall since a reading of the clock, in milliseconds. */
    longestMs: since =>
      known().reduce(
        (longest, { start, end }) => (start < since ? longest : Math.max(longest, end - start)),
        0,
      ),
    /** Number of rounds that the thread has ended: after two more it knows all stalls up to the call. */
    rounds: () => Atomics.load(counts, 2),
  }
}

if (!isMainThread && workerData?.stalls) watch(workerData)
