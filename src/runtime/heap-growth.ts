import { setFlagsFromString } from 'node:v8'

/**
 * Percentage of the heap in use by which V8 lets it grow before it collects old garbage. By default V8 waits for several
 * times as much.
 */
const boundedPercent = 40
/** V8's own decision. */
const unboundedPercent = 0

let bounds = 0

const setGrowth = (percent: number) => setFlagsFromString(`--heap-growing-percent=${percent}`)

/**
 * Bounds the old garbage in the heaps of this process and its threads, until the returned function is called. For work with
 * long-lived garbage in which the process spends little of its time.
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
