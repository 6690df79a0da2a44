import { Frame } from '../../frame'

/**
 * Drawdown Duration: candles since the highest value so far was last reached; 0 at a new high and where it is reached
 * again.
 * Source: Magdon-Ismail and Atiya, Maximum Drawdown (2004), for the term.
 */
export function drawdownduration(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  let peak = from === 0 ? NaN : state[0]
  let duration = from === 0 ? 0 : state[1]
  for (let i = from; i < to; i++) {
    const isReached = !(x[i] < peak)
    if (isReached) peak = x[i]
    duration = isReached ? 0 : duration + 1
    out[i] = duration
  }
  state[0] = peak
  state[1] = duration
}
