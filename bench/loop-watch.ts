import { readFileSync } from 'node:fs'

// Loaded before the service by `node --import`, with an IPC channel: every second it reports how long the event loop was
// held and what memory the process has.

/** What one second looked like; times in milliseconds. */
export interface LoopReport {
  /** The longest processor time that the thread of the event loop took between two turns. */
  readonly held: number
  /** The longest time between two turns. It contains the time in which other programs had the processor. */
  readonly delay: number
  /** Bytes. */
  readonly rss: number
}

/** Milliseconds between two looks at the clock. */
const intervalMs = 5

/** Processor time of this thread in milliseconds; the time of day where the system does not show it. */
function threadMs(): number {
  try {
    const path = `/proc/self/task/${process.pid}/schedstat`
    return Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return performance.now()
  }
}

let held = 0
let delay = 0
let lastWall = performance.now()
let lastThread = threadMs()
setInterval(() => {
  const wall = performance.now()
  const thread = threadMs()
  held = Math.max(held, Math.min(wall - lastWall, thread - lastThread))
  delay = Math.max(delay, wall - lastWall - intervalMs)
  lastWall = wall
  lastThread = thread
}, intervalMs).unref()

setInterval(() => {
  const report: LoopReport = { held, delay, rss: process.memoryUsage.rss() }
  held = 0
  delay = 0
  if (process.connected) process.send?.(report)
}, 1000).unref()
process.channel?.unref()
