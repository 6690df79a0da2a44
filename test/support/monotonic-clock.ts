const read = performance.now
let aheadMs = 0

/** Moves the monotonic clock of this thread by milliseconds. Neither timers nor the time of day notice it. */
export function moveMonotonic(ms: number): void {
  aheadMs += ms
  performance.now = () => read.call(performance) + aheadMs
}

/** Moves the clock after cached readings have expired: caches read the clock at most once in a millisecond. */
export async function passMonotonic(ms: number): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, 5))
  moveMonotonic(ms)
}

/** Moves the clock back. Must be called after each test. */
export function resetMonotonic(): void {
  aheadMs = 0
  performance.now = read
}
