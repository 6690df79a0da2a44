import { Scheduler } from '../../src/runtime/scheduler.js'

/** A scheduler whose time slices always have time, except for work expected to take long: no test depends on the machine. */
export const endlessScheduler = (): Scheduler => new Scheduler(() => 0)

/** An event loop in which a test says how many milliseconds have passed. */
export function scriptedScheduler() {
  let now = 0
  return {
    scheduler: new Scheduler(() => now),
    pass(ms: number) {
      now += ms
    },
  }
}

/** Resolves in the next turn. */
export const nextTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
