import { setFlagsFromString } from 'node:v8'

/**
 * How many percent of what is in use V8 lets a heap grow by before it collects old garbage. By itself it waits until there is several
 * times as much.
 */
const boundedPercent = 40
/** V8 decides by itself. */
const unboundedPercent = 0

let bounds = 0

const setGrowth = (percent: number) => setFlagsFromString(`--heap-growing-percent=${percent}`)

/**
 * Bounds how much old garbage the heaps of this process have, those of its threads included, until the function is called that it
 * gives. It is for work whose garbage lives long enough to be old, in which the process spends little of its time.
 */
export function boundHeapGrowth(): () => void {
  if (bounds++ === 0) setGrowth(boundedPercent)
  let isReleased = false
  return () => {
    if (isReleased) return
    isReleased = true
    if (--bounds === 0) setGrowth(unboundedPercent)
  }
}
