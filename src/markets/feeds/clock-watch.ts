interface Options {
  readonly clock: () => number
  /** Milliseconds since an arbitrary moment, never decreasing. */
  readonly monotonicMs: () => number
  /** Called with the seconds by which the clock was set, negative if it was set back. */
  readonly onJump: (seconds: number) => void
}

const checkMs = 1000
/** Smaller differences are corrections of the clock, or rounding of times. */
const minJumpSeconds = 2

/**
 * Notices changes of the clock and suspensions of the machine, until the returned function is called. Only reports
 * them: series and feeds react to the candles that they receive.
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
