interface Options {
  /** Unix seconds. */
  readonly clock: () => number
  /** Milliseconds from any moment that never go back. */
  readonly monotonicMs: () => number
  /** Called with the seconds by which the clock was set, negative where it was set back. */
  readonly onJump: (seconds: number) => void
}

const checkMs = 1000
/** Smaller differences are corrections of the clock, and rounded times. */
const minJumpSeconds = 2

/**
 * Notices when the clock is set, or when the machine was suspended, until the function returned is called. It only
 * reports this: series and feeds find out by the candles that they are shown.
 */
export function watchClock({ clock, monotonicMs, onJump }: Options): () => void {
  const offset = () => clock() - monotonicMs() / 1000
  let known = offset()
  const timer = setInterval(() => {
    const jump = offset() - known
    known += jump
    if (Math.abs(jump) >= minJumpSeconds) onJump(jump)
  }, checkMs)
  timer.unref()
  return () => clearInterval(timer)
}
